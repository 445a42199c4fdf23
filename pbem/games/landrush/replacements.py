"""The choices of replacement sizes in a take-over: counted, listed, and picked by number.

A choice gives each captured square a size, in the order of LR-7.6; it takes no more of a size than
the stash holds. Choices are in the order of their sizes, Small before Medium before Large.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.games.landrush.position import SMALL, Stash
from pbem.games.landrush.tracts import without


@lru_cache(maxsize=1 << 14)
def count(squares: int, stash: Stash) -> int:
    """How many choices there are for so many squares."""
    if squares == 0:
        return 1
    return sum(count(squares - 1, without(stash, size)) for size in range(3) if stash[size])


def every(squares: int, stash: Stash) -> Iterator[tuple[int, ...]]:
    """All choices, in order."""
    if squares == 0:
        yield ()
        return
    for size in range(3):
        if stash[size]:
            for rest in every(squares - 1, without(stash, size)):
                yield size, *rest


def nth(squares: int, stash: Stash, number: int) -> tuple[int, ...]:
    """The choice with a number, from 0 to `count` - 1."""
    sizes = []
    for left in range(squares - 1, -1, -1):
        size = SMALL
        while number >= (fewer := count(left, without(stash, size)) if stash[size] else 0):
            number -= fewer
            size += 1
        sizes.append(size)
        stash = without(stash, size)
    return tuple(sizes)
