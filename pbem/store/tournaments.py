"""Tournaments, their entries and their matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, delete, func, insert, select, update

from pbem.match.state import VOIDED, Status
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import MatchRow, SeatRow, TournamentEntryRow, TournamentRow

_ENTRY = TournamentEntryRow.__table__  # type: ignore[attr-defined]
_MATCH = MatchRow.__table__  # type: ignore[attr-defined]
_SEAT = SeatRow.__table__  # type: ignore[attr-defined]
_TOURNAMENT = TournamentRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament, with its players by seat.

    `placings` has the players' places by seat. It is None until the match has a result, and if the
    match was voided.
    """

    id: MatchId
    players: tuple[PlayerId, ...]
    placings: tuple[int, ...] | None
    is_running: bool

    @property
    def score(self) -> float | None:
        """The points of the player in the first seat: 1, 0.5 or 0; None without a result."""
        if self.placings is None:
            return None
        first, second = self.placings
        return 0.5 if first == second else float(first < second)


def add_tournament(conn: Connection, row: TournamentRow) -> None:
    """Store a new tournament."""
    conn.execute(insert(_TOURNAMENT).values(**row.model_dump()))


def find_tournament(conn: Connection, name: str) -> TournamentRow | None:
    """Return the tournament with this name, ignoring case, or None if there is none."""
    query = select(_TOURNAMENT).where(_TOURNAMENT.c.name == name.lower())
    return to_optional_row(TournamentRow, conn.execute(query).mappings().one_or_none())


def list_tournaments(conn: Connection, limit: int) -> list[TournamentRow]:
    """Return the newest tournaments, at most `limit`, newest first."""
    query = (
        select(_TOURNAMENT)
        .order_by(_TOURNAMENT.c.created_at.desc(), _TOURNAMENT.c.name)
        .limit(limit)
    )
    return [to_row(TournamentRow, row) for row in conn.execute(query).mappings()]


def mark_started(
    conn: Connection, tournament: TournamentId, groups: Mapping[PlayerId, int], now: datetime
) -> None:
    """Record that a tournament has started, and in which group (numbered from 1) each player is."""
    where = _TOURNAMENT.c.name == tournament
    conn.execute(update(_TOURNAMENT).where(where).values(started_at=now))
    for player, group in groups.items():
        where = (_ENTRY.c.tournament == tournament) & (_ENTRY.c.player == player)
        conn.execute(update(_ENTRY).where(where).values(group_number=group))


def mark_ended(conn: Connection, tournament: TournamentId, now: datetime) -> None:
    """Record the time at which a tournament ended."""
    where = _TOURNAMENT.c.name == tournament
    conn.execute(update(_TOURNAMENT).where(where).values(ended_at=now))


def set_due(conn: Connection, tournament: TournamentId, due: datetime | None) -> None:
    """Set the time at which the next matches of a tournament begin or the tournament ends.

    `due` is None if nothing is due in the tournament until one of its matches ends. The count of
    failed attempts begins again.
    """
    where = _TOURNAMENT.c.name == tournament
    conn.execute(update(_TOURNAMENT).where(where).values(due_at=due, attempts=0))


def list_entries(conn: Connection, tournament: TournamentId) -> list[TournamentEntryRow]:
    """Return the entries of a tournament in the order in which players entered."""
    query = select(_ENTRY).where(_ENTRY.c.tournament == tournament).order_by(_ENTRY.c.number)
    return [to_row(TournamentEntryRow, row) for row in conn.execute(query).mappings()]


def list_entered(conn: Connection, player: PlayerId) -> list[TournamentId]:
    """Return the names of the tournaments that a player has entered, newest first."""
    query = (
        select(_TOURNAMENT.c.name)
        .join(_ENTRY, _ENTRY.c.tournament == _TOURNAMENT.c.name)
        .where(_ENTRY.c.player == player)
        .order_by(_TOURNAMENT.c.created_at.desc(), _TOURNAMENT.c.name)
    )
    return [TournamentId(name) for name in conn.execute(query).scalars()]


def add_entry(
    conn: Connection, tournament: TournamentId, player: PlayerId, message_hash: str
) -> None:
    """Add a player's entry to a tournament, after the entries of all other players.

    `message_hash` is the hash of the email or form by which the player entered.
    """
    query = select(func.max(_ENTRY.c.number)).where(_ENTRY.c.tournament == tournament)
    last = conn.execute(query).scalar() or 0
    row = TournamentEntryRow(
        tournament=tournament, player=player, number=last + 1, message_hash=message_hash
    )
    conn.execute(insert(_ENTRY).values(**row.model_dump()))


def drop_entry(conn: Connection, tournament: TournamentId, player: PlayerId) -> None:
    """Delete a player's entry in a tournament."""
    where = (_ENTRY.c.tournament == tournament) & (_ENTRY.c.player == player)
    conn.execute(delete(_ENTRY).where(where))


def drop_open_entries(conn: Connection, player: PlayerId) -> None:
    """Delete a player's entries in tournaments that have not started."""
    is_open = _ENTRY.c.tournament.in_(
        select(_TOURNAMENT.c.name).where(_TOURNAMENT.c.started_at.is_(None))
    )
    conn.execute(delete(_ENTRY).where(_ENTRY.c.player == player, is_open))


def list_matches(conn: Connection, tournament: TournamentId) -> list[TournamentMatch]:
    """Return all matches of a tournament that have begun, sorted by id."""
    query = (
        select(_MATCH.c.id, _MATCH.c.status, _MATCH.c.outcome, _SEAT.c.player)
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(_MATCH.c.tournament == tournament, _SEAT.c.seat.is_not(None))
        .order_by(_MATCH.c.id, _SEAT.c.seat)
    )
    matches = []
    for match, group in groupby(conn.execute(query), key=lambda row: row.id):
        seats = [*group]
        outcome = seats[0].outcome
        has_result = outcome is not None and outcome["termination"] != VOIDED
        matches.append(
            TournamentMatch(
                id=MatchId(match),
                players=tuple(PlayerId(seat.player) for seat in seats),
                placings=tuple(outcome["placings"]) if has_result else None,
                is_running=seats[0].status == Status.RUNNING,
            )
        )
    return matches


def list_running(conn: Connection) -> set[TournamentId]:
    """Return the names of the tournaments that have at least one running match."""
    where = _MATCH.c.tournament.is_not(None) & (_MATCH.c.status == str(Status.RUNNING))
    names = conn.execute(select(_MATCH.c.tournament).where(where).distinct()).scalars()
    return {TournamentId(name) for name in names}
