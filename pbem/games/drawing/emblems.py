"""Emblems: a shape for each colour, for readers who cannot tell the colours of pieces apart."""

from __future__ import annotations

from typing import Final

from pbem.games.drawing.palette import LETTERING
from pbem.games.drawing.svg import at, element

_SHAPES: Final = {  # emblem of each colour, as the SVG path of a filled shape around 0,0
    "Red": "M0-4.5A4.5 4.5 0 1 1-.1-4.5Z",
    "Yellow": "M-4-4H4V4H-4Z",
    "Green": "M0-5.5L5.5 0L0 5.5L-5.5 0Z",
    "Blue": "M-5-4H5V-1H-5ZM-5 1.5H5V4.5H-5Z",
    "Purple": "M-4-5H-1V5H-4ZM1-5H4V5H1Z",
    "Black": "M-5-4H5L0 5Z",
    "Orange": "M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",
}


def emblem(colour: str, x: float, y: float, scale: float = 1) -> str:
    """Return SVG of the colour's emblem around (x, y), to be drawn on a piece of that colour."""
    return element("path", d=_SHAPES[colour], fill=LETTERING[colour], transform=at(x, y, scale))
