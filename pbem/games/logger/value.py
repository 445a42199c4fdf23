"""What a position of Logger is worth to each seat: what a good player looks at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import mul
from typing import Final

from pbem.games.logger.position import NEXT, NOWHERE, Position, cells, reach
from pbem.games.logger.rules import placings
from pbem.games.worth import Term, at_the_end

POINT: Final = 100
"""LG-2.14: a tree felled is a point, and ten of them end the game (LG-4.1)."""

HAND: Final = 7
"""LG-2.13, LG-4.3: a protester in hand guards trees when that is needed, and breaks a tie."""

MATURE: Final = 12
"""LG-2.14: a mature tree beside where the logger can be next turn is nearly felled."""

SAPLING: Final = 9
"""LG-2.3, LG-2.16: a sapling there grows first, and can be felled in the same turn."""

GUARDED: Final = 6
"""LG-2.14: a tree with a protester falls only behind a bare one, and brings the protester."""

STEPS: Final = 2
"""LG-2.2, LG-4.8: each cell that can be reached; who is shut in can do little."""


WEIGHTS: Final = {
    "points": POINT,
    "hand": HAND,
    "mature": MATURE,
    "saplings": SAPLING,
    "guarded": GUARDED,
    "room": STEPS,
}
"""The terms, in the order in which they are counted."""

_WEIGHTS: Final = tuple(WEIGHTS.values())


def value(position: Position) -> tuple[int, ...]:
    """LG-4.1 to LG-4.4: points first, then the trees that each seat is near, its hand, its room."""
    if position.cause:
        return at_the_end(placings(position))
    return tuple(sum(map(mul, counts, _WEIGHTS)) for counts in _counts(position))


def terms(position: Position) -> tuple[tuple[Term, ...], ...]:
    """The same in its parts."""
    if position.cause:
        return ()
    return tuple(
        tuple(
            Term(name, count, weight * count)
            for (name, weight), count in zip(WEIGHTS.items(), counts, strict=True)
        )
        for counts in _counts(position)
    )


def _counts(position: Position) -> Iterator[tuple[int, ...]]:
    """How many there are of each term, by seat."""
    _, saplings, mature, protested = position.trees
    bare = mature & ~protested
    for score, hand, here in zip(position.scores, position.hands, position.loggers, strict=True):
        room = reach(position, here) if here != NOWHERE else 0
        near = _beside(room)
        yield (
            score,
            hand,
            (bare & near).bit_count(),
            (saplings & near).bit_count(),
            (protested & near).bit_count(),
            room.bit_count(),
        )


@lru_cache(maxsize=1 << 14)
def _beside(among: int) -> int:
    """The cells next to some cells, those among them included."""
    near = among
    for cell in cells(among):
        near |= NEXT[cell]
    return near
