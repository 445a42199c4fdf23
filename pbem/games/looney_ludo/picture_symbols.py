"""The symbols of the picture: the board with its arrows, pieces, dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.drawing.glyphs import write
from pbem.games.drawing.palette import COLOURS as FILLS
from pbem.games.drawing.palette import INK, LETTERING, LINE, PAPER, WHITE
from pbem.games.drawing.svg import element, group, number, use
from pbem.games.looney_ludo.boards import EXITS, QUARTERS, SIDE, SQUARES
from pbem.games.looney_ludo.position import COLOURS, LETTERS

CELL: Final = 58
BOARD: Final = SIDE * CELL

SIDES: Final = ((10, 10), (13.5, 13), (17, 16))
"""Half the base and half the height of a pyramid, by size."""

_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""The dots of a die, by the number that they show."""


def arrow(x: float, y: float, direction: int) -> str:
    """An arrow over the edge of the square around a point, as a path.

    Those of both ways stand side by side, each right of the middle for who goes there, as in the
    picture of signs (LL-9.2); so none is hidden by what lies in the square.
    """
    far, near, half, aside = CELL / 2 + 3, CELL / 2 - 6, 6, 7.5
    corners = []
    for forward, sideways in ((far, aside), (near, aside - half), (near, aside + half)):
        dx, dy = (
            (sideways, -forward),
            (forward, sideways),
            (-sideways, forward),
            (-forward, -sideways),
        )[direction]
        corners.append(f"{number(x + dx)} {number(y + dy)}")
    return f"M{'L'.join(corners)}Z"


def inside(place: int) -> tuple[float, float]:
    """The middle of a place, from the middle of its board."""
    row, column = divmod(place, SIDE)
    return (column - 1) * CELL, (row - 1) * CELL


def _board_symbol() -> str:
    half = BOARD / 2
    lines = "".join(
        f"M{number(step)} {-half:g}V{half:g}M{-half:g} {number(step)}H{half:g}"
        for step in (-CELL / 2, CELL / 2)
    )
    arrows = "".join(
        arrow(*inside(place), direction)
        for place in range(SQUARES)
        for direction in range(QUARTERS)
        if EXITS[0][place][direction]
    )
    corner = -half + 11
    return (
        f'<g id="llb"><path d="{lines}" stroke="{LINE}" stroke-width="1.5"/>'
        f'<path d="{arrows}" fill="{INK}"/>'
        f'<circle cx="{corner:g}" cy="{corner:g}" r="5.5" fill="{INK}"/></g>'
    )


def _shapes() -> str:
    shapes = []
    for size, (base, high) in enumerate(SIDES):
        path = f"M{-base:g} {high:g}L0 {-high:g}L{base:g} {high:g}Z"
        shapes.append(
            f'<path id="lls{size}" d="{path}" stroke-width="1.6"/>'
            f'<g id="llh{size}"><path d="{path}" stroke="{WHITE}" stroke-width="8"/>'
            f'<path d="{path}" stroke="{INK}" stroke-width="5"/></g>'
        )
    return "".join(shapes)


def piece_symbol(colour: int, size: int) -> str:
    """A pyramid as a symbol."""
    name = COLOURS[colour]
    letter = write(LETTERS[colour], 0, SIDES[size][1] - 5.5, 7.5, LETTERING[name], weight=4.5)
    shape = use(f"lls{size}", 0, 0, fill=FILLS[name], stroke=INK)
    return group([shape, letter], id=piece_id(colour, size))


def piece_id(colour: int, size: int) -> str:
    """The name of its symbol."""
    return f"ll{LETTERS[colour]}{size}"


def _frame() -> str:
    """The frame and the nest's ring of a board, whose user gives fill and stroke."""
    side = f'x="{-BOARD / 2:g}" y="{-BOARD / 2:g}" width="{BOARD}" height="{BOARD}" rx="7"'
    return (
        f'<g id="llf"><rect {side} stroke="{INK}" stroke-width="7"/>'
        f'<rect {side} stroke-width="5"/><circle r="19" stroke="{INK}" stroke-width="7"/>'
        f'<circle r="19" fill="{PAPER}" stroke-width="5"/></g>'
    )


_DISC: Final = f'<circle id="lld" r="10" stroke="{INK}" stroke-width="1.6"/>'
_TAG: Final = (
    f'<rect id="llt" x="-12" y="-8.5" width="24" height="17" rx="5" fill="{WHITE}"'
    f' stroke="{INK}" stroke-width="1.3" stroke-dasharray="3 3"/>'
)
_ARROWS: Final = "".join(
    f'<path id="lla{direction}" d="{arrow(0, 0, direction)}"/>' for direction in range(QUARTERS)
)
SYMBOLS: Final = _frame() + _board_symbol() + _ARROWS + _DISC + _TAG + _shapes()
"""A board's frame `llf`, its arrows, lines and dot `llb`, an arrow by its direction `lla`, the disc
of a board's letter `lld`; the tag of a slot `llt`; by size the shape of a pyramid `lls` and the rim
of those of the reader `llh`."""


def die(thrown: int) -> Iterator[str]:
    """A number die around 0,0."""
    yield element(
        "rect", x=-16, y=-16, width=32, height=32, rx=7, fill=WHITE, stroke=INK, stroke_width=2
    )
    for x, y in _PIPS[thrown]:
        yield element("circle", cx=8 * x or None, cy=8 * y or None, r=3.2, fill=INK)
