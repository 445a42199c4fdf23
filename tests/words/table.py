"""What every mail measures, in each language and medium: `./run dev python -m tests.words.table`.

Lines of text, kilobytes, where things stand on a phone (with chromium), first words; and what of it
is more than may be. The tests beside it hold the same figures.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.mail.compose import Headers, InlineImage, compose
from pbem.notices.news import MatchBegan, TurnPrompt
from pbem.notices.notice import Notice
from pbem.notices.rendering.environment import template_folder
from pbem.notices.rendering.languages import ENGLISH, languages
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.replies import BoardShown
from pbem.notices.second_thoughts import MoveKept, MoveReceipt
from pbem.notices.views.matches import LEARNING
from pbem.notices.views.scene import View
from pbem.notices.views.view import build
from pbem.replays import raster
from tests.browsing import page_in
from tests.notices.scenes import NOW
from tests.notices.test_golden import MAILS

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

LANGUAGES: Final = languages([template_folder()])

TURN, BESIDE_A_BOARD = 32, 16
"""Lines of a turn's text; and beside a board that is taller."""

OF_A_DRAW, OF_CLOCKS, OF_LONG_WORDS = 4, 1, 2
"""Lines more: where dice or a coin are told, where clocks run, in a language of longer words."""

MORE_TO_TELL: Final = {
    "turn_prompt": 1,  # here and below: many moves are counted by their kinds
    "turn_prompt_in_season": 1,
    "turn_prompt_unicode": 1,
    "turn_prompt_clocks": 3,  # a time in two zones, and what was given back
    "turn_prompt_stood_still": 3,  # what was given back, and why
    "turn_prompt_leave_spent": 3,  # days of leave that the other has spent
    "turn_prompt_leave_changed": 3,
    "turn_prompt_void": 2,  # what was decided in advance, and does not hold
    "turn_prompt_void_answer": 3,
    "turn_prompt_three": 2,  # moves of two others
    "turn_prompt_watched": 2,
    "turn_prompt_time_given": 2,  # what was given, and by whom
    "turn_prompt_pause_wanted": 3,  # a pause that another asks for
    "turn_prompt_wished": 5,  # its lines are shorter, and it says what was wished
}
"""Lines more of turns that have more to tell than what happened, and what can be done."""

OF_A_LESSON: Final = 8
"""Lines more where a turn is a lesson."""

BOARD_BEGINS: Final = 12
"""The line before which a board begins."""

RECEIPT: Final = 12
"""Lines that are not empty."""

PAGE: Final = 60_000
"""Bytes of HTML with cells: some programs show no more than 102,000 (Gmail's help: clipped)."""

WHOLE: Final = 40_000
"""Bytes of a mail as it is sent, with its picture."""

HEAVIER: Final = {"help_shown_all": 90_000, "analysis_shown": 100_000}
"""What lists all that there is, more with each verb, and what has seven pictures and their page."""

IN_COLUMNS: Final = {"sample_shown"}
"""A test mail shows lines of 72 columns, to be looked at whether they are whole."""

WIDTH, HEIGHT, NARROW = 390, 844, 360
"""Points of a phone, the mail's own area; nothing may need more than the last."""

CHOICE: Final = 1_000
"""Where the first move that one can tap begins, at most."""

BELOW_A_LESSON: Final = 150
"""So much lower, where a lesson stands above the board."""

SMALLEST: Final = 12
"""Points of letters."""

_RECEIPTS: Final = (MoveKept, MoveReceipt)
_BOARDS_FIRST: Final = (TurnPrompt, MatchBegan, BoardShown)
_RENDERER: Final = Renderer()


# --- what is measured ----------------------------------------------------------------------------


class Pixels(NamedTuple):
    """Where things stand in a page of HTML as a browser lays it out; None for what there is not."""

    button: float | None
    top: float | None
    bottom: float | None
    choice: float | None
    height: float
    wide: float
    letters: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A mail in a language: lines of its text, bytes of its HTML with cells, and of all of it.

    `board` are the lines before its board and those of the board with its legend, if it has one;
    `drawn`: the proof of a draw is told; `timed`: clocks run; `planned`: so is what was decided in
    advance. A turn is measured as who knows the game gets it.
    """

    name: str
    lang: str
    notices: tuple[Notice, ...]
    text: tuple[str, ...]
    board: tuple[int, int] | None
    drawn: bool
    timed: bool
    planned: bool
    page: int
    whole: int
    pixels: Pixels | None = field(default=None)

    @property
    def is_turn(self) -> bool:
        """Whether it is about nothing but a turn."""
        return [type(notice) for notice in self.notices] == [TurnPrompt]

    @property
    def is_receipt(self) -> bool:
        """Whether it says nothing but that a move was understood."""
        return isinstance(self.notices[0], _RECEIPTS) and not self.planned

    @property
    def teaches(self) -> bool:
        """Whether it is a turn of a lesson."""
        return self.name.startswith("lesson_")

    @property
    def first(self) -> str:
        """What a phone shows under the subject."""
        return " ".join(self.text[: self.text.index("")])


def made(
    name: str, lang: str, *, pictures: str = "off", html: bool = True, known: bool = False
) -> tuple[View, Rendered]:
    """A golden mail; `known`: its reader has had all turns in which the game is explained."""
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=html, pictures=pictures, lang=lang)
    if known:
        who = replace(who, turns_elsewhere=dict.fromkeys(about.matches, LEARNING))
    view = build(notices, replace(who, wishes=wishes), about)
    return view, _RENDERER.render(view)


@cache
def row(name: str, lang: str) -> Row:
    """The row of a mail, without pixels."""
    known = [type(notice) for notice in MAILS[name][0]] == [TurnPrompt]
    view, plain = made(name, lang, html=False, known=known)
    lines = tuple(plain.text.split("\n")[:-1])
    return Row(
        name=name,
        lang=lang,
        notices=MAILS[name][0],
        text=lines,
        board=_board_of(view, lines),
        drawn=bool(view.proofs),
        timed=view.match is not None and bool(view.match.time and view.match.time.seats),
        planned=view.match is not None and bool(view.match.pending.plan.orders),
        page=len((made(name, lang)[1].html or "").encode()),
        whole=len(_sent(made(name, lang, pictures="on")[1])),
    )


def _board_of(view: View, lines: tuple[str, ...]) -> tuple[int, int] | None:
    """How many lines there are before the board, and how many of it up to its legend's end."""
    sight = view.notices[0].board.sight
    if sight is None or not sight.lines:
        return None
    drawn = [line.strip() for line in sight.lines[1:2]]  # the first may name places in words
    begin = next((at for at, line in enumerate(lines) if line.strip() in drawn), None)
    if begin is None:
        return None
    return begin - 1, lines.index("", begin) - begin + 1


_png: Final = cache(raster.png)
"""A board is the same in a mail and on its page, and in most languages."""


def _sent(mail: Rendered) -> bytes:
    """The bytes of a mail with its pictures, if they can be drawn here."""
    drawn = mail.pictures if raster.draws() else ()
    images = [InlineImage(one.cid, _png(one.svg)) for one in drawn]
    headers = Headers(
        message_id="<1@example.org>",
        from_name="pbem",
        from_address="games@example.org",
        to_name="Ann",
        to_address="ann@example.org",
        reply_to="games@example.org",
        subject=mail.subject,
        date=NOW,
    )
    return compose(headers, mail, (), images)


# --- what may be ---------------------------------------------------------------------------------


def faults(found: Row) -> Iterator[str]:
    """What of a mail is more than may be."""
    before, board = found.board or (0, 0)
    if isinstance(found.notices[0], _BOARDS_FIRST) and before >= BOARD_BEGINS:
        yield f"its board begins at line {before + 1}"
    if found.is_turn and len(found.text) > (most := _most(found, board)):
        yield f"{len(found.text)} lines, of {most}"
    said = [line for line in found.text if line]
    if found.is_receipt and len(said) > RECEIPT:
        yield f"{len(said)} lines, of {RECEIPT}"
    if found.page > PAGE:
        yield f"{found.page} bytes of HTML"
    if found.whole > HEAVIER.get(found.name, WHOLE):
        yield f"{found.whole} bytes"
    if found.pixels is not None:
        yield from _pixel_faults(found, found.pixels)


def _most(found: Row, board: int) -> int:
    """The lines that a turn may have."""
    most = max(TURN, board + BESIDE_A_BOARD + OF_A_DRAW * found.drawn)
    longer = OF_LONG_WORDS * (found.lang != ENGLISH)
    most += OF_A_LESSON * found.teaches
    return most + OF_CLOCKS * found.timed + longer + MORE_TO_TELL.get(found.name, 0)


def _pixel_faults(found: Row, at: Pixels) -> Iterator[str]:
    if found.name not in IN_COLUMNS:
        if at.wide > NARROW:
            yield f"{at.wide:.0f} points wide"
        if at.letters < SMALLEST:
            yield f"letters of {at.letters:.1f} points"
    if at.choice is not None and at.choice > CHOICE + BELOW_A_LESSON * found.teaches:
        yield f"the first choice is at {at.choice:.0f}"
    if not found.is_turn or at.top is None or at.bottom is None:
        return
    if at.button is None or at.button >= at.top:
        yield "no button stands above the board"
    above = HEIGHT / 3 + BELOW_A_LESSON * found.teaches
    if at.bottom > HEIGHT and at.top >= above:  # what happened stands above it
        yield f"the board is at {at.top:.0f} to {at.bottom:.0f}"


# --- on a phone ----------------------------------------------------------------------------------

_MEASURE: Final = """async ({html, width, narrow, height}) => {
    const frame = document.createElement('iframe');
    frame.style.cssText = `border: 0; width: ${width}px; height: ${height}px`;
    frame.srcdoc = html;
    const loaded = new Promise(done => frame.onload = done);
    document.body.replaceChildren(frame);
    await loaded;
    const {contentDocument: page, contentWindow: around} = frame;
    const box = name => page.querySelector(name)?.getBoundingClientRect();
    const shown = [...page.querySelectorAll('body *')].filter(
        one => [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
            && one.getClientRects().length
            && around.getComputedStyle(one).visibility !== 'hidden');
    const found = {
        button: box('.button')?.bottom, top: box('img')?.top, bottom: box('img')?.bottom,
        choice: box('.choice')?.top, height: page.documentElement.scrollHeight,
        letters: Math.min(
            ...shown.map(one => parseFloat(around.getComputedStyle(one).fontSize))),
    };
    frame.style.width = `${narrow}px`;
    found.wide = page.documentElement.scrollWidth;
    return found;
}"""
"""Lays a mail out in a frame as large as a phone, and then in one of a narrow phone.

A page of its own for each of hundreds would cost several times as much.
"""


def written(name: str, lang: str) -> str:
    """A mail as a page, with its pictures in it, as a club with pages sends it."""
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=True, pictures="on", lang=lang)
    about = replace(about, page="https://play.example.org/seat/0-TOKEN/")
    mail = _RENDERER.render(build(notices, replace(who, wishes=wishes), about))
    html = mail.html or ""
    for picture in mail.pictures:
        drawn = b64encode(_png(picture.svg)).decode()
        html = html.replace(f"cid:{picture.cid}", f"data:image/png;base64,{drawn}")
    return html


async def pixels(page: Page, html: str) -> Pixels:
    """How a browser lays a mail out on a phone."""
    asked = {"html": html, "width": WIDTH, "narrow": NARROW, "height": HEIGHT}
    found: dict[str, float | None] = await page.evaluate(_MEASURE, asked)
    return Pixels(
        button=found.get("button"),
        top=found.get("top"),
        bottom=found.get("bottom"),
        choice=found.get("choice"),
        height=found["height"] or 0,
        wide=found["wide"] or 0,
        letters=found["letters"] or 0,
    )


async def with_pixels(rows: list[Row], browser: Browser) -> list[Row]:
    """The rows with what a browser measured."""
    async with page_in(browser) as page:
        return [
            replace(one, pixels=await pixels(page, written(one.name, one.lang))) for one in rows
        ]


# --- the table -----------------------------------------------------------------------------------


def rows(*languages: str) -> list[Row]:
    """Every golden mail in some languages."""
    return [row(name, lang) for name in MAILS for lang in languages]


_HEAD: Final = ("mail", "lang", "lines", "board", "html", "whole", "top", "choice", "high", "first")
_LINE: Final = "{:34} {:4} {:>5} {:>7} {:>6} {:>6} {:>5} {:>6} {:>5}  {}"


def line(found: Row) -> str:
    """A row as the table has it."""
    at = found.pixels
    places = (at.top, at.choice, at.height) if at is not None else ()
    told = [f"{place:.0f}" if place is not None else "-" for place in places]
    board = "+".join(map(str, found.board)) if found.board else "-"
    sizes = (f"{found.page / 1000:.1f}", f"{found.whole / 1000:.1f}")
    wrong = "".join(f"  WRONG: {fault}" for fault in faults(found))
    cells = (found.name, found.lang, len(found.text), board, *sizes, *(told or "---"))
    return _LINE.format(*cells, found.first[:40]) + wrong


async def main() -> int:
    """Print the table; 1 where something is more than may be."""
    from playwright.async_api import async_playwright

    found, chromium = rows(*LANGUAGES), shutil.which("chromium")
    if chromium is not None:
        async with async_playwright() as started:
            opened = await started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            found = await with_pixels(found, opened)
            await opened.close()
    print(_LINE.format(*_HEAD))  # noqa: T201 - a command's answer
    for one in found:
        print(line(one))  # noqa: T201
    return int(any(list(faults(one)) for one in found))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
