"""What this process has done since it began, counted for those who watch it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds by which turns are told apart; the last kind takes longer than all of them."""


@dataclass(slots=True)
class Tally:
    """Counts, which begin at nothing with each process.

    `letters` by what became of them, `mails` by what the relay said; `turns` are letters that
    changed a match, by the seconds from claim to commit, and `seconds` is how many they took
    together. They are counted on the loop's thread and read on any.
    """

    letters: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def turn(self, seconds: float) -> None:
        """A turn took so long."""
        self.turns[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds
