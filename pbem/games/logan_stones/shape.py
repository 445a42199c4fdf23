"""The shape of an island: which spaces have stones, whatever the faces of the stones are.

The legality of a turn depends on the shape and on the numbers of stones in hand, never on a face.
So no answer to an illegal turn can reveal a hidden face (LS-6.10).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.games.hexes import STEPS, articulation_points

MIN_CONTACTS: Final = 2  # contacts that a stone needs in its new place (LS-2.3, LS-2.4)

_CACHE_SIZE: Final = 1 << 11


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of an island.

    Attributes:
        spaces: The spaces with stones, ascending.
        contacts: For each free space next to the island, the number of stones next to it.
        open: The free spaces with at least two contacts, where stones can be added, ascending.
    """

    spaces: tuple[int, ...]
    contacts: Mapping[int, int]
    open: tuple[int, ...]


@lru_cache(maxsize=_CACHE_SIZE)
def shape(spaces: tuple[int, ...]) -> Shape:
    """Return the shape of an island, given its spaces in ascending order."""
    stones = set(spaces)
    contacts: dict[int, int] = {}
    for space in spaces:
        for step in STEPS:
            near = space + step
            if near not in stones:
                contacts[near] = contacts.get(near, 0) + 1
    enough = [space for space, count in contacts.items() if count >= MIN_CONTACTS]
    return Shape(spaces, contacts, tuple(sorted(enough)))


def contacts(island: Shape, space: int, lifted: int | None = None) -> int:
    """Return the number of stones next to the free `space`.

    The stone on the space `lifted` does not count. None means that all stones count.
    """
    count = island.contacts.get(space, 0)
    if lifted is not None and space - lifted in STEPS:
        count -= 1
    return count


def destinations(island: Shape, lifted: int) -> list[int]:
    """Return the free spaces that touch at least two stones, not counting the one on `lifted`.

    The spaces are in ascending order.
    """
    counts = island.contacts
    excluded = [space for step in STEPS if counts.get(space := lifted + step) == MIN_CONTACTS]
    return [space for space in island.open if space not in excluded]


@lru_cache(maxsize=_CACHE_SIZE)
def movable_spaces(spaces: tuple[int, ...]) -> frozenset[int]:
    """Return the spaces whose stone can be taken away without splitting the rest of the island.

    Rules: LS-2.4, LS-3.14.
    """
    return frozenset(spaces) - articulation_points(spaces)
