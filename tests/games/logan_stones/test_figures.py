"""Section 11: counts of turns."""

from __future__ import annotations

import pytest

from pbem.games.logan_stones import Position
from tests.games.logan_stones.situations import DRIVER, FIRST, LINKED, MOVING


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (FIRST, [32, 1_536, 86_016]),
        (MOVING, [20, 400, 8_000]),
        (LINKED, [44, 2_024]),
    ],
    ids=["LS-10.1", "LS-10.4", "LS-10.5"],
)
def test_counts_of_turn_sequences(position: Position, counts: list[int]) -> None:
    # LS-11.2, LS-11.3
    for depth, count in enumerate(counts, 1):
        assert DRIVER.count_sequences(position, depth) == count
