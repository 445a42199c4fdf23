"""The island of stones and the hands as an SVG picture.

Lower faces come only from `board.find_reverse` and from hands that the reader may see, as in the
text board. So the picture shows no hidden face.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.games.drawing.document import MARGIN, document, legible_height
from pbem.games.drawing.glyphs import write, write_all
from pbem.games.drawing.marks import badge, ghost, trail
from pbem.games.drawing.palette import (
    CARD,
    COLOURS,
    FRESH,
    GOLD,
    GREY,
    INK,
    LINE,
    PAPER,
    STONE,
    TINTS,
)
from pbem.games.drawing.panel import Row, panel, row_height, winners
from pbem.games.drawing.svg import at as moved
from pbem.games.drawing.svg import element, group, points, use
from pbem.games.game import Hotspot, Marks, Seat, Viewpoint
from pbem.games.logan_stones.board import find_reverse
from pbem.games.logan_stones.move_facts import move_facts
from pbem.games.logan_stones.position import Move, Position
from pbem.games.logan_stones.rules import lines, placings
from pbem.games.logan_stones.shape import shape
from pbem.games.logan_stones.spaces import label, parse_label, place
from pbem.games.logan_stones.stones import HIDDEN, Stone, Symbol

_HALF: Final = 30  # half the width of a space, which is the distance between two successive numbers

_PITCH: Final = 52
_POINT: Final = 34.6  # distance from the middle of a space to its northern corner

_MARGIN: Final = 8
_MIN_WIDTH: Final = 400  # least width of a picture; a smaller island is centred in it

_HELD: Final = 46  # distance between stones of a hand

_STRIP: Final = 65  # height of a hand

_SEATS: Final = ("Blue", "Red")
_FILLS: Final[Mapping[Symbol, str]] = {  # by the upper symbol, which is drawn as well
    "R": STONE,
    "P": TINTS["Green"],
    "S": TINTS["Blue"],
    HIDDEN: PAPER,
}

_LABEL: Final = re.compile(r"([A-Z]+)(-?[0-9]+)")


def _hexagon(size: float) -> str:
    half, point = (_HALF - 1) * size, (_POINT - 1) * size
    corners = ((0, -point), (half, -point / 2), (half, point / 2))
    return points(*corners, *((-x, -y) for x, y in corners))


_LINES: Final = f'stroke="{INK}" stroke-width="2"'
_FACES: Final = (
    f'<g id="lsR" {_LINES}><path d="M-12 6L-14-2L-7-11L4-12L12-5L14 4L6 11H-6Z" fill="#858b96"/>'
    '<path d="M-7-11L-3-3L-12 6M-3-3L6-4L12-5M6-4L6 11" stroke-width="1.3"/></g>'
    f'<g id="lsP" {_LINES}><path d="M-10-13H5L11-7V13H-10Z" fill="{CARD}"/>'
    '<path d="M5-13V-7H11M-5-3H6M-5 2H6M-5 7H3" stroke-width="1.6"/></g>'
    f'<g id="lsS" {_LINES}><path d="M-8-13L5 6M8-13L-5 6" stroke-width="3"/>'
    f'<circle cx="-7" cy="9" r="4.2" fill="{COLOURS["Blue"]}"/>'
    f'<circle cx="7" cy="9" r="4.2" fill="{COLOURS["Blue"]}"/></g>'
    f'<g id="ls?" fill="none">{write(HIDDEN, 0, 0, 17, INK, weight=3.5)}</g>'
    f'<polygon id="lsh" points="{_hexagon(1)}"/>'
    f'<polygon id="lso" points="{_hexagon(0.82)}" fill="none" stroke-dasharray="5 4"/>'
)


def _reverse_symbol(face: str) -> str:
    """Return an SVG symbol: a small disc with `face`, the lower face of a stone (`?` if hidden)."""
    disc = element("circle", r=10, fill=PAPER, stroke=INK, stroke_width=1.2)
    small = group([use(f"ls{face}", 0, 0)], transform=moved(0, 0, 0.5))
    return group([disc, small], id=f"lsb{face}")


_DEFS: Final = _FACES + "".join(map(_reverse_symbol, ("R", "P", "S", HIDDEN)))


class _Change(NamedTuple):
    """A badge on a space whose stone a recent turn has added or turned over.

    `sign` is a sign of `drawing.marks.badge`, and `colour` the SVG colour of the player.
    """

    space: int
    sign: str
    colour: str


def picture(position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move]) -> str:
    """Return the SVG picture, which shows only the stone faces that the viewpoint may see.

    After the end of the game, it shows all faces.
    """
    moves = [move_facts(step.move, step.before, step.after) for step in marks.transitions]
    changes = list(dict.fromkeys(change for facts in moves for change in _changes(facts)))
    free = shape(position.spaces).open
    width, height, middles = lay_out(position)
    hands, below = _hands(position, viewpoint, marks, width)
    trails, is_acting = list(_trails(moves, middles)), viewpoint == position.to_act
    body = [
        *_open(free, middles, bold=is_acting and not (marks.is_idle or marks.hides_choices)),
        *_stones(position, viewpoint, {change.space for change in changes}, middles),
        *trails,
        *_labels(position.spaces, free, middles, width, crossed=bool(trails)),
        *_badges([change for change in changes if change.space in position.spaces], middles),
        group(hands, transform=moved(0, height)),
    ]
    return document(width, height + below, _DEFS, body)


Middles = Mapping[int, tuple[float, float]]


def lay_out(position: Position) -> tuple[float, float, Middles]:
    """Return the width and height of the drawn island, and the middle (x, y) of each space.

    The drawing includes the free spaces where a stone can be added.
    """
    laid = _middles((*position.spaces, *shape(position.spaces).open))
    width = max([_MIN_WIDTH, *(x + _HALF for x, _ in laid.values())]) + _MARGIN
    middles = _centre(laid, width)
    return width, max((y for _, y in middles.values()), default=0) + _POINT + _MARGIN, middles


def _middles(spaces: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Return the middle (x, y) of each space, so that the drawing begins at the margin."""
    if not spaces:
        return {}
    places = {space: place(space) for space in spaces}
    top = min(row for row, _ in places.values())
    west = min(number for _, number in places.values())
    return {
        space: (_MARGIN + _HALF * (number - west + 1), _MARGIN + _POINT + _PITCH * (row - top))
        for space, (row, number) in places.items()
    }


def _centre(middles: Middles, width: float) -> Middles:
    if not middles:
        return middles
    east = max(x for x, _ in middles.values()) + _HALF + _MARGIN
    return {space: (x + (width - east) / 2, y) for space, (x, y) in middles.items()}


# --- the island ----------------------------------------------------------------------------------


def _open(free: Sequence[int], middles: Middles, *, bold: bool) -> Iterator[str]:
    """Yield SVG marks for the free spaces where a stone can be put; `bold` makes them darker."""
    stones = (use("lso", *middles[space]) for space in free)
    ink, width = (INK, 2.2) if bold else (GREY, 1.4)
    yield group(stones, stroke=ink, stroke_width=width)


def _stones(
    position: Position, viewpoint: Viewpoint, fresh: set[int], middles: Middles
) -> Iterator[str]:
    line = set(lines(position.island, position.spaces)) if position.cause == "line" else set()
    for space, stone in position.island.items():
        x, y = middles[space]
        ground = FRESH if space in fresh else _FILLS[stone.top]
        edge = (GOLD, 6) if space in line else (INK, 2)
        yield use("lsh", x, y, fill=ground, stroke=edge[0], stroke_width=edge[1])
        yield use(f"ls{stone.top}", x - 5, y - 3)
        yield use(f"lsb{find_reverse(position, stone, viewpoint) or HIDDEN}", x + 16, y - 9)


def _labels(
    spaces: Sequence[int], free: Sequence[int], middles: Middles, width: float, *, crossed: bool
) -> Iterator[str]:
    """Yield SVG of the labels of all spaces: `spaces` have stones, and `free` have none.

    With `crossed`, arrows of recent moves cross the stones, so labels on stones get a pale rim.
    """
    height = legible_height(width)
    yield write_all([(label(space), *middles[space]) for space in free], height, GREY)
    places = [(label(space), middles[space][0], middles[space][1] + 20) for space in spaces]
    if crossed:
        yield write_all(places, height, PAPER, weight=11)
    yield write_all(places, height, INK)


# --- recent moves --------------------------------------------------------------------------------


def _space(text: str) -> int:
    match = _LABEL.fullmatch(text)
    space = parse_label(match[1], match[2]) if match is not None else None
    if space is None:
        raise ValueError(text)
    return space


def _changes(facts: Mapping[str, Any]) -> Iterator[_Change]:
    if facts["kind"] == "deal":
        return
    colour = COLOURS[_SEATS[facts["seat"] - 1]]
    if facts["kind"] == "add":
        yield _Change(_space(facts["at"]), "add", colour)
    if facts["turned"] or facts["kind"] == "flip":
        yield _Change(_space(facts["at"]), "turn", colour)
    for name in facts["over"]:
        yield _Change(_space(name), "turn", colour)


def _trails(moves: Sequence[Mapping[str, Any]], middles: Middles) -> Iterator[str]:
    for facts in moves:
        if facts["kind"] != "move":
            continue
        start, end, fill = (
            _space(facts["from"]),
            _space(facts["at"]),
            COLOURS[_SEATS[facts["seat"] - 1]],
        )
        # After later moves, a space may be outside of the drawn area. Then there is no trail.
        if start in middles and end in middles:
            shape = ghost(f'polygon points="{_hexagon(0.7)}"', fill)
            yield group([shape], transform=moved(*middles[start]))
            yield trail([middles[start], middles[end]], fill, width=3, start_gap=15, end_gap=24)


def _badges(changes: Sequence[_Change], middles: Middles) -> Iterator[str]:
    """Yield SVG of the badges on changed spaces; badges on the same space are stacked."""
    counts: dict[int, int] = {}
    for space, sign, colour in changes:
        x, y = middles[space]
        count = counts.get(space, 0)
        counts[space] = count + 1
        yield badge(sign, x - 22, y - 13 + 17 * count, colour)


# --- hands ---------------------------------------------------------------------------------------


def _hands(
    position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move], width: float
) -> tuple[list[str], float]:
    """Return SVG of both seats with their hands, and the total height of the drawing.

    The sign of a seat is a colour and a shape. A letter or number could be mistaken for the symbol
    or number of a stone.
    """
    winning_seats = winners(placings(position) if position.cause else ())
    parts, y = [], 0.0
    for seat in (Seat(1), Seat(2)):
        row = Row(
            sign=_sign(seat),
            name=marks.name(seat),
            is_to_move=position.is_dealt and not position.cause and position.to_act == seat
            and not marks.is_idle,
            you=marks.translate("you") if seat == viewpoint else "",
            has_won=seat in winning_seats,
        )  # fmt: skip
        parts.append(panel([row], y, width))
        y += row_height(width)
        hand = position.hands[seat - 1]
        if hand:
            open_ = bool(position.cause) or viewpoint == seat
            stones = [(stone.number, stone.stone) for stone in hand]
            parts += _hand(stones, y, width, open_=open_)
            y += _STRIP
    return parts, y


def hand_spots(position: Position, width: float) -> Iterator[tuple[Seat, int, tuple[float, float]]]:
    """Yield the seat, the number and the middle (x, y) of each stone in hand.

    `width` is the picture's width; y is 0 at the lower edge of the island.
    """
    y = 0.0
    for seat in (Seat(1), Seat(2)):
        y += row_height(width)
        hand = position.hands[seat - 1]
        if hand:
            for stone, spot in zip(hand, _spots(len(hand), y, width), strict=True):
                yield seat, stone.number, spot
            y += _STRIP


def _spots(count: int, y: float, width: float) -> Iterator[tuple[float, float]]:
    start = (width - _HELD * (count - 1)) / 2
    yield from ((start + _HELD * index, y + 27) for index in range(count))


def _sign(seat: Seat) -> str:
    """Return SVG of the sign of a seat in its colour: a disc for seat 1, a square for seat 2."""
    fill = COLOURS[_SEATS[seat - 1]]
    if seat == 1:
        return element("circle", r=12, fill=fill, stroke=INK, stroke_width=1.5)
    return element(
        "rect", x=-11, y=-11, width=22, height=22, rx=3, fill=fill, stroke=INK, stroke_width=1.5
    )


def _hand(
    stones: Sequence[tuple[int, Stone]], y: float, width: float, *, open_: bool
) -> Iterator[str]:
    """Yield SVG of a hand: the upper face and number of each stone (LS-6.1b).

    With `open_`, lower faces are drawn as well. Otherwise, `?` is in their place.
    """
    numbers = []
    for (number, stone), (x, middle) in zip(stones, _spots(len(stones), y, width), strict=True):
        yield element(
            "circle", cx=x, cy=middle, r=20, fill=_FILLS[stone.top], stroke=INK, stroke_width=1.6
        )
        yield group([use(f"ls{stone.top}", 0, 0)], transform=moved(x - 2, middle, 0.85))
        yield use(f"lsb{stone.bottom if open_ else HIDDEN}", x + 22, middle - 18)
        numbers.append((str(number), x, middle + 29))
    yield write_all(numbers, legible_height(width), INK)
    yield element("path", d=f"M16 {y + _STRIP:g}H{width - 16:g}", stroke=LINE, stroke_width=1.5)


_SPACE, _STONE = 28.0, 20.0
_SPACE_RING: Final = 27.0  # beyond most of the disc with the lower face, and of the label


def hotspots(position: Position, viewpoint: Viewpoint) -> tuple[Hotspot, ...]:
    """Return hotspots (places to tap) for the spaces of the board and the viewpoint's hand."""
    width, height, middles = lay_out(position)
    spaces = [
        Hotspot(label(space), x + MARGIN, y + MARGIN, _SPACE, ring=_SPACE_RING)
        for space, (x, y) in middles.items()
    ]
    stones = [
        Hotspot(str(number), x + MARGIN, y + height + MARGIN, _STONE)
        for seat, number, (x, y) in hand_spots(position, width)
        if seat == viewpoint
    ]
    return (*spaces, *stones)
