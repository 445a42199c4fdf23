"""Whole streams as JSON lines, out of one log and into another; nothing is lost on the way.

A line is the stream itself (`category`), an event in the frame of events/recorded_event.v1.json
(`event_id`), what a player is called (`player`), a sealed text (`sealed`) or a chain's secret
(`chance`). All of it is the operator's; what players may have, delivery/record_file.py chooses.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from pbem.fairness import commitment
from pbem.names import Digest, PlayerId
from pbem.store import tables
from pbem.store.codec import TYPES, canonical, digests, instant_of, instant_text
from pbem.store.log import event_log
from pbem.store.log.event_log import Head
from pbem.store.log.outside_lines import LINES, ImportRefused, objects, require
from pbem.store.log.recorded import GENESIS, RecordedEvent, event_of, hash_of
from pbem.store.log.sealed import seal

FORMAT = 1

MOST: Final[Mapping[str, int]] = {"name": 200, "chance": 100}
"""Lines of a kind that one match has at most; of the others the file has its own bound."""


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

    `names` are those of the players in it: they stand in no event.
    """
    recorded = event_log.load(conn, stream)
    if not recorded:
        return
    yield from stream_line(conn, stream, Head(recorded[-1].version, recorded[-1].hash))
    yield from map(frame, recorded)
    yield from name_lines(names or {})
    yield from sealed_lines(conn, [one for each in recorded for one in digests(event_of(each))])
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
    read = objects(lines)
    if not read or read[0][1].get("format") != FORMAT:
        raise ImportRefused(f"the first line is not that of an export of format {FORMAT}")
    counts: Counter[str] = Counter()
    for number, line in read:
        kind = _kind(number, line)
        require(number, line, kind)
        counts[kind] += 1
        if counts[kind] > MOST.get(kind, LINES):
            raise ImportRefused(f"line {number}: there are more than {MOST[kind]} of kind {kind}")
    try:
        return _import(conn, [line for _, line in read])
    except IntegrityError:
        why = "a line stands twice in it, or in this log already, as part of another stream"
        raise ImportRefused(why) from None


def _kind(number: int, line: Mapping[str, Any]) -> str:
    """Which kind of line it is. Raises ImportRefused."""
    if "withheld" in line:
        raise ImportRefused("events are withheld from these lines: they are one player's record")
    signs = {"format": "stream", "event_id": "event", "player": "name"}
    signs |= {"sealed": "sealed", "chance": "chance"}
    kind = next((kind for sign, kind in signs.items() if sign in line), None)
    if kind is None or (kind == "stream") != (number == 1):
        raise ImportRefused(f"line {number} is of no kind that is known: {_fields(line)}")
    return kind


def _fields(line: Mapping[str, Any]) -> str:
    return ", ".join(sorted(line))[:80] or "it is empty"


def _import(conn: Connection, read: list[dict[str, Any]]) -> Head:
    stream, *rest = read
    if event_log.head(conn, stream["stream"]) is not None:
        raise ImportRefused(f"there is a stream {stream['stream']} already")
    if stream["category"] != stream["stream"].partition("-")[0]:
        raise ImportRefused(f"{stream['stream']} is no {stream['category']}")
    recorded = _chained(stream, [line for line in rest if "event_id" in line])
    conn.execute(
        insert(tables.stream),
        {
            "id": stream["stream"],
            "category": stream["category"],
            "version": 0,
            "head_hash": GENESIS,
            "created_at": instant_of(stream["created_at"]),
        },
    )
    first = event_log.take_positions(conn, len(recorded))
    event_log.write(
        conn,
        [replace(one, position=first + number) for number, one in enumerate(recorded)],
        expected=0,
    )
    if stream["closed_at"] is not None:
        event_log.close(conn, stream["stream"], instant_of(stream["closed_at"]))
    named = {str(one) for each in recorded for one in digests(event_of(each))}
    for line in rest:
        if "sealed" in line and line["sealed"] not in named:
            raise ImportRefused(f"the sealed text {line['sealed']} belongs to no event")
        _keep(conn, stream["stream"], line)
    return Head(recorded[-1].version, recorded[-1].hash)


def _chained(stream: Mapping[str, Any], lines: list[dict[str, Any]]) -> list[RecordedEvent]:
    """The events, if each fits onto the one before and the last is the stream's head."""
    recorded: list[RecordedEvent] = []
    previous = GENESIS
    for number, line in enumerate(lines, 1):
        one = _recorded(line)
        if one.type not in TYPES[stream["category"]]:
            raise ImportRefused(f"event {number} is no event of a {stream['category']}")
        if (one.stream, one.version) != (stream["stream"], number):
            raise ImportRefused(f"event {number} is event {one.version} of {one.stream}")
        if hash_of(previous, one) != one.hash:
            raise ImportRefused(f"the hash of event {number} is not that of its content")
        event_of(one)
        recorded.append(one)
        previous = one.hash
    if not recorded or (stream["version"], stream["head_hash"]) != (len(recorded), previous):
        raise ImportRefused("the last event is not the stream's head")
    return recorded


def _recorded(line: Mapping[str, Any]) -> RecordedEvent:
    return RecordedEvent(
        position=line.get("position", 0),
        stream=line["stream"],
        version=line["version"],
        event_id=line["event_id"],
        type=line["type"],
        schema=line["schema"],
        data=canonical(line["data"]),
        meta=canonical(line["meta"]),
        recorded_at=instant_of(line["recorded_at"]),
        hash=line["hash"],
    )


def _keep(conn: Connection, stream: str, line: Mapping[str, Any]) -> None:
    match line:
        case {"event_id": _} | {"player": str(), "name": str()}:
            pass
        case {"sealed": digest, "salt": salt, "text": text}:
            if seal(conn, text, salt=bytes.fromhex(salt)) != digest:
                raise ImportRefused(f"the sealed text {digest} is not what was sealed")
        case {"chance": kind, "secret": secret, "links": links, "next_index": next_index}:
            if commitment(bytes.fromhex(secret), links).hex() != line["commitment"]:
                raise ImportRefused("the chain's secret is not the one that was committed to")
            chain = {
                "stream": stream,
                "kind": kind,
                "commitment": line["commitment"],
                "secret": bytes.fromhex(secret),
                "links": links,
                "next_index": next_index,
            }
            conn.execute(insert(tables.chance_secret), chain)
        case _:
            raise ImportRefused(f"a line of no kind: {_fields(line)}")
