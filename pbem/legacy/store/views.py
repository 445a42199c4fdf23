"""What lists and lookups need of matches as they stand."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    delete,
    func,
    insert,
    select,
    union_all,
    update,
)

from pbem.legacy.matches.match import Status
from pbem.names import MatchId, PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import insert_absent, insert_or_update
from pbem.legacy.store.prepared import Prepared


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as lists show it; `players` in the order of seats, `to_act` whom it waits for."""

    id: MatchId
    ruleset: str
    status: str
    players: tuple[PlayerId, ...]
    to_act: tuple[PlayerId, ...]
    ply: int
    version: int
    updated_at: datetime
    waiting_since: datetime | None
    open_seats: int = 0


STATUSES: Final = tuple(status.value for status in Status)

_M, _MP, _MW = tables.match.c, tables.match_player.c, tables.match_watcher.c

_WATCH = insert_absent(tables.match_watcher, "player", "match")

MATCH_COLUMNS = [_M[name] for name in MatchRow.__dataclass_fields__]
"""What `match_of` reads, in its order."""

_MOVE_ON = Prepared(
    update(tables.match)
    .where(_M.id == bindparam("of_match"), _M.players == bindparam("same_players"))
    .values(
        status=bindparam("to_status"),
        to_act=bindparam("whom"),
        ply=bindparam("to_ply"),
        version=bindparam("to_version"),
        updated_at=bindparam("at"),
        waiting_since=bindparam("since"),
    )
)

_SAME_TURN = Prepared(
    update(tables.match)
    .where(_M.id == bindparam("of_match"), _M.players == bindparam("same_players"))
    .values(
        status=bindparam("to_status"),
        to_act=bindparam("whom"),
        ply=bindparam("to_ply"),
        version=bindparam("to_version"),
        updated_at=func.coalesce(bindparam("at", type_=_M.updated_at.type), _M.updated_at),
    )
)

_PUT = insert_or_update(tables.match, "id", keep=("created_at",))

_LEAVE = delete(tables.match_player).where(tables.match_player.c.match == bindparam("of_match"))
_JOIN = insert(tables.match_player)

_MATCH = Prepared(select(*MATCH_COLUMNS).where(_M.id == bindparam("of_match")))

_OF_PLAYER = (
    select(*MATCH_COLUMNS)
    .join(tables.match_player, tables.match_player.c.match == _M.id)
    .where(
        tables.match_player.c.player == bindparam("of_player"),
        _M.status.in_(bindparam("wanted", expanding=True)),
    )
    .order_by(_M.waiting_since.is_(None), _M.waiting_since, _M.id)
)
_MATCHES_OF = Prepared(_OF_PLAYER)

_LONGEST = Prepared(
    select(_M.ply, _M.players)
    .join(tables.match_player, tables.match_player.c.match == _M.id)
    .where(
        tables.match_player.c.player == bindparam("of_player"),
        _M.ruleset.in_(bindparam("rulesets", expanding=True)),
        _M.id != bindparam("but"),
        _M.updated_at >= bindparam("since", type_=_M.updated_at.type),
    )
    .order_by(_M.ply.desc())
    .limit(bindparam("most"))
)

_OPEN = (
    select(*MATCH_COLUMNS)
    .where(_M.status == "challenge", _M.open_seats > 0)
    .order_by(_M.waiting_since, _M.id)
)


def put_match(
    conn: Connection, row: MatchRow, *, same_turn: bool = False, in_secret: bool = False
) -> None:
    """Show a match as it is now; `same_turn`: it has waited as long as it is shown to.

    `in_secret`: nobody outside of it may know that anything happened, so lists have it no newer.
    """
    # Nearly always only what a move changes has changed; then who is in it needs no look.
    values = {
        "of_match": row.id,
        "same_players": canonical(row.players),
        "to_status": row.status,
        "whom": canonical(row.to_act),
        "to_ply": row.ply,
        "to_version": row.version,
        "at": row.updated_at,
    }
    if same_turn:
        moved = _SAME_TURN.write(conn, {**values, "at": None if in_secret else row.updated_at})
    else:
        moved = _MOVE_ON.write(conn, {**values, "since": row.waiting_since})
    if moved == 0:
        before = match_row(conn, row.id) if same_turn else None
        since = before.waiting_since if before is not None else row.waiting_since
        _put_whole(conn, replace(row, waiting_since=since))


def _put_whole(conn: Connection, row: MatchRow) -> None:
    conn.execute(
        _PUT[conn.dialect.name],
        {
            "id": row.id,
            "ruleset": row.ruleset,
            "status": row.status,
            "players": canonical(row.players),
            "to_act": canonical(row.to_act),
            "open_seats": row.open_seats,
            "ply": row.ply,
            "version": row.version,
            "created_at": row.updated_at,
            "updated_at": row.updated_at,
            "waiting_since": row.waiting_since,
        },
    )
    conn.execute(_LEAVE, {"of_match": row.id})
    conn.execute(
        _JOIN,
        [{"match": row.id, "player": player, "finished": False} for player in row.players],
    )


def match_row(conn: Connection, match: MatchId) -> MatchRow | None:
    """One match, or None."""
    row = _MATCH.first(conn, {"of_match": match})
    return None if row is None else match_of(row)


def matches_of(conn: Connection, player: PlayerId, statuses: Collection[str]) -> list[MatchRow]:
    """A player's matches of these statuses, the longest waited-for first."""
    rows = _MATCHES_OF.rows(conn, {"of_player": player, "wanted": list(statuses)})
    return [match_of(row) for row in rows]


def count_matches(conn: Connection, player: PlayerId, statuses: Collection[str]) -> int:
    """How many matches of these statuses a player is in."""
    counted = select(func.count()).select_from(_OF_PLAYER.order_by(None).subquery())
    found = conn.execute(counted, {"of_player": player, "wanted": list(statuses)})
    return int(found.scalar_one())


def turns_of(
    conn: Connection,
    player: PlayerId,
    rulesets: Collection[str],
    most: int,
    but: MatchId,
    *,
    since: datetime,
) -> int:
    """How many turns a player has had in other matches of these rulesets: at least, up to `most`.

    Matches in which nothing has happened `since` are left out. Everybody at a table has had about
    the same number, and who is in it stands in the list.
    """
    others = {
        "of_player": player,
        "rulesets": list(rulesets),
        "but": but,
        "most": most,
        "since": since,
    }
    found = _LONGEST.rows(conn, others)
    return sum(ply // max(1, len(json.loads(players))) for ply, players in found)


def open_matches(conn: Connection, limit: int) -> list[MatchRow]:
    """The challenges in which a seat is open, the longest waiting first."""
    wanted = _OPEN.limit(limit)
    return [match_of(row) for row in conn.execute(wanted)]


def begin_watch(conn: Connection, match: MatchId, player: PlayerId) -> None:
    """Somebody watches a match."""
    conn.execute(_WATCH[conn.dialect.name], {"match": match, "player": player})


def end_watch(conn: Connection, match: MatchId, player: PlayerId) -> None:
    """Somebody watches it no more."""
    conn.execute(delete(tables.match_watcher).where(_MW.match == match, _MW.player == player))


def watched(conn: Connection, player: PlayerId) -> list[MatchId]:
    """The matches of others that somebody watches and that are not over."""
    own = select(_MP.match).where(_MP.player == player)  # a spectator may have taken a seat over
    seen = select(_MW.match).join(tables.match, _M.id == _MW.match).where(_MW.player == player)
    found = seen.where(_M.status == "running", _MW.match.not_in(own)).order_by(_MW.match)
    return [MatchId(name) for name in conn.execute(found).scalars()]


def all_watched(conn: Connection, player: PlayerId, most: int) -> list[MatchId]:
    """The matches of others that somebody watches, or has watched to the end; the newest first."""
    own = select(_MP.match).where(_MP.player == player)
    seen = select(_MW.match).join(tables.match, _M.id == _MW.match).where(_MW.player == player)
    found = seen.where(_MW.match.not_in(own)).order_by(_M.updated_at.desc(), _MW.match).limit(most)
    return [MatchId(name) for name in conn.execute(found).scalars()]


def finish(conn: Connection, match: MatchId, players: Collection[PlayerId]) -> None:
    """A match has ended that lets these players play one more at once."""
    mine = (_MP.match == match, _MP.player.in_(list(players)))
    conn.execute(update(tables.match_player).where(*mine).values(finished=True))


def count_finished(conn: Connection, player: PlayerId) -> int:
    """How many such matches a player has."""
    counted = select(func.count()).where(_MP.player == player, _MP.finished)
    return int(conn.execute(counted).scalar_one())


def matches(
    conn: Connection, statuses: Collection[str] | None = None, *, limit: int = 100
) -> list[MatchRow]:
    """All matches of these statuses, the newest change first."""
    return [match_of(row) for row in conn.execute(newest(statuses, limit))]


def newest(statuses: Collection[str] | None, limit: int) -> Select[Any]:
    """The matches of these statuses that changed last, as MATCH_COLUMNS.

    The first of each status, of which the first count: their index has them in that order.
    """
    found = [
        select(_M.id, _M.updated_at)
        .where(_M.status == status)
        .order_by(_M.updated_at.desc(), _M.id.desc())
        .limit(limit)
        .subquery()
        for status in (STATUSES if statuses is None else statuses)
    ]
    some = union_all(*(select(one) for one in found)).subquery()
    first = select(some.c.id).order_by(some.c.updated_at.desc(), some.c.id.desc()).limit(limit)
    wanted = select(*MATCH_COLUMNS).where(_M.id.in_(first))
    return wanted.order_by(_M.updated_at.desc(), _M.id.desc())


def match_ids(conn: Connection, statuses: Collection[str]) -> list[MatchId]:
    """The names of all matches of these statuses, in their order."""
    found = select(_M.id).where(_M.status.in_(list(statuses))).order_by(_M.id)
    return [MatchId(name) for name in conn.execute(found).scalars()]


def match_of(row: Sequence[Any]) -> MatchRow:
    """A row of MATCH_COLUMNS as lists show it."""
    name, ruleset, status, players, to_act, *others = row
    return MatchRow(
        MatchId(name),
        ruleset,
        status,
        tuple(json.loads(players)),
        tuple(json.loads(to_act)),
        *others,
    )


# --- seat names ----------------------------------------------------------------------------------
# The names of players as a match began: a mail program keeps a thread by its subject.

_SN = tables.seat_name.c

_NAMES = Prepared(
    select(_SN.match, _SN.seat, _SN.name).where(_SN.match.in_(bindparam("matches", expanding=True)))
)


def keep_seat_names(
    conn: Connection, match: MatchId, players: Sequence[PlayerId], names: Mapping[PlayerId, str]
) -> None:
    """Note who sits down, in the order of seats, and by which names."""
    rows = [
        {"match": match, "seat": seat, "player": player, "name": names[player]}
        for seat, player in enumerate(players, 1)
        if player in names
    ]
    if rows:
        conn.execute(insert(tables.seat_name), rows)


def seat_names_of(conn: Connection, matches: Collection[MatchId]) -> dict[MatchId, dict[int, str]]:
    """The names by seat, as far as they are kept: those of who was forgotten are not."""
    found: defaultdict[MatchId, dict[int, str]] = defaultdict(dict)
    for match, seat, name in _NAMES.rows(conn, {"matches": list(matches)}):
        found[MatchId(match)][seat] = name
    return dict(found)


def rename_seats(conn: Connection, player: PlayerId, name: str) -> None:
    """A name that may not stand stands in no subject either."""
    conn.execute(update(tables.seat_name).where(_SN.player == player).values(name=name))
