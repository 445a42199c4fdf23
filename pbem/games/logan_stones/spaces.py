"""The labels of spaces (LS-1.4 to LS-1.6): row letters and a number that counts half spaces."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pbem.games.hexes import axial, row_letters, row_number, space

HOME_ROW: Final = row_number("M")
HOME_NUMBER: Final = 20
"""LS-1.5: M20 is the space (0, 0)."""

_KEPT: Final = 1 << 14


def numbered(row: int, number: int) -> int | None:
    """LS-1.5: the space in a row with a number, or None if its parity is wrong."""
    r = row - HOME_ROW
    q, odd = divmod(number - HOME_NUMBER - r, 2)
    return None if odd else space(q, r)


@lru_cache(maxsize=_KEPT)
def place(at: int) -> tuple[int, int]:
    """The row and the number of a space."""
    q, r = axial(at)
    return HOME_ROW + r, HOME_NUMBER + 2 * q + r


@lru_cache(maxsize=_KEPT)
def label(at: int) -> str:
    """The label of a space, as in `M20`."""
    row, number = place(at)
    return f"{row_letters(row)}{number}"


def labels(spaces: Iterable[int]) -> list[str]:
    """The labels of spaces, in their order."""
    return [label(at) for at in spaces]


def labelled(letters: str, number: str) -> int | None:
    """The space of a label in its two parts, letters in upper case; None if there is none."""
    return numbered(row_number(letters), int(number))
