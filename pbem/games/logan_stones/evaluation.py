"""Evaluation of positions of Logan Stones, for bots and hints.

Players own no stones on the island, so only the seat to move profits from lines that are nearly
complete.
"""

from __future__ import annotations

from typing import Final

from pbem.games.evaluation import WON, evaluate_end
from pbem.games.hexes import AXES
from pbem.games.logan_stones.position import Position
from pbem.games.logan_stones.stones import HIDDEN

THREE: Final = 100
"""Three equal symbols among four spaces in a row, which the mover may complete (LS-3.11)."""

PAIR: Final = 3
"""Two of them, which may become three (LS-2.10)."""

_LINE: Final = 4


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of a position by seat: threes and pairs count for the mover (LS-4.2)."""
    if position.cause:
        if not position.winner:
            return (WON, WON)
        return evaluate_end((1, 2) if position.winner == 1 else (2, 1))
    threes, pairs = _near(position)
    near = THREE * threes + PAIR * pairs
    return (near, 0) if position.to_act == 1 else (0, near)


def _near(position: Position) -> tuple[int, int]:
    """Return the numbers of threes and pairs among four spaces in a row."""
    tops = {
        at: stone.top
        for at, stone in zip(position.spaces, position.stones, strict=True)
        if stone.top != HIDDEN
    }
    threes, pairs = 0, 0
    for at, symbol in tops.items():
        for axis in AXES:
            # Count from the first stone of a row, so that each row counts once.
            equal = [tops.get(at + axis * step) for step in range(1, _LINE)].count(symbol)
            if equal >= _LINE - 2:
                threes += 1
            else:
                pairs += equal
    return threes, pairs
