"""Section 11: counts of legal turns."""

from __future__ import annotations

import pytest

from tests.games.logger.situations import DRIVER


@pytest.mark.parametrize(
    ("corners", "counts"),
    [
        ("a1 e5", [18, 336, 7_466]),
        ("a1 e1", [18, 306, 6_391]),
        ("a1 e5 e1", [18, 336, 5_835]),
        ("a1 e1 a5 e5", [18, 306, 5_957]),
    ],
)
def test_counts_of_turn_sequences(corners: str, counts: list[int]) -> None:
    # LG-11.2
    names = corners.split()
    position = DRIVER.play(DRIVER.start(len(names)), *names)
    for depth, count in enumerate(counts, 1):
        assert DRIVER.count_sequences(position, depth) == count
