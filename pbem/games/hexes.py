"""Hexagonal grids without an edge: spaces, neighbours, axes, and the letters of rows.

A space is one number, `q + r * ROW` of its axial coordinates (q, r), so that a step is an addition,
and the order of the numbers is row by row from north to south, in each row from west to east.
"""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_uppercase
from typing import Final

ROW: Final = 1 << 20
"""The step to the next row; columns stay far below half of it."""

STEPS: Final = (1, 1 - ROW, -ROW, -1, ROW - 1, ROW)
"""The steps to the six neighbours, once around: each is beside the one before it."""

AXES: Final = (1, ROW, 1 - ROW)
"""One step along each of the three straight lines through a space."""


def space(q: int, r: int) -> int:
    """The space with these axial coordinates."""
    return q + r * ROW


def axial(at: int) -> tuple[int, int]:
    """The axial coordinates (q, r) of a space."""
    r = (at + ROW // 2) // ROW
    return at - r * ROW, r


def is_connected(spaces: Collection[int]) -> bool:
    """Whether the spaces hang together; none at all do."""
    rest = set(spaces)
    reached = [rest.pop()] if rest else []
    while reached:
        at = reached.pop()
        for step in STEPS:
            if at + step in rest:
                rest.remove(at + step)
                reached.append(at + step)
    return not rest


def articulation_points(spaces: Collection[int]) -> set[int]:
    """The spaces without which the others would fall apart; `spaces` hang together.

    One walk in depth: a space is a link if, behind one of its neighbours, nothing touches what the
    walk has met before the space itself.
    """
    met: dict[int, int] = {}
    found: set[int] = set()

    def walk(at: int) -> int:
        """The earliest space that is touched from here on, by its number in the walk."""
        own = earliest = met[at] = len(met)
        ends = 0
        for step in STEPS:
            near = at + step
            if near in met:
                earliest = min(earliest, met[near])
            elif near in rest:
                beyond = walk(near)
                earliest = min(earliest, beyond)
                ends += beyond >= own
        # Where the walk began, nothing was met before, so that one end is no more than its way out.
        if ends > (own == 0):
            found.add(at)
        return earliest

    rest = frozenset(spaces)
    for first in rest:
        walk(first)
        break
    return found


def row_letters(row: int) -> str:
    """A row by its letters: 0 is A, 25 is Z, 26 is AA; above A come -A, -B and so on."""
    if row < 0:
        return f"-{row_letters(-row - 1)}"
    letters = ""
    row += 1
    while row:
        row, last = divmod(row - 1, len(ascii_uppercase))
        letters = ascii_uppercase[last] + letters
    return letters


def row_number(letters: str) -> int:
    """The row of what `row_letters` wrote; the letters are upper case."""
    if letters.startswith("-"):
        return -row_number(letters[1:]) - 1
    row = 0
    for letter in letters:
        row = row * len(ascii_uppercase) + ascii_uppercase.index(letter) + 1
    return row - 1
