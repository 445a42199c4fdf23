"""Find what was done to the log behind its back: changed, missing, added or moved events, in words.

Whoever can write the file can also compute every hash anew. Then only the heads that stand in
the mails of a match tell, which is why they stand there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Row, func, select

from pbem.fairness import commitment
from pbem.legacy.store import tables
from pbem.legacy.store.codec import TYPES, Unfit, canonical
from pbem.legacy.store.damage import kind_of
from pbem.legacy.store.log import tree
from pbem.legacy.store.log.event_log import GENESIS, RecordedEvent, event_of, hash_of
from pbem.legacy.store.log.sealed import digest_of

_E, _S = tables.event.c, tables.stream.c


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit, and where; `version` is that of an event."""

    stream: str | None
    version: int | None
    words: str

    def __str__(self) -> str:
        """Where, and what."""
        where = [self.stream or "log", *([f"event {self.version}"] if self.version else [])]
        return f"{' '.join(where)}: {self.words}"


def verify(conn: Connection, stream: str | None = None) -> Iterator[Finding]:
    """All that does not fit in a stream, or in the whole log with its sealed texts and secrets."""
    if stream is not None:
        yield from _alone(stream, _stream(conn, stream))
        return
    named = select(_S.id).union(select(_E.stream)).order_by("id")
    for name in conn.execute(named).scalars().all():
        yield from _alone(name, _stream(conn, name))
    for part in (_positions, _signed, _sealed, _chains):
        yield from _alone(None, part(conn))


def _alone(stream: str | None, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Findings, and why there are no more; what is damaged in one place hides no other."""
    try:
        yield from findings
    except Exception as error:  # noqa: BLE001 - whatever a row holds, the others are looked at
        yield Finding(stream, None, f"cannot be read on: {kind_of(error)}")


@dataclass(frozen=True, slots=True)
class Verified:
    """How much was looked at, and what does not fit."""

    events: int
    findings: tuple[Finding, ...]


def verify_all(conn: Connection) -> Verified:
    """The whole log, at once."""
    events = conn.execute(select(func.count()).select_from(tables.event)).scalar_one()
    return Verified(events, tuple(verify(conn)))


# --- one stream ----------------------------------------------------------------------------------


def _stream(conn: Connection, name: str) -> Iterator[Finding]:
    row = conn.execute(select(tables.stream).where(_S.id == name)).one_or_none()
    if row is None:
        yield Finding(name, None, "it has no head, so that nobody says what its newest event is")
    loaded = select(*tables.event.columns).where(_E.stream == name).order_by(_E.version)
    previous, version, position = GENESIS, 0, 0
    for one in conn.execute(loaded):
        recorded = RecordedEvent(*one)
        yield from _order(recorded, version, position)
        yield from _content(recorded, previous, row.category if row is not None else None)
        previous, version, position = recorded.hash, recorded.version, recorded.position
    if row is not None:
        yield from _head(row, version, previous)


def _order(recorded: RecordedEvent, version: int, position: int) -> Iterator[Finding]:
    missing = recorded.version - version - 1
    if missing:
        which = f"event {version + 1} is" if missing == 1 else f"{missing} events are"
        yield Finding(recorded.stream, recorded.version, f"{which} missing before it")
    if recorded.position <= position:
        words = f"its position {recorded.position} is not after {position}, that of the one before"
        yield Finding(recorded.stream, recorded.version, words)


def _content(recorded: RecordedEvent, previous: str, category: str | None) -> Iterator[Finding]:
    def found(words: str) -> Finding:
        return Finding(recorded.stream, recorded.version, words)

    try:
        fits = hash_of(previous, recorded) == recorded.hash
    except (ValueError, TypeError):
        fits = False
    if not fits:
        yield found("its hash is not that of its content: it was changed, moved or put in")
    if category is not None and recorded.type not in TYPES.get(category, {}):
        known = recorded.type in {name for names in TYPES.values() for name in names}
        yield found(f"a {recorded.type if known else 'such thing'} cannot happen to a {category}")
    try:
        event_of(recorded)
        if canonical(json.loads(recorded.data)) != recorded.data:
            yield found("its data is not written in the canonical way")
    except (ValueError, TypeError, Unfit):
        # Without the error's own words: they repeat what stands there.
        yield found("its data cannot be read")


def _head(row: Row[tuple[object, ...]], version: int, previous: str) -> Iterator[Finding]:
    if row.version != version:
        words = f"its head is at event {_number(row.version)}, its newest event is {version}"
        yield Finding(row.id, None, words)
    if row.head_hash != previous:
        yield Finding(row.id, None, "its head has another hash than its newest event")


def _number(value: object) -> str:
    """A number; nothing else of what may stand in its place."""
    return str(value) if isinstance(value, int) else "no number"


# --- the whole log -------------------------------------------------------------------------------


def _positions(conn: Connection) -> Iterator[Finding]:
    last = 0
    for position in conn.execute(select(_E.position).order_by(_E.position)).scalars():
        if position != last + 1:
            yield Finding(None, None, f"position {position} follows position {last}")
        last = position
    heads = conn.execute(select(tables.log_head.c.position)).scalars().all()
    if heads != [last]:
        said = ", ".join(map(_number, heads)) or "none"
        yield Finding(None, None, f"its head is at position {said}, its newest event at {last}")


def _signed(conn: Connection) -> Iterator[Finding]:
    """Whether the events are those that were signed, and the subtrees those of the events."""
    events = tree.size(conn)
    for note in tree.notes(conn):
        if note.size > events:
            yield Finding(None, None, f"{note.size} events were signed, there are {events}")
        elif tree.root(conn, note.size) != note.root:
            yield Finding(
                None, None, f"its first {note.size} events are not those that were signed"
            )
    last = tree.newest(conn)
    size = min(last.size, events) if last is not None else 0
    if tree.root_of_events(conn, size) != tree.root(conn, size):
        yield Finding(None, None, "the hashes that are kept of it are not those of its events")


def _sealed(conn: Connection) -> Iterator[Finding]:
    for row in conn.execute(select(tables.sealed)):
        if digest_of(row.text, row.salt) != row.digest:
            yield Finding(None, None, f"the sealed text {row.digest} is not what was sealed")


def _chains(conn: Connection) -> Iterator[Finding]:
    for row in conn.execute(select(tables.chance_secret)):
        if commitment(row.secret, row.links).hex() != row.commitment:
            yield Finding(row.stream, None, "its secret is not the one that was committed to")
