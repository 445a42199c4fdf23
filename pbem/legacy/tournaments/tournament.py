"""The state of a tournament, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Any, Final

from pbem.fairness import lots_digest
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.legacy.tournaments.events import (
    ByeGiven,
    Event,
    GroupEnded,
    GroupFormed,
    LotDrawn,
    PlayerEntered,
    PlayerWithdrawn,
    SeasonBegun,
    SeasonEnded,
    SeasonExtended,
    SeasonPlanned,
    SeasonStopped,
    StandingChanged,
    TableBegun,
    TableCorrected,
    TableEnded,
    TableSet,
    TournamentClosed,
    TournamentOpened,
)

KEPT: Final = 300
"""Tables of a ladder that the state remembers: it has no end, and its standing is its order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Who plays whom, in the order of their seats, and what came of it.

    `placings` are empty until it has ended, and where nothing is counted. `settled`: a ladder
    stands as it must after it; `mover` went up by `moved` places for it.
    """

    number: int
    group: int
    round: int
    players: tuple[PlayerId, ...]
    time: str
    until: datetime | None
    again: int = 0
    match: MatchId | None = None
    ended: bool = False
    why: str = ""
    placings: tuple[int, ...] = ()
    timed_out: tuple[int, ...] = ()
    settled: bool = False
    mover: PlayerId | None = None
    moved: int = 0

    @property
    def is_running(self) -> bool:
        """Whether its match is played, and counts."""
        return self.match is not None and not self.ended


@dataclass(frozen=True, kw_only=True, slots=True)
class Season:
    """One season with its tables by number; `withdrawn` are those who have gone since it began.

    Who is `absent` was taken out at its end, when all of theirs had counted (TR-6.6).
    """

    number: int
    players: tuple[PlayerId, ...]
    at: datetime
    until: datetime | None
    lots: tuple[LotDrawn, ...] = ()
    groups: tuple[tuple[PlayerId, ...], ...] = ()
    byes: tuple[ByeGiven, ...] = ()
    tables: Mapping[int, Table] = field(default_factory=dict)
    newest: int = 0
    firsts: Mapping[PlayerId, int] = field(default_factory=dict)
    withdrawn: frozenset[PlayerId] = frozenset()
    absent: frozenset[PlayerId] = frozenset()
    moves: tuple[StandingChanged, ...] = ()
    results: Mapping[int, GroupEnded] = field(default_factory=dict)
    corrected: bool = False
    stopped: bool = False
    ended: bool = False

    @property
    def unfinished(self) -> tuple[Table, ...]:
        """The tables that have not ended, begun or not."""
        return tuple(table for table in self.tables.values() if not table.ended)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tournament:
    """A tournament after so many events.

    `entered` are those who are in the season that comes next, in the order of entry; `order` is
    that of a ladder, or by which the next season of a league begins. `bound` is what the next lot
    is bound to. `at` is when the newest act happened.
    """

    id: TournamentId
    version: int = 0
    terms: TournamentOpened | None = None
    entered: tuple[PlayerId, ...] = ()
    order: tuple[PlayerId, ...] = ()
    planned: SeasonPlanned | None = None
    seasons: tuple[Season, ...] = ()
    lots: int = 0
    bound: str = ""
    at: datetime | None = None
    closed: bool = False

    @property
    def opened(self) -> TournamentOpened:
        """Its terms; only a tournament of no events has none."""
        if self.terms is None:
            raise ValueError(f"{self.id} was never opened")
        return self.terms

    @property
    def season(self) -> Season | None:
        """The season that runs."""
        return self.seasons[-1] if self.seasons and not self.seasons[-1].ended else None

    @property
    def next_season(self) -> int:
        """The number of the season that begins next."""
        return len(self.seasons) + 1

    def season_of(self, number: int) -> Season | None:
        """A season by its number."""
        return self.seasons[number - 1] if 1 <= number <= len(self.seasons) else None

    def table_of(self, match: MatchId) -> tuple[Season, Table] | None:
        """The table that is played as a match, with its season."""
        for season in reversed(self.seasons):
            for table in season.tables.values():
                if table.match == match:
                    return season, table
        return None


def initial(tournament: TournamentId) -> Tournament:
    """A tournament to which nothing has happened."""
    return Tournament(id=tournament)


def evolve(tournament: Tournament, event: Event) -> Tournament:
    """The tournament after an event that happened; it is never refused."""
    changed = EVOLVE[type(event)](tournament, event)
    at = getattr(event, "at", None) or tournament.at
    return replace(changed, version=tournament.version + 1, at=at)


def replay(tournament: TournamentId, events: Iterable[Event]) -> Tournament:
    """The tournament after all of these."""
    return reduce(evolve, events, initial(tournament))


# --- who is in it --------------------------------------------------------------------------------


def _opened(one: Tournament, event: TournamentOpened) -> Tournament:
    return replace(one, terms=event)


def _entered(one: Tournament, event: PlayerEntered) -> Tournament:
    player = event.player
    runs = one.opened.kind == "ladder" and one.season is not None
    return replace(
        one,
        entered=(*one.entered, player),
        order=(*one.order, player) if runs else one.order,
        bound=lots_digest(one.bound, "entered", player, event.words, event.letter),
    )


def _withdrawn(one: Tournament, event: PlayerWithdrawn) -> Tournament:
    gone = replace(one, entered=_but(one.entered, event.player))
    if gone.opened.kind == "ladder" or gone.season is None:
        gone = replace(gone, order=_but(one.order, event.player))
    season = gone.season
    if season is None:
        return gone
    kind = "absent" if event.why == "absent" else "withdrawn"
    return _with_season(gone, replace(season, **{kind: getattr(season, kind) | {event.player}}))


def _but(players: tuple[PlayerId, ...], gone: PlayerId) -> tuple[PlayerId, ...]:
    return tuple(player for player in players if player != gone)


def _closed(one: Tournament, _: TournamentClosed) -> Tournament:
    return replace(one, closed=True, planned=None)


# --- seasons -------------------------------------------------------------------------------------


def _planned(one: Tournament, event: SeasonPlanned) -> Tournament:
    return replace(one, planned=event)


def _begun(one: Tournament, event: SeasonBegun) -> Tournament:
    season = Season(number=event.season, players=event.players, at=event.at, until=event.until)
    order = event.players if one.opened.kind == "ladder" else one.order
    return replace(one, seasons=(*one.seasons, season), planned=None, order=order)


def _drawn(one: Tournament, event: LotDrawn) -> Tournament:
    changed = _in_season(one, event.season, lambda season: {"lots": (*season.lots, event)})
    return replace(changed, lots=event.index)


def _formed(one: Tournament, event: GroupFormed) -> Tournament:
    return _in_season(one, event.season, lambda season: {"groups": (*season.groups, event.players)})


def _bye(one: Tournament, event: ByeGiven) -> Tournament:
    return _in_season(one, event.season, lambda season: {"byes": (*season.byes, event)})


def _moved(one: Tournament, event: StandingChanged) -> Tournament:
    if one.opened.kind != "ladder":
        return _in_season(one, event.season, lambda season: {"moves": (*season.moves, event)})
    order = list(_but(one.order, event.player))
    order.insert(event.now - 1, event.player)

    def settled(table: Table) -> dict[str, Any]:
        if event.why == "corrected":
            return {"settled": not table.placings, "mover": None, "moved": 0}
        if event.was == event.now:
            return {"settled": True}
        return {"settled": True, "mover": event.player, "moved": event.was - event.now}

    return replace(_in_table(one, event.season, event.table, settled), order=tuple(order))


def _group_ended(one: Tournament, event: GroupEnded) -> Tournament:
    return _in_season(
        one,
        event.season,
        lambda season: {
            "results": {**season.results, event.group: event},
            # TR-7.3: where another season has begun, who went up and down has done so.
            "moves": season.moves if event.group > 1 or season.number < len(one.seasons) else (),
            "corrected": season.corrected and event.group != len(season.groups or (1,)),
        },
    )


def _extended(one: Tournament, event: SeasonExtended) -> Tournament:
    def later(season: Season) -> dict[str, Any]:
        tables = {
            number: table if table.ended or table.until is None else replace(
                table, until=event.until
            )
            for number, table in season.tables.items()
        }  # fmt: skip
        return {"tables": tables, "until": event.until if season.until is not None else None}

    return _in_season(one, event.season, later)


def _stopped(one: Tournament, event: SeasonStopped) -> Tournament:
    return _in_season(one, event.season, lambda _: {"stopped": True})


def _season_ended(one: Tournament, event: SeasonEnded) -> Tournament:
    ended = _in_season(one, event.season, lambda _: {"ended": True, "corrected": False})
    if one.opened.kind != "cup":
        return replace(ended, order=event.order)
    # TR-4.9: one enters each cup anew, as who had left this one has done already (TR-2.3); a
    # correction afterwards ends nobody's entry.
    season = one.seasons[event.season - 1]
    played = () if season.ended else {*season.players} - season.withdrawn
    return replace(ended, entered=tuple(who for who in one.entered if who not in played))


# --- tables --------------------------------------------------------------------------------------


def _set(one: Tournament, event: TableSet) -> Tournament:
    table = Table(
        number=event.table,
        group=event.group,
        round=event.round,
        players=event.players,
        time=event.time,
        until=event.until,
        again=event.again,
    )

    def with_table(season: Season) -> dict[str, Any]:
        tables, first = {**season.tables, table.number: table}, event.players[0]
        if one.opened.kind == "ladder" and len(tables) > KEPT:
            over = (number for number, known in tables.items() if known.settled)
            tables.pop(next(over, 0), None)
        return {
            "tables": tables,
            "newest": max(season.newest, event.table),
            "firsts": {**season.firsts, first: season.firsts.get(first, 0) + 1},
        }

    return _in_season(one, event.season, with_table)


def _table_begun(one: Tournament, event: TableBegun) -> Tournament:
    return _in_table(one, event.season, event.table, lambda _: {"match": event.match})


def _table_ended(one: Tournament, event: TableEnded) -> Tournament:
    def ended(table: Table) -> dict[str, Any]:
        there = all(player in one.order for player in table.players)
        return {
            "ended": True,
            "settled": not (event.placings and there),
            "why": event.why,
            "placings": event.placings,
            "timed_out": event.timed_out,
        }

    changed = _in_table(one, event.season, event.table, ended)
    if event.why != "played":
        return changed
    season = one.seasons[event.season - 1]
    placings = " ".join(map(str, event.placings))
    match = season.tables[event.table].match or ""
    return replace(changed, bound=lots_digest(one.bound, "ended", match, placings, event.moves))


def _corrected(one: Tournament, event: TableCorrected) -> Tournament:
    def right(table: Table) -> dict[str, Any]:
        there = all(player in one.order for player in table.players)
        moved = bool(event.placings or table.moved)
        return {
            "ended": True,
            "why": "corrected",
            "placings": event.placings,
            "settled": not (moved and there),
        }

    changed = _in_season(one, event.season, lambda season: {"corrected": season.ended})
    return _in_table(changed, event.season, event.table, right)


def _in_season(
    one: Tournament, number: int, change: Callable[[Season], Mapping[str, Any]]
) -> Tournament:
    season = one.seasons[number - 1]
    return _with_season(one, replace(season, **change(season)))


def _with_season(one: Tournament, season: Season) -> Tournament:
    at = season.number - 1
    return replace(one, seasons=(*one.seasons[:at], season, *one.seasons[at + 1 :]))


def _in_table(
    one: Tournament, season: int, number: int, change: Callable[[Table], Mapping[str, Any]]
) -> Tournament:
    def changed(of: Season) -> dict[str, Any]:
        table = of.tables.get(number)
        if table is None:
            return {}
        return {"tables": {**of.tables, number: replace(table, **change(table))}}

    return _in_season(one, season, changed)


EVOLVE: Final[Mapping[type[Any], Callable[[Tournament, Any], Tournament]]] = {
    TournamentOpened: _opened,
    PlayerEntered: _entered,
    PlayerWithdrawn: _withdrawn,
    SeasonPlanned: _planned,
    SeasonBegun: _begun,
    LotDrawn: _drawn,
    GroupFormed: _formed,
    ByeGiven: _bye,
    TableSet: _set,
    TableBegun: _table_begun,
    TableEnded: _table_ended,
    TableCorrected: _corrected,
    StandingChanged: _moved,
    GroupEnded: _group_ended,
    SeasonExtended: _extended,
    SeasonStopped: _stopped,
    SeasonEnded: _season_ended,
    TournamentClosed: _closed,
}
