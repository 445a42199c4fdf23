"""What a position is worth to each seat, for bots: the lines that can still be made."""

from __future__ import annotations

from typing import Final

from pbem.games.game import Over
from pbem.games.worth import at_the_end
from pbem.legacy.skeleton.nine.rules import LINES, Position, turn

WORTH: Final = (1, 4, 16, 64)
"""NI-3.1: a line without a cell of the other's, by how many are one's own."""


def value(position: Position) -> tuple[int, ...]:
    """A whole number a seat; far below what an end is worth while the game goes on."""
    now = turn(position)
    if isinstance(now, Over):
        return at_the_end(now.outcome.placings)
    return tuple(sum(_line(position, line, seat) for line in LINES) for seat in (1, 2))


def _line(position: Position, line: tuple[int, ...], seat: int) -> int:
    held = [position.cells[cell] for cell in line]
    return 0 if 3 - seat in held else WORTH[held.count(seat)]
