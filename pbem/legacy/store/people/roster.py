"""Who plays here: the players, what they are called, and where they get mail."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    update,
)

from pbem.names import BOT, PlayerId
from pbem.legacy.players.names import skeleton
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import Instant
from pbem.legacy.store.people import personal
from pbem.legacy.store.prepared import Prepared, Row


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as mails need one. `confirmed`: an answer has come from the address.

    A bot has no address, and is confirmed; so has a guest, of whom only the name is known.

    `generation` is that of the reply addresses which are alive; mail to a suspended address came
    back too often, and none is sent until the player writes. `wishes` are those that were chosen.
    `bounced`: some mail came back since the last letter.
    """

    id: PlayerId
    name: str
    address: str
    confirmed: bool
    generation: int
    created_at: datetime
    suspended: bool = False
    banned: bool = False
    wishes: Mapping[str, str] = field(default_factory=dict)
    bounced: bool = False


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """What decides if somebody is written to: wishes, and an address that has never answered."""

    wishes: Mapping[str, str] = field(default_factory=dict)
    unproved: str | None = None


@dataclass(frozen=True, slots=True)
class AddressRow:
    """One address of a player."""

    address: str
    main: bool
    confirmed: bool
    suspended: bool


_P, _A = tables.player.c, tables.address.c

SELECTED = select(
    _P.id,
    _P.name,
    func.coalesce(_A.address, "").label("address"),
    func.coalesce(_A.confirmed, True).label("confirmed"),
    _P.generation,
    _P.created_at,
    _A.suspended_at.is_not(None).label("suspended"),
    _P.banned,
    _P.wishes,
    func.coalesce(_A.bounces > 0, False).label("bounced"),
).outerjoin(tables.address, and_(_A.player == _P.id, _A.main))
"""What `player_row` reads, for those who ask for more in the same statement."""

_PLAYERS = SELECTED.order_by(_P.id)

_MAIN = _PLAYERS.where(or_(_A.main, _P.id.startswith(BOT)))  # who has no address is a guest
_BY_ID = Prepared(_PLAYERS.where(_P.id.in_(bindparam("wanted", expanding=True))))
_WISHES = Prepared(
    select(_P.id, _P.wishes).where(
        _P.id.in_(bindparam("wanted", expanding=True)), _P.wishes != "{}"
    )
)
_READERS = Prepared(
    select(
        _P.id,
        _P.wishes,
        case((_A.confirmed.is_(False), _A.address), else_=null()).label("unproved"),
    )
    .outerjoin(tables.address, and_(_A.player == _P.id, _A.main))
    .where(_P.id.in_(bindparam("wanted", expanding=True)))
)
_UNPROVED = Prepared(
    select(_A.player, _A.address).where(
        _A.player.in_(bindparam("wanted", expanding=True)), _A.main, _A.confirmed.is_(False)
    )
)
_BY_NAME = Prepared(_MAIN.where(_P.name_folded == bindparam("wanted")))
_BY_ADDRESS = Prepared(
    _MAIN.where(
        _P.id.in_(
            select(_A.player)
            # An address that has not answered is nobody's yet but its own.
            .where(_A.folded == bindparam("wanted"), _A.main | _A.confirmed)
            .scalar_subquery()
        )
    )
)

_CUT_OFF = tables.address.alias("cut_off").c
_SUSPENDED = _PLAYERS.where(
    _P.id.in_(select(_CUT_OFF.player).where(_CUT_OFF.main, _CUT_OFF.suspended_at.is_not(None))),
    _P.banned.is_(False),
)

_ADDRESSES = Prepared(
    select(_A.address, _A.main, _A.confirmed, _A.suspended_at)
    .where(_A.player == bindparam("who"))
    .order_by(_A.main.desc(), _A.added_at)
)

_RESUME = Prepared(
    update(tables.address)
    .where(_A.player == bindparam("who"), _A.main)
    .values(suspended_at=None, bounced_since=None, bounces=0)
)

_REFOLD = (
    update(tables.player).where(_P.id == bindparam("who")).values(name_folded=bindparam("seen"))
)
_ADD_PLAYER = insert(tables.player)
_ADD_ADDRESS = insert(tables.address)


def add_player(
    conn: Connection, player: PlayerId, *, address: str, name: str, now: datetime
) -> PlayerRow:
    """Keep where a new player gets mail; the address is not confirmed yet."""
    _drop_claims(conn, address)
    _add(conn, player, name, now)
    conn.execute(
        _ADD_ADDRESS,
        {
            "folded": folded(address),
            "address": address,
            "player": player,
            "main": True,
            "confirmed": False,
            "added_at": now,
            "bounces": 0,
            "bounced_since": None,
            "suspended_at": None,
        },
    )
    personal.begin(conn, player, 0, now)
    return PlayerRow(player, name, address, confirmed=False, generation=0, created_at=now)


def add_bot(conn: Connection, player: PlayerId, *, name: str, now: datetime) -> None:
    """Keep what a bot is called; it gets no mail."""
    _add(conn, player, name, now)


def add_guest(conn: Connection, player: PlayerId, *, name: str, now: datetime) -> None:
    """Keep what somebody is called who came with an imported match, unless they are known here.

    A guest gets no mail, and is found neither by name nor by address.
    """
    if players(conn, [player]).get(player) is None:
        _add(conn, player, name, now)


def _add(conn: Connection, player: PlayerId, name: str, now: datetime) -> None:
    conn.execute(
        _ADD_PLAYER,
        {
            "id": player,
            "name": name,
            "name_folded": skeleton(name),
            "generation": 0,
            "banned": False,
            "wishes": "{}",
            "created_at": now,
        },
    )


def player(conn: Connection, player: PlayerId) -> PlayerRow | None:
    """One player, or None."""
    return players(conn, [player]).get(player)


def players(conn: Connection, ids: Collection[PlayerId]) -> dict[PlayerId, PlayerRow]:
    """Players by id; those that there are not are missing."""
    return {row.id: row for row in _found(conn, _BY_ID, list(ids))}


def player_by_address(conn: Connection, address: str) -> PlayerRow | None:
    """Whose address this is, in any spelling of its case; the row has the main one."""
    return next(iter(_found(conn, _BY_ADDRESS, folded(address))), None)


def players_named(conn: Connection, text: str) -> list[PlayerRow]:
    """Everybody whose name looks like this one, in any case and spacing."""
    return players_seen(conn, skeleton(text))


def players_seen(conn: Connection, seen: str) -> list[PlayerRow]:
    """Everybody whose name has this skeleton."""
    return _found(conn, _BY_NAME, seen)


def all_players(conn: Connection) -> list[PlayerRow]:
    """Everybody, in the order of ids."""
    return [player_row(tuple(row)) for row in conn.execute(_MAIN)]


def rename(conn: Connection, player: PlayerId, name: str) -> None:
    """Call a player so from now on."""
    conn.execute(
        update(tables.player).where(_P.id == player).values(name=name, name_folded=skeleton(name))
    )


def refold(conn: Connection) -> int:
    """Look anew at every name: what it looks like may be known better than when it was kept."""
    kept = conn.execute(select(_P.id, _P.name, _P.name_folded))
    changed = [
        {"who": row.id, "seen": seen}
        for row in kept.all()
        if (seen := skeleton(row.name)) != row.name_folded
    ]
    if changed:
        conn.execute(_REFOLD, changed)
    return len(changed)


def keep_wishes(conn: Connection, player: PlayerId, wishes: Mapping[str, str]) -> None:
    """How a player wants mails from now on."""
    conn.execute(update(tables.player).where(_P.id == player).values(wishes=canonical(wishes)))


def unproved(conn: Connection, ids: Collection[PlayerId]) -> dict[PlayerId, str]:
    """The addresses of those players who have never answered."""
    found = _UNPROVED.rows(conn, {"wanted": sorted(set(ids))}) if ids else ()
    return {PlayerId(player): address for player, address in found}


def readers(conn: Connection, ids: Collection[PlayerId]) -> dict[PlayerId, ReaderRow]:
    """What decides if players are written to, by id; those that there are not are missing."""
    return {
        PlayerId(player): ReaderRow(json.loads(wishes), unproved)
        for player, wishes, unproved in _READERS.rows(conn, {"wanted": sorted(ids)})
    }


def wishes_of(conn: Connection, ids: Collection[PlayerId]) -> dict[PlayerId, Mapping[str, str]]:
    """What players have chosen, by id; those who have chosen nothing are missing."""
    found = _WISHES.rows(conn, {"wanted": list(ids)})
    return {PlayerId(player): json.loads(wishes) for player, wishes in found}


def ban(conn: Connection, player: PlayerId, *, banned: bool) -> None:
    """Whether no letter of a player is carried out, and nothing is mailed to them."""
    conn.execute(update(tables.player).where(_P.id == player).values(banned=banned))


def confirm(conn: Connection, player: PlayerId) -> None:
    """An answer came through the player's own reply address."""
    conn.execute(update(tables.address).where(_A.player == player, _A.main).values(confirmed=True))


# --- addresses -----------------------------------------------------------------------------------


def addresses_of(conn: Connection, player: PlayerId) -> list[AddressRow]:
    """Every address of a player, the main one first."""
    rows = _ADDRESSES.rows(conn, {"who": player})
    return [AddressRow(a, main=m, confirmed=c, suspended=s is not None) for a, m, c, s in rows]


def add_address(conn: Connection, player: PlayerId, address: str, now: datetime) -> bool:
    """Let a player write from another address, once it is confirmed; False if it is somebody's."""
    if player_by_address(conn, address) is not None:
        return False
    if any(folded(own.address) == folded(address) for own in addresses_of(conn, player)):
        return False
    _drop_claims(conn, address)
    conn.execute(
        _ADD_ADDRESS,
        {
            "folded": folded(address),
            "address": address,
            "player": player,
            "main": False,
            "confirmed": False,
            "added_at": now,
            "bounces": 0,
            "bounced_since": None,
            "suspended_at": None,
        },
    )
    return True


def _drop_claims(conn: Connection, address: str) -> None:
    """What others said of an address that never answered holds nobody up."""
    claimed = (_A.folded == folded(address), _A.main.is_(False), _A.confirmed.is_(False))
    conn.execute(delete(tables.address).where(*claimed))


def drop_old_claims(conn: Connection, before: datetime) -> int:
    """Forget the addresses that were named before a time and never answered; how many."""
    old = (_A.main.is_(False), _A.confirmed.is_(False), _A.added_at < before)
    return conn.execute(delete(tables.address).where(*old)).rowcount


def confirm_address(conn: Connection, player: PlayerId, address: str) -> bool:
    """An answer came from this address through the player's own reply address."""
    mine = (_A.player == player, _A.folded == folded(address), _A.confirmed.is_(False))
    return conn.execute(update(tables.address).where(*mine).values(confirmed=True)).rowcount == 1


def remove_address(conn: Connection, player: PlayerId, address: str) -> bool:
    """No letters from this address any more; the main one cannot go."""
    mine = (_A.player == player, _A.folded == folded(address), _A.main.is_(False))
    return conn.execute(delete(tables.address).where(*mine)).rowcount == 1


def count_bounce(conn: Connection, player: PlayerId, made_at: datetime) -> tuple[int, datetime]:
    """One more mail to the main address, made at a time, came back for good.

    How many did since the last letter, and when the first of them was made.
    """
    mine = (_A.player == player, _A.main)
    since = func.coalesce(_A.bounced_since, literal(made_at, Instant()))
    conn.execute(
        update(tables.address).where(*mine).values(bounces=_A.bounces + 1, bounced_since=since)
    )
    row = conn.execute(select(_A.bounces, _A.bounced_since).where(*mine)).one_or_none()
    return (row.bounces, row.bounced_since) if row is not None else (0, made_at)


def suspend(conn: Connection, player: PlayerId, now: datetime) -> None:
    """Send nothing to the main address until the player writes."""
    mine = (_A.player == player, _A.main)
    conn.execute(update(tables.address).where(*mine).values(suspended_at=now))


def suspended_players(conn: Connection) -> list[PlayerRow]:
    """Those to whom nothing is sent, since their mail came back."""
    return [player_row(tuple(row)) for row in conn.execute(_SUSPENDED)]


def suspended_since(conn: Connection) -> dict[PlayerId, datetime]:
    """Everybody to whom nothing is sent, since their mail came back, and since when."""
    wanted = select(_A.player, _A.suspended_at).where(_A.main, _A.suspended_at.is_not(None))
    return {PlayerId(row.player): row.suspended_at for row in conn.execute(wanted)}


def resume(conn: Connection, player: PlayerId) -> None:
    """Mail is sent again, and bounces are counted from nothing."""
    _RESUME.write(conn, {"who": player})


def folded(text: str) -> str:
    """Addresses as they are compared: without case, with single spaces."""
    return " ".join(text.casefold().split())


def _found(conn: Connection, query: Prepared, wanted: object) -> list[PlayerRow]:
    return [player_row(row) for row in query.rows(conn, {"wanted": wanted})]


def player_row(row: Row) -> PlayerRow:
    """A row of what SELECTED selects."""
    known = (*row[:-2], json.loads(row[-2]), row[-1])
    return PlayerRow(*known)
