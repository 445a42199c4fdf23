"""Unbounded hexagonal grids: spaces, neighbours, axes, and the letters of rows.

A space is one number, `q + r * ROW` for the axial coordinates (q, r). So a step is an addition, and
numbers ascend row by row from north to south, and in each row from west to east.
"""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_uppercase
from typing import Final

ROW: Final = 1 << 20  # difference of spaces in adjacent rows; it exceeds any number of columns

STEPS: Final = (1, 1 - ROW, -ROW, -1, ROW - 1, ROW)  # neighbours, counter-clockwise from east

AXES: Final = (1, ROW, 1 - ROW)  # steps to the next space along each of the three axes


def space(q: int, r: int) -> int:
    """Return the space with the axial coordinates (q, r)."""
    return q + r * ROW


def axial(space: int) -> tuple[int, int]:
    """Return the axial coordinates (q, r) of a space."""
    r = (space + ROW // 2) // ROW
    return space - r * ROW, r


def is_connected(spaces: Collection[int]) -> bool:
    """Return whether the spaces form one connected group; True if there are no spaces."""
    rest = set(spaces)
    stack = [rest.pop()] if rest else []
    while stack:
        space = stack.pop()
        for step in STEPS:
            if space + step in rest:
                rest.remove(space + step)
                stack.append(space + step)
    return not rest


def articulation_points(spaces: Collection[int]) -> set[int]:
    """Return each space whose removal would disconnect the other spaces.

    `spaces` must be connected.

    The algorithm is a depth-first search. A space S other than the first is an articulation point
    if one of its subtrees has no link to a space that was visited before S.
    """
    visits: dict[int, int] = {}
    cut_points: set[int] = set()

    def walk(space: int) -> int:
        """Visit the subtree of `space`, and add the cut points in it to `cut_points`.

        Return the lowest visit number among the spaces of the subtree and their neighbours.
        """
        own = earliest = visits[space] = len(visits)
        ends = 0
        for step in STEPS:
            near = space + step
            if near in visits:
                earliest = min(earliest, visits[near])
            elif near in island:
                beyond = walk(near)
                earliest = min(earliest, beyond)
                ends += beyond >= own
        # The root of the search is an articulation point only if it has two subtrees.
        if ends > (own == 0):
            cut_points.add(space)
        return earliest

    island = frozenset(spaces)
    for first in island:
        walk(first)
        break
    return cut_points


def row_letters(row: int) -> str:
    """Return the letters of a row: A for 0, Z for 25, AA for 26, -A for -1, -B for -2."""
    if row < 0:
        return f"-{row_letters(-row - 1)}"
    letters = ""
    row += 1
    while row:
        row, last = divmod(row - 1, len(ascii_uppercase))
        letters = ascii_uppercase[last] + letters
    return letters


def row_number(letters: str) -> int:
    """Return the number of a row from its upper-case letters; the inverse of `row_letters`."""
    if letters.startswith("-"):
        return -row_number(letters[1:]) - 1
    row = 0
    for letter in letters:
        row = row * len(ascii_uppercase) + ascii_uppercase.index(letter) + 1
    return row - 1
