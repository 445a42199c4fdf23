"""Checks of what is seen: boards as text, cells and pictures fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, Final
from xml.etree import ElementTree as ET

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame
from pbem.games.cells import Cell, Cells
from pbem.games.drawing.allowed import fault_of_picture
from pbem.games.drawing.palette import SEEN, contrast
from pbem.games.game import Chance, Marks, Over, Seat, Seats, Style
from pbem.legacy.notices.rendering.families import TEXT
from pbem.legacy.testing.check import Findings, check
from pbem.legacy.testing.tables import Table
from pbem.legacy.testing.words import tellers

WIDEST: Final = 72
"""Columns of a line of a mail."""

LARGEST: Final = 20_000
"""Bytes of a picture, but for the names of players, which are as long as they are."""

MOST_CELLS: Final = 10
"""Columns of cells that a phone of 320 px has room for, with letters of 12 px."""

READ: Final = 4.5
"""WCAG 2.2, 1.4.3: the contrast of letters."""

_EATEN: Final = (">", "From ", ".")
"""How no line of a mail may begin: programs take it for a quote, or for its end."""

_SVG: Final = "{http://www.w3.org/2000/svg}"

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


# --- text ----------------------------------------------------------------------------------------


@check
def boards_fit_a_mail(table: Table) -> Findings:
    """At most 72 columns, no line that a mail program eats, the same shape in both styles."""
    for position, viewpoint in product(table.positions(1), table.viewpoints):
        boards = [table.game.board(position, viewpoint, style, table.signs) for style in Style]
        for board in boards:
            yield from _unfit(board.lines)
        ascii_lines = boards[0].lines
        if any(not line.isascii() for line in ascii_lines):
            yield "board(): the style `ascii` has signs that are not ASCII"
        if len({len(board.lines) for board in boards}) > 1:
            yield "board(): both styles need the same number of lines"


def _unfit(lines: tuple[str, ...]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if len(line) > WIDEST:
            yield f"board(): line {number} has {len(line)} columns; mails have {WIDEST}"
        if line != line.rstrip():
            yield f"board(): line {number} has blanks at its end, which mail programs eat"
        if line.startswith(_EATEN):
            yield f"board(): line {number} begins with {line[:1]!r}, which mail programs take apart"
        if _CONTROLS.search(line):
            yield f"board(): line {number} has signs that control something: {line!r}"


@check
def facts_are_what_templates_can_read(table: Table) -> Findings:
    """JSON without floats, and of a board who may do what."""
    game = table.game
    for step in table.sampled(1):
        told = [("facts", game.facts(step.played, step.before, step.after))]
        told += [
            ("board", game.board(step.after, viewpoint, Style.ASCII, table.signs).facts)
            for viewpoint in table.viewpoints
        ]
        for name, facts in told:
            if fault := _no_fact(facts):
                yield f"{name}(): {fault}; facts are texts, whole numbers, lists and dicts of such"


def _no_fact(fact: object, path: str = "") -> str:
    match fact:
        case None | str() | bool() | int():
            return ""
        case list() | tuple():
            inner = ((f"{path}[{at}]", one) for at, one in enumerate(fact))
        case dict():
            if any(not isinstance(key, str) for key in fact):
                return f"a key of {path or 'the facts'} is no text"
            inner = ((f"{path}.{key}".lstrip("."), one) for key, one in fact.items())
        case _:
            return f"{path or 'the facts'} is a {type(fact).__name__}"
    return next((fault for at, one in inner if (fault := _no_fact(one, at))), "")


@check
def boards_say_what_can_be_played(table: Table) -> Findings:
    """`can`, if it is there: `samples` of legal moves for the seat to act, None for all others."""
    game = table.game
    for position, viewpoint in product(table.positions(2), table.viewpoints):
        facts = game.board(position, viewpoint, Style.ASCII, table.signs).facts
        turn = game.turn(position)
        if isinstance(turn, Chance) or "can" not in facts:  # pbem offers some by itself
            continue
        acts = isinstance(turn, Seats) and viewpoint in turn.seats
        can: Any = facts.get("can")
        if (can is not None) != acts:
            wrong = "missing for the seat to act" if acts else "there for who is not to act"
            yield f"board(): `can` is {wrong} (see usual_facts)"
            continue
        if can is None:
            continue
        samples = can.get("samples", ()) if isinstance(can, dict) else ()
        if not samples:
            yield "board(): `can` has no `samples` of moves (see usual_facts)"
        known = game.known(position, Seat(viewpoint or 1))
        for text in samples:
            try:
                game.play(known, game.read(text, known))
            except Rejection as refused:
                yield f"board(): offers {text!r} in `can.samples`, which is refused: {refused}"


# --- cells ---------------------------------------------------------------------------------------


@check
def cells_fit_and_can_be_seen(table: Table) -> Findings:
    """A board of squares in HTML, where no picture is shown."""
    for step, style in product(table.sampled(1), Style):
        for viewpoint in table.viewpoints:
            marks = table.marks(step)
            cells = table.game.cells(step.after, viewpoint, marks, style)
            if cells is None:
                return
            if cells != table.game.cells(step.after, viewpoint, marks, style):
                yield "cells(): gives something else when it is asked again"
            yield from _badly_drawn(cells)


def _badly_drawn(cells: Cells) -> Iterator[str]:
    widths = {sum(cell.wide for cell in row) for row in cells.rows}
    if len(widths) > 1:
        yield f"cells(): rows have {sorted(widths)} columns, and need the same number"
    if cells.columns > MOST_CELLS:
        yield f"cells(): {cells.columns} columns; a phone has room for {MOST_CELLS}"
    texts = [text for text, _ in cells.signs]
    if len({*texts}) < len(texts):
        yield "cells(): a sign is explained twice"
    for cell in [cell for row in cells.rows for cell in row] + [cell for _, cell in cells.signs]:
        yield from _unseen(cell)


def _unseen(cell: Cell) -> Iterator[str]:
    if cell.text and contrast(cell.ink, cell.fill or cell.ground) < READ:
        yield f"cells(): {cell.text!r} in {cell.ink} cannot be read on {cell.fill or cell.ground}"
    if cell.fill and contrast(cell.outline, cell.ground) < SEEN:
        yield f"cells(): the edge {cell.outline} of {cell.text!r} cannot be seen on {cell.ground}"
    if cell.mark and contrast(cell.rim, cell.ground) < SEEN:
        yield f"cells(): the mark {cell.rim} cannot be seen on {cell.ground}"


# --- pictures ------------------------------------------------------------------------------------


@check
def pictures_are_small_drawings(table: Table) -> Findings:
    """SVG of an allow-list of elements: no image, script or style, and nothing from outside."""
    game = table.game
    if not game.picture(table.start(), None, Marks()):
        yield "picture(): there is none; mails and pages show one"
        return
    for step in table.sampled(1):
        for viewpoint in (None, Seat(1), Seat(table.seats)):
            marks = table.marks(step)
            svg = game.picture(step.after, viewpoint, marks)
            size = len(game.picture(step.after, viewpoint, replace(marks, names=())).encode())
            if size > LARGEST:
                yield f"picture(): {size} bytes without names; {LARGEST} are allowed"
            if svg != game.picture(step.after, viewpoint, marks):
                yield "picture(): gives something else when it is asked again"
            if fault := fault_of_picture(svg.rstrip("\n")):
                yield f"picture(): {fault}"
            else:
                yield from _badly_made(svg)


def _badly_made(svg: str) -> Iterator[str]:
    root = ET.fromstring(svg)  # noqa: S314 - declarations were refused before
    if "viewBox" not in root.attrib or root.attrib.keys() & {"width", "height"}:
        yield "picture(): the root needs a viewBox, and no width and height: pages give it a size"
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    if len(ids) != len({*ids}):
        yield "picture(): an id is there twice"
    used = {one.attrib["href"].removeprefix("#") for one in root.iter(f"{_SVG}use")}
    if missing := used - {*ids}:
        yield f"picture(): {min(missing)!r} is used and nowhere defined"


@check
def ids_of_pictures_are_ones_own(table: Table) -> Findings:
    """A page shows pictures of all games, and what an id means has to be the same in all."""
    shapes: dict[str, bytes] = {}
    for step in table.sampled(2):
        svg = table.game.picture(step.after, Seat(1), table.marks(step))
        for name, shape in _shapes(svg):
            if shapes.setdefault(name, shape) != shape:
                yield f"picture(): the id {name!r} means two shapes"
    for other in GAMES.values():
        if other.key != table.game.key:
            for name, shape in _shapes_of(other).items():
                if shapes.get(name, shape) != shape:
                    yield f"picture(): the id {name!r} is another shape in {other.title}"


def _shapes(svg: str) -> Iterator[tuple[str, bytes]]:
    if svg:
        for one in ET.fromstring(svg).iter():  # noqa: S314 - a game's own drawing
            if "id" in one.attrib:
                yield one.attrib["id"], ET.tostring(one)


@cache
def _shapes_of(game: AnyGame) -> dict[str, bytes]:
    table = Table(game, game.seats[0])
    return dict(
        found
        for step in table.sampled(1)
        for found in _shapes(game.picture(step.after, Seat(1), table.marks(step)))
    )


@check
def places_lie_on_the_picture(table: Table) -> Findings:
    """What can be tapped is where the picture has it."""
    for position in table.positions(1):
        places = table.game.places(position, Seat(1))
        if not places:
            return
        svg = table.game.picture(position, Seat(1), Marks())
        box = re.search(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"', svg)
        if box is None:
            yield "places(): there are some, and no picture with a viewBox"
            return
        left, top, wide, high = map(float, box.groups())
        for one in places:
            if not (left <= one.x <= left + wide and top <= one.y <= top + high):
                yield f"places(): {one.name!r} lies beside the picture, at {one.x:g},{one.y:g}"


@check
def the_example_can_be_shown(table: Table) -> Findings:
    """`example`: a position for who has never seen the game; none is allowed."""
    shown = table.game.example
    if shown is None or table.seats != table.game.seats[0]:
        return
    position = table.game.load(shown.position)
    if isinstance(table.game.turn(position), Over):
        yield "example: the game is over in it, so that no page can show a turn"
    if min(shown.lines, shown.columns) < 1:
        yield "example: nothing of its board is to be shown"
    if not 0 < (shown.viewpoint or 1) <= max(table.game.seats):
        yield f"example: nobody sees it from seat {shown.viewpoint}"
    facts = table.game.board(position, shown.viewpoint, Style.ASCII).facts
    for teller in tellers(table.game):
        someone: Any = teller.env.get_template(f"parts{TEXT}").module
        for name in ("signs", "spoken"):  # as the mail that answers `rules` has them
            yield from teller.say(name, facts=facts, names=someone.someone)
