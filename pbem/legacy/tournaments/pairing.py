"""Who meets whom: sizes of groups, the circle method, balanced blocks, and the bracket of a cup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

TWO: Final = 2
SMALLEST: Final = 4
LARGEST: Final = 7
"""Of the groups of a league (TR-3.2)."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A table by the numbers of its players in their group, from 0, in the order of their seats."""

    round: int
    players: tuple[int, ...]


# --- groups --------------------------------------------------------------------------------------


def sizes_for(seats: int) -> tuple[int, ...]:
    """The sizes that a group may have whose tables have so many seats."""
    return tuple(
        size
        for size in range(SMALLEST, LARGEST + 1)
        if seats == TWO or (size, seats) in _BLOCKS
    )  # fmt: skip


def group_sizes(players: int, seats: int, wanted: int) -> tuple[int, ...]:
    """How many players each group has, from the highest; empty where they cannot be divided.

    TR-3.2: as many groups as bring them nearest to the size that is `wanted`, as equal as can be.
    """
    most, best = players // SMALLEST, tuple[int, ...]()
    for groups in range(1, most + 1):
        sizes = _divided(players, groups, sizes_for(seats))
        if sizes and (not best or _apart(sizes, wanted) < _apart(best, wanted)):
            best = sizes
    return best


def _apart(sizes: Sequence[int], wanted: int) -> int:
    """How far the average size is from the wanted one, in whole parts that can be compared."""
    return abs(sum(sizes) - len(sizes) * wanted) * 840 // len(sizes)


def _divided(players: int, groups: int, allowed: tuple[int, ...]) -> tuple[int, ...]:
    """So many groups of sizes that are allowed, the larger ones lower; empty if there are none."""
    share, more = divmod(players, groups)
    sizes = [share] * (groups - more) + [share + 1] * more
    # A size that no table fits (six at four seats): two such groups become a smaller and a larger.
    for unfit in {share, share + 1}.difference(allowed).intersection(sizes):
        count = sizes.count(unfit)
        sizes = [size for size in sizes if size != unfit]
        sizes += [unfit - 1, unfit + 1] * (count // 2)
        if count % 2:
            if unfit - 1 not in sizes:
                return ()
            sizes.remove(unfit - 1)
            sizes += [unfit - 2, unfit + 1]
    return tuple(sorted(sizes)) if set(sizes) <= set(allowed) else ()


def fewest(seats: int, wanted: int, entered: int) -> int:
    """The next number of entries with which a season of a league can begin."""
    return next(
        players for players in range(max(entered, SMALLEST), entered + 2 * LARGEST)
        if group_sizes(players, seats, wanted)
    )  # fmt: skip


# --- tables of a group ---------------------------------------------------------------------------


def tables_of(players: int, seats: int) -> tuple[Paired, ...]:
    """All tables of a group: each pair meets equally often, and first seats are balanced."""
    return tuple(_circle(players) if seats == TWO else _blocks(players, seats))


def _circle(players: int) -> Iterator[Paired]:
    """TR-3.4: the circle method. Who is in the circle sits first as often as second in it.

    With an even number one stands beside it, and sits first in every other round: so nobody sits
    first more than once more often than second.
    """
    circle = players - 1 + players % TWO
    for at in range(circle):
        if circle < players:
            beside = (at, players - 1) if at % TWO == 0 else (players - 1, at)
            yield Paired(at + 1, beside)
        for step in range(1, circle // TWO + 1):
            yield Paired(at + 1, ((at + step) % circle, (at - step) % circle))


_BLOCKS: Final[Mapping[tuple[int, int], tuple[tuple[int, ...], ...]]] = {
    (4, 3): ((0, 1, 2),),
    (5, 3): ((0, 1, 2), (0, 3, 1)),
    (7, 3): ((0, 1, 3),),
    (5, 4): ((0, 1, 2, 3),),
    (7, 4): ((2, 4, 5, 6),),
    (6, 3): (
        (1, 0, 5), (5, 4, 3), (0, 3, 2), (1, 2, 5), (3, 0, 1),
        (2, 4, 0), (5, 2, 3), (4, 5, 0), (2, 1, 4), (4, 3, 1),
    ),
    (4, 4): ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)),
}  # fmt: skip
"""TR-3.5: by players and seats, the blocks in which each pair meets equally often, by seats.

The first five are made of their first blocks, each moved round by one player at a time. Six at four
seats would need fifteen tables, ten for each: there are no such groups.
"""

_MOVED_ROUND: Final = frozenset({(4, 3), (5, 3), (7, 3), (5, 4), (7, 4)})


def _blocks(players: int, seats: int) -> Iterator[Paired]:
    blocks = _BLOCKS[players, seats]
    if (players, seats) not in _MOVED_ROUND:
        for number, block in enumerate(blocks, 1):
            yield Paired(number, block)
        return
    for number, block in enumerate(blocks):
        for by in range(players):
            moved = tuple((player + by) % players for player in block)
            yield Paired(number * players + by + 1, moved)


# --- cups ----------------------------------------------------------------------------------------


def bracket(seeds: int) -> tuple[int, ...]:
    """TR-4.2: the seeds, from 0, in the order of the slots of the first round.

    The two highest can meet in the final only, the four highest not before the semi-finals. A slot
    of a number that nobody has is a bye.
    """
    slots = [0]
    while len(slots) < seeds:
        size = 2 * len(slots)
        slots = [slot for seed in slots for slot in (seed, size - 1 - seed)]
    return tuple(slots)
