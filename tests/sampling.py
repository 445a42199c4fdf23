"""Some rows of a table in the ordinary run, all of them in the long one (`--slow`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(rows: Iterable[Any], stride: int, *, first: int = 0) -> list[Any]:
    """Each `stride`th row from the `first` as it is, the others marked slow.

    For tables that are held in full where they are cheap (a unit test of the reader that they are
    about), and whose way through the whole service costs a hundred times as much.
    """
    return [
        row
        if number % stride == first
        else pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.slow)
        for number, row in enumerate(rows)
    ]
