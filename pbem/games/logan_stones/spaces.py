"""Labels of spaces, such as `M20`: the letters of the row, and a number (LS-1.4 to LS-1.6).

In a row, the number grows by 2 from each space to the next. It is even in one row and odd in the
rows next to it. In the code, a space is an integer (see `pbem.games.hexes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pbem.games.hexes import axial, row_letters, row_number, space

HOME_ROW: Final = row_number("M")
HOME_NUMBER: Final = 20  # space with coordinates (0, 0), whose label is M20 (LS-1.5)

_CACHE_SIZE: Final = 1 << 14


def find_space(row: int, number: int) -> int | None:
    """Return the space with this row and number, or None if the number has the wrong parity."""
    r = row - HOME_ROW
    q, odd = divmod(number - HOME_NUMBER - r, 2)
    return None if odd else space(q, r)


@lru_cache(maxsize=_CACHE_SIZE)
def place(space: int) -> tuple[int, int]:
    """Return the row and the number of the space; the inverse of `find_space`.

    The row is a number, for which `row_letters` returns the letters of the label.
    """
    q, r = axial(space)
    return HOME_ROW + r, HOME_NUMBER + 2 * q + r


@lru_cache(maxsize=_CACHE_SIZE)
def label(space: int) -> str:
    """Return the label of the space, as in `M20`."""
    row, number = place(space)
    return f"{row_letters(row)}{number}"


def labels(spaces: Iterable[int]) -> list[str]:
    """Return the labels of spaces, in the given order."""
    return [label(space) for space in spaces]


def parse_label(letters: str, number: str) -> int | None:
    """Return the space that a label names; None if the number has the wrong parity for the row.

    `letters` are the upper-case letters of the row, and `number` is the number in the label.
    """
    return find_space(row_number(letters), int(number))
