"""The whole document of a picture: opaque paper, definitions, and what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from pbem.games.drawing.glyphs import definition
from pbem.games.drawing.marks import badge_symbol
from pbem.games.drawing.palette import PAPER
from pbem.games.drawing.svg import at, element, group, number

MARGIN: Final = 10
"""The paper around everything, so that a picture stands on any ground."""

_SHOWN: Final = 360
"""The pixels across which a phone shows a picture."""

_CAPITAL: Final = 8.4
"""How high a capital is there in letters of 12 pixels."""

_SHARED: Final = re.compile(r'"#(?:g([0-9a-f]{1,6})|m-([a-z]{1,9}))"')
"""Uses of the symbols that all games share: signs and badges."""


def legible(width: float) -> float:
    """How high capitals have to be in a picture of a width, so that a phone shows them well."""
    return (width + 2 * MARGIN) * _CAPITAL / _SHOWN


def document(width: float, height: float, defs: str, body: Iterable[str]) -> str:
    """A whole picture; it has a shape and no size, so that it fits any page.

    Nothing is filled that does not say so, and strokes have round ends and corners. Signs and
    badges are defined here, those that occur.
    """
    wide, high = width + 2 * MARGIN, height + 2 * MARGIN
    paper = element("rect", width=wide, height=high, fill=PAPER)
    drawn = group(body, transform=at(MARGIN, MARGIN))
    shared = "".join(
        badge_symbol(badge) if badge else definition(code)
        for code, badge in sorted({*_SHARED.findall(drawn)})
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(high)}"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f"<defs>{defs}{shared}</defs>{paper}{drawn}</svg>\n"
    )
