"""What the tables hold on one player, and how it goes: rows are emptied or deleted, no event is.

A table that is made anew has to be named in one of the two lists below; a test compares them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, update

from pbem.names import PlayerId
from pbem.store import tables
from pbem.store.packing import DamagedBytes, unpack_start

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
    "standing",
)
"""Tables with rows about one player, which are told to the player and forgotten with them."""

KEPT: Final = (
    "event",  # the log stays whole; players stand in it by an id that leads to nobody any more
    "stream",
    "sealed",  # texts are forgotten one by one, as the events name them
    "match",  # views of the log
    "match_player",
    "chance_secret",
    "log_head",
    "identity",
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
    if table in ("inbox", "outbox", "question"):
        wanted = wanted.order_by(next(iter(whose.primary_key)).desc())
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


def erase(conn: Connection, player: PlayerId, letters: Collection[str]) -> None:
    """Delete all rows about a player, and empty those of letters and mails.

    `letters` are the keys of letters that are theirs besides those that are known to be. What was
    mailed and when stays, without a word of it, so that the history of a match can be explained.
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
        .where(theirs, _IN.state.in_(("new", "waits")))
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
        "standing",
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
