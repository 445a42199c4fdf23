"""Points and places at the end of the game (LR-4.3 to LR-4.9)."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.games.evaluation import rank
from pbem.games.landrush.position import LARGE, MEDIUM, SMALL, Position
from pbem.games.landrush.tracts import need, tracts

SHORTEST: Final = (2, 3, 4)
"""LR-4.4, LR-3.15: how long a tract must be to score, by the size of its largest pyramid."""

STASH_EMPTY: Final = 5
ONE_TRACT: Final = 5
PURE: Final = (1, 3, 4)
"""LR-4.5c, LR-4.5d, LR-4.5e: the bonus of a scoring tract of one size only."""

EACH: Final = (1, 2, 3)
"""LR-4.5f, LR-4.5g, LR-4.5h: each pyramid in a scoring tract, besides that (LR-3.16)."""


class Scored(NamedTuple):
    """A tract with what it is worth."""

    squares: int
    scores: bool
    bonus: int
    pyramids: int

    @property
    def points(self) -> int:
        """Bonus and pyramids together."""
        return self.bonus + self.pyramids


def scored_tracts(position: Position, seat: int) -> list[Scored]:
    """LR-4.4: every tract of a seat, in the order of their first squares."""
    found = []
    for one in tracts(position.own[seat - 1], eight=position.setting.eight):
        counts = need(position, one)
        largest = LARGE if counts[LARGE] else MEDIUM if counts[MEDIUM] else SMALL
        if one.bit_count() < SHORTEST[largest]:
            found.append(Scored(one, scores=False, bonus=0, pyramids=0))
            continue
        bonus = PURE[largest] if counts[largest] == one.bit_count() else 0
        pyramids = sum(count * worth for count, worth in zip(counts, EACH, strict=True))
        found.append(Scored(one, scores=True, bonus=bonus, pyramids=pyramids))
    return found


class Item(NamedTuple):
    """A line of the reckoning: the letter of its rule in LR-4.5, how often, worth how much each."""

    rule: str
    times: int
    each: int

    @property
    def points(self) -> int:
        """What it brings."""
        return self.times * self.each


def reckoning(position: Position, seat: int) -> list[Item]:
    """LR-4.5, line by line: what a seat has, if the game ends with this position."""
    found = scored_tracts(position, seat)
    scoring = [one for one in found if one.scores]
    among = sum(one.squares for one in scoring)  # no two have a square in common
    counts = need(position, among)
    bonuses = [one.bonus for one in scoring]
    items = (
        Item("a", int(not any(position.stash(seat))), STASH_EMPTY),  # LR-3.18
        Item("b", int(len(found) == len(scoring) == 1), ONE_TRACT),  # LR-3.17
        *(Item(rule, bonuses.count(pure), pure) for rule, pure in zip("cde", PURE, strict=True)),
        *(Item(*one) for one in zip("fgh", counts, EACH, strict=True)),
    )
    return [one for one in items if one.times]


def points(position: Position, seat: int) -> int:
    """LR-4.5: what a seat has, if the game ends with this position."""
    return sum(one.points for one in reckoning(position, seat))


def placings(position: Position) -> tuple[int, ...]:
    """LR-4.6, LR-4.8: by points; who left ranks below, the last one first."""
    scores = []
    for seat in range(1, position.seats + 1):
        if seat in position.left:
            scores.append((0, position.left.index(seat)))
        else:
            scores.append((1, points(position, seat)))
    return rank(scores)
