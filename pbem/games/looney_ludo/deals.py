"""The possible deals of pieces to boards (LL-1.16), numbered so that one can be drawn at random.

With 2 or 3 players there are two deals. With 4 to 6 players, a deal is three lists of colours: for
the Larges, the Mediums and the Smalls. Together with the list of the boards' colours, these lists
form a Latin rectangle: no two of the four lists have the same colour at the same index. Deals are
numbered in the order of their lists. To find a deal by its number, we count the ways in which each
beginning can be completed, so that not all deals need to be listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Row: TypeAlias = tuple[int, ...]

DEALS: Final = {2: 2, 3: 2, 4: 24, 5: 1344, 6: 393120}  # number of deals, by players (LL-1.16)

SMALL: Final = 0
MEDIUM: Final = 1
LARGE: Final = 2

# The pieces of each board as pairs of player (from 0) and size, from bottom to top. The boards of
# players come first, in their order, then the neutral ones.
Cups: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]


def deal(number: int, players: int, first: int) -> Cups:
    """Return the stacks of pieces on the boards in deal `number` for this many players.

    `first` is the number of the starting player, counted from 0. The deals for 3 players depend on
    the starting player (LL-3.23).
    """
    match players:
        case 2:
            return _deal_of_two(number)
        case 3:
            return _deal_of_three(number, first)
        case _:
            return _deal_of_more(number, players)


def deal_number(cups: Cups, players: int, first: int) -> int:
    """Return the number of the deal with these stacks. This is the inverse of `deal`.

    Raises:
        ValueError: There is no such deal.
    """
    if players > 3:  # noqa: PLR2004 - LL-1.16c: the deals that are too many to compare with
        if any(tuple(size for _, size in stack) != (LARGE, MEDIUM, SMALL) for stack in cups):
            raise ValueError(f"no such deal: {cups}")
        return find_latin_number([tuple(stack[level][0] for stack in cups) for level in range(3)])
    return [deal(number, players, first) for number in range(DEALS[players])].index(cups)


def _deal_of_two(number: int) -> Cups:
    """Return one of the two deals for 2 players (LL-1.16a).

    In deal 0, the Large of player 0 is on the first neutral board. In deal 1, it is on the second.
    """
    neutral = ((0, LARGE), (1, SMALL)), ((1, LARGE), (0, SMALL))
    return (((1, MEDIUM),), ((0, MEDIUM),), neutral[number], neutral[1 - number])


def _deal_of_three(number: int, first: int) -> Cups:
    """Return one of the two deals for 3 players (LL-1.16b).

    In deal 0, each player's board has the Large of the next player. In deal 1, it has the Large of
    the previous player. The neutral board has all Mediums: at the bottom the Medium of player
    `first`, who starts, and above it the Mediums of the next players in order.
    """
    large, small = ((1, 2), (2, 1))[number]
    homes = [(((board + large) % 3, LARGE), ((board + small) % 3, SMALL)) for board in range(3)]
    return (*homes, tuple(((first + place) % 3, MEDIUM) for place in range(3)))


def _deal_of_more(number: int, players: int) -> Cups:
    """Return the deal with this number, counted from 0, for 4 to 6 players (LL-1.16c).

    Each board gets a Large, a Medium and a Small in three different colours other than its own.
    """
    larges, mediums, smalls = latin_rows(number, players)
    return tuple(
        ((large, LARGE), (medium, MEDIUM), (small, SMALL))
        for large, medium, small in zip(larges, mediums, smalls, strict=True)
    )


def latin_rows(number: int, width: int) -> tuple[Row, Row, Row]:
    """Return the colours of the Larges, Mediums and Smalls by board, in the deal with this number.

    `width` is the number of colours. On each board, the three pieces have different colours, and
    none has the colour of the board.
    """
    rows: list[Row] = [tuple(range(width))]
    for extra in (2, 1, 0):
        for row in _differing(rows):
            count = _count((*rows, row), extra)
            if number < count:
                rows.append(row)
                break
            number -= count
        else:
            raise ValueError(f"no such deal: {number}")
    return rows[1], rows[2], rows[3]


def find_latin_number(lists: Sequence[Row]) -> int:
    """Return the number of the deal with these lists: the Larges, the Mediums and the Smalls.

    This is the inverse of `latin_rows`.

    Raises:
        ValueError: There is no such deal.
    """
    rows: list[Row] = [tuple(range(len(lists[0])))]
    number = 0
    for target, extra in zip(lists, (2, 1, 0), strict=True):
        for row in _differing(rows):
            if row == target:
                break
            number += _count((*rows, row), extra)
        else:
            raise ValueError(f"no such deal: {lists}")
        rows.append(target)
    return number


def _differing(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the permutations that differ from all the rows at every index, in ascending order."""
    width = len(rows[0])
    open_to = [
        [n for n in range(width) if all(row[place] != n for row in rows)] for place in range(width)
    ]

    def extend(prefix: Row) -> Iterator[Row]:
        if len(prefix) == width:
            yield prefix
            return
        for value in open_to[len(prefix)]:
            if value not in prefix:
                yield from extend((*prefix, value))

    return extend(())


def _count(rows: tuple[Row, ...], extra: int) -> int:
    """Return how many ways there are to add `extra` rows so that no two rows agree at any index."""
    if extra == 0:
        return 1
    if len(rows) == 2:  # noqa: PLR2004 - the boards and one list: only the cycles matter
        rows = _standard_form(rows[1])
    return _count_rows(rows, extra)


@lru_cache(maxsize=1 << 10)
def _count_rows(rows: tuple[Row, ...], extra: int) -> int:
    return sum(_count_rows((*rows, row), extra - 1) if extra > 1 else 1 for row in _differing(rows))


def _standard_form(row: Row) -> tuple[Row, ...]:
    """Return two rows to which as many rows can be added as to `0, 1, 2, ...` and `row`.

    `row` is a permutation. The number of ways to add rows depends only on the lengths of its
    cycles, because renaming the colours does not change it. Permutations with cycles of the same
    lengths get the same result, so `_count_rows` counts only once for all of them.
    """
    lengths = []
    seen: set[int] = set()
    for start in range(len(row)):
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            length, place = length + 1, row[place]
        if length:
            lengths.append(length)
    cycles: list[int] = []
    for length in sorted(lengths):
        base = len(cycles)
        cycles += [base + (step + 1) % length for step in range(length)]
    return tuple(range(len(row))), tuple(cycles)
