"""How far the levels of bots stand apart, as `./run bench bots` measured it (docs/bots.md)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Stand(NamedTuple):
    """What a level won against the one below it: points of so many games, a draw is half of one.

    At more than two seats the better one sat alone among others of the worse.
    """

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
    Stand("logger", 4, "medium", "easy", 22, 40),
    Stand("logger", 4, "strong", "medium", 18, 40),
    Stand("looney_ludo", 2, "medium", "easy", 69, 80),
    Stand("looney_ludo", 2, "strong", "medium", 70, 80),
    Stand("looney_ludo", 3, "medium", "easy", 8, 9),
    Stand("looney_ludo", 3, "strong", "medium", 6, 9),
    Stand("logan_stones", 2, "medium", "easy", 60, 80),
    Stand("logan_stones", 2, "strong", "medium", 65, 80),
    Stand("landrush", 2, "medium", "easy", 54.5, 80),
    Stand("landrush", 5, "medium", "easy", 8.5, 30),
)
"""A row for each game, number of seats and neighbouring levels that was measured."""
