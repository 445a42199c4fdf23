"""What a position is worth to each seat where the game has ended: the same for all games.

A game's `value` gives one whole number a seat, in points of its own making. Nothing of a game that
goes on may come near what an end is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WON: Final = 1_000_000
"""What a first place is worth; a game that goes on is worth less than a tenth of it either way."""

PLACE: Final = 1_000
"""How much less each place below the first is worth than the one above it."""


def evaluate_end(placings: Sequence[int]) -> tuple[int, ...]:
    """The worth of an end, by seat: whoever shares the first place has drawn with the others."""
    return tuple(WON if place == 1 else -PLACE * place for place in placings)


def rank(scores: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Placings from scores: higher is better, equals share, and the places they fill are skipped.

    Shape: one tuple of scores a seat, compared in order; one placing a seat.
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
