"""Whole streams as JSON lines, out of one log and into another; nothing is lost on the way.

A line is the stream itself (`category`), an event in the frame of events/recorded_event.v1.json
(`event_id`), what a player is called (`player`), a sealed text (`sealed`) or a chain's secret
(`chance`). All of it is the operator's; what players may have, delivery/records.py chooses.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from pbem.names import Digest, PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical, digests, instant_of, instant_text
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import GENESIS, AlreadyAppended, Head, RecordedEvent, event_of
from pbem.legacy.store.log.exported import Exported, read_export
from pbem.legacy.store.log.outside_lines import ImportRefused, objects
from pbem.legacy.store.log.sealed import seal, unseal

FORMAT = 1


# --- out -----------------------------------------------------------------------------------------


def frame(recorded: RecordedEvent) -> str:
    """An event as one line: its columns, with `data` and `meta` as objects."""
    return canonical(
        {
            "position": recorded.position,
            "stream": recorded.stream,
            "version": recorded.version,
            "event_id": recorded.event_id,
            "type": recorded.type,
            "schema": recorded.schema,
            "data": json.loads(recorded.data),
            "meta": json.loads(recorded.meta),
            "recorded_at": instant_text(recorded.recorded_at),
            "hash": recorded.hash,
        }
    )


def withheld_line(recorded: RecordedEvent) -> str:
    """In place of an event that the reader may not have: what the hash of the next one covers."""
    return canonical({"withheld": recorded.version, "hash": recorded.hash})


def export(
    conn: Connection, stream: str, names: Mapping[PlayerId, str] | None = None
) -> Iterator[str]:
    """A stream with all that belongs to it, line by line; nothing if there is no such stream.

    `names` are those of the players in it: they stand in no event. The secret of a tournament's
    chain stays here: whoever has it knows all lots of the seasons to come.
    """
    recorded = event_log.load(conn, stream)
    if not recorded:
        return
    yield from stream_line(conn, stream, Head(recorded[-1].version, recorded[-1].hash))
    yield from map(frame, recorded)
    yield from name_lines(names or {})
    yield from sealed_lines(conn, [one for each in recorded for one in digests(event_of(each))])
    if not stream.startswith("tournament-"):
        yield from _chance_lines(conn, stream)


def stream_line(conn: Connection, stream: str, head: Head) -> Iterator[str]:
    """The stream as of an event of it; nothing if there is no such stream."""
    found = conn.execute(select(tables.stream).where(tables.stream.c.id == stream))
    for row in found:
        yield canonical(
            {
                "format": FORMAT,
                "stream": row.id,
                "category": row.category,
                "version": head.version,
                "head_hash": head.hash,
                "created_at": instant_text(row.created_at),
                "closed_at": None if row.closed_at is None else instant_text(row.closed_at),
            }
        )


def name_lines(names: Mapping[PlayerId, str]) -> Iterator[str]:
    """What players are called, in the order of their ids; no address is ever exported."""
    for player, name in sorted(names.items()):
        yield canonical({"player": player, "name": name})


def sealed_lines(conn: Connection, named: Collection[Digest]) -> Iterator[str]:
    """Sealed texts with their salts, as far as they are kept."""
    sealed = select(tables.sealed).where(tables.sealed.c.digest.in_(named))
    for row in conn.execute(sealed.order_by(tables.sealed.c.digest)):
        yield canonical({"sealed": row.digest, "salt": row.salt.hex(), "text": row.text})


def _chance_lines(conn: Connection, stream: str) -> Iterator[str]:
    chains = select(tables.chance_secret).where(tables.chance_secret.c.stream == stream)
    for row in conn.execute(chains.order_by(tables.chance_secret.c.kind)):
        yield canonical(
            {
                "chance": row.kind,
                "commitment": row.commitment,
                "secret": row.secret.hex(),
                "links": row.links,
                "next_index": row.next_index,
            }
        )


# --- in ------------------------------------------------------------------------------------------


def import_stream(conn: Connection, lines: Iterable[str]) -> Head:
    """Take in what `export` wrote, at new positions. Raises ImportRefused, and nothing is kept.

    Views are not in the lines; whoever imports builds them.
    """
    return keep(conn, whole(lines))


def whole(lines: Iterable[str]) -> Exported:
    """The lines of an export, read. Raises ImportRefused for the first thing that does not fit."""
    given = list(lines)
    first = next(iter(objects(given[:1])), None)
    if first is None or first[1].get("format") != FORMAT:
        raise ImportRefused(f"the first line is not that of an export of format {FORMAT}")
    read = read_export(given)
    if not read.is_whole or not read.opening:
        raise ImportRefused("events are withheld from these lines: they are one player's record")
    if read.findings:
        raise ImportRefused(read.findings[0])
    return read


def keep(conn: Connection, read: Exported) -> Head:
    """Put a stream that was read into the log. Raises ImportRefused, and nothing is kept."""
    try:
        return _keep(conn, read)
    except (IntegrityError, AlreadyAppended):
        why = "what stands in it is in this log already, as part of another stream"
        raise ImportRefused(why) from None


def _keep(conn: Connection, read: Exported) -> Head:
    opening, known = read.opening, event_log.head(conn, read.stream)
    if known is not None and not known.closed:
        raise ImportRefused(f"there is a stream {read.stream} already")
    if known is not None and known.hash != read.head:
        raise ImportRefused(f"another {read.stream} was here and was taken out: its name is used")
    named = [one for event in read.happened for one in digests(event)]
    if unseal(conn, named):
        raise ImportRefused("it names a sealed text that belongs to another stream of this log")
    if known is not None:
        event_log.reopen(conn, read.stream)
    else:
        new = {
            "id": read.stream,
            "category": opening["category"],
            "version": 0,
            "head_hash": GENESIS,
            "created_at": instant_of(opening["created_at"]),
        }
        conn.execute(insert(tables.stream), new)
        first = event_log.take_positions(conn, len(read.events))
        placed = [replace(one, position=first + at) for at, one in enumerate(read.events)]
        event_log.write(conn, placed, expected=0)
    if opening["closed_at"] is not None:
        event_log.close(conn, read.stream, instant_of(opening["closed_at"]))
    for line in read.texts:
        seal(conn, line["text"], salt=bytes.fromhex(line["salt"]))
    for line in read.chains:
        chain = {
            "stream": read.stream,
            "kind": line["chance"],
            "commitment": line["commitment"],
            "secret": bytes.fromhex(line["secret"]),
            "links": line["links"],
            "next_index": line["next_index"],
        }
        conn.execute(insert(tables.chance_secret), chain)
    return Head(len(read.events), read.head, closed=opening["closed_at"] is not None)
