"""Every kind of page as axe-core judges it: names, roles, contrast, order, on light and on dark."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from html import unescape
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import pytest

from pbem.mail.addresses import Purpose
from pbem.notices.views.matches import guard_of
from tests.browsing import page_in
from tests.clubs.club import ANN, BOB, CLEO
from tests.web.site import PUBLIC, Site, begin, begin_again
from tests.web.test_lines import onward
from tests.web.test_seat_page import GAMES, SIZES, STEPS, played

if TYPE_CHECKING:
    import httpx
    from playwright.async_api import Browser, Page, Route

AXE: Final = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

RUN: Final = """async () => {
  const found = await axe.run(document, {resultTypes: ['violations']});
  return found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 200))]);
}"""


FEW: Final = 8


@dataclass
class Shelf:
    """What is looked at: pages of a site by their addresses, and answers to forms laid beside."""

    site: Site
    number: int = 0
    answers: dict[str, httpx.Response] = field(default_factory=dict)

    def keep(self, answer: httpx.Response) -> str:
        """Where an answer to a form can be looked at."""
        path = f"/kept/{len(self.answers)}"
        self.answers[path] = answer
        return path

    async def answered(self, route: Route) -> None:
        """Answer a browser; each time it is another visitor, so that none asks too much."""
        way = route.request.url.removeprefix(PUBLIC)
        if "/live" in way:
            await route.abort()
            return
        self.number += 1
        self.site.client._transport.client = (f"192.0.2.{self.number % 250}", 1)  # type: ignore[attr-defined]
        answer = self.answers.get(way) or await self.site.get(way, follow_redirects=True)
        headers = {**answer.headers, "content-length": str(len(answer.content))}
        await route.fulfill(status=answer.status_code, headers=headers, body=answer.content)

    async def sent(self, path: str, text: str) -> str:
        """The page after a form."""
        return self.keep(await self.site.post(path, await self.site.form(path, text)))

    async def steps(self, path: str, rng: random.Random) -> AsyncIterator[tuple[str, str]]:
        """A page and what follows from pressing something, until a move is whole."""
        way = path
        for number in range(STEPS):
            yield f"step {number}", way
            page = (await self.site.get(way)).text
            if 'id="send"' in page:
                break
            links = re.findall(r'<a href="([^"]+\?text=[^"]+)" data-swap', page)
            last = unescape(rng.choice(links))
            way = last if last.startswith("/") else f"{path.rpartition('/')[0]}/{last}"

    async def line(self, path: str, rng: random.Random) -> AsyncIterator[tuple[str, str]]:
        """What follows from a board where turns of all seats are tried on it."""
        way = f"{path}?line="
        for number in range(FEW):
            yield f"tried {number}", way
            way = onward((await self.site.get(way)).text, rng)
            if not way:
                break


async def in_general(shelf: Shelf) -> AsyncIterator[tuple[str, str]]:
    """The pages that are nobody's, and those that say that there is nothing."""
    site, rng = shelf.site, random.Random(2)
    yield "club, empty", "/"
    yield "fairness", "/fairness"
    yield "fair play", "/fair-play"
    for game in GAMES:
        yield f"rules of {game}", f"/rules/{game.replace('_', '-')}"
        begun = (await site.get(f"/try/{game.replace('_', '-')}")).headers["location"]
        async for name, way in shelf.steps(begun, rng):
            yield f"try {game}: {name}", way
    yield "no such page", "/nowhere"
    yield "no such match", "/view/x"
    yield "old link", "/act/x"
    yield "old try", "/try/x/logger"
    form = {"address": CLEO, "what": "bot", "game": "logger"}
    yield "begun", shelf.keep(await site.client.post("/begin", data=form))
    yield "no address", shelf.keep(await site.client.post("/begin", data=form | {"address": "x"}))
    await begin(site)
    first = await site.match()
    path = await site.path(Purpose.ACT)
    yield "refused", await shelf.sent(path, f"#{guard_of(first)} z9")
    yield "empty form", await shelf.sent(path, " ")
    yield "said", await shelf.sent(path, "say hello")
    yield "asked", await shelf.sent(path, "board")
    yield "nothing", await shelf.sent(path, "hello there")
    await begin_again(site, "landrush", "starter=given")
    await site.club.write(ANN, "games")
    await site.club.answer(ANN, f"new logger with {BOB}")
    challenge = await site.match()
    yield "invited", await site.path(Purpose.ACT, BOB, match=challenge)
    boards = await site.path(Purpose.PLAYER)
    yield "boards that wait", boards
    mine = f"{boards}/{first.id.lower()}"
    yield "moved, next board", await shelf.sent(mine, f"#{guard_of(first)} a1")
    await site.club.write(BOB, "games")
    await site.club.answer(BOB, "new logger open")
    yield "club", "/"
    for number in (0, 1):
        yield f"stop {number}", await site.path(Purpose.STOP, number=number)


async def of_game(shelf: Shelf, game: str) -> AsyncIterator[tuple[str, str]]:
    """A match at each of its moments: composed, held, sent, watched, looked back on, over."""
    site, rng = shelf.site, random.Random(5)
    options, plies = GAMES[game]
    await begin(site, game, options)
    path = await site.path(Purpose.ACT)
    for number in range(2):
        if not await played(site, plies * number, rng):
            break
        async for name, way in shelf.steps(path, rng):
            yield f"turn {number}: {name}", way
    async for name, way in shelf.line(path, rng):
        yield name, way
    yield "a step back", f"{path}?at=1"
    yield "shared", await site.path(Purpose.SEAT)
    yield "watched", await site.path(Purpose.VIEW)
    await site.club.answer(ANN, "window 10")
    match = await site.match()
    move = match.game.notation(rng.choice(list(match.game.legal(match.course.position))))
    yield "held", await shelf.sent(path, f"#{guard_of(match)} {move}")
    yield "sent", await shelf.sent(path, "now")
    yield "waiting", path
    yield "over", await shelf.sent(path, "resign yes")
    yield "over, the other", await site.path(Purpose.ACT, BOB)
    yield "over, watched", await site.path(Purpose.VIEW)
    yield "over, a step back", f"{path}?at=1"


PARTS: Final = ("in general", *GAMES)


async def judged(page: Page) -> list[str]:
    """What axe-core finds wrong on a page."""
    await page.evaluate(AXE)
    return [f"{rule}: {node}" for rule, nodes in await page.evaluate(RUN) for node in nodes]


def looks() -> Iterator[Any]:
    """Each part once in the ordinary run, on light or on dark; by all eyes where there is time."""
    every = [(scheme, size) for scheme in ("light", "dark") for size in SIZES]
    for number, part in enumerate(PARTS):
        for place, (scheme, size) in enumerate(every):
            marks = [] if place == 3 * (number % 2) else [pytest.mark.slow]
            yield pytest.param(part, scheme, size, id=f"{part}-{scheme}-{size}", marks=marks)


@pytest.mark.browser
@pytest.mark.parametrize(("part", "scheme", "size"), list(looks()))
async def test_no_page_hinders_anybody(
    part: str, scheme: str, size: str, browser: Browser, site: Site
) -> None:
    shelf = Shelf(site)
    scenes = in_general(shelf) if part == "in general" else of_game(shelf, part)
    wishes: dict[str, Any] = {"viewport": SIZES[size], "color_scheme": scheme}
    found, looked = {}, 0
    async with page_in(browser, shelf.answered, **wishes) as page:
        async for name, path in scenes:
            await page.goto(PUBLIC + path)
            if faults := await judged(page):
                found[name] = faults
            looked += 1
    assert looked >= STEPS
    assert not found
