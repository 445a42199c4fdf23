"""The frame of every SVG picture: background, shared definitions and body."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from pbem.games.drawing.glyphs import definition
from pbem.games.drawing.marks import badge_symbol
from pbem.games.drawing.palette import PAPER
from pbem.games.drawing.svg import at, element, group, number

MARGIN: Final = 10  # width of the margin around the drawing, in the colour of paper

_PHONE_WIDTH: Final = 360  # width of a picture on a phone, in pixels

_CAPITAL_HEIGHT: Final = 8.4  # height of capitals in a font of 12 pixels, in pixels

_SHARED_SYMBOL: Final = re.compile(r'"#(?:g([0-9a-f]{1,6})|m-([a-z]{1,9}))"')
"""The pattern of references to symbols that all games share: letters and badges."""


def legible_height(width: float) -> float:
    """Return the smallest height at which capitals in the picture are legible on a phone.

    The height is in the units of the picture. `width` is the width of the picture without the
    margin.
    """
    return (width + 2 * MARGIN) * _CAPITAL_HEIGHT / _PHONE_WIDTH


def document(width: float, height: float, defs: str, body: Iterable[str]) -> str:
    """Return a complete SVG document that scales to any page.

    By default, shapes are not filled, and strokes have round ends and corners. The document
    defines the letters and badges that the body uses.

    Args:
        width: The width without the margin.
        height: The height without the margin.
        defs: Definitions of the game's own symbols.
        body: The SVG elements, in the order in which they are drawn.
    """
    full_width, full_height = width + 2 * MARGIN, height + 2 * MARGIN
    # The background extends beyond the edges, so that it also fills a last row of pixels that the
    # picture covers only partly.
    paper = element("rect", x=-2, y=-2, width=full_width + 4, height=full_height + 4, fill=PAPER)
    content = group(body, transform=at(MARGIN, MARGIN))
    symbols = "".join(
        badge_symbol(badge) if badge else definition(code)
        for code, badge in sorted({*_SHARED_SYMBOL.findall(content)})
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="0 0 {number(full_width)} {number(full_height)}"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f"<defs>{defs}{symbols}</defs>{paper}{content}</svg>\n"
    )
