"""The deals of pieces to boards (LL-1.16), numbered so that one can be drawn.

With 4 to 6 players, a deal is three lists of colours: for the Larges, the Mediums and the Smalls.
Together with the list of the boards they form a Latin rectangle. Deals are numbered in the order of
these lists. Counting the completions of each row finds a deal by its number without listing all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Row: TypeAlias = tuple[int, ...]

DEALS: Final = {2: 2, 3: 2, 4: 24, 5: 1344, 6: 393120}
"""The number of deals, by the number of players (LL-1.16)."""

SMALL: Final = 0
MEDIUM: Final = 1
LARGE: Final = 2

Cups: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""For each board, pairs of player and size from bottom to top.

Players are numbered from 0. Their boards come first, in their order, then the neutral ones.
"""


def deal(number: int, players: int, first: int) -> Cups:
    """Return the stacks of a deal; `first` is the starting player, for 3 players (LL-3.23)."""
    match players:
        case 2:
            return _deal_of_two(number)
        case 3:
            return _deal_of_three(number, first)
        case _:
            return _trees(number, players)


def deal_number(cups: Cups, players: int, first: int) -> int:
    """Return the number of a deal. ValueError if there is no such deal."""
    if players > 3:  # noqa: PLR2004 - LL-1.16c: the deals that are too many to compare with
        if any(tuple(size for _, size in stack) != (LARGE, MEDIUM, SMALL) for stack in cups):
            raise ValueError(f"no such deal: {cups}")
        return latin_number([tuple(stack[at][0] for stack in cups) for at in range(3)])
    return [deal(number, players, first) for number in range(DEALS[players])].index(cups)


def _deal_of_two(number: int) -> Cups:
    """Return deal 0, with the Large of player 0 on the first neutral board, or 1 (LL-1.16a)."""
    neutral = ((0, LARGE), (1, SMALL)), ((1, LARGE), (0, SMALL))
    return (((1, MEDIUM),), ((0, MEDIUM),), neutral[number], neutral[1 - number])


def _deal_of_three(number: int, first: int) -> Cups:
    """Return deal 0, with the Large of the next player on each board, or 1, of the previous.

    LL-1.16b.
    """
    large, small = ((1, 2), (2, 1))[number]
    homes = [(((board + large) % 3, LARGE), ((board + small) % 3, SMALL)) for board in range(3)]
    return (*homes, tuple(((first + place) % 3, MEDIUM) for place in range(3)))


def _trees(number: int, players: int) -> Cups:
    """Return a tree of three colours for each board, none of them the board's own (LL-1.16c)."""
    larges, mediums, smalls = latin(number, players)
    return tuple(
        ((large, LARGE), (medium, MEDIUM), (small, SMALL))
        for large, medium, small in zip(larges, mediums, smalls, strict=True)
    )


def latin(number: int, width: int) -> tuple[Row, Row, Row]:
    """Return the three lists of a deal; they and the list of boards differ everywhere."""
    rows: list[Row] = [tuple(range(width))]
    for more in (2, 1, 0):
        for row in _differing(rows):
            count = _count((*rows, row), more)
            if number < count:
                rows.append(row)
                break
            number -= count
        else:
            raise ValueError(f"no such deal: {number}")
    return rows[1], rows[2], rows[3]


def latin_number(lists: Sequence[Row]) -> int:
    """Return the number for which `latin` returns these lists. ValueError if there is none."""
    rows: list[Row] = [tuple(range(len(lists[0])))]
    number = 0
    for chosen, more in zip(lists, (2, 1, 0), strict=True):
        for row in _differing(rows):
            if row == chosen:
                break
            number += _count((*rows, row), more)
        else:
            raise ValueError(f"no such deal: {lists}")
        rows.append(chosen)
    return number


def _differing(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the permutations that differ from all rows everywhere, in order."""
    width = len(rows[0])
    open_to = [
        [n for n in range(width) if all(row[at] != n for row in rows)] for at in range(width)
    ]

    def extend(begun: Row) -> Iterator[Row]:
        if len(begun) == width:
            yield begun
            return
        for value in open_to[len(begun)]:
            if value not in begun:
                yield from extend((*begun, value))

    return extend(())


def _count(rows: tuple[Row, ...], more: int) -> int:
    """Return the number of ways in which `more` rows can follow."""
    if more == 0:
        return 1
    if len(rows) == 2:  # noqa: PLR2004 - the boards and one list: only the cycles matter
        rows = _like(rows[1])
    return _count_rows(rows, more)


@lru_cache(maxsize=1 << 10)
def _count_rows(rows: tuple[Row, ...], more: int) -> int:
    return sum(_count_rows((*rows, row), more - 1) if more > 1 else 1 for row in _differing(rows))


def _like(row: Row) -> tuple[Row, ...]:
    """Return the list of boards and a list with the same cycles, in a standard form.

    Renaming colours changes no count, so all lists with the same cycles have the same count.
    """
    lengths = []
    seen: set[int] = set()
    for start in range(len(row)):
        length, at = 0, start
        while at not in seen:
            seen.add(at)
            length, at = length + 1, row[at]
        if length:
            lengths.append(length)
    like: list[int] = []
    for length in sorted(lengths):
        base = len(like)
        like += [base + (step + 1) % length for step in range(length)]
    return tuple(range(len(row))), tuple(like)
