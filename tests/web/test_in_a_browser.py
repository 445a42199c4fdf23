"""Whole matches by pages alone, as somebody plays them who only taps."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.games import AnyGame, GAMES
from pbem.mail.page_links import PageLink, Purpose, page_path
from pbem.matches.match import Match, Status
from pbem.store import views
from pbem.web.access import seat_link
from pbem.wiring.conversation import _challenge, _invite
from pbem.wiring.correspondent import Correspondent
from pbem.wiring.demo import NAMES, World, answering, world
from pbem.wiring.pages import pages_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser

TAPS = 400
"""Taps after which a match must be over."""


@dataclass(frozen=True)
class Club:
    """A match of Alice's, and where its pages are."""

    world: World
    alice: Correspondent
    where: str

    async def match(self) -> Match:
        rows = await asyncio.wrap_future(self.world.house.db.read(views.matches))
        return await self.world.match(rows[0].id)

    async def path(self, purpose: Purpose) -> str:
        match = await self.match()
        row = await self.world.row_of(self.alice)
        assert row is not None
        keys = self.world.house.keys
        if purpose is Purpose.VIEW:
            link = PageLink(purpose, match.id)
        else:
            link = await asyncio.wrap_future(
                self.world.house.db.read(partial(seat_link, match=match, player=row, purpose=purpose))
            )
        return self.where + page_path(keys, link)


@asynccontextmanager
async def club(game: AnyGame, folder: Path, seats: int) -> AsyncIterator[Club]:
    async with world(NAMES[:seats], folder=folder) as scene:
        async with pages_of(scene.house, "127.0.0.1", 0) as where:
            alice, *others = scene.people
            async with answering(scene, others, random.Random(1)):
                await _invite(scene, _challenge(game, others), alice, 72)
                yield Club(scene, alice, where)


async def tap_on(page: Page, rng: random.Random) -> bool:
    """Tap something that goes on with a move; whether one was sent."""
    send = page.locator("#send button")
    if await send.count():
        await send.click()
        await page.wait_for_selector("#sent")
        return True
    taps = await page.locator("#taps a, .choices a").all()
    assert taps, await page.inner_text("main")
    await page.evaluate("document.getElementById('main').dataset.old = 'yes'")
    await rng.choice(taps).dispatch_event("click")
    await page.wait_for_selector("#main:not([data-old])")
    return False


@pytest.mark.parametrize("game", [game for game in GAMES.values()], ids=lambda game: game.key)
async def test_a_match_is_played_by_tapping_alone(
    game: AnyGame, browser: Browser, tmp_path: Path
) -> None:
    rng = random.Random(7)
    async with club(game, tmp_path, game.seats[0]) as there:
        page = await browser.new_page(viewport={"width": 390, "height": 844})
        faults: list[str] = []
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        address = await there.path(Purpose.ACT)
        sent = 0
        for n in range(TAPS):
            match = await there.match()
            if match.status is Status.ENDED:
                break
            await page.goto(address)
            if not await page.locator("#move").count():
                await asyncio.sleep(0.05)
                continue
            while not await tap_on(page, rng):
                pass
            sent += 1
            await page.screenshot(path=f"/tmp/shots/{game.key}-{sent}.png", full_page=True)
        assert (await there.match()).status is Status.ENDED
        assert not faults
