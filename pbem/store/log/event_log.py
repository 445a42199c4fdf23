"""Streams of events: append, load, and the hash chain that makes them evidence.

An event's hash covers the hash before it in its stream, so the hash of the newest one, which stands
in every mail of a match, fixes all of them. `verify.py` finds
what does not fit; `exchange.py` takes streams out of the log and into another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from uuid import UUID, uuid5

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pbem.errors import PbemError, StreamConflict
from pbem.fairness import netstrings
from pbem.store import tables
from pbem.store.codec import MATCH, PLAYER, TYPES, Event, canonical, encode
from pbem.store.log.recorded import (
    GENESIS,
    RecordedEvent,
    cause_of,
    event_of,
    hash_of,
    match_events_of,
    player_events_of,
)
from pbem.store.log.verify import Finding, verify
from pbem.store.postgres import constraint_of
from pbem.store.prepared import Prepared

__all__ = [
    "AlreadyAppended",
    "Finding",
    "Head",
    "RecordedEvent",
    "StreamClosed",
    "append",
    "cause_of",
    "close",
    "event_id",
    "event_of",
    "hash_of_version",
    "head",
    "load",
    "match_events_of",
    "player_events_of",
    "streams",
    "take_positions",
    "verify",
    "write",
]

_IDS = UUID("6a3f1f0e-52c3-5a0c-9d0c-0b8f7f6f9b11")
"""The namespace of event ids."""


class AlreadyAppended(PbemError):  # noqa: N818 - a fact about the cause, as StreamConflict is one
    """The events of this cause are in the stream: the command was carried out before."""


class StreamClosed(PbemError):  # noqa: N818 - the same
    """Nothing more may happen to this stream."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest event of a stream: its version, and the hash that covers all events.

    A stream that is `closed` was taken out again: it counts as if it were not there.
    """

    version: int
    hash: str
    closed: bool = False


# --- reading -------------------------------------------------------------------------------------

_COLUMNS = tuple(tables.event.columns)

_LOAD = Prepared(
    select(*_COLUMNS)
    .where(
        tables.event.c.stream == bindparam("of_stream"), tables.event.c.version > bindparam("after")
    )
    .order_by(tables.event.c.version)
)

_HASH = Prepared(
    select(tables.event.c.hash).where(
        tables.event.c.stream == bindparam("of_stream"),
        tables.event.c.version == bindparam("number"),
    )
)

_TIMES = (
    select(tables.event.c.type, func.max(tables.event.c.recorded_at))
    .where(
        tables.event.c.stream == bindparam("of_stream"),
        tables.event.c.type.in_(bindparam("types", expanding=True)),
    )
    .group_by(tables.event.c.type)
)

_HEAD = Prepared(
    select(
        tables.stream.c.version,
        tables.stream.c.head_hash,
        tables.stream.c.category,
        tables.stream.c.closed_at,
    ).where(tables.stream.c.id == bindparam("of_stream"))
)


def load(conn: Connection, stream: str, *, after: int = 0) -> list[RecordedEvent]:
    """The events of a stream in order, those of versions above `after`."""
    rows = _LOAD.rows(conn, {"of_stream": stream, "after": after})
    return [RecordedEvent(*row) for row in rows]


def head(conn: Connection, stream: str) -> Head | None:
    """The newest event of a stream, or None if nothing has happened to it."""
    row = _HEAD.first(conn, {"of_stream": stream})
    return None if row is None else Head(row[0], row[1], closed=row[3] is not None)


def hash_of_version(conn: Connection, stream: str, version: int) -> str:
    """The hash of an event of a stream, by its place; empty if there is none."""
    row = _HASH.first(conn, {"of_stream": stream, "number": version})
    return row[0] if row is not None else ""


def times(conn: Connection, stream: str, *types: type[Event]) -> list[datetime]:
    """When the last event of each of these types was recorded, as far as there are any."""
    wanted = {"of_stream": stream, "types": [one.__name__ for one in types]}
    return sorted(at for _, at in conn.execute(_TIMES, wanted))


def streams(conn: Connection, category: str) -> list[str]:
    """The names of all streams of a category that are not closed, the oldest first."""
    known = select(tables.stream.c.id).where(
        tables.stream.c.category == category, tables.stream.c.closed_at.is_(None)
    )
    return list(
        conn.execute(known.order_by(tables.stream.c.created_at, tables.stream.c.id)).scalars()
    )


# --- appending -----------------------------------------------------------------------------------

_NEW_STREAM = insert(tables.stream)

_NEXT_POSITIONS = Prepared(
    update(tables.log_head)
    .values(position=tables.log_head.c.position + bindparam("more"))
    .returning(tables.log_head.c.position)
)

_INSERT = Prepared(insert(tables.event), insert=tuple(RecordedEvent.__dataclass_fields__))

_ADVANCE = Prepared(
    update(tables.stream)
    .where(
        tables.stream.c.id == bindparam("of_stream"),
        tables.stream.c.version == bindparam("expected"),
        tables.stream.c.closed_at.is_(None),
    )
    .values(version=bindparam("to_version"), head_hash=bindparam("to_hash"))
)

_EVENT_ID = "uq_event_event_id"
_STREAM_ID = "pk_stream"

_TAKEN = select(tables.event.c.event_id).where(tables.event.c.event_id == bindparam("taken"))

_CLOSE = (
    update(tables.stream)
    .where(tables.stream.c.id == bindparam("of_stream"), tables.stream.c.closed_at.is_(None))
    .values(closed_at=bindparam("at"))
)

_REOPEN = (
    update(tables.stream).where(tables.stream.c.id == bindparam("of_stream")).values(closed_at=None)
)


def append(
    conn: Connection,
    stream: str,
    *,
    category: str,
    expected: int,
    events: Sequence[Event],
    cause: str,
    actor: str,
    ruleset: str | None,
    now: datetime,
    head: Head | None = None,
) -> list[RecordedEvent]:
    """Append events after version `expected` (0: a new stream); call it last in a unit of work.

    `cause` names the letter, timer or act that the events are of; all that one cause does to one
    stream is one call. `head` is what the same transaction has read of it, if it has: it is not
    read again, but must hold still. Raises StreamConflict if the stream is at another version,
    AlreadyAppended if this cause has been here before, StreamClosed.
    """
    _require_category(category, events)
    if not events:
        return []
    if head is None or expected == 0:
        previous = _previous(conn, stream, category, expected, now)
    else:
        previous = head.hash
    first = take_positions(conn, len(events))
    meta = canonical({"actor": actor, "caused_by": cause, "ruleset": ruleset})
    recorded = []
    for number, event in enumerate(events):
        one = _record(
            event,
            position=first + number,
            stream=stream,
            version=expected + 1 + number,
            event_id=event_id(cause, stream, number),
            meta=meta,
            now=now,
            previous=previous,
        )
        recorded.append(one)
        previous = one.hash
    write(conn, recorded, expected)
    return recorded


def event_id(cause: str, stream: str, number: int) -> str:
    """The id of the event that is the `number`th (from 0) of a cause on a stream."""
    return str(uuid5(_IDS, netstrings(cause, stream, str(number)).decode()))


def take_positions(conn: Connection, count: int) -> int:
    """The first of so many positions; from here to the commit nobody else appends."""
    [(last,)] = _NEXT_POSITIONS.rows(conn, {"more": count})
    return int(last) - count + 1


def close(conn: Connection, stream: str, now: datetime) -> None:
    """Let nothing more be appended to a stream; a closed one stays as it is."""
    conn.execute(_CLOSE, {"of_stream": stream, "at": now})


def reopen(conn: Connection, stream: str) -> None:
    """Let a closed stream be as it was."""
    conn.execute(_REOPEN, {"of_stream": stream})


def write(conn: Connection, recorded: Sequence[RecordedEvent], expected: int) -> None:
    """Insert events that fit, and move their stream's head from `expected` to the last of them."""
    rows = [
        {name: getattr(one, name) for name in RecordedEvent.__dataclass_fields__}
        for one in recorded
    ]
    _advance(conn, recorded[-1], expected)
    try:
        _INSERT.write(conn, *rows)
    except IntegrityError as error:
        if _is_taken(conn, recorded, error):
            one = recorded[0]
            raise AlreadyAppended(
                f"{one.stream} has event {one.event_id} already; its meta: {one.meta}"
            ) from None
        raise


def _is_taken(conn: Connection, recorded: Sequence[RecordedEvent], error: IntegrityError) -> bool:
    """Whether an insert failed since its events are there: of one cause all are, or none."""
    if broken := constraint_of(error):
        return broken == _EVENT_ID  # PostgreSQL answers nothing more in this transaction
    return any(conn.execute(_TAKEN, {"taken": one.event_id}).first() for one in recorded)


def _advance(conn: Connection, last: RecordedEvent, expected: int) -> None:
    """Move the stream's head first: what does not fit is found before anything is inserted."""
    moved = _ADVANCE.write(
        conn,
        {
            "of_stream": last.stream,
            "expected": expected,
            "to_version": last.version,
            "to_hash": last.hash,
        },
    )
    if moved != 1:
        row = _HEAD.first(conn, {"of_stream": last.stream})
        if row is not None and row[0] == expected:
            raise StreamClosed(f"{last.stream} was closed at {row[3]}")
        raise StreamConflict(last.stream, expected)


def _require_category(category: str, events: Sequence[Event]) -> None:
    if category not in (MATCH, PLAYER):
        raise ValueError(f"no stream is a {category}")
    for event in events:
        if type(event).__name__ not in TYPES[category]:
            raise ValueError(f"a {type(event).__name__} cannot happen to a {category}")


def _previous(conn: Connection, stream: str, category: str, expected: int, now: datetime) -> str:
    """The hash to go on from; a stream without events is made here."""
    row = _HEAD.first(conn, {"of_stream": stream})
    if row is None:
        if expected != 0:
            raise StreamConflict(stream, expected)
        new = {
            "id": stream,
            "category": category,
            "version": 0,
            "head_hash": GENESIS,
            "created_at": now,
        }
        try:
            conn.execute(_NEW_STREAM, new)
        except IntegrityError as error:
            if constraint_of(error) == _STREAM_ID:  # another process has begun it meanwhile
                raise StreamConflict(stream, expected) from None
            raise
        return GENESIS
    version, head_hash, kept_as, closed_at = row
    if kept_as != category:
        raise ValueError(f"{stream} is a {kept_as}, not a {category}")
    if version != expected:
        raise StreamConflict(stream, expected)
    if closed_at is not None:
        raise StreamClosed(f"{stream} was closed at {closed_at}")
    return cast("str", head_hash)


def _record(
    event: Event,
    *,
    position: int,
    stream: str,
    version: int,
    event_id: str,
    meta: str,
    now: datetime,
    previous: str,
) -> RecordedEvent:
    form = encode(event)
    one = RecordedEvent(
        position, stream, version, event_id, form.type, form.schema, form.data, meta, now, ""
    )
    return replace(one, hash=hash_of(previous, one))
