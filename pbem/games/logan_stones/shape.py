"""The shape of an island: what follows from its spaces alone, whatever the stones show (LS-6.10).

Every question of legality is answered here, so that no answer can depend on a hidden face.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.games.hexes import STEPS, connected

ENOUGH: Final = 2
"""LS-2.3, LS-2.4: the contacts that a stone needs where it is put."""

_SIDES: Final = len(STEPS)
_KEPT: Final = 1 << 11


@dataclass(frozen=True, slots=True)
class Shape:
    """An island: its spaces in order, the contacts of each free space beside it, where to add."""

    spaces: tuple[int, ...]
    contacts: Mapping[int, int]
    open: tuple[int, ...]


@lru_cache(maxsize=_KEPT)
def shape(spaces: tuple[int, ...]) -> Shape:
    """The shape of the island that lies on these spaces, which are in order."""
    taken = set(spaces)
    contacts: dict[int, int] = {}
    for at in spaces:
        for step in STEPS:
            near = at + step
            if near not in taken:
                contacts[near] = contacts.get(near, 0) + 1
    enough = [at for at, count in contacts.items() if count >= ENOUGH]
    return Shape(spaces, contacts, tuple(sorted(enough)))


def contacts(island: Shape, at: int, lifted: int | None = None) -> int:
    """The contacts of a free space; a lifted stone gives none (LS-2.4)."""
    count = island.contacts.get(at, 0)
    if lifted is not None and at - lifted in STEPS:
        count -= 1
    return count


def destinations(island: Shape, lifted: int) -> list[int]:
    """LS-2.4: the free spaces with two contacts among the other stones, in order."""
    reached = island.contacts
    lost = [at for step in STEPS if reached.get(at := lifted + step) == ENOUGH]
    return [at for at in island.open if at not in lost]


@lru_cache(maxsize=_KEPT)
def loose(spaces: tuple[int, ...]) -> frozenset[int]:
    """LS-2.4, LS-3.14: the stones whose removal leaves the others connected."""
    taken = frozenset(spaces)
    found = []
    for at in spaces:
        sides = 0
        for bit, step in enumerate(STEPS):
            if at + step in taken:
                sides |= 1 << bit
        # Neighbours that touch each other around the stone need no link; else look further.
        if ARCS[sides] == 1 or connected(taken - {at}):
            found.append(at)
    return frozenset(found)


def _arcs(sides: int) -> int:
    """Into how many runs the taken neighbours fall, once around; a full ring is one."""
    if sides == (1 << _SIDES) - 1:
        return 1
    around = [sides >> bit & 1 for bit in range(_SIDES)]
    return sum(around[bit] and not around[bit - 1] for bit in range(_SIDES))


ARCS: Final = tuple(_arcs(sides) for sides in range(1 << _SIDES))
"""`_arcs` of every set of neighbours."""
