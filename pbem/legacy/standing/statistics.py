"""What has come of matches of a game: results by seat, lengths, and what was played first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIRSTS: Final = 5
"""First moves that are told, those that were played most often."""


class Kind(Protocol):
    """So many matches that are alike: see `store.standings.Alike`."""

    @property
    def starter(self) -> int:
        """The seat that moved first, 0 if none did."""

    @property
    def first(self) -> str:
        """The first move, empty if there was none."""

    @property
    def placings(self) -> tuple[int, ...]:
        """The places by seat."""

    @property
    def count(self) -> int:
        """How many there are."""


@dataclass(frozen=True, slots=True)
class First:
    """A first move: how often it was played, and how often its seat then came first alone."""

    text: str
    count: int
    won: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistics:
    """What has come of the matches of a game with so many seats.

    `won` is how often each seat came first alone, `shared` how often several did. `lengths` are
    plies: of the matches a quarter, half and three quarters had at most so many.
    """

    game: str
    seats: int
    matches: int
    won: tuple[int, ...]
    shared: int
    lengths: tuple[int, int, int]
    firsts: tuple[First, ...]


def statistics(
    game: str, kinds: Iterable[Kind], lengths: Mapping[int, Mapping[int, int]]
) -> tuple[Statistics, ...]:
    """All of a game, those with the fewest seats first.

    `lengths` are how many matches had so many plies, by the number of seats.
    """
    by_seats: dict[int, list[Kind]] = {}
    for one in kinds:
        by_seats.setdefault(len(one.placings), []).append(one)
    return tuple(_of(game, seats, some, lengths[seats]) for seats, some in sorted(by_seats.items()))


def _of(game: str, seats: int, kinds: Sequence[Kind], lengths: Mapping[int, int]) -> Statistics:
    winners: Counter[int] = Counter()
    played: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for one in kinds:
        winner = alone(one.placings)
        winners[winner] += one.count
        if one.first:
            played[one.first] += one.count
            wins[one.first] += one.count * (winner == one.starter)
    often = sorted(played.items(), key=lambda move: (-move[1], move[0]))[:FIRSTS]
    return Statistics(
        game=game,
        seats=seats,
        matches=winners.total(),
        won=tuple(winners[seat] for seat in range(1, seats + 1)),
        shared=winners[0],
        lengths=_quartiles(lengths),
        firsts=tuple(First(text, count, wins[text]) for text, count in often),
    )


def alone(placings: Sequence[int]) -> int:
    """The seat that came first alone, 0 where several did."""
    return placings.index(1) + 1 if placings.count(1) == 1 else 0


def _quartiles(lengths: Mapping[int, int]) -> tuple[int, int, int]:
    first, half, third = (_within(lengths, quarters) for quarters in (1, 2, 3))
    return first, half, third


def _within(lengths: Mapping[int, int], quarters: int) -> int:
    """The fewest plies that so many quarters of the matches do not exceed."""
    sofar, everything = 0, sum(lengths.values())
    for plies, count in sorted(lengths.items()):
        sofar += count
        if 4 * sofar >= quarters * everything:
            return plies
    return 0
