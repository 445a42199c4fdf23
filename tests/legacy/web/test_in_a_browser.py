"""Pages in a real browser: whole matches by tapping alone, by keys alone, without scripts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest
from playwright.async_api import expect

from pbem.games import GAMES, AnyGame
from pbem.legacy.mail.addresses import PageLink, Purpose, page_path
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.notices.views.matches import guard_of
from pbem.legacy.store import views
from pbem.legacy.web import live
from pbem.legacy.web.access import seat_link
from pbem.legacy.wiring.correspondent import Correspondent
from pbem.legacy.wiring.demo import GAMES as ADDRESS
from pbem.legacy.wiring.demo import NAMES, Answers, World, answering, match_of, world
from pbem.legacy.wiring.pages import pages_of
from tests.legacy.browsing import faults_of, page_in
from tests.legacy.clubs.club import ANN, BOB
from tests.legacy.effort import clock, in_reference_seconds
from tests.legacy.web.site import Site, begin

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser

MOVES, FEW = 60, 8
"""Moves after which whoever still plays resigns: games at random may last."""

LONGEST = 600
"""Seconds of a whole match: else a test that waits for what never comes would stop all others."""

NARROW = {"width": 320, "height": 640}


@dataclass(frozen=True)
class Desk:
    """A match of Alice's, and where its pages are."""

    world: World
    alice: Correspondent

    async def match(self) -> Match:
        rows = await asyncio.wrap_future(self.world.house.db.read(views.matches))
        return await self.world.match(rows[0].id)

    async def address(self, purpose: Purpose) -> str:
        match, row = await self.match(), await self.world.row_of(self.alice)
        assert row is not None
        house = self.world.house
        link = PageLink(purpose, match.id)
        if purpose is not Purpose.VIEW:
            unit = partial(seat_link, match=match, player=row, purpose=purpose)
            link = await asyncio.wrap_future(house.db.read(unit))
        return self.world.pages + page_path(house.keys, link)


@asynccontextmanager
async def playing(game: AnyGame, folder: Path) -> AsyncIterator[Desk]:
    """Alice plays against others who answer at random, and it is her turn."""
    async with world(NAMES[: game.seats[0]], folder=folder, pages=True) as scene:
        alice, *others = scene.people
        desk = Desk(scene, alice)
        async with asyncio.timeout(LONGEST), answering(scene, others, random.Random(1)):
            names = ", ".join(person.address for person in others)
            await alice.write(ADDRESS, f"new {game.key} with {names}", "A match?")
            answers = Answers(scene, alice, random.Random(0))
            while True:
                mail = await alice.mails.get()
                if match_of(mail) is None:
                    await alice.reply(mail, await answers(mail) or "")
                elif await turn(desk):
                    break
            yield desk


async def turn(desk: Desk) -> bool:
    """Whether it is Alice's turn, or nobody's any more."""
    match, row = await desk.match(), await desk.world.row_of(desk.alice)
    assert row is not None
    return match.status is Status.ENDED or match.seat_of(row.id) in match.to_act


@asynccontextmanager
async def opened(browser: Browser, **wishes: Any) -> AsyncIterator[Page]:
    """A page that says nothing on its console."""
    async with page_in(browser, **wishes) as page:
        faults = faults_of(page)
        yield page
        assert not faults


async def tap(page: Page, rng: random.Random) -> None:
    """Tap something that goes on with a move."""
    taps = await page.locator("#taps a, .choices a").all()
    assert taps, await page.inner_text("main")
    await page.evaluate("document.getElementById('main').dataset.seen = 'yes'")
    await rng.choice(taps).dispatch_event("click")
    await page.wait_for_selector("#main:not([data-seen])")


async def send(page: Page) -> None:
    """Not: until the page tells of it. The answer of who is quick takes its place at once."""
    async with page.expect_navigation() as answered:
        await page.click("#send button")
    assert (await answered.value).ok


def games() -> Iterator[Any]:
    """A few moves of the game that needs most taps."""
    yield pytest.param(GAMES["logan_stones-1"], FEW, id="logan_stones-few")


@pytest.mark.parametrize(("game", "most"), list(games()))
async def test_a_match_is_played_by_tapping_alone(
    game: AnyGame, most: int, browser: Browser, tmp_path: Path
) -> None:
    rng = random.Random(7)
    async with playing(game, tmp_path) as desk, opened(browser, viewport=NARROW) as page:
        address = await desk.address(Purpose.ACT)
        for _ in range(most):
            while not await turn(desk):  # noqa: ASYNC110 - the others play by mail
                await asyncio.sleep(0.02)
            if (await desk.match()).status is Status.ENDED:
                break
            await page.goto(address)
            while not await page.locator("#send").count():
                await tap(page, rng)
            assert await page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
            await send(page)
        else:
            await page.click("summary:has-text('Say something')")
            await page.fill("#words", "resign yes")
            async with page.expect_navigation():
                await page.click("#words ~ button")
        assert (await desk.match()).status is Status.ENDED
        await page.goto(await desk.address(Purpose.VIEW))
        assert await page.inner_text("#step") == await page.evaluate(
            "`${slider.max} / ${slider.max}`"
        )


async def test_keys_alone_play_and_step(browser: Browser, tmp_path: Path) -> None:
    game = GAMES["logger-1"]
    async with playing(game, tmp_path) as desk, opened(browser) as page:
        before = (await desk.match()).course.ply
        await page.goto(await desk.address(Purpose.ACT))
        await page.focus("#taps a")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#send")
        await page.focus("#send button")
        async with page.expect_navigation():
            await page.keyboard.press("Enter")
        assert (await desk.match()).course.ply > before
        await page.goto(await desk.address(Purpose.VIEW))
        last = await page.evaluate("Number(slider.max)")
        assert last >= 1
        for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", last)):
            await page.keyboard.press(key)
            await expect(page.locator("#step")).to_have_text(f"{step} / {last}")


async def test_it_works_without_scripts(browser: Browser, tmp_path: Path) -> None:
    game = GAMES["landrush-1"]
    rng = random.Random(3)
    wishes = {"java_script_enabled": False}
    async with playing(game, tmp_path) as desk, opened(browser, **wishes) as page:
        before = (await desk.match()).course.ply
        await page.goto(await desk.address(Purpose.ACT))
        while not await page.locator("#send").count():
            await page.goto(
                desk.world.pages
                + str(await rng.choice(await page.locator("#taps a").all()).get_attribute("href"))
            )
        assert not await page.locator("#slider").is_visible()
        await send(page)
        assert (await desk.match()).course.ply > before
        await page.goto(await desk.address(Purpose.VIEW))
        await page.click("nav a[aria-label='First']")
        assert (await page.inner_text("#step")).startswith("0 ")


async def test_a_board_is_told_to_who_hears_it(browser: Browser, tmp_path: Path) -> None:
    """Landmarks, one heading above all others, places with their names, and no picture."""
    game = GAMES["logger-1"]
    async with playing(game, tmp_path) as desk, opened(browser) as page:
        await page.goto(await desk.address(Purpose.ACT))
        tree = await page.locator("body").aria_snapshot()
        assert tree.count("[level=1]") == 1
        for part in ("- banner:", "- main:", "navigation", 'region "Your move"', 'link "e5"'):
            assert part in tree, tree
        assert "img" not in tree
        labels = await page.evaluate(
            "[...document.querySelectorAll('a, button, input:not([type=hidden]), textarea')]"
            ".filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length))"
            ".length"
        )
        assert labels == 0


async def test_a_page_goes_on_by_itself(browser: Browser, tmp_path: Path) -> None:
    game = GAMES["logger-1"]
    async with playing(game, tmp_path) as desk, opened(browser) as page:
        await page.goto(await desk.address(Purpose.VIEW))
        before = await page.inner_text("#step")
        match = await desk.match()
        first = match.game.notation(match.game.legal(match.course.position)[0])
        async with page_in(browser) as other:
            await other.goto(f"{await desk.address(Purpose.ACT)}?text={first}")
            await send(other)
        await expect(page.locator("#step")).not_to_have_text(before)


async def test_a_move_appears_on_the_page_of_the_other_seat(browser: Browser, site: Site) -> None:
    """By itself where nothing is lost by it; else a link says that there is news."""
    await begin(site)
    path = await site.path(Purpose.ACT)
    async with (
        pages_of(site.club.house, "127.0.0.1", 0) as address,
        opened(browser) as waiting,
        opened(browser) as stepping,
        opened(browser, java_script_enabled=False) as plain,
    ):
        bobs = address + await site.path(Purpose.ACT, BOB)
        for page in (waiting, plain):
            await page.goto(bobs)
            await expect(page.locator("#state")).to_contain_text("It is the turn of Ann.")
        await stepping.goto(f"{bobs}?at=0")
        await expect(stepping.locator("#news a")).to_be_hidden()
        form = await site.form(path, f"#{guard_of(await site.match())} a1")
        await site.post(path, form)
        await expect(waiting.locator("#state")).to_contain_text("It is your turn")
        await expect(waiting.locator("#told")).to_contain_text("Ann")
        await expect(stepping.locator("#news a")).to_be_visible()
        assert await stepping.inner_text("#step") == "0 / 0"
        await stepping.click("#news a")
        await expect(stepping.locator("#step")).to_have_text("1 / 1")
        await plain.click("noscript a")
        await expect(plain.locator("#state")).to_contain_text("It is your turn")


async def test_one_steps_back_and_returns_to_the_move(browser: Browser, site: Site) -> None:
    await begin(site)
    for who, move in ((ANN, "a1"), (BOB, "e5")):
        path = await site.path(Purpose.ACT, who)
        form = await site.form(path, f"#{guard_of(await site.match())} {move}")
        await site.post(path, form)
    async with pages_of(site.club.house, "127.0.0.1", 0) as address, opened(browser) as page:
        await page.goto(address + await site.path(Purpose.ACT))
        now = await page.inner_html("#picture")
        for key, step in (("ArrowLeft", 1), ("ArrowLeft", 0)):
            await page.keyboard.press(key)
            await expect(page.locator("#step")).to_have_text(f"{step} / 2")
        assert await page.inner_html("#picture") != now
        assert not await page.locator("#taps").count()
        await expect(page.get_by_text("Back to your move")).to_be_in_viewport()
        await page.keyboard.press("Escape")
        await expect(page.locator("#step")).to_have_text("2 / 2")
        assert await page.inner_html("#picture") == now
        assert await page.locator("#taps a").count()


QUICKER = "const real = setInterval; window.setInterval = (then, wait) => real(then, wait / 100);"


async def test_a_page_whose_stream_makes_room_asks_now_and_then(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "EACH", 1)
    game = GAMES["logger-1"]
    async with playing(game, tmp_path) as desk, opened(browser) as page, opened(browser) as newer:
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url) if "once=1" in one.url else None)
        for one in (page, newer):
            await one.add_init_script(QUICKER)
        async with page.expect_request("**/live?*"):
            await page.goto(await desk.address(Purpose.VIEW))
        before = await page.inner_text("#step")
        async with page.expect_request("**/live?*once=1"):
            await newer.goto(await desk.address(Purpose.VIEW))
        match = await desk.match()
        first = match.game.notation(match.game.legal(match.course.position)[0])
        async with page_in(browser) as other:
            await other.goto(f"{await desk.address(Purpose.ACT)}?text={first}")
            await send(other)
        for watching in (page, newer):
            await expect(watching.locator("#step")).not_to_have_text(before)
        assert asked


SOON = 5.0
"""Processor seconds that we need at most from the tap to the board."""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
async def test_one_tap_leads_to_a_board_on_which_a_move_is_played(
    site: Site, browser: Browser, *, scripts: bool
) -> None:
    rng = random.Random(4)
    phone = {"width": 390, "height": 844}
    async with (
        pages_of(site.club.house, "127.0.0.1", 0) as address,
        opened(browser, java_script_enabled=scripts, viewport=phone) as page,
    ):
        await page.goto(address)
        began = clock()
        await page.click("a.main[href^='/learn/']")
        await page.wait_for_selector("#board svg")
        assert in_reference_seconds(clock() - began) < SOON
        first = page.url
        for _ in range(10):
            if await page.locator("#send").count():
                break
            link = rng.choice(await page.locator(".choices a, #taps a").all())
            href = await link.get_attribute("href")
            await page.goto(urljoin(page.url, href))
        await page.click("#send button")
        await page.wait_for_url(lambda url: "?" not in url and url != first)
        assert await page.locator("#told li").count() >= 1
        played = page.url
        await page.go_back()
        await page.goto(played)
        assert await page.locator("#board svg").count()
