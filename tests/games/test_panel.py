"""The seats beside a board."""

from __future__ import annotations

import pytest

from pbem.games.drawing.panel import winners


@pytest.mark.parametrize(
    ("placings", "won"),
    [((), set()), ((2, 1), {2}), ((1, 1), set()), ((1, 3, 1), {1, 3}), ((1, 1, 1), set())],
)
def test_nobody_won_what_all_have_drawn(placings: tuple[int, ...], won: set[int]) -> None:
    assert winners(placings) == won
