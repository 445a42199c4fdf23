"""The list of seats below a board: names, the seat to move, and the seat of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbem.games.drawing.document import legible
from pbem.games.drawing.glyphs import breadth, cut, label, write
from pbem.games.drawing.palette import CARD, GREY, INK, PAPER
from pbem.games.drawing.svg import at, element, group

_ROW: Final = 34

_NAME: Final = 11
_BEFORE: Final = 52  # x coordinate at which the player's name begins in a row

_TAG: Final = 9.5  # height of the letters in the tag that marks the reader's seat

_PLACE: Final = "M-7-7H7V-4Q7 3 0 4Q-7 3-7-4ZM-1.5 4H1.5V7H5V9H-5V7H-1.5Z"


@dataclass(frozen=True, slots=True)
class Row:
    """A row in the list of seats.

    Attributes:
        sign: The SVG of a piece of the seat, with its middle at 0,0.
        name: The name of the player; empty if it is not known.
        has: The SVG of the seat's points or stock, whose right edge is at 0,0; empty for none.
        wide: The width of `has`.
        acts: Whether the seat is to move.
        you: The translated word "you" if this is the reader's seat, else empty.
        left: Whether the seat has left the game.
        won: Whether the seat has won, as `winners` says.
    """

    sign: str
    name: str
    has: str = ""
    wide: float = 0
    acts: bool = False
    you: str = ""
    left: bool = False
    won: bool = False


def winners(placings: Sequence[int]) -> frozenset[int]:
    """Return the seats that finished first; empty if all seats tie or there are no placings yet.

    `placings` has the final place of each seat, or is empty before the end.
    """
    seats = frozenset(seat for seat, place in enumerate(placings, 1) if place == 1)
    return seats if len(seats) < len(placings) else frozenset()


def row_height(wide: float) -> float:
    """Return the height of one row in the list of seats.

    `wide` is the width of the picture without the margin.
    """
    return _ROW * _scale(wide)


def _scale(wide: float) -> float:
    return max(1, legible(wide) / _TAG)


def panel(rows: Sequence[Row], y: float, wide: float) -> str:
    """Return SVG of the list of seats, with its upper edge at y. Long names are cut to fit.

    `wide` is the width of the picture without the margin.
    """
    scale = _scale(wide)
    drawings = (
        group(_row(row, wide / scale), transform=at(0, y + scale * _ROW * (number + 0.5), scale))
        for number, row in enumerate(rows)
    )
    return "".join(drawings)


def _row(row: Row, wide: float) -> list[str]:
    ink = GREY if row.left else INK
    parts = []
    if row.you:
        parts.append(
            element(
                "rect", x=1, y=-15, width=wide - 2, height=30, rx=8,
                fill=CARD, stroke=INK, stroke_width=2.5,
            )
        )  # fmt: skip
    if row.acts:
        parts.append(element("path", d="M6-8L18 0L6 8Z", fill=INK))
    if row.won:
        parts.append(element("path", d=_PLACE, fill=INK, transform=at(12, 0)))
    parts.append(group([row.sign], transform=at(34, 0)))
    room = wide - 16 - row.wide - _BEFORE
    if row.you:
        tag = breadth(row.you, _TAG) + 12
        name = cut(row.name, _NAME, room - tag - 8)
        parts.append(_tag(row.you, _BEFORE + (breadth(name, _NAME) + 8 if name else 0), tag))
    else:
        name = cut(row.name, _NAME, room)
    parts.append(label(name, _BEFORE, 0, _NAME, ink, room=wide))
    if row.left:
        parts.append(element("path", d="M24-10L44 10", stroke=INK, stroke_width=3))
    if row.has:
        parts.append(group([row.has], transform=at(wide - 8, 0)))
    return parts


def _tag(you: str, x: float, wide: float) -> str:
    """Return SVG of the tag that marks the reader's seat: a word on a dark background.

    `you` is the translated word "you", x is the left edge of the tag, and `wide` its width.
    """
    ground = element("rect", x=x, y=-10, width=wide, height=20, rx=10, fill=INK)
    return ground + write(you, x + wide / 2, 0, _TAG, PAPER)
