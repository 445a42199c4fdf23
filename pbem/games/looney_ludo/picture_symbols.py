"""The symbols of the picture: boards with arrows, pieces, dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from pbem.games.drawing.document import legible_height
from pbem.games.drawing.emblems import emblem
from pbem.games.drawing.glyphs import text_width, write, write_all
from pbem.games.drawing.palette import CARD, GREY, INK, LINE, PAPER, SHADE, WHITE
from pbem.games.drawing.palette import COLOURS as FILLS
from pbem.games.drawing.svg import at, element, group, number, use
from pbem.games.game import Translate
from pbem.games.looney_ludo.boards import EXITS, QUARTERS, SIDE, SQUARES, WAYS
from pbem.games.looney_ludo.position import COLOURS, LETTERS, PIECES, Roll

CELL: Final = 58
BOARD: Final = SIDE * CELL

SIDES: Final = ((15, 13.5), (20.5, 18), (26, 22))  # half the base and half the height, by size

_RING: Final = 20  # radius of a nest's ring

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # step in each direction, as x and y

LENGTH: Final = 9  # length of an arrow

_HALF: Final = 6.5  # half the width of an arrow

_DICE: Final = 56
_LETTERS: Final = 11  # letter height that the dice fit; dice are scaled for other heights

_PIPS: Final = {  # places of the pips of a die as (x, y), by the number of the face
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def arrow(x: float, y: float, direction: int) -> str:
    """Return the SVG path of an arrow; (x, y) is the middle of its base."""
    dx, dy = STEPS[direction]
    corners = ((dx * LENGTH, dy * LENGTH), (-dy * _HALF, dx * _HALF), (dy * _HALF, -dx * _HALF))
    return f"M{'L'.join(f'{number(x + east)} {number(y + south)}' for east, south in corners)}Z"


def beyond(point: tuple[float, float], direction: int, way: float) -> tuple[float, float]:
    """Return the point at the distance `way` from `point` in the direction."""
    dx, dy = STEPS[direction]
    return point[0] + dx * way, point[1] + dy * way


def crossing(*, is_pair: bool) -> float:
    """Return the distance from a border to the base of an arrow across it, in picture units.

    The distance is counted in the direction of the arrow. A single arrow begins before the border,
    so its distance is negative. If two opposite arrows cross the border (`is_pair`), each of them
    begins behind the border and points away from the border.
    """
    return 1.5 if is_pair else -LENGTH / 2


def inside(place: int) -> tuple[float, float]:
    """Return x and y of the middle of a square, relative to the middle of its board.

    `place` is the number of the square on the board as it lies.
    """
    row, column = divmod(place, SIDE)
    return (column - 1) * CELL, (row - 1) * CELL


def _board_symbol() -> str:
    half = BOARD / 2
    lines = "".join(
        f"M{number(step)} {-half:g}V{half:g}M{-half:g} {number(step)}H{half:g}"
        for step in (-CELL / 2, CELL / 2)
    )
    arrows = ""
    for place, direction in product(range(SQUARES), range(QUARTERS)):
        end = WAYS[0][place][direction]
        if 0 <= end < SQUARES:
            way = CELL / 2 + crossing(is_pair=EXITS[0][end][direction - 2])
            arrows += arrow(*beyond(inside(place), direction, way), direction)
    corner = -half + 11
    return (
        f'<g id="llb"><path d="{lines}" stroke="{LINE}"/>'
        f'<path d="{arrows}" fill="{INK}"/>'
        f'<circle cx="{corner:g}" cy="{corner:g}" r="4.5" fill="{GREY}"/></g>'
    )


def _shapes() -> str:
    shapes = []
    for size, (base, high) in enumerate(SIDES):
        path = f"M{-base:g} {high:g}L0 {-high:g}L{base:g} {high:g}Z"
        shapes.append(
            f'<path id="lls{size}" d="{path}" stroke-width="1.6"/>'
            f'<g id="llh{size}"><path d="{path}" stroke="{SHADE}" stroke-width="9"/>'
            f'<path d="{path}" stroke="{WHITE}" stroke-width="6.5"/></g>'
        )
    return "".join(shapes)


def piece_symbol(colour: int, size: int) -> str:
    """Return the SVG symbol of the pyramid of this colour and size."""
    name = COLOURS[colour]
    sign = emblem(name, 0, 0.42 * SIDES[size][1], 0.9 + 0.25 * size)
    shape = use(f"lls{size}", 0, 0, fill=FILLS[name], stroke=INK)
    return group([shape, sign], id=piece_id(colour, size))


def piece_id(colour: int, size: int) -> str:
    """Return the id of the SVG symbol of the pyramid of this colour and size."""
    return f"ll{LETTERS[colour]}{size}"


def _frame() -> str:
    """Return the SVG symbol of a board's frame and ring. Each use sets fill and stroke."""
    side = f'x="{-BOARD / 2:g}" y="{-BOARD / 2:g}" width="{BOARD}" height="{BOARD}" rx="7"'
    return (
        f'<g id="llf"><rect {side} stroke="{INK}" stroke-width="7"/>'
        f'<rect {side} stroke-width="5"/><circle r="{_RING:g}" stroke="{INK}" stroke-width="6.5"/>'
        f'<circle r="{_RING:g}" fill="{PAPER}" stroke-width="4.5"/></g>'
    )


_DISC: Final = f'<circle id="lld" r="10" stroke="{INK}" stroke-width="1.6"/>'
_TAG: Final = (
    f'<rect id="llt" x="-12" y="-8.5" width="24" height="17" rx="5" fill="{CARD}"'
    f' stroke="{INK}" stroke-width="1.3" stroke-dasharray="3 3"/>'
)
_NEST: Final = (
    f'<g id="lln"><circle r="9" stroke="{INK}" stroke-width="6"/>'
    f'<circle r="9" fill="{PAPER}" stroke-width="3.5"/></g>'
)
SYMBOLS: Final = _frame() + _board_symbol() + _DISC + _TAG + _NEST + _shapes()
"""All symbols by id.

`llf`: a board's frame. `llb`: its inner arrows, lines and dot. `lld`: the disc of a board's letter.
`llt`: the tag of a slot. `lln`: the ring of a nest. `lls`: a pyramid by size. `llh`: the rim of the
reader's pyramids.
"""


def _die(thrown: int) -> Iterator[str]:
    """Yield SVG of a number die around 0,0; `thrown` is its number."""
    yield element(
        "rect", x=-16, y=-16, width=32, height=32, rx=7, fill=WHITE, stroke=SHADE, stroke_width=2
    )
    for x, y in _PIPS[thrown]:
        yield element("circle", cx=8 * x or None, cy=8 * y or None, r=3.2, fill=SHADE)


def dice_height(width: float) -> float:
    """Return the height of the row of dice below a table of this width."""
    return _DICE * legible_height(width) / _LETTERS


def dice(roll: Roll | None, width: float, y: float, word: Translate) -> str:
    """Return SVG of a row with the dice, the points, and the cost of a space by size (LL-1.3).

    If `roll` is None, the row has only the costs. The upper edge of the row is at y, and `width` is
    the width of the picture. `word` translates the name of the face.
    """
    scale = legible_height(width) / _LETTERS
    return group([*_roll(roll, word), *_costs(width / scale)], transform=at(0, y + 4, scale))


def _roll(roll: Roll | None, word: Translate) -> Iterator[str]:
    middle = _DICE / 2 - 4
    if roll is None:
        return
    for value, x in ((roll.first, 24), (roll.second, 64)):
        yield group(_die(value), transform=at(x, middle))
    name = word(roll.face.name)
    half = text_width(name, _LETTERS) / 2 + 9
    east = 90 + half
    face = element(
        "rect", x=-half, y=-16, width=2 * half, height=32, rx=7, fill=SHADE, stroke=INK,
        stroke_width=1.5,
    )  # fmt: skip
    yield group([face, write(name, 0, 0, _LETTERS, WHITE)], transform=at(east, middle))
    east += half + 10
    yield element("path", d=f"M{east:g} {middle - 3:g}h11m0 6h-11", stroke=INK, stroke_width=2.5)
    yield write(str(roll.points), east + 20, middle, 16, INK, anchor=0)


def _costs(width: float) -> Iterator[str]:
    middle = _DICE / 2 - 4
    costs = []
    for size in range(PIECES):
        east = width - 118 + 43 * size
        base, high = (0.62 * side for side in SIDES[size])
        path = f"M{east - base:g} {middle + high:g}l{base:g} {-2 * high:g}l{base:g} {2 * high:g}Z"
        yield element("path", d=path, stroke=GREY, stroke_width=1.8)
        costs.append((str(size + 1), east + 19, middle))
    yield write_all(costs, _LETTERS, GREY)
