"""Makes the pictures at the top of README.md: `./run dev python -m bench._showcase [--check]`.

A turn's mail and the page of a seat, as a phone shows them, and a recorded match that moves: all
made by what makes them for players. `--check` makes nothing, and tells which the code draws
otherwise by now. The pictures of a phone's screen need chromium.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from playwright.async_api import async_playwright

from pbem.bots.levels import lively_move
from pbem.games.signs import signs_of
from pbem.mail.addresses import Purpose
from pbem.notices.rendering.environment import environment
from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from pbem.replays import raster
from pbem.replays.frames import replay_of_match, telling
from pbem.replays.page import picture
from tests.clubs.club import ANN, BOB
from tests.notices.game_mails import GAME_MAILS, PEOPLE, recorded
from tests.web.site import PUBLIC, Site, begin, open_site
from tests.words.table import HEIGHT, WIDTH

if TYPE_CHECKING:
    from playwright.async_api import Browser, Route

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
MATCH, MAIL, SEAT = FOLDER / "match.svg", FOLDER / "mail.png", FOLDER / "seat.png"
SOURCES: Final = FOLDER / "sources.json"
"""What the pictures of a phone's screen were made of: a hash each, since pixels are a font's."""

RULESET: Final = "logger-1"


# --- a match that moves --------------------------------------------------------------------------

EACH, LAST = 0.9, 4.5
"""Seconds that a board stands, and the last one."""

_DRAWING: Final = re.compile(r"(<svg[^>]*>)(?:<defs>(.*?)</defs>)?(.*)</svg>", re.DOTALL)
_GROUP: Final = re.compile(r"<g [^>]*>(?:(?!</?g\b).)*</g>", re.DOTALL)
WORTH: Final = 120
"""Letters that a group has at least for which a symbol is made."""

_SYMBOL: Final = re.compile(r'<(\w+) id="([^"]+)"(?:[^>]*/>|.*?</\1>(?=<\w+ id="|$))', re.DOTALL)


def boards() -> list[str]:
    """The boards of a recorded match, as SVG."""
    match = recorded(RULESET)
    names = PEOPLE[: len(match.table.players)]
    told, signs = telling(match.game, names, environment()), signs_of(names, match.game.reserved)
    replay = replay_of_match(match, "", names, told, signs=signs)
    return [picture(replay, number) for number in range(len(replay.frames))]


def moving(pictures: Sequence[str]) -> str:
    """The boards as one SVG that shows one after the other, by styles alone, as READMEs may.

    Symbols stand in it once. Who wants no motion sees the last board.
    """
    symbols: dict[str, str] = {}
    frames: list[str] = []
    opening = ""
    for drawn in pictures:
        found = _DRAWING.fullmatch(drawn.strip())
        if found is None:
            raise ValueError(f"no drawing: {drawn[:80]}")
        opening, defined, body = found[1], found[2] or "", found[3]
        symbols |= {one[2]: one[0] for one in _SYMBOL.finditer(defined)}
        frames.append(body)
    for number, part in enumerate(_often(frames)):
        symbols[part] = part.replace("<g ", f'<g id="o{number}" ', 1)
        frames = [body.replace(part, f'<use href="#o{number}"/>') for body in frames]
    whole = EACH * (len(frames) - 1) + LAST
    style = (
        f".f{{visibility:hidden;animation:s {whole:g}s step-end infinite}}"
        f".l{{visibility:hidden;animation:t {whole:g}s step-end infinite}}"
        f"@keyframes s{{0%{{visibility:visible}}{EACH / whole:.3%},to{{visibility:hidden}}}}"
        f"@keyframes t{{0%{{visibility:visible}}{LAST / whole:.3%},to{{visibility:hidden}}}}"
        "@media(prefers-reduced-motion){.f,.l{animation:none}.l{visibility:visible}}"
    )
    shown = "".join(
        f'<g class="{"l" if number == len(frames) - 1 else "f"}"'
        f' style="animation-delay:{number * EACH - whole:.1f}s">{body}</g>'
        for number, body in enumerate(frames)
    )
    defined = "".join(symbols.values())
    return f"{opening}<style>{style}</style><defs>{defined}</defs>{shown}</svg>\n"


def _often(bodies: Sequence[str]) -> list[str]:
    """The groups without others in them that several boards have, and that are worth a symbol."""
    found = Counter(part for body in bodies for part in dict.fromkeys(_GROUP.findall(body)))
    return [part for part, times in found.items() if times > 1 and len(part) > WORTH]


# --- a phone's screen ----------------------------------------------------------------------------


def mail_page(folder: Path) -> Path:
    """A turn's mail as its reader's mail program shows it, with the picture beside it."""
    notices, about, who = GAME_MAILS["late_in_logger"]
    wishes = replace(who.wishes, html=True, pictures="on")
    about = replace(about, page="https://games.example.org/")
    mail = Renderer().render(build(notices, replace(who, wishes=wishes), about))
    html = mail.html or ""
    for drawn in mail.pictures:
        image = folder / "board.png"
        image.write_bytes(raster.png(drawn.svg))
        html = html.replace(f"cid:{drawn.cid}", image.name)
    page = folder / "mail.html"
    page.write_text(html, encoding="utf-8")
    return page


PLIES: Final = 16
CHOICES: Final = 3
"""With these random choices the board has something of everything."""


async def seat_of(site: Site) -> str:
    """Play a match for a while in a club; the page of who is to move."""
    await begin(site, more="seat_order=given time=none")
    dice = random.Random(CHOICES)
    while (match := await site.match()).course.ply < PLIES or match.to_act != (1,):
        move = lively_move(match.game, match.course.position, dice.randrange)
        ann = await site.row(ANN)
        who = ANN if match.player_at(match.to_act[0]) == ann.id else BOB
        await site.club.answer(who, match.game.notation(move))
    return await site.path(Purpose.ACT, ANN)


async def show_seat(browser: Browser, site: Site, path: str) -> None:
    """Take the picture of a page that no server serves."""

    async def answer(route: Route) -> None:
        found = await site.get(route.request.url.removeprefix(PUBLIC))
        await route.fulfill(
            status=found.status_code, headers=dict(found.headers), body=found.content
        )

    page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    await page.route("**/*", answer)
    await page.goto(PUBLIC + path, wait_until="load")
    await page.screenshot(path=SEAT)
    await page.close()


_DAILY: Final = re.compile(r'value="[^"]*"|/(?:act|seat|view|live)/[^"?]*|[?&;][a-z]+=[\w.-]*')
"""Tokens and times of a page, which are other ones whenever a clock is read once more."""


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


# --- all of them ---------------------------------------------------------------------------------


async def main(*, check: bool) -> int:
    """Make the pictures, or tell which are no longer what the code draws: then 1."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        mail = mail_page(folder)
        site = open_site(folder, window=0)
        path = await seat_of(site)
        page = (await site.get(path)).text
        sources = {
            "mail.png": _digest(mail.read_text("utf-8")),
            "seat.png": _digest(_DAILY.sub("", page)),
        }
        match = moving(boards())
        if check:
            site.club.house.db.close()
            return _checked(sources, match)
        FOLDER.mkdir(exist_ok=True)
        MATCH.write_text(match, encoding="utf-8")
        SOURCES.write_text(json.dumps(sources, indent=2) + "\n", encoding="utf-8")
        async with async_playwright() as started:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = await started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            shown = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            await shown.goto(mail.as_uri())
            await shown.screenshot(path=MAIL)
            await show_seat(browser, site, path)
            await browser.close()
        site.club.house.db.close()
    return 0


def _checked(sources: dict[str, str], match: str) -> int:
    kept = json.loads(SOURCES.read_text("utf-8"))
    old = [name for name, digest in sources.items() if kept.get(name) != digest]
    if MATCH.read_text("utf-8") != match:
        old.append(MATCH.name)
    for name in old:
        print(f"{name} is drawn otherwise by now: python -m bench._showcase")
    return int(bool(old))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(check="--check" in sys.argv[1:])))
