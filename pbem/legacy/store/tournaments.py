"""What lists and lookups need of tournaments as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from pbem.names import PlayerId, TournamentId
from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_or_update
from pbem.legacy.tournaments.tables import next_until
from pbem.legacy.tournaments.tournament import Tournament

_T, _P = tables.tournament.c, tables.tournament_player.c

_PUT = insert_or_update(tables.tournament, "id", keep=("created_at",))


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as lists show it; `season` is the newest, `due_at` when it acts by itself."""

    id: TournamentId
    kind: str
    ruleset: str
    status: str
    season: int
    entered: int
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A player in a tournament: for what comes, and in the season that runs."""

    tournament: TournamentId
    player: PlayerId
    entered: bool
    playing: bool


_ROW = [_T[name] for name in TournamentRow.__dataclass_fields__]
_ENTRY = (_P.tournament, _P.player, _P.entered, _P.playing)


def put(conn: Connection, one: Tournament, now: datetime) -> None:
    """Show a tournament as it is now, and who is in it; who was in it once stays, for `my data`."""
    shown = {name: getattr(shown_of(one), name) for name in TournamentRow.__dataclass_fields__}
    row = {**shown, "version": one.version, "created_at": now, "updated_at": now}
    conn.execute(_PUT[conn.dialect.name], row)
    changed = entries_missing(conn, one)
    if not changed:
        return
    whose = [entry.player for entry in changed]
    conn.execute(
        delete(tables.tournament_player).where(_P.tournament == one.id, _P.player.in_(whose))
    )
    rows = [
        {name: getattr(entry, name) for name in Entry.__dataclass_fields__} for entry in changed
    ]
    conn.execute(insert(tables.tournament_player), rows)


def shown_of(one: Tournament) -> TournamentRow:
    """What lists must show of a tournament as it is."""
    return TournamentRow(
        id=one.id,
        kind=one.opened.kind,
        ruleset=one.opened.ruleset,
        status="running" if one.season else "closed" if one.closed else "open",
        season=len(one.seasons),
        entered=len(one.entered),
        due_at=next_until(one),
    )


def entries_missing(conn: Connection, one: Tournament) -> list[Entry]:
    """What must stand in the lists of a tournament's players, and does not."""
    season = one.season
    there = dict.fromkeys((*(season.players if season is not None else ()), *one.order))
    gone = season.withdrawn if season is not None else frozenset[PlayerId]()
    known = {entry.player: entry for entry in entries(conn, one.id)}
    wanted = {
        player: Entry(
            one.id,
            player,
            player in one.entered,
            season is not None and player in there and player not in gone,
        )
        for player in (*known, *one.entered, *there)
    }
    return [entry for player, entry in wanted.items() if known.get(player) != entry]


def row(conn: Connection, name: TournamentId) -> TournamentRow | None:
    """A tournament; None if there is none of this name."""
    found = conn.execute(select(*_ROW).where(_T.id == name)).first()
    return None if found is None else TournamentRow(*found)


def listed(conn: Connection, *, closed: bool = False) -> Sequence[TournamentRow]:
    """All tournaments by name; with those that are closed and over, or without."""
    wanted = select(*_ROW).order_by(_T.id)
    if not closed:
        wanted = wanted.where(_T.status != "closed")
    return [TournamentRow(*found) for found in conn.execute(wanted)]


def entries(conn: Connection, name: TournamentId) -> Sequence[Entry]:
    """Everybody who is, or has been, in a tournament."""
    wanted = select(*_ENTRY).where(_P.tournament == name).order_by(_P.player)
    return [Entry(*found) for found in conn.execute(wanted)]


def entries_of(conn: Connection, player: PlayerId) -> Sequence[Entry]:
    """The tournaments that somebody is in, by name."""
    wanted = select(*_ENTRY).where(_P.player == player, _P.entered | _P.playing)
    return [Entry(*found) for found in conn.execute(wanted.order_by(_P.tournament))]
