"""The value of a finished game, and placings: the same for all games.

A game's `evaluate` returns a whole number for each seat, in points of its own. While a game goes
on, its values stay below a tenth of `WON`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WON: Final = 1_000_000
"""The value of a first place."""

PLACE: Final = 1_000
"""The difference in value between two places below the first."""


def evaluate_end(placings: Sequence[int]) -> tuple[int, ...]:
    """Return the value of a finished game for each seat. Seats that share the first place win."""
    return tuple(WON if place == 1 else -PLACE * place for place in placings)


def rank(scores: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return a place for each seat from its score: the highest score is first.

    Scores are tuples, compared element by element. Equal scores share a place, and the next
    place is left out: 1, 2, 2, 4.
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
