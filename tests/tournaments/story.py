"""A tournament as it happens in tests: acts at times, letters that cause them, results."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.fairness import LINKS, Draws, commitment
from pbem.names import Digest, MatchId, PlayerId, TournamentId
from pbem.tournaments import decide, tables
from pbem.tournaments.events import Event, GroupEnded, Kind
from pbem.tournaments.tournament import Season, Table, Tournament, initial
from pbem.tournaments.unfolding import Unfolding
from pbem.tournaments.verify import Caused, verify

NAME = TournamentId("spring")
SECRET = bytes(range(32))
REASON = Digest("0" * 64)
TIME = "240/36/240"


def players(count: int) -> tuple[PlayerId, ...]:
    """So many, by letters: a, b, c, ..."""
    return tuple(PlayerId(chr(ord("a") + number)) for number in range(count))


@dataclass
class Story:
    """Acts upon one tournament; each is its own cause, an hour after the one before."""

    kind: Kind = "league"
    terms: Mapping[str, Any] = field(default_factory=dict)
    tournament: Tournament = field(default_factory=lambda: initial(NAME))
    now: datetime = datetime(2026, 3, 1, tzinfo=UTC)
    stream: list[Caused] = field(default_factory=list)
    draws: Draws = field(default_factory=lambda: Draws(MatchId(NAME), SECRET, LINKS))
    busy: Collection[PlayerId] = ()
    causes: int = 0

    def __post_init__(self) -> None:
        self.does(
            decide.open_tournament,
            author="otto",
            kind=self.kind,
            ruleset="logger-1",
            options={},
            commitment=commitment(SECRET, LINKS).hex(),
            links=LINKS,
            **{"time": TIME, **self.terms},
        )

    def does(self, act: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Event]:
        """The events of an act, with what follows."""
        self.now += timedelta(hours=1)
        self.causes += 1
        unfolding = Unfolding(
            tournament=self.tournament, now=self.now, draws=self.draws, busy=self.busy
        )
        decide.decide(unfolding, act, *args, **kwargs)
        self.tournament = unfolding.tournament
        assert unfolding.draws is not None
        self.draws = unfolding.draws
        cause = str(self.causes)
        self.stream += [Caused(event=event, cause=cause) for event in unfolding.events]
        return unfolding.events

    def enter(self, *who: PlayerId) -> None:
        for player in who:
            letter = hashlib.sha256(player.encode()).hexdigest()
            self.does(decide.enter, player, words=f"{player} is in", letter=letter)

    def begin(self, **seeds: int) -> Season:
        named = {PlayerId(name): seed for name, seed in seeds.items()}
        self.does(decide.begin, seeds=named)
        return self.season

    @property
    def season(self) -> Season:
        """The season that runs or has run last."""
        return self.tournament.seasons[-1]

    def table(self, *who: str) -> Table:
        """The newest table of these players."""
        return next(
            table
            for table in reversed([*self.season.tables.values()])
            if {*table.players} == {*who}
        )

    def begins(self, table: Table | None = None) -> None:
        """A table begins, or all that may."""
        for one in [table] if table else tables.may_begin(self.tournament, self.busy):
            name = MatchId(f"{self.season.number}X{one.number}")
            self.does(tables.begin_table, one.number, match=name)

    def ends(self, table: Table, *placings: int, late: Collection[int] = ()) -> list[Event]:
        """A table ends with these placings in the order of its seats, begun or not."""
        if self.season.tables[table.number].match is None:
            self.begins(table)
        match = self.season.tables[table.number].match
        return self.does(
            tables.end_table, match, placings=placings, left=late, timed_out=late, moves="f" * 64
        )

    def beats(self, winner: str, loser: str, *, late: bool = False) -> list[Event]:
        """A table of two is won, on time if the loser was `late`."""
        table = self.table(winner, loser)
        seat = table.players.index(PlayerId(loser)) + 1
        placings = (1, 2) if table.players[0] == winner else (2, 1)
        return self.ends(table, *placings, late=(seat,) if late else ())

    def draw(self, one: str, other: str) -> list[Event]:
        return self.ends(self.table(one, other), 1, 1)

    def plays_all(self) -> None:
        """Whoever comes first in the alphabet wins, table by table, until nothing is left."""
        while self.tournament.season is not None:
            for table in self.season.unfinished:
                ranked = sorted(table.players)
                self.ends(table, *(ranked.index(player) + 1 for player in table.players))

    def result(self, group: int = 1) -> GroupEnded:
        return self.season.results[group]

    def places(self, group: int = 1) -> dict[str, int]:
        ended = self.result(group)
        return dict(zip(ended.players, ended.places, strict=True))

    def check(self) -> None:
        """The log of it is right from the first event to the last."""
        assert verify(NAME, self.stream).findings == ()


def league(count: int, **terms: Any) -> Story:
    """A league of so many, whose first season has begun."""
    story = Story("league", terms)
    story.enter(*players(count))
    story.begin()
    return story


def cup(count: int, **terms: Any) -> Story:
    """A cup of so many, who are seeded in the order of the alphabet."""
    story = Story("cup", terms)
    story.enter(*players(count))
    story.begin()
    return story


def ladder(count: int, **terms: Any) -> Story:
    """A ladder on which so many stand in the order of the alphabet."""
    story = Story("ladder", terms)
    story.enter(*players(count))
    story.begin()
    return story
