"""What a table means for somebody who sits there: where they stand by it, and where it leads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.games.chance import Draw
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.legacy.tournaments import cup, ladder
from pbem.legacy.tournaments.events import Kind
from pbem.legacy.tournaments.following import due
from pbem.legacy.tournaments.standings import standing
from pbem.legacy.tournaments.tournament import Season, Table, Tournament, evolve
from pbem.legacy.tournaments.unfolding import Deciding, Unfolding

Goes: TypeAlias = Literal["", "on", "out", "again", "won", "second", "up", "down", "nowhere"]
"""Where a table that is over led somebody: `nowhere`, since nothing is counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AtTable:
    """A match as a table of its tournament, as one of its players sees it.

    `group` of `groups` in a league, `round` of `rounds` in a cup, where it is played `again`.
    `place` among `of` is the player's as it stands, `shared` or not; `points` are in halves.
    On a ladder `other` is the place of the opponent, and `prize` the place that the lower of the
    two gets by a win. `level`: a second draw in a cup, after which seeds decide. It is not waited
    for beyond `until`.
    """

    tournament: TournamentId
    kind: Kind
    season: int
    group: int = 0
    groups: int = 0
    round: int = 0
    rounds: int = 0
    again: bool = False
    level: bool = False
    place: int = 0
    of: int = 0
    shared: bool = False
    points: int = 0
    other: int = 0
    prize: int = 0
    goes: Goes = ""
    until: datetime | None = None


def foreseen(one: Tournament, now: datetime, act: Callable[[Unfolding], Deciding]) -> Tournament:
    """A tournament as it will be after an act, as far as no lot decides what follows."""
    for event in act(Unfolding(tournament=one, now=now)):
        one = evolve(one, event)
    while (follows := due(one)) is not None and not isinstance(follows, Draw):
        for event in follows:
            one = evolve(one, event)
    return one


def at_table(one: Tournament, match: MatchId, player: PlayerId) -> AtTable | None:
    """What a match means for one of its players; None where the tournament knows nothing of it.

    A ladder forgets its tables in time, and who has left a tournament stands nowhere in it.
    """
    found = one.table_of(match)
    if found is None or player not in found[1].players:
        return None
    season, table = found
    match one.opened.kind:
        case "league":
            return _in_league(one, season, table, player)
        case "cup":
            return _in_cup(one, season, table, player)
        case "ladder":
            return _on_ladder(one, season, table, player)


def _in_league(one: Tournament, season: Season, table: Table, player: PlayerId) -> AtTable:
    rows = standing(season, table.group).rows
    own = next(row for row in rows if row.player == player)
    return AtTable(
        tournament=one.id,
        kind="league",
        season=season.number,
        group=table.group,
        groups=len(season.groups),
        place=own.place,
        of=len(rows),
        shared=sum(row.place == own.place for row in rows) > 1,
        points=own.points,
        goes="nowhere" if table.ended and not table.placings else "",
        until=table.until,
    )


def _in_cup(one: Tournament, season: Season, table: Table, player: PlayerId) -> AtTable:
    return AtTable(
        tournament=one.id,
        kind="cup",
        season=season.number,
        round=table.round,
        rounds=cup.rounds(season),
        again=bool(table.again),
        level=bool(table.again and table.placings) and len({*table.placings}) == 1,
        goes=_way(season, table, player) if table.ended else "",
        until=table.until,
    )


def _way(season: Season, table: Table, player: PlayerId) -> Goes:
    if any(other.again == table.number for other in season.tables.values()):
        return "again"
    match cup.of_table(season, table):
        case cup.Again():
            return "again"
        case cup.Decided(winner):
            is_final = table.round == cup.rounds(season)
            if winner == player:
                return "won" if is_final else "on"
            return "second" if is_final and winner is not None else "out"


def _on_ladder(one: Tournament, season: Season, table: Table, player: PlayerId) -> AtTable:
    places = {who: at for at, who in enumerate(one.order, 1)}
    other = next(who for who in table.players if who != player)
    own, theirs = places.get(player, 0), places.get(other, 0)
    goes: Goes = ""
    if table.mover is not None:
        goes = "up" if table.mover == player else "down"
    elif table.ended and not table.placings:
        goes = "nowhere"
    return AtTable(
        tournament=one.id,
        kind="ladder",
        season=season.number,
        place=own,
        of=len(one.order),
        other=theirs,
        prize=ladder.after_win(max(own, theirs), min(own, theirs)) if own and theirs else 0,
        goes=goes,
    )
