"""The symbols of the picture: the board with its arrows, pieces, dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.drawing.glyphs import write
from pbem.games.drawing.palette import COLOURS as FILLS
from pbem.games.drawing.palette import INK, LETTERING, LINE, WHITE
from pbem.games.drawing.svg import element, number
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
    """An arrow at the edge of the square around a point, as a path."""
    far, near, half = CELL / 2 - 3, CELL / 2 - 10, 6.5
    tips = ((0, -far), (far, 0), (0, far), (-far, 0))
    feet = (
        ((-half, -near), (half, -near)),
        ((near, -half), (near, half)),
        ((half, near), (-half, near)),
        ((-near, half), (-near, -half)),
    )
    (ax, ay), ((bx, by), (cx, cy)) = tips[direction], feet[direction]
    corners = ((x + ax, y + ay), (x + bx, y + by), (x + cx, y + cy))
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "Z"


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


def piece_symbol(colour: int, size: int, *, own: bool) -> str:
    """A pyramid as a symbol; that of the reader has a strong outline."""
    name = COLOURS[colour]
    base, high = SIDES[size]
    path = f"M{-base:g} {high:g}L0 {-high:g}L{base:g} {high:g}Z"
    rim = f'<path d="{path}" stroke="{WHITE}" stroke-width="8"/>' if own else ""
    if own:
        rim += f'<path d="{path}" stroke="{INK}" stroke-width="5"/>'
    letter = write(LETTERS[colour], 0, high - 6, 8, LETTERING[name], weight=4.5)
    return (
        f'<g id="{piece_id(colour, size, own=own)}">{rim}'
        f'<path d="{path}" fill="{FILLS[name]}" stroke="{INK}" stroke-width="1.6"/>{letter}</g>'
    )


def piece_id(colour: int, size: int, *, own: bool) -> str:
    """The name of its symbol."""
    return f"ll{'o' if own else ''}{LETTERS[colour]}{size}"


BOARD_SYMBOL: Final = _board_symbol()


def die(thrown: int) -> Iterator[str]:
    """A number die around 0,0."""
    yield element(
        "rect", x=-16, y=-16, width=32, height=32, rx=7, fill=WHITE, stroke=INK, stroke_width=2
    )
    for x, y in _PIPS[thrown]:
        yield element("circle", cx=8 * x, cy=8 * y, r=3.2, fill=INK)
