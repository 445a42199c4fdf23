"""Functions that all games share: values of finished games, and placings by scores.

`Game.evaluate` returns a whole number for each seat, on a scale that each game chooses.
Until the game ends, these values stay below a tenth of `WON`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

WON: Final = 1_000_000  # value of a first place

PLACE: Final = 1_000  # difference in value between successive places below the first


def evaluate_end(placings: Sequence[int]) -> tuple[int, ...]:
    """Return the value of a finished game for each seat, given the places; first place is WON."""
    return tuple(WON if place == 1 else -PLACE * place for place in placings)


def rank(scores: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the final place of each seat. The highest score gets first place.

    Scores are tuples, compared element by element. Equal scores share a place, and the
    following place is skipped: 1, 2, 2, 4.
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
