"""Points and placings (LR-4.3 to LR-4.9)."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.games.evaluation import rank
from pbem.games.landrush.position import LARGE, MEDIUM, SMALL, Position
from pbem.games.landrush.tracts import need, tracts

SHORTEST: Final = (2, 3, 4)
"""The length from which a tract scores, by the size of its largest pyramid (LR-4.4, LR-3.15)."""

STASH_EMPTY: Final = 5
ONE_TRACT: Final = 5
PURE: Final = (1, 3, 4)
"""The bonus of a scoring tract of one size (LR-4.5c, LR-4.5d, LR-4.5e)."""

EACH: Final = (1, 2, 3)
"""The points of each pyramid in a scoring tract (LR-4.5f, LR-4.5g, LR-4.5h, LR-3.16)."""


class ScoredTract(NamedTuple):
    """A tract with its score."""

    squares: int
    scores: bool
    bonus: int
    pyramids: int

    @property
    def points(self) -> int:
        """The bonus and the points of the pyramids."""
        return self.bonus + self.pyramids


def scored_tracts(position: Position, seat: int) -> list[ScoredTract]:
    """Return every tract of a seat, in the order of their first squares (LR-4.4)."""
    found = []
    for one in tracts(position.own[seat - 1], eight=position.setting.eight):
        counts = need(position, one)
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        if one.bit_count() < SHORTEST[largest]:
            found.append(ScoredTract(one, scores=False, bonus=0, pyramids=0))
            continue
        bonus = PURE[largest] if counts[largest] == one.bit_count() else 0
        pyramids = sum(count * worth for count, worth in zip(counts, EACH, strict=True))
        found.append(ScoredTract(one, scores=True, bonus=bonus, pyramids=pyramids))
    return found


class ScoreItem(NamedTuple):
    """A line of the score: the letter of its rule in LR-4.5, the number, and the points of each."""

    rule: str
    times: int
    each: int

    @property
    def points(self) -> int:
        """The points of this line."""
        return self.times * self.each


def list_score_items(position: Position, seat: int) -> list[ScoreItem]:
    """Return the lines of a seat's score, as if the game ended now (LR-4.5)."""
    found = scored_tracts(position, seat)
    scoring = [one for one in found if one.scores]
    among = sum(one.squares for one in scoring)  # tracts have no square in common
    counts = need(position, among)
    bonuses = [one.bonus for one in scoring]
    items = (
        ScoreItem("a", int(not any(position.stash(seat))), STASH_EMPTY),  # LR-3.18
        ScoreItem("b", int(len(found) == len(scoring) == 1), ONE_TRACT),  # LR-3.17
        *(
            ScoreItem(rule, bonuses.count(pure), pure)
            for rule, pure in zip("cde", PURE, strict=True)
        ),
        *(ScoreItem(*one) for one in zip("fgh", counts, EACH, strict=True)),
    )
    return [one for one in items if one.times]


def points(position: Position, seat: int) -> int:
    """Return the points of a seat, as if the game ended now (LR-4.5)."""
    return sum(one.points for one in list_score_items(position, seat))


def placings(position: Position) -> tuple[int, ...]:
    """Return the placings by points; seats that left are below (LR-4.6, LR-4.8).

    Of these, the last to leave is the best.
    """
    scores = []
    for seat in range(1, position.seats + 1):
        if seat in position.left:
            scores.append((0, position.left.index(seat)))
        else:
            scores.append((1, points(position, seat)))
    return rank(scores)
