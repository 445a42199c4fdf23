"""What a position of Logan Stones is worth to each seat: nobody owns a stone, so it is the turn."""

from __future__ import annotations

from typing import Final

from pbem.games.evaluation import WON, evaluate_end
from pbem.games.hexes import AXES
from pbem.games.logan_stones.position import Position
from pbem.games.logan_stones.stones import HIDDEN

THREE: Final = 100
"""LS-3.11: three equal symbols among four spaces in a row are nearly a line for whoever moves."""

PAIR: Final = 3
"""LS-2.10: two of them may become three."""

_LINE: Final = 4


def evaluate(position: Position) -> tuple[int, ...]:
    """LS-3.11, LS-4.2: whoever makes the line wins, so lines that are near are the mover's."""
    if position.cause:
        if not position.winner:
            return (WON, WON)
        return evaluate_end((1, 2) if position.winner == 1 else (2, 1))
    threes, pairs = _near(position)
    near = THREE * threes + PAIR * pairs
    return (near, 0) if position.to_act == 1 else (0, near)


def _near(position: Position) -> tuple[int, int]:
    """Rows of four spaces with three equal symbols in them, and pairs of them in others."""
    tops = {
        at: stone.top
        for at, stone in zip(position.spaces, position.stones, strict=True)
        if stone.top != HIDDEN
    }
    threes, pairs = 0, 0
    for at, symbol in tops.items():
        for axis in AXES:
            # From the first of its symbol in a row of four spaces on: each row is looked at once.
            equal = [tops.get(at + axis * step) for step in range(1, _LINE)].count(symbol)
            if equal >= _LINE - 2:
                threes += 1
            else:
                pairs += equal
    return threes, pairs
