"""Evaluation of positions of Logan Stones, for bots and hints.

Stones on the island do not belong to a player, so a line that is nearly complete is good for the
seat to move.
"""

from __future__ import annotations

from typing import Final

from pbem.games.evaluation import WON, evaluate_end
from pbem.games.hexes import AXES
from pbem.games.logan_stones.position import Position
from pbem.games.logan_stones.stones import HIDDEN

THREE: Final = 100  # value of three equal symbols among four spaces in a row (LS-3.11)

PAIR: Final = 3  # value of two equal symbols among four spaces in a row (LS-2.10)

_LINE: Final = 4


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of the position for each seat.

    Before the end, rows of equal symbols count for the seat to move, which may complete a line. The
    value for the other seat is 0.
    """
    if position.cause:
        if not position.winner:
            return (WON, WON)
        return evaluate_end((1, 2) if position.winner == 1 else (2, 1))
    threes, pairs = _count_rows(position)
    near = THREE * threes + PAIR * pairs
    return (near, 0) if position.to_act == 1 else (0, near)


def _count_rows(position: Position) -> tuple[int, int]:
    """Return how many rows of four spaces have three or more equal symbols, and how many have two.

    A row counts only if its first space has that symbol. So overlapping rows do not count the same
    three symbols twice.
    """
    tops = {
        space: stone.top
        for space, stone in zip(position.spaces, position.stones, strict=True)
        if stone.top != HIDDEN
    }
    threes, pairs = 0, 0
    for space, symbol in tops.items():
        for axis in AXES:
            equal = [tops.get(space + axis * step) for step in range(1, _LINE)].count(symbol)
            if equal >= _LINE - 2:
                threes += 1
            else:
                pairs += equal
    return threes, pairs
