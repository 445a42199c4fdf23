"""The board as an SVG picture: loggers, trees, recent moves, scores and hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.games.drawing.document import MARGIN, document
from pbem.games.drawing.glyphs import write, write_all
from pbem.games.drawing.marks import badge, fresh_cell, ghost, open_spot, trail
from pbem.games.drawing.palette import (
    COLOURS,
    GREY,
    INK,
    LETTERING,
    LINE,
    SHADE,
    WHITE,
    WOOD,
)
from pbem.games.drawing.panel import Row, panel, row_height, winners
from pbem.games.drawing.svg import at, element, group, use
from pbem.games.game import Hotspot, Marks, SeatLetters, Viewpoint
from pbem.games.logger.board import LETTERS
from pbem.games.logger.move_facts import move_facts
from pbem.games.logger.position import (
    BIT,
    CELLS,
    NOWHERE,
    NUMBERS,
    SIDE,
    Move,
    Position,
    cells,
    free_corners,
    reachable_cells,
)
from pbem.games.logger.rules import GOAL, placings

CELL: Final = 64
_EDGE: Final = 26  # width of the space around the board, for coordinates

_WIDTH: Final = SIDE * CELL + 2 * _EDGE
GROUND: Final = WOOD[0]
LEAF: Final = "#3d8b40"
_BARK: Final = "#6b4423"

COLOUR_NAMES: Final = ("Blue", "Red", "Black", "Purple")
FILLS: Final = tuple(COLOURS[name] for name in COLOUR_NAMES)  # loggers also differ in shape

_INKS: Final = tuple(LETTERING[name] for name in COLOUR_NAMES)

_SHAPES: Final = (  # shape of each seat's logger
    '<circle r="20"/>',
    '<rect x="-18" y="-18" width="36" height="36" rx="4"/>',
    '<path d="M0-23L23 0L0 23L-23 0Z"/>',
    '<path d="M-11-20H11L23 0L11 20H-11L-23 0Z"/>',
)

_OUTLINED: Final = f'stroke="{INK}" stroke-width="1.5"'
_TREES: Final = (
    f'<g id="lg1" {_OUTLINED}><path d="M-2 17V0H2V17Z" fill="{_BARK}"/>'
    f'<path d="M0 4Q-14 4-15-9Q-1-9 0 4ZM0 0Q12 0 14-12Q1-13 0 0Z" fill="{LEAF}"/></g>'
    f'<g id="lg2" {_OUTLINED}><path d="M-2.5 21V4H2.5V21Z" fill="{_BARK}"/>'
    f'<circle r="13" cy="-4" fill="{LEAF}"/></g>'
    f'<g id="lg3" {_OUTLINED}><path d="M-5 28V16H5V28Z" fill="{_BARK}"/>'
    f'<path d="M0-29L12-12H6L17 3H9L22 18H-22L-9 3H-17L-6-12H-12Z" fill="{LEAF}"/></g>'
)
_OTHERS: Final = (
    # A person with a placard in front of the trunk; the stump of a felled tree; a log.
    f'<g id="lgp" stroke="{SHADE}" stroke-width="1.5">'
    '<path d="M5 29V19Q5 13 11 13Q17 13 17 19V29Z" fill="#ff9d2e"/>'
    '<circle cx="11" cy="8" r="5" fill="#ffe0bd"/>'
    f'<path d="M18 22V2" stroke-width="2.5"/><path d="M11-13H27V3H11Z" fill="{WHITE}"/>'
    '<path d="M15-9L23-1M23-9L15-1" stroke-width="2.5"/></g>'
    f'<g id="lgs" {_OUTLINED}><path d="M-9 20V10H9V20Z" fill="{_BARK}"/>'
    '<ellipse cy="10" rx="9" ry="4" fill="#e8c89a"/>'
    f'<ellipse cy="10" rx="4" ry="1.7" stroke="{SHADE}"/></g>'
    f'<g id="lgl" {_OUTLINED}><path d="M-9-5H5V5H-9Z" fill="{_BARK}"/>'
    '<ellipse cx="5" rx="3" ry="5" fill="#e8c89a"/></g>'
)


def _logger(seat: int, letter: str) -> str:
    sign = write(letter, 0, 0, 18, _INKS[seat], weight=4)
    shape = f'<g {_OUTLINED} fill="{FILLS[seat]}">{_SHAPES[seat]}</g>'
    return f'<g id="{_id(seat, letter)}">{shape}{sign}</g>'


def _id(seat: int, letter: str) -> str:
    return f"lgo{seat + 1}{letter}"


def _defs(signs: SeatLetters) -> str:
    return _TREES + _OTHERS + "".join(_logger(seat, sign) for seat, sign in enumerate(signs))


class Change(NamedTuple):
    """A change of a cell by a recent move, which the picture marks with a badge.

    `sign` says what the badge shows, as for `drawing.marks.badge`. `seat` is the index of the
    player who made the change, from 0.
    """

    cell: int
    sign: str
    seat: int


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """Return the SVG picture. Nothing on the board is hidden from any player (LG-6.1).

    Pictures for different readers differ only in marks on the reader's logger and seat, and on the
    cells that this logger can reach.
    """
    moves = [move_facts(step.move, step.before, step.after) for step in marks.transitions]
    changes = [change for facts in moves for change in list_changes(facts)]
    signs = (marks.letters or LETTERS)[: position.seats]
    below = SIDE * CELL + 2 * _EDGE + 8
    body = [
        *_ground({change.cell for change in changes}),
        *_coordinates(),
        *_pieces(position, viewpoint, signs, changes),
        *(() if marks.is_idle or marks.hides_choices else _open(position, viewpoint)),
        *_trails(moves),
        *_badges(changes),
        panel(list(_rows(position, viewpoint, signs, marks)), below, _WIDTH),
    ]
    return document(_WIDTH, below + row_height(_WIDTH) * position.seats, _defs(signs), body)


def cell_middle(cell: int) -> tuple[float, float]:
    """Return x and y of the middle of the cell, without the margin of the document."""
    x, y = divmod(cell, SIDE)
    return _EDGE + (x + 0.5) * CELL, _EDGE + (SIDE - 1 - y + 0.5) * CELL


def _ground(fresh: set[int]) -> Iterator[str]:
    side = SIDE * CELL
    yield element("rect", x=_EDGE, y=_EDGE, width=side, height=side, fill=GROUND)
    lines = "".join(
        f"M{_EDGE + step * CELL} {_EDGE}v{side}M{_EDGE} {_EDGE + step * CELL}h{side}"
        for step in range(1, SIDE)
    )
    yield element("path", d=lines, stroke=LINE, stroke_width=1.2)
    yield from (fresh_cell(*cell_middle(cell), CELL) for cell in sorted(fresh))
    yield element("rect", x=_EDGE, y=_EDGE, width=side, height=side, stroke=INK, stroke_width=2.5)


def _coordinates() -> Iterator[str]:
    names: list[tuple[str, float, float]] = []
    for step in range(SIDE):
        x, y = cell_middle(step * SIDE + step)
        for edge in (_EDGE / 2, _WIDTH - _EDGE / 2):
            names += [(CELLS[step * SIDE][0], x, edge), (str(step + 1), edge, y)]
    yield write_all(names, 13, GREY)


def _pieces(
    position: Position, viewpoint: Viewpoint, signs: SeatLetters, changes: list[Change]
) -> Iterator[str]:
    trees = position.trees
    felled = {change.cell for change in changes if change.sign == "fell"}
    for cell, bit in enumerate(BIT[:-1]):
        x, y = cell_middle(cell)
        if cell in position.loggers:
            seat = position.loggers.index(cell)
            if viewpoint == seat + 1:
                yield element("circle", cx=x, cy=y, r=28, stroke=INK, stroke_width=3)
            yield use(_id(seat, signs[seat]), x, y)
        elif trees.mature & bit:
            yield use("lg3", x, y)
            if trees.protested & bit:
                yield use("lgp", x, y)
        elif trees.saplings & bit:
            yield use("lg2", x, y)
        elif trees.seedlings & bit:
            yield use("lg1", x, y)
        elif cell in felled:
            yield use("lgs", x, y)


def _open(position: Position, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield marks for the cells to which the reader's logger can go, if the reader is to move."""
    if position.cause or viewpoint != position.to_act:
        return
    placing = position.here == NOWHERE
    for cell in cells(
        free_corners(position) if placing else reachable_cells(position, position.here)
    ):
        if cell not in position.loggers:
            yield open_spot(*cell_middle(cell), 9)


def list_changes(facts: Mapping[str, Any]) -> Iterator[Change]:
    """Yield the badges for a move, given its facts by `move_facts`."""
    seat = facts["seat"] - 1
    if facts["kind"] == "place":
        yield Change(NUMBERS[facts["to"]], "add", seat)
        return
    for key, sign in (("saplings", "grow"), ("ripened", "grow"), ("felled", "fell")):
        for name in facts[key]:
            yield Change(NUMBERS[name], sign, seat)
    for pair in facts["spawned"]:
        yield Change(NUMBERS[pair["cell"]], "add", seat)
    if facts["kind"] in ("plant", "protest"):
        for name in facts["cells"]:
            yield Change(NUMBERS[name], "add", seat)


def _trails(moves: list[Mapping[str, Any]]) -> Iterator[str]:
    for facts in moves:
        if facts["kind"] != "place" and not facts["stayed"]:
            names = (facts["from"], *facts["way"][:1], facts["to"])
            way = [cell_middle(NUMBERS[name]) for name in names]
            fill = FILLS[facts["seat"] - 1]
            yield group([ghost('circle r="17"', fill)], transform=at(*way[0]))
            yield trail(way, fill, start_gap=18, end_gap=25)


def _badges(changes: list[Change]) -> Iterator[str]:
    """Yield SVG of the badges in corners of changed cells. Badges in one cell are side by side."""
    counts: dict[int, int] = {}
    for cell, sign, seat in dict.fromkeys(changes):
        x, y = cell_middle(cell)
        count = counts.get(cell, 0)
        counts[cell] = count + 1
        yield badge(sign, x - CELL / 2 + 10 + 16 * count, y - CELL / 2 + 10, FILLS[seat])


def _rows(
    position: Position, viewpoint: Viewpoint, signs: SeatLetters, marks: Marks[Position, Move]
) -> Iterator[Row]:
    winning_seats = winners(placings(position) if position.cause else ())
    for seat in range(1, position.seats + 1):
        yield Row(
            sign=use(_id(seat - 1, signs[seat - 1]), 0, 0, transform=at(0, 0, 0.62)),
            name=marks.name(seat),
            stock=_stock(position.scores[seat - 1], position.hands[seat - 1]),
            is_to_move=seat == position.to_act and not marks.is_idle,
            stock_width=190 + 16 * position.hands[seat - 1],
            you=marks.translate("you") if seat == viewpoint else "",
            has_left=seat in position.left,
            has_won=seat in winning_seats,
        )


def _stock(score: int, hand: int) -> str:
    """Return SVG of a seat's protesters (`hand`), and of its points as a bar of ten parts."""
    hands = [use("lgp", 0, 0, transform=at(-16 * k - 175, -4, 0.6)) for k in range(hand)]
    logs = "".join(
        element(
            "path", d="".join(f"M{-148 + 11 * k}-6h11v12h-11z" for k in numbers), fill=fill,
            stroke=edge, stroke_width=1.2,
        )
        for numbers, fill, edge in (
            (range(min(score, GOAL)), _BARK, INK),
            (range(score, GOAL), None, LINE),
        )
        if numbers
    )  # fmt: skip
    return "".join([*hands, logs, write(str(score), -2, 0, 15, INK, anchor=1)])


def hotspots(position: Position, viewpoint: Viewpoint) -> tuple[Hotspot, ...]:  # noqa: ARG001 - the shape of the hook
    """Return a hotspot for every cell of the board, the same for all viewpoints."""
    spots = (cell_middle(number) for number in range(len(CELLS)))
    return tuple(
        Hotspot(name, x + MARGIN, y + MARGIN, CELL / 2, is_square=True)
        for name, (x, y) in zip(CELLS, spots, strict=True)
    )
