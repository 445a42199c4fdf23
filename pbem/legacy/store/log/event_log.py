"""Streams of events: append, load, and the hash chain that makes them evidence.

An event's hash covers the hash before it in its stream, so the hash of the newest one, which stands
in every mail of a match, fixes all of them. `verify.py` finds
what does not fit; `exchange.py` takes streams out of the log and into another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from uuid import UUID, uuid5

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pbem.errors import Facts, PbemError, StreamConflict
from pbem.fairness import netstrings
from pbem.legacy.matches import events as match_events
from pbem.legacy.store import tables
from pbem.legacy.store.codec import TYPES, Event, canonical, decode, encode, instant_text
from pbem.legacy.store.postgres import constraint_of
from pbem.legacy.store.prepared import Prepared
from pbem.legacy.tournaments import events as tournament_events

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


# --- recorded ------------------------------------------------------------------------------------
# An event as it stands in the log, what happened by it, and the hash that it must have.

GENESIS = "0" * 64
"""The hash before the first event of every stream."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event as it stands in the log; `data` and `meta` are canonical JSON."""

    position: int
    stream: str
    version: int
    event_id: str
    type: str
    schema: int
    data: str
    meta: str
    recorded_at: datetime
    hash: str


def event_of(recorded: RecordedEvent) -> Event:
    """What happened, in today's shape."""
    return decode(recorded.type, recorded.schema, recorded.data)


def match_events_of(recorded: Iterable[RecordedEvent]) -> list[match_events.Event]:
    """What happened to a match; the log refused everything else on its stream."""
    return [cast("match_events.Event", decode(one.type, one.schema, one.data)) for one in recorded]


def tournament_events_of(recorded: Iterable[RecordedEvent]) -> list[tournament_events.Event]:
    """What happened to a tournament; the log refused everything else on its stream."""
    return [cast("tournament_events.Event", event_of(one)) for one in recorded]


def cause_of(recorded: RecordedEvent) -> str:
    """The inbox key, timer or act that caused an event."""
    return str(json.loads(recorded.meta)["caused_by"])


def hash_of(previous: str, recorded: RecordedEvent) -> str:
    """The hash that an event must have after `previous`; its position is not part of it."""
    return hashlib.sha256(
        netstrings(
            previous,
            recorded.stream,
            str(recorded.version),
            recorded.event_id,
            recorded.type,
            str(recorded.schema),
            recorded.data,
            recorded.meta,
            instant_text(recorded.recorded_at),
        )
    ).hexdigest()


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


def newest_of(conn: Connection, kind: type[Event], most: int) -> list[RecordedEvent]:
    """The newest events of one type, whatever their streams; it looks through the whole log."""
    columns = [tables.event.c[name] for name in RecordedEvent.__dataclass_fields__]
    wanted = select(*columns).where(tables.event.c.type == kind.__name__)
    newest = wanted.order_by(tables.event.c.position.desc()).limit(most)
    return [RecordedEvent(*row) for row in conn.execute(newest)]


# --- appending -----------------------------------------------------------------------------------

_NEW_STREAM = insert(tables.stream)

_NEXT_POSITIONS = Prepared(
    update(tables.log_head)
    .values(position=tables.log_head.c.position + bindparam("more"))
    .returning(tables.log_head.c.position)
)

_FIELDS = tuple(RecordedEvent.__dataclass_fields__)
_INSERT = Prepared(insert(tables.event), insert=_FIELDS)

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
    chosen: Facts | None = None,
) -> list[RecordedEvent]:
    """Append events after version `expected` (0: a new stream); call it last in a unit of work.

    `cause` names the letter, timer or act that the events are of; all that one cause does to one
    stream is one call. `head` is what the same transaction has read of it, if it has: it is not
    read again, but must hold still. `chosen` is how a bot came to what it does. Raises
    StreamConflict if the stream is at another version, AlreadyAppended if this cause has been here
    before, StreamClosed.
    """
    if not events:
        return []
    if head is None or expected == 0:
        previous = _previous(conn, stream, category, expected, now)
    else:
        previous = head.hash
    first = take_positions(conn, len(events))
    facts: dict[str, object] = {"actor": actor, "caused_by": cause, "ruleset": ruleset}
    meta = canonical(facts if chosen is None else {**facts, "chosen": chosen})
    recorded = []
    for number, event in enumerate(events):
        form = encode(event)
        if category not in TYPES:
            raise ValueError(f"no stream is a {category}")
        if form.type not in TYPES[category]:
            raise ValueError(f"a {form.type} cannot happen to a {category}")
        one = RecordedEvent(
            position=first + number,
            stream=stream,
            version=expected + 1 + number,
            event_id=event_id(cause, stream, number),
            type=form.type,
            schema=form.schema,
            data=form.data,
            meta=meta,
            recorded_at=now,
            hash="",
        )
        recorded.append(replace(one, hash=hash_of(previous, one)))
        previous = recorded[-1].hash
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
    """Insert events that fit, and move their stream's head from `expected` to the last of them.

    The head moves first: what does not fit is found before anything is inserted.
    """
    last = recorded[-1]
    head = {
        "of_stream": last.stream,
        "expected": expected,
        "to_version": last.version,
        "to_hash": last.hash,
    }
    if _ADVANCE.write(conn, head) != 1:
        row = _HEAD.first(conn, {"of_stream": last.stream})
        if row is not None and row[0] == expected:
            raise StreamClosed(f"{last.stream} was closed at {row[3]}")
        raise StreamConflict(last.stream, expected)
    try:
        _INSERT.write(conn, *({name: getattr(one, name) for name in _FIELDS} for one in recorded))
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
