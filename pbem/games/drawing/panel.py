"""The seats beside a board: who is who, whose turn it is, which one is the reader's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbem.games.drawing.glyphs import label
from pbem.games.drawing.palette import GREY, INK, WHITE
from pbem.games.drawing.svg import at, element, group

ROW: Final = 34
"""The height of a seat's row."""

_NAME: Final = 11
_BEFORE: Final = 52
"""Where the name begins."""

_PERSON: Final = "M0-6.5a3 3 0 1 1-.01 0M-5.5 6.5a5.5 6 0 0 1 11 0z"
_PLACE: Final = "M-7-7H7V-4Q7 3 0 4Q-7 3-7-4ZM-1.5 4H1.5V7H5V9H-5V7H-1.5Z"


@dataclass(frozen=True, slots=True)
class Row:
    """A seat: its sign around 0,0, its name, and what it has, drawn to the west of 0,0.

    `place` is its place at the end, 0 before.
    """

    sign: str
    name: str
    has: str = ""
    acts: bool = False
    you: bool = False
    left: bool = False
    place: int = 0


def panel(rows: Sequence[Row], x: float, y: float, wide: float, most: int = 16) -> str:
    """The rows, one below the other, from a corner on; names have at most so many signs."""
    return "".join(
        group(_row(row, wide, most), transform=at(x, y + ROW * number + ROW / 2))
        for number, row in enumerate(rows)
    )


def _row(row: Row, wide: float, most: int) -> list[str]:
    ink = GREY if row.left else INK
    drawn = []
    if row.you:
        drawn.append(
            element(
                "rect", x=1, y=-15, width=wide - 2, height=30, rx=8,
                fill=WHITE, stroke=INK, stroke_width=2.5,
            )
        )  # fmt: skip
        drawn.append(element("path", d=_PERSON, fill=INK, transform=at(_BEFORE + 7, 0)))
    if row.acts:
        drawn.append(element("path", d="M6-8L18 0L6 8Z", fill=INK))
    if row.place == 1:
        drawn.append(element("path", d=_PLACE, fill=INK, transform=at(12, 0)))
    drawn.append(group([row.sign], transform=at(34, 0)))
    start = _BEFORE + (18 if row.you else 0)
    drawn.append(label(row.name, start, 0, _NAME, ink, most=most - 2 * row.you))
    if row.left:
        drawn.append(element("path", d="M24-10L44 10", stroke=INK, stroke_width=3))
    if row.has:
        drawn.append(group([row.has], transform=at(wide - 8, 0)))
    return drawn
