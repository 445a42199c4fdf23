"""Points and placings (LR-4.3 to LR-4.9)."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.games.evaluation import rank
from pbem.games.landrush.position import LARGE, MEDIUM, SMALL, Position
from pbem.games.landrush.tracts import count_sizes, tracts

MIN_LENGTHS: Final = (2, 3, 4)  # least length that scores, by a tract's largest pyramid (LR-4.4)

STASH_EMPTY: Final = 5
ONE_TRACT: Final = 5
PURE_BONUSES: Final = (1, 3, 4)  # bonus by size, if a tract has only this size (LR-4.5c to LR-4.5e)

# Points of a pyramid that scores, by size (LR-4.5f to LR-4.5h, LR-3.16).
PYRAMID_POINTS: Final = (1, 2, 3)


class ScoredTract(NamedTuple):
    """A tract (a connected group of pyramids in one colour), and how it scores.

    `squares` is a bit set of its squares. `is_scoring` is True if the tract is long enough to score
    (LR-4.4). `bonus` is the number of extra points for a tract whose pyramids all have the same
    size; otherwise it is 0.
    """

    squares: int
    is_scoring: bool
    bonus: int


def scored_tracts(position: Position, seat: int) -> list[ScoredTract]:
    """Return every tract of the seat, sorted by first square (LR-4.4)."""
    scored = []
    for squares in tracts(position.own[seat - 1], eight=position.setting.eight):
        counts = count_sizes(position, squares)
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        if squares.bit_count() < MIN_LENGTHS[largest]:
            scored.append(ScoredTract(squares, is_scoring=False, bonus=0))
            continue
        bonus = PURE_BONUSES[largest] if counts[largest] == squares.bit_count() else 0
        scored.append(ScoredTract(squares, is_scoring=True, bonus=bonus))
    return scored


class ScoreItem(NamedTuple):
    """A line of a seat's score.

    Attributes:
        rule: The letter of the rule within LR-4.5.
        times: The number of times that the rule applies.
        each: The points for each time.
    """

    rule: str
    times: int
    each: int

    @property
    def points(self) -> int:
        """The points that this line adds to the score."""
        return self.times * self.each


def list_score_items(position: Position, seat: int) -> list[ScoreItem]:
    """Return the lines of the seat's score, as if the game ended now (LR-4.5).

    Lines that would add no points are left out.
    """
    scored = scored_tracts(position, seat)
    scoring = [tract for tract in scored if tract.is_scoring]
    squares = sum(tract.squares for tract in scoring)  # tracts have no square in common
    counts = count_sizes(position, squares)
    bonuses = [tract.bonus for tract in scoring]
    items = (
        ScoreItem("a", int(not any(position.stash(seat))), STASH_EMPTY),  # LR-3.18
        ScoreItem("b", int(len(scored) == len(scoring) == 1), ONE_TRACT),  # LR-3.17
        *(
            ScoreItem(rule, bonuses.count(pure), pure)
            for rule, pure in zip("cde", PURE_BONUSES, strict=True)
        ),
        *map(ScoreItem, "fgh", counts, PYRAMID_POINTS),
    )
    return [item for item in items if item.times]


def points(position: Position, seat: int) -> int:
    """Return the points of the seat, as if the game ended now (LR-4.5)."""
    return sum(item.points for item in list_score_items(position, seat))


def placings(position: Position) -> tuple[int, ...]:
    """Return the final place (1 is the best) of each seat by points (LR-4.6, LR-4.8).

    Seats that have left rank below all others. Among them, the last to leave ranks highest.
    """
    scores = []
    for seat in range(1, position.seats + 1):
        if seat in position.left:
            scores.append((0, position.left.index(seat)))
        else:
            scores.append((1, points(position, seat)))
    return rank(scores)
