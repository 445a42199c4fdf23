"""What finished matches make of ratings, one after the other in the order of the log (CLUB 1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final, NamedTuple, Protocol

from pbem.legacy.standing.glicko import NEW, Rating, idle, periods_until, placed

PERIOD: Final = timedelta(days=7)
"""The time in which, for who does not play, deviation grows by one step of volatility."""

OFTEN: Final = 3
MONTH: Final = timedelta(days=30)
"""So many matches of two players in a game are rated in such a time; what is more, is play."""

LOSSES: Final = 3
WEEK: Final = timedelta(days=7)
"""So many matches that somebody loses on time in such a time lower their rating: it is one fault.

The others win by each.
"""

SURE: Final = 110.0
"""A rating with a larger deviation is provisional, and stands in no list."""

LISTED: Final = timedelta(days=183)
"""Who has had no rated match for so long stands in no list either."""


COUNTED: Final = ("", "late")
"""What stands in an entry of a match that was rated, if not for that player."""


class Standing(NamedTuple):
    """What a player has come to in a game: the rating, when a match changed it, and the counts."""

    rating: Rating
    changed: datetime
    played: int = 0
    won: int = 0

    def now(self, at: datetime) -> Rating:
        """The rating as it is known at a time."""
        return idle(self.rating, max(0.0, (at - self.changed) / PERIOD))

    @property
    def listed_until(self) -> datetime:
        """Until when it is sure and fresh enough to be compared with others, if nothing is played.

        Where it is not sure at all, that was before it changed.
        """
        sure = max(-1.0, periods_until(self.rating, SURE))
        return self.changed + min(LISTED, sure * PERIOD)

    def is_listed(self, at: datetime) -> bool:
        """Whether it is compared with others at a time."""
        return at <= self.listed_until


NEWCOMER: Final = 5
"""Matches that somebody must have ended before anything is said of how reliable they are."""


class Reliability(NamedTuple):
    """How somebody has played lately: matches ended, turns in them, late ones, lost on time."""

    matches: int = 0
    turns: int = 0
    late: int = 0
    lost: int = 0

    @property
    def is_new(self) -> bool:
        """Whether too little is known."""
        return self.matches < NEWCOMER

    @property
    def in_time(self) -> int:
        """How many turns of a hundred came in time."""
        return int(100 * (1 - self.late / self.turns)) if self.turns else 100

    @property
    def percent(self) -> int:
        """The share of turns in time, or of matches that time did not end, whichever is less."""
        in_time = 1 - self.late / self.turns if self.turns else 1.0
        to_the_end = 1 - self.lost / self.matches if self.matches else 1.0
        return int(100 * min(in_time, to_the_end))


class Change(NamedTuple):
    """What a match has made of a rating; `after` is None where it made nothing, for a reason."""

    before: Rating | None
    after: Rating | None
    unrated: str

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known of the rating to compare it."""
        return self.after is not None and self.after.deviation > SURE


class Inviter(NamedTuple):
    """What is told of whoever invites: how good and how reliable they are in the game's eyes.

    `met` is how many matches of the game they and the reader have ended with each other, and how
    often the reader, and they, came first of both.
    """

    rating: Rating | None
    reliability: Reliability
    met: tuple[int, int, int]


class Result(NamedTuple):
    """A match that people played with each other, as its end has it (MatchEnded)."""

    position: int
    match: str
    game: str
    at: datetime
    people: Sequence[str]
    record: Sequence[Sequence[int]]
    unrated: str


class Entry(NamedTuple):
    """What a match was for one of its players; `after` is None where it changed no rating.

    `unrated` is why not: as MatchEnded says, "often" where the same two have played too many in too
    short a time, "late" where somebody has lost as many on time as count, "corrected" where the
    operator said so.
    """

    result: Result
    player: str
    place: int
    won: bool
    turns: int
    late: int
    lost: bool
    before: Rating
    after: Standing | None
    unrated: str


class Known(Protocol):
    """What is known of matches further back in the log."""

    def standing(self, game: str, player: str) -> Standing | None:
        """What somebody has come to by now."""

    def met(self, game: str, one: str, other: str, since: datetime) -> int:
        """The rated matches that two have played with each other since a time."""

    def lost(self, player: str, since: datetime) -> int:
        """The matches that somebody has lost on time since then, and that were rated for them."""


def entries(result: Result, known: Known) -> list[Entry]:
    """What a match is for each of its players."""
    game, at = result.game, result.at
    there = [known.standing(game, player) for player in result.people]
    unrated = result.unrated
    if not unrated and any(
        known.met(game, one, other, at - MONTH) >= OFTEN
        for one, other in combinations(result.people, 2)
    ):
        unrated = "often"
    places = [line[0] for line in result.record]
    before = [NEW if one is None else one.rating for one in there]
    waited = [0.0 if one is None else max(0.0, (at - one.changed) / PERIOD) for one in there]
    after = placed(before, places, waited) if not unrated else before
    best = places.count(1) < len(places)  # where all share it nobody has won
    found = []
    for number, player in enumerate(result.people):
        place, turns, late, lost = result.record[number]
        why = unrated
        if not why and lost and known.lost(player, at - WEEK) >= LOSSES:
            why = "late"
        had = there[number]
        played, won = (had.played, had.won) if had is not None else (0, 0)
        first = best and place == 1
        now = None if why else Standing(after[number], at, played + 1, won + first)
        found.append(
            Entry(result, player, place, first, turns, late, bool(lost), before[number], now, why)
        )
    return found


class Memory:
    """What the matches so far have come to, where all of them are entered one after the other."""

    def __init__(self) -> None:
        """Nobody has played."""
        self._standings: dict[tuple[str, str], Standing] = {}
        self._met: dict[tuple[str, str, str], list[datetime]] = {}
        self._meetings: deque[tuple[datetime, tuple[str, str, str]]] = deque()
        self._lost: dict[str, list[datetime]] = {}

    def standing(self, game: str, player: str) -> Standing | None:
        """See Known."""
        return self._standings.get((game, player))

    def met(self, game: str, one: str, other: str, since: datetime) -> int:
        """See Known."""
        there = self._met.get(_pair(game, one, other))
        return sum(at >= since for at in there) if there else 0

    def lost(self, player: str, since: datetime) -> int:
        """See Known."""
        return sum(at >= since for at in self._lost.get(player, ()))

    def keep(self, found: Sequence[Entry]) -> None:
        """Know a match, too."""
        result = found[0].result
        for one in found:
            if one.after is not None:
                self._standings[result.game, one.player] = one.after
                if one.lost:
                    self._lost.setdefault(one.player, []).append(result.at)
        if found[0].unrated in COUNTED:
            for pair in combinations(result.people, 2):
                key = _pair(result.game, *pair)
                self._met.setdefault(key, []).append(result.at)
                self._meetings.append((result.at, key))
        self._forget(result.at - 2 * MONTH)

    def _forget(self, before: datetime) -> None:
        """Let go of meetings of which nobody will ask again, whatever a clock does meanwhile."""
        while self._meetings and self._meetings[0][0] < before:
            key = self._meetings.popleft()[1]
            there = self._met[key]
            del there[0]
            if not there:
                del self._met[key]

    def standings(self) -> Iterator[tuple[str, str, Standing]]:
        """All of them, by game and player."""
        for (game, player), one in self._standings.items():
            yield game, player, one


def _pair(game: str, one: str, other: str) -> tuple[str, str, str]:
    return (game, one, other) if one < other else (game, other, one)
