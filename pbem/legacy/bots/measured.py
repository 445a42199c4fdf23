"""How far the levels of bots stand apart, as `./run bench bots` measured it (docs/bots.md)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Stand(NamedTuple):
    """What a level won at two seats against the one below it: points of so many games."""

    game: str
    seats: int
    better: str
    worse: str
    won: float
    of: int

    @property
    def percent(self) -> int:
        """Its share of the points."""
        return round(100 * self.won / self.of)


MEASURED: Final = (
    Stand("logger", 2, "medium", "easy", 70.5, 80),
    Stand("logger", 2, "strong", "medium", 78, 80),
    Stand("looney_ludo", 2, "medium", "easy", 69, 80),
    Stand("looney_ludo", 2, "strong", "medium", 70, 80),
    Stand("logan_stones", 2, "medium", "easy", 66, 80),
    Stand("logan_stones", 2, "strong", "medium", 65, 80),
    Stand("landrush", 2, "medium", "easy", 57, 80),
)
"""A row for each game at two seats and its neighbouring levels."""


class Strength(NamedTuple):
    """How many times as strong a level is as the one below it, at tables where all sit mixed.

    Where one sits with others of the lower level, it comes first so many times as often as each of
    them. `low` and `high` are the interval at 95 %.
    """

    game: str
    seats: int
    better: str
    worse: str
    ratio: float
    low: float
    high: float
    tables: int


AT_TABLES: Final = (
    Strength("logger", 3, "medium", "easy", 4.7, 3.1, 7.6, 200),
    Strength("logger", 3, "strong", "medium", 2.3, 1.7, 3.2, 200),
    Strength("logger", 4, "medium", "easy", 4.4, 3.4, 6.1, 200),
    Strength("logger", 4, "strong", "medium", 1.4, 1.1, 1.9, 200),
    Strength("looney_ludo", 3, "medium", "easy", 4.0, 2.3, 7.4, 200),
    Strength("looney_ludo", 3, "strong", "medium", 3.0, 2.1, 5.4, 200),
    Strength("looney_ludo", 4, "medium", "easy", 3.1, 2.0, 5.7, 200),
    Strength("looney_ludo", 4, "strong", "medium", 2.3, 1.5, 3.3, 200),
    Strength("looney_ludo", 5, "medium", "easy", 3.8, 2.3, 7.1, 200),
    Strength("looney_ludo", 5, "strong", "medium", 2.6, 1.9, 3.9, 200),
    Strength("looney_ludo", 6, "medium", "easy", 1.9, 1.3, 3.2, 200),
    Strength("looney_ludo", 6, "strong", "medium", 2.8, 2.0, 4.0, 200),
    Strength("landrush", 3, "medium", "easy", 2.0, 1.6, 2.7, 200),
    Strength("landrush", 4, "medium", "easy", 1.7, 1.4, 2.0, 200),
    Strength("landrush", 5, "medium", "easy", 1.6, 1.4, 2.0, 200),
)
"""A row for each game at more seats and its neighbouring levels, as far as it was measured."""
