"""What the tables hold on one player, and how it goes; their reply addresses and keys."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, or_, select, update

from pbem.names import MatchId, PlayerId
from pbem.legacy.players.player import OLD_ASKS
from pbem.legacy.store import tables
from pbem.legacy.store.columns import insert_absent
from pbem.legacy.store.packing import DamagedBytes, unpack_start
from pbem.legacy.store.prepared import Prepared

# --- personal ------------------------------------------------------------------------------------
# What the tables hold on one player, and how it goes: rows are emptied or deleted, no event is.
#
# A table that is made anew has to be named in one of the two lists below; a test compares them.

HELD: Final = (
    "player",
    "address",
    "reply_address",
    "question",
    "rate",
    "timer",
    "inbox",
    "outbox",
    "fingerprint",
    "match_watcher",
    "seat_name",
)
"""Tables with rows about one player, which are told to the player and forgotten with them."""

KEPT: Final = (
    "event",  # the log stays whole; players stand in it by an id that leads to nobody any more
    "stream",
    "sealed",  # texts are forgotten one by one, as the events name them
    "match",  # views of the log
    "match_player",
    "result",  # made of the log, again and again
    "rating",
    "chance_secret",
    "log_head",
    "identity",
    "tournament",  # views of the log as well: places are kept, without a name
    "tournament_player",
    "analysis",  # of a match; who waits for one stands in it by an id, until it is made
    "match_still",  # of a match, not of who plays it
    "came_of",  # counts of matches and moves, by seats
    "lasted",
    "opening",
    "log_node",  # hashes of the log
    "log_note",
    "projection",
    "checkpoint",
    "runner_state",
    "row_sum",  # checksums of rows, and which were just written
    "touched",
    "no_mail_to",  # digests that lead to nobody, and must outlive whoever asked for them
)
"""Tables without such rows, and those whose rows belong to matches or to nobody."""

_IN, _OUT = tables.inbox.c, tables.outbox.c
_HEADER: Final = 65_536
"""Bytes of a letter in which its headers end (MAIL 2)."""


def streams_touched(conn: Connection, player: PlayerId) -> list[str]:
    """The streams of matches in which something was done by, or stands of, this player."""
    named = select(tables.match_player.c.match).where(tables.match_player.c.player == player)
    matches = {f"match-{name}" for name in conn.execute(named).scalars()}
    acted = tables.event.c.meta.startswith(f'{{"actor":"{player}",')  # canonical: the first key
    written = select(tables.event.c.stream).where(acted).distinct()
    found = matches.union(conn.execute(written).scalars())
    return sorted(stream for stream in found if stream.startswith("match-"))


def tournaments_touched(conn: Connection, player: PlayerId) -> list[str]:
    """The streams of tournaments that this player has been in."""
    of = tables.tournament_player.c
    named = select(of.tournament).where(of.player == player).order_by(of.tournament)
    return [f"tournament-{name}" for name in conn.execute(named).scalars()]


# --- to be told ----------------------------------------------------------------------------------


def rows_of(conn: Connection, table: str, player: PlayerId) -> Iterator[dict[str, Any]]:
    """The rows of a table of HELD about a player, the newest first where they are numbered.

    Letters and mails come without their bytes: `kept` says how many there are on disk.
    """
    whose = tables.METADATA.tables[table]
    hidden = {"raw", "data", "notices", "lines", "player", "recipient"}
    columns: list[ColumnElement[Any]] = [c for c in whose.columns if c.name not in hidden]
    if "raw" in whose.columns or "data" in whose.columns:
        columns.append(func.length(whose.c.raw if "raw" in whose.columns else whose.c.data))
        columns[-1] = columns[-1].label("kept")
    wanted = select(*columns).where(_about(table, player))
    keys = [*whose.primary_key.columns]
    newest_first = table in ("inbox", "outbox", "question")
    wanted = wanted.order_by(*([keys[0].desc()] if newest_first else keys))
    for row in conn.execute(wanted).mappings():
        yield {name: value for name, value in row.items() if value is not None}


def _about(table: str, player: PlayerId) -> ColumnElement[bool]:
    columns = tables.METADATA.tables[table].c
    match table:
        case "player":
            return columns.id == player
        case "outbox":
            return columns.recipient == player
        case "rate":
            ends = columns.key.endswith(f":{player}", autoescape=True)
            return or_(ends, columns.key.startswith(f"unproved:inviter:{player}:"))
        case "timer":
            return or_(
                columns.stream == f"player-{player}",
                columns.key.endswith(f":{player}", autoescape=True),
            )
        case "fingerprint":
            mails = select(_OUT.id).where(_OUT.recipient == player)
            return columns.outbox_id.in_(mails)
        case _:
            return columns.player == player


# --- to be forgotten -----------------------------------------------------------------------------


def erase(conn: Connection, player: PlayerId, letters: Collection[str], cause: str) -> None:
    """Delete all rows about a player, and empty those of letters and mails.

    `letters` are the keys of letters that are theirs besides those that are known to be. What was
    mailed and when stays, without a word of it, so that the history of a match can be explained.
    The letter that is the `cause`, if one is, is still to be settled by whoever takes it.
    """
    conn.execute(delete(tables.fingerprint).where(_about("fingerprint", player)))
    conn.execute(
        update(tables.outbox)
        .where(_OUT.recipient == player, _OUT.next_at.is_not(None))
        .values(state="superseded", next_at=None)
    )
    conn.execute(
        update(tables.outbox)
        .where(_OUT.recipient == player)
        .values(
            notices="[]", data=None, to_address=None, rcpt=None, in_reply_to=None, smtp_reply=None
        )
    )
    theirs = or_(_IN.player == player, _IN.mail_key.in_(letters))
    conn.execute(
        update(tables.inbox)
        .where(theirs, _IN.state.in_(("new", "waits")), _IN.mail_key != cause)
        .values(state="done", disposition="forgotten")
    )
    blank = {"raw": b"", "message_id": None, "envelope_to": None}
    conn.execute(update(tables.inbox).where(theirs).values(blank))
    for table in (
        "question",
        "rate",
        "timer",
        "match_watcher",
        "seat_name",
        "reply_address",
        "address",
        "player",
    ):
        conn.execute(delete(tables.METADATA.tables[table]).where(_about(table, player)))


def headers_of_others(conn: Connection) -> Iterator[tuple[str, bytes]]:
    """Key and headers of every letter that is still kept and of which nobody knows whose it is."""
    unknown = select(_IN.mail_key, func.substr(_IN.raw, 1, _HEADER)).where(
        _IN.player.is_(None), func.length(_IN.raw) > 0
    )
    for key, kept in conn.execute(unknown):
        try:
            start = unpack_start(kept, _HEADER)
        except DamagedBytes:
            continue
        yield key, start.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0]


def drop_farewells(conn: Connection) -> int:
    """Delete the last mails to people who are forgotten, once nothing more can be done for them."""
    done = (_OUT.kind == "farewell", _OUT.next_at.is_(None))
    return conn.execute(delete(tables.outbox).where(*done)).rowcount


# --- reply addresses -----------------------------------------------------------------------------
# The generations of a player's reply addresses: which are alive, and since when.
#
# Most hold in all matches. A seat whose address others have seen gets one of its own; those before
# it read, and for a while ask before they act (MAIL 3). Numbers are given once to each player.

_T = tables.reply_address.c

_ADD = insert_absent(tables.reply_address, "player", "generation")

_OF_SEAT = Prepared(
    select(_T.generation, _T.since, _T.match)
    .where(
        _T.player == bindparam("of_player"),
        _T.revoked_at.is_(None),
        or_(_T.match.is_(None), _T.match == bindparam("of_match")),
    )
    .order_by(_T.generation)
)

ACCOUNT: Final = MatchId("-")
"""Stands for the address of a player outside of matches, where a match does for that of a seat."""


class Standing(Enum):
    """What an address of a seat, or a mail that was sent with one, is worth.

    old: others have seen it; it reads, and asks before it acts. retired: it only reads any more.
    dead: its player wants it to count no more.
    """

    ALIVE = auto()
    OLD = auto()
    RETIRED = auto()
    DEAD = auto()


class Generation(NamedTuple):
    """One of them: since when, and of which match alone, if it is of one."""

    generation: int
    since: datetime
    match: str | None


Generations: TypeAlias = Sequence[Generation]
"""Those that are alive, of some matches and of all others, in their order."""


def begin(
    conn: Connection,
    player: PlayerId,
    generation: int,
    now: datetime,
    match: MatchId | None = None,
) -> None:
    """From now on the reply addresses of this generation are alive."""
    row = {"player": player, "generation": generation, "since": now, "match": match}
    conn.execute(_ADD[conn.dialect.name], row)


def renew(conn: Connection, player: PlayerId, now: datetime) -> int:
    """Let the reply addresses so far be dead; the generation of the new ones."""
    generation = _next(conn, player)
    people = tables.player.c
    conn.execute(update(tables.player).where(people.id == player).values(generation=generation))
    alive = (_T.player == player, _T.revoked_at.is_(None))
    conn.execute(update(tables.reply_address).where(*alive).values(revoked_at=now))
    begin(conn, player, generation, now)
    return generation


def renew_seat(conn: Connection, player: PlayerId, match: MatchId, now: datetime) -> int:
    """Let the reply address of a player in one match be another one; its generation."""
    generation = _next(conn, player)
    begin(conn, player, generation, now, match)
    return generation


def _next(conn: Connection, player: PlayerId) -> int:
    people = tables.player.c
    newest = conn.execute(select(func.max(_T.generation)).where(_T.player == player)).scalar()
    now = conn.execute(select(people.generation).where(people.id == player)).scalar_one()
    return max(newest or 0, int(now)) + 1


def alive_since(conn: Connection, player: PlayerId) -> datetime | None:
    """Since when the reply addresses that are alive are those of this player."""
    alive = select(_T.since).where(_T.player == player, _T.revoked_at.is_(None), _T.match.is_(None))
    since: datetime | None = conn.execute(alive).scalar()
    return since


def newest(generations: Generations, match: MatchId, usual: int) -> int:
    """The generation of a player's reply address in a match; `usual` is that of all others."""
    there = (one.generation for one in reversed(generations) if one.match in (None, match))
    return next(there, usual)


def standing(
    conn: Connection, player: PlayerId, match: MatchId, generation: int, now: datetime
) -> Standing:
    """What a reply address of a seat is worth."""
    return standing_among(alive_at(conn, player, match), generation, now)


def standing_among(alive: Generations, generation: int, now: datetime) -> Standing:
    """What one of a player's generations is worth, by those that are alive at a seat."""
    if not any(one.generation == generation for one in alive):
        return Standing.DEAD
    if alive[-1].generation == generation:
        return Standing.ALIVE
    return _worth([one for one in alive if one.generation > generation], now)


def standing_of_mail(
    conn: Connection, player: PlayerId, match: MatchId, made_at: datetime, now: datetime
) -> Standing:
    """What it is worth to know a mail of a match that was made at a time, and not revoked since."""
    later = [one for one in alive_at(conn, player, match) if one.match and one.since > made_at]
    return _worth(later, now)


def _worth(later: Sequence[Generation], now: datetime) -> Standing:
    """`later` are the generations that came after it."""
    if not later:
        return Standing.ALIVE
    return Standing.OLD if now < later[0].since + OLD_ASKS else Standing.RETIRED


def alive_at(conn: Connection, player: PlayerId, match: MatchId) -> list[Generation]:
    """The generations of a player that are alive in a match, or at `ACCOUNT`."""
    rows = _OF_SEAT.rows(conn, {"of_player": player, "of_match": match})
    return [Generation(*row) for row in rows]


# --- key uses ------------------------------------------------------------------------------------
# What was made with each key of the reply addresses, as far as the outbox knows.

KEY_AT: Final = 23
"""Where a Message-ID of ours has the id of its key: behind `<`, twenty digits and a full stop."""

_O = tables.outbox.c


@dataclass(frozen=True, slots=True)
class KeyUse:
    """What was made with one key: mails, and of them the newest of a seat in a match that runs."""

    mails: int
    live: int


_KEY = func.substr(_O.message_id, KEY_AT, 1)
"""The id of the key that a mail of ours was made with, as its Message-ID has it."""


def key_uses(conn: Connection) -> dict[str, KeyUse]:
    """What depends on each key of the reply addresses, by the key's id."""
    made = select(_KEY.label("key"), func.count().label("mails")).group_by(_KEY)
    newest = (
        select(func.max(_O.id))
        .join(tables.match, _O.stream == "match-" + tables.match.c.id)
        .where(tables.match.c.status.in_(("challenge", "running")), _O.recipient.is_not(None))
        .group_by(_O.stream, _O.recipient)
    )
    live = (
        select(_KEY.label("key"), func.count().label("mails"))
        .where(_O.id.in_(newest))
        .group_by(_KEY)
    )
    alive = {row.key: row.mails for row in conn.execute(live)}
    return {row.key: KeyUse(row.mails, alive.get(row.key, 0)) for row in conn.execute(made)}
