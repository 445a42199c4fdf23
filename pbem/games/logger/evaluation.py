"""Evaluation of positions of Logger, for bots and hints."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pbem.games.evaluation import evaluate_end
from pbem.games.logger.position import NEXT, NOWHERE, Position, cells, reachable_cells
from pbem.games.logger.rules import placings

POINT: Final = 100  # value of each point (LG-2.14); ten points end the game (LG-4.1)

HAND: Final = 7  # value of a protester in hand, which can guard a tree (LG-2.13, LG-4.3)

MATURE: Final = 12  # value of a mature tree that the logger can fell after its next move (LG-2.14)

SAPLING: Final = 9  # value of a sapling in reach, which can grow and be felled at once (LG-2.16)

GUARDED: Final = 6  # value of a protested tree in reach, which can fall only behind another tree

STEPS: Final = 2  # value of each cell that the logger can reach (LG-2.2, LG-4.8)


def evaluate(position: Position) -> tuple[int, ...]:
    """Return the value of a position for each seat, in hundredths of a point."""
    if position.cause:
        return evaluate_end(placings(position))
    _, saplings, mature, protested = position.trees
    values = []
    for score, hand, cell in zip(position.scores, position.hands, position.loggers, strict=True):
        area = reachable_cells(position, cell) if cell != NOWHERE else 0
        near = _neighbourhood(area)
        values.append(
            POINT * score
            + HAND * hand
            + MATURE * (mature & ~protested & near).bit_count()
            + SAPLING * (saplings & near).bit_count()
            + GUARDED * (protested & near).bit_count()
            + STEPS * area.bit_count()
        )
    return tuple(values)


@lru_cache(maxsize=1 << 14)
def _neighbourhood(bits: int) -> int:
    """Return the bit set of the cells in `bits` together with all their neighbours."""
    near = bits
    for cell in cells(bits):
        near |= NEXT[cell]
    return near
