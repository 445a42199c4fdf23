"""Some rows of a table in the ordinary run, all of them in the long one (`--slow`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

WHOLE: Final = [False]
"""Whether it is the long run: said before tables are read (conftest.py)."""

LEFT_OUT: Final = [0]
"""How many rows are left out until now, and tests of the long run: told at the end of a run."""


def sampled(rows: Iterable[Any], stride: int, *, first: int = 0) -> list[Any]:
    """Each `stride`th row from the `first`; in the long run all.

    For tables that are held in full where they are cheap (a unit test of the reader that they are
    about), and whose way through the whole service costs a hundred times as much. The others are
    not even collected: a skip costs each process of a run some milliseconds.
    """
    table = list(rows)
    kept = table if WHOLE[0] else table[first::stride]
    LEFT_OUT[0] += len(table) - len(kept)
    return kept
