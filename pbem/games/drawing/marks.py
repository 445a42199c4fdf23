"""Marks of recent moves: trails of moved pieces, and badges on changed cells."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final, TypeAlias

from pbem.games.drawing.palette import (
    CARD,
    FRESH,
    GOLD,
    INK,
    MIN_CONTRAST,
    PAPER,
    SHADE,
    WHITE,
    contrast,
)
from pbem.games.drawing.svg import at, element, group, number, points

Point: TypeAlias = tuple[float, float]

_HEAD: Final = 11  # length of an arrowhead

_SIGNS: Final = {  # sign on each kind of badge, as SVG strokes around 0,0
    "add": "M-4 0H4M0-4V4",
    "grow": "M-4 1L0-4L4 1M0-4V5",
    "turn": "M3.5-3A4.6 4.6 0 1 0 4.6 1.2M4.5-5.5V-2H1",
    "swap": "M-5-2H5L2.5-4.5M5 2H-5L-2.5 4.5",
    "hop": "M-5 3.5Q0-9 5 2.5M5.5-2L5 3L.5 1.5",
    "fell": "M-4-4L4 4M4-4L-4 4",
    "take": "M-4 3.5H4M-4 0H4M-4-3.5H4",
}


def trail(
    way: Sequence[Point], colour: str, *, width: float = 4, start_gap: float = 0, end_gap: float = 0
) -> str:
    """Return SVG of an arrow through points, with a rim that makes it visible on any background.

    Args:
        way: The points, from start to end.
        colour: The colour of the player's pieces.
        width: The width of the line.
        start_gap: The distance from the first point to the start of the line.
        end_gap: The distance from the tip of the arrow to the last point.
    """
    (ax, ay), (bx, by) = way[:2]
    share = start_gap / (hypot(bx - ax, by - ay) or 1)
    x, y = ax + (bx - ax) * share, ay + (by - ay) * share
    # Relative to its own start, so that equal trails have equal paths.
    way = [(to_x - x, to_y - y) for to_x, to_y in ((x, y), *way[1:])]
    (x0, y0), (x1, y1) = way[-2:]
    length = hypot(x1 - x0, y1 - y0) or 1
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    tip = (x1 - dx * end_gap, y1 - dy * end_gap)
    end = (tip[0] - dx * _HEAD, tip[1] - dy * _HEAD)
    half = width + 2.5
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (*way[:-1], end))
    head = points(
        tip, (end[0] - dy * half, end[1] + dx * half), (end[0] + dy * half, end[1] - dx * half)
    )
    pale = contrast(colour, PAPER) < MIN_CONTRAST
    rims = ((PAPER, 5.0), (INK, 2.5)) if pale else ((PAPER, 4.0),)
    layers = (
        f'<path d="{path}" stroke="{ink}" stroke-width="{number(width + rim)}"/>'
        f'<polygon points="{head}" fill="{ink}" stroke="{ink}" stroke-width="{number(rim)}"/>'
        for ink, rim in (*rims, (colour, 0.0))
    )
    return group(layers, class_="trail", transform=at(x, y))


def badge(sign: str, x: float, y: float, colour: str, scale: float = 1) -> str:
    """Return SVG of a badge: a disc in a player's colour, with a sign for what a move changed.

    `sign` is a key of `_SIGNS`, such as `grow` or `turn`. (x, y) is the middle of the badge. The
    SVG refers to a symbol, which `document` defines.
    """
    ink = max((WHITE, SHADE), key=lambda candidate: contrast(candidate, colour))
    placed = at(x, y, scale)
    return element("use", href=f"#m-{sign}", fill=colour, stroke=ink, transform=placed)


def badge_symbol(sign: str) -> str:
    """Return the SVG definition of the badge with this sign. Each `<use>` sets fill and stroke."""
    disc = element("circle", r=8.5, stroke=PAPER, stroke_width=1.5)
    path = element("path", d=_SIGNS[sign], fill="none", stroke_width=2)
    return group([disc, path], id=f"m-{sign}")


def fresh_cell(x: float, y: float, side: float) -> str:
    """Return SVG that marks a square cell as changed.

    (x, y) is the middle of the cell, and `side` the length of its sides.
    """
    inside = side - 4
    return element(
        "rect", x=x - inside / 2, y=y - inside / 2, width=inside, height=inside,
        fill=FRESH, stroke=GOLD, stroke_width=2,
    )  # fmt: skip


def ghost(shape: str, colour: str) -> str:
    """Return SVG of the dashed outline of a piece that has moved away.

    `shape` is the name and the attributes of an SVG element as text, as in `circle r="17"`.
    `colour` is the colour of the outline.
    """
    return f'<{shape} stroke="{colour}" stroke-width="2" stroke-dasharray="4 4"/>'


def open_spot(x: float, y: float, radius: float) -> str:
    """Return SVG of a dashed ring around (x, y), a space to which the reader can move."""
    return element(
        "circle", cx=x, cy=y, r=radius, fill=CARD, stroke=INK, stroke_width=2.2,
        stroke_dasharray="5 3.5",
    )  # fmt: skip
