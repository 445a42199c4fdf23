"""The list of seats below a board: names, the seat to move, and the seat of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pbem.games.drawing.document import legible_height
from pbem.games.drawing.glyphs import cut, label, text_width, write
from pbem.games.drawing.palette import CARD, GREY, INK, PAPER
from pbem.games.drawing.svg import at, element, group

_ROW_HEIGHT: Final = 34

_NAME_HEIGHT: Final = 11
_NAME_X: Final = 52  # x coordinate at which the player's name begins in a row

_TAG_LETTER_HEIGHT: Final = 9.5  # height of the letters in the tag that marks the reader's seat

_CUP: Final = "M-7-7H7V-4Q7 3 0 4Q-7 3-7-4ZM-1.5 4H1.5V7H5V9H-5V7H-1.5Z"


@dataclass(frozen=True, slots=True)
class Row:
    """A row in the list of seats.

    Attributes:
        sign: The SVG of a piece of the seat, with its middle at 0,0.
        name: The name of the player; empty if it is not known.
        stock: The SVG of the seat's points or stock, whose right edge is at 0,0; empty for none.
        stock_width: The width of `stock`.
        is_to_move: Whether the seat is to move.
        you: The translated word "you" if this is the reader's seat, else empty.
        has_left: Whether the seat has left the game.
        has_won: Whether the seat has won, as `winners` says.
    """

    sign: str
    name: str
    stock: str = ""
    stock_width: float = 0
    is_to_move: bool = False
    you: str = ""
    has_left: bool = False
    has_won: bool = False


def winners(placings: Sequence[int]) -> frozenset[int]:
    """Return the seats that finished first; empty if all seats tie or there are no placings yet.

    `placings` has the final place of each seat, or is empty before the end.
    """
    seats = frozenset(seat for seat, place in enumerate(placings, 1) if place == 1)
    return seats if len(seats) < len(placings) else frozenset()


def row_height(width: float) -> float:
    """Return the height of one row in the list of seats.

    `width` is the width of the picture without the margin.
    """
    return _ROW_HEIGHT * _scale(width)


def _scale(width: float) -> float:
    return max(1, legible_height(width) / _TAG_LETTER_HEIGHT)


def panel(rows: Sequence[Row], y: float, width: float) -> str:
    """Return SVG of the list of seats, with its upper edge at y. Long names are cut to fit.

    `width` is the width of the picture without the margin.
    """
    scale = _scale(width)
    drawings = (
        group(
            _row(row, width / scale),
            transform=at(0, y + scale * _ROW_HEIGHT * (number + 0.5), scale),
        )
        for number, row in enumerate(rows)
    )
    return "".join(drawings)


def _row(row: Row, width: float) -> list[str]:
    ink = GREY if row.has_left else INK
    parts = []
    if row.you:
        parts.append(
            element(
                "rect", x=1, y=-15, width=width - 2, height=30, rx=8,
                fill=CARD, stroke=INK, stroke_width=2.5,
            )
        )  # fmt: skip
    if row.is_to_move:
        parts.append(element("path", d="M6-8L18 0L6 8Z", fill=INK))
    if row.has_won:
        parts.append(element("path", d=_CUP, fill=INK, transform=at(12, 0)))
    parts.append(group([row.sign], transform=at(34, 0)))
    room = width - 16 - row.stock_width - _NAME_X
    if row.you:
        tag = text_width(row.you, _TAG_LETTER_HEIGHT) + 12
        name = cut(row.name, _NAME_HEIGHT, room - tag - 8)
        parts.append(
            _tag(row.you, _NAME_X + (text_width(name, _NAME_HEIGHT) + 8 if name else 0), tag)
        )
    else:
        name = cut(row.name, _NAME_HEIGHT, room)
    parts.append(label(name, _NAME_X, 0, _NAME_HEIGHT, ink, room=width))
    if row.has_left:
        parts.append(element("path", d="M24-10L44 10", stroke=INK, stroke_width=3))
    if row.stock:
        parts.append(group([row.stock], transform=at(width - 8, 0)))
    return parts


def _tag(you: str, x: float, width: float) -> str:
    """Return SVG of the tag that marks the reader's seat: a word on a dark background.

    `you` is the translated word "you", x is the left edge of the tag, and `width` its width.
    """
    ground = element("rect", x=x, y=-10, width=width, height=20, rx=10, fill=INK)
    return ground + write(you, x + width / 2, 0, _TAG_LETTER_HEIGHT, PAPER)
