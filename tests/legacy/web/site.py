"""A club with pages: requests without a network, letters without mail servers."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from pbem.legacy.config.settings import Web
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path
from pbem.legacy.matches.match import Match
from pbem.legacy.store import views
from pbem.legacy.store.people import roster
from pbem.legacy.store.people.roster import PlayerRow
from pbem.legacy.transaction.installation import find_match
from pbem.legacy.web.access import newest_address, seat_link
from pbem.legacy.web.application import application
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.clubs.kept import kept

PUBLIC = "https://games.pbem.example"


@dataclass
class Site:
    """The pages of a club, and a browser without scripts."""

    club: Club
    client: httpx.AsyncClient

    async def get(self, path: str, **asked: Any) -> httpx.Response:
        return await self.client.get(path, **asked)

    async def post(self, path: str, form: dict[str, str]) -> httpx.Response:
        """Send a form while the service works."""
        sending = asyncio.create_task(self.client.post(path, data=form))
        while not sending.done():
            await self.club.work()
            await asyncio.sleep(0.01)
        return await sending

    async def form(self, path: str, text: str, **fields: str) -> dict[str, str]:
        """A form of a page, filled in."""
        page = (await self.get(path)).text
        marks = dict(re.findall(r'name="(nonce|made|own)" value="([^"]*)"', page))
        return {"text": text, **marks, **fields}

    async def row(self, address: str) -> PlayerRow:
        unit = partial(roster.player_by_address, address=address)
        row = await asyncio.wrap_future(self.club.house.db.read(unit))
        assert row is not None
        return row

    async def match(self) -> Match:
        """The newest match."""
        rows = await asyncio.wrap_future(self.club.house.db.read(views.matches))
        found = await asyncio.wrap_future(
            self.club.house.db.read(partial(find_match, match=rows[0].id))
        )
        assert found is not None
        return found.match

    async def path(
        self, purpose: Purpose, address: str = ANN, number: int = 0, match: Match | None = None
    ) -> str:
        """Where a page of somebody's is, of the newest match or another one."""
        house, row = self.club.house, await self.row(address)
        if purpose in (Purpose.PLAYER, Purpose.STOP, Purpose.CALENDAR, Purpose.FEED):
            usual = partial(newest_address, player=row)
            generation = await asyncio.wrap_future(house.db.read(usual))
            return page_path(house.keys, PageLink(purpose, row.id, number, generation))
        if purpose is Purpose.PROFILE:
            return page_path(house.keys, PageLink(purpose, row.id))
        match = match or await self.match()
        if purpose is Purpose.VIEW:
            return page_path(house.keys, PageLink(purpose, match.id))
        unit = partial(seat_link, match=match, player=row, purpose=purpose)
        link = await asyncio.wrap_future(house.db.read(unit))
        return page_path(house.keys, link)


def open_site(folder: Path, **wishes: Any) -> Site:
    """A club that is shown to browsers."""
    club = open_club(folder, **wishes)
    settings = club.house.settings.model_copy(update={"web": Web(public_url=PUBLIC)})
    club.house = replace(club.house, settings=settings)
    transport = httpx.ASGITransport(application(club.house), client=("192.0.2.7", 1))
    client = httpx.AsyncClient(transport=transport, base_url=PUBLIC)
    client.event_hooks["response"].append(_without_marks)
    return Site(club, client)


async def _without_marks(answer: httpx.Response) -> None:
    """No page has a mark of those with which mails are written; what was asked may come back."""
    asked = answer.request.url.query + await answer.request.aread()
    html = answer.headers.get("content-type", "").startswith("text/html")
    if html and not re.search(rb"%(0[0-8B-F]|1|7F)", asked, re.IGNORECASE):
        await answer.aread()
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", answer.text), answer.url


async def begin(site: Site, game: str = "logger", more: str = "seat_order=given") -> None:
    """Ann and Bob play; Ann has the first seat."""
    await _begun(site.club, game, more)


@kept
async def _begun(club: Club, game: str, more: str) -> None:
    await club.write(ANN, f"new {game} with {BOB} {more}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")


async def begin_again(site: Site, game: str, more: str) -> None:
    """Ann and Bob, who have played before, begin another match."""
    await _begun_again(site.club, game, more)


@kept
async def _begun_again(club: Club, game: str, more: str) -> None:
    await club.write(ANN, "games")
    await club.answer(ANN, f"new {game} with {BOB} {more}")
    await club.answer(BOB, "accept")
