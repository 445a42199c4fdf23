"""What a reader is told counts what that reader may know, and nothing that others do in secret."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from pbem.mail.addresses import Purpose
from pbem.matches.match import Match
from pbem.transaction.installation import find_match
from pbem.web import live
from tests.clubs.club import ANN, BOB, CLEO, Club
from tests.clubs.kept import kept
from tests.web.site import Site, begin, open_site

PRIVATE: Final = (
    "note corners matter",
    "note more",
    "mute Bob",
    "unmute Bob",
    "if any then pass",
    "queue clear",
    "c1 plant c2",  # held
    "undo",
    "resign",
    "undo",
    "messages",
    "window 20",
    "receipts off",
    "tz Europe/Vienna",
    "quiet 22-7",
    "rest sun",
    "invitations off",
    "settings",
    "history",
    "my data",
    "verify",
    "calendar",
)
"""What Ann does that nobody else may know of."""


@dataclass
class Scene:
    """Two matches of Ann and Bob, of which Cleo watches both."""

    site: Site
    first: Match
    second: Match

    async def orders(self, order: str) -> None:
        """Ann writes to the address of her seat in the first match."""
        page = (await self.site.get(await self.site.path(Purpose.ACT, match=self.first))).text
        (to,) = set(re.findall(r"mailto:([^?\"]+)\?", page))
        await self.site.club.write(ANN, order, to=unquote(to))

    async def version(self) -> int:
        """How many events the first match has had."""
        find = partial(find_match, match=self.first.id)
        found = await asyncio.wrap_future(self.site.club.house.db.read(find))
        assert found is not None
        return found.match.version

    async def gives(self) -> dict[str, str]:
        """All that pages give to Bob and to outsiders, without what is new at each look."""
        site, found = self.site, {}
        paths = {"club": "/", "boards": await site.path(Purpose.PLAYER, BOB)}
        paths["calendar"] = await site.path(Purpose.CALENDAR, BOB) + "/calendar.ics"
        paths["feed"] = await site.path(Purpose.FEED, BOB) + "/boards.atom"
        for match in (self.first, self.second):
            for purpose in (Purpose.ACT, Purpose.SEAT, Purpose.VIEW):
                paths[f"{purpose} {match.id}"] = await site.path(purpose, BOB, match=match)
        for name, path in [*paths.items()]:
            if name.split()[0] in ("act", "seat", "view"):
                paths[f"{name} live"] = f"{path}/live?since=0"
                paths[f"{name} start"] = f"{path}?at=0"
                paths[f"{name} tenth"] = f"{path}?at=10"
        for number, (name, path) in enumerate(paths.items()):
            site.client._transport.client = (f"192.0.2.{number}", 1)  # type: ignore[attr-defined]
            answer = await site.get(path)
            assert answer.status_code == 200, name
            tag = "" if name == "calendar" else answer.headers.get("etag", "")
            found[name] = f"{tag}\n{steady(answer.text)}"
        return found


def steady(page: str) -> str:
    """A page without the marks of its forms, and without when a feed was made."""
    page = re.sub(r'name="(nonce|made)" value="[^"]*"', "", page)
    return re.sub(r"DTSTAMP:\S+|DTSTART:\S+", "", page)


@pytest.fixture
async def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    monkeypatch.setattr(live, "LASTS", 0.02)
    monkeypatch.setattr(live, "LOOK", 0.01)
    site = open_site(tmp_path, window=30, resign=24)
    async with site.client:
        yield await _scene(site)
    site.club.house.db.close()


@kept
async def _watched(club: Club, first: str) -> None:
    await club.write(CLEO, "games")
    await club.answer(CLEO, "yes")
    await club.answer(CLEO, f"watch {first}")
    await club.write(ANN, "games")
    await club.answer(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(BOB, "accept")
    await club.answer(ANN, f"{first} place a1")
    await club.answer(ANN, f"{first} now")
    await club.answer(BOB, f"{first} place e5")
    await club.answer(BOB, f"{first} now")


async def _scene(site: Site) -> Scene:
    await begin(site, more="seat_order=given time=slow")
    first = await site.match()
    await _watched(site.club, first.id)
    return Scene(site, first, await site.match())


async def test_private_happenings_change_nothing_of_what_others_get(scene: Scene) -> None:
    before, mails = await scene.gives(), len(scene.site.club.mails(BOB))
    watched, version = len(scene.site.club.mails(CLEO)), await scene.version()
    for order in PRIVATE:
        await scene.orders(order)
        for name, page in (await scene.gives()).items():
            assert page == before[name], (order, name)
    assert len(scene.site.club.mails(BOB)) == mails
    assert len(scene.site.club.mails(CLEO)) == watched
    assert await scene.version() >= version + 8  # a lot has happened


async def test_what_was_said_at_the_table_changes_nothing_for_who_watches(scene: Scene) -> None:
    before, version = await scene.gives(), await scene.version()
    for order in ("say hello", "say more"):
        await scene.orders(order)
    after = await scene.gives()
    outside = [name for name in before if name.startswith(("view", "club"))]
    assert outside
    assert {name: before[name] for name in outside} == {name: after[name] for name in outside}
    bobs = f"act {scene.first.id}"
    assert after[bobs] != before[bobs]
    assert await scene.version() > version


async def test_the_numbers_in_mails_and_pages_are_the_same_without_secrets(tmp_path: Path) -> None:
    told = []
    for secrets in ((), PRIVATE):
        folder = tmp_path / str(len(secrets))
        folder.mkdir()
        site = open_site(folder, window=30, resign=24)
        async with site.client:
            told.append(await _numbers(site, secrets))
        site.club.house.db.close()
    assert told[0] == told[1]


async def _numbers(site: Site, secrets: tuple[str, ...]) -> list[list[str]]:
    """The numbers that Bob and who watches get of a move, after what Ann does in secret."""
    scene = await _scene(site)
    for order in secrets:
        await scene.orders(order)
    mails = len(site.club.postbox.sent)
    for order in ("c1 plant c2", "now"):
        await scene.orders(order)
    await site.club.answer(BOB, "verify")
    await site.club.answer(BOB, "calendar")
    calendar = (await site.get(await site.path(Purpose.CALENDAR, BOB) + "/calendar.ics")).text
    pages = [
        (await site.get(await site.path(one, BOB, match=scene.first))).text
        for one in (Purpose.ACT, Purpose.SEAT, Purpose.VIEW)
    ]
    sent = [data.decode() for to, data in site.club.postbox.sent[mails:] if to in (BOB, CLEO)]
    assert len(sent) > len(pages)
    assert not [line for mail in sent for line in mail.splitlines() if "version=" in line]
    return [
        re.findall(r"data-version=\"(\d+)|since=(\d+)", "".join(pages)),
        re.findall(r"SEQUENCE:\d+", calendar),
        re.findall(r"SEQUENCE:\d+|\b\d+ events|X-PBEM: .*", "\n".join(sent)),
    ]


async def test_an_answer_is_still_checked_against_the_prompt_that_it_answers(site: Site) -> None:
    """No number of it leaves the house: the mail that is answered is known by its Message-ID."""
    await begin(site)
    club = site.club
    prompt = club.last(ANN)
    assert "version=" not in club.postbox.sent[-1][1].decode()
    await club.answer(ANN, "place a1")
    await club.answer(BOB, "place e5")
    letter = club.letter(ANN, prompt.reply_to, "place d4")
    letter["In-Reply-To"] = prompt.message_id
    await club.post(letter.as_bytes())
    assert (await site.match()).course.ply == 2
    assert "Not played" in club.last(ANN).text
    assert "move 1" in club.last(ANN).text
