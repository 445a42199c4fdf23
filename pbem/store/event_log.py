"""The event log: append-only streams of events, one per match, linked by a hash chain.

A writer passes the version it has read. If another writer appended first, the append fails with
`ConcurrencyError` and the unit of work is repeated on the new state. An event's id is computed from
its cause, its match and its number in the unit of work, so the same cause cannot be applied twice.

The hash of an event covers the hash of the event before it. So an event cannot be changed without
changing every later hash. Players see the newest hash (the head) in every email about the match.
The hash covers nothing that is known only after the event was appended, such as its position. So an
email can show the head before the transaction commits.

The hash also covers a salt. Without it, a player could guess a hidden event, and confirm the guess
by its hash. The salt is an HMAC of the event's version, with the secret of the match as the key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy import Connection, bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError

from pbem.fairness import netstrings
from pbem.match.events import CausedEvent, MatchEvent
from pbem.match.state import Match, replay
from pbem.match.verify import verify_match
from pbem.names import MatchId
from pbem.store.codec import dump_event, load_event
from pbem.store.database import AlreadyAppliedError, ConcurrencyError
from pbem.store.rows import to_row
from pbem.store.tables import ChanceSecretRow, EventRow

NAMESPACE: Final = UUID("6b1f4d0e-6a55-5f0c-9b7c-0f2c3a1d9e57")  # of event ids; never change it
NO_HASH: Final = "0" * 64  # the previous hash of a match's first event
SALT_BYTES: Final = 16
CACHED_MATCHES: Final = 500  # matches in the cache, of about 50 kB each

_EVENT = EventRow.__table__.c  # type: ignore[attr-defined]
_SECRET = ChanceSecretRow.__table__.c  # type: ignore[attr-defined]

_FIND_LAST_POSITION = select(func.coalesce(func.max(_EVENT.position), 0))
_INSERT = insert(EventRow).values(position=_FIND_LAST_POSITION.scalar_subquery() + 1)
_LIST_EVENTS = (
    select(_EVENT.type, _EVENT.data, _EVENT.cause, _EVENT.hash)
    .where(_EVENT.stream == bindparam("stream"))
    .order_by(_EVENT.version)
)
_FIND_NEWEST_CAUSE = (
    select(_EVENT.cause)
    .where(_EVENT.stream == bindparam("stream"))
    .order_by(_EVENT.version.desc())
    .limit(1)
)
_FIND_SECRET = select(_SECRET.secret).where(_SECRET.match == bindparam("match"))


@dataclass(frozen=True, slots=True)
class HashedEvent:
    """An event that is ready to append, with what the log stores about it.

    `version` is the number of the event in its match, counted from 1. `data` is the event as
    canonical JSON. `salt` and `hash` are in hex.
    """

    event: MatchEvent
    version: int
    data: str
    salt: str
    hash: str


def hash_events(
    match: MatchId, events: Sequence[MatchEvent], *, version: int, head: str, secret: bytes
) -> list[HashedEvent]:
    """Return the events with their hashes, which continue the hash chain of a match.

    Args:
        match: The match of the events.
        events: The new events, in order.
        version: The number of events that the match has before the new ones.
        head: The hash of the newest event before the new ones, or NO_HASH if there is none.
        secret: The secret of the match, from which the salts are made.
    """
    hashed: list[HashedEvent] = []
    for number, event in enumerate(events, version + 1):
        data = dump_event(event)
        salt = hmac.digest(secret, b"pbem salt %d" % number, "sha256")[:SALT_BYTES].hex()
        head = compute_hash(head, match, str(number), type(event).__name__, data, salt)
        hashed.append(HashedEvent(event, number, data, salt, head))
    return hashed


def compute_hash(*fields: str) -> str:
    """Return the hash of an event, in hex.

    Args:
        fields: In this order: the hash of the event before, then the match, version, type, data
            and salt of this event. Each field is encoded as a netstring, so that different fields
            never give the same bytes.
    """
    return hashlib.sha256(netstrings(*fields)).hexdigest()


def append(conn: Connection, match: MatchId, events: Sequence[HashedEvent], *, cause: str) -> None:
    """Append events to the stream of a match. `cause` is the id of the cause that they all share.

    Raises:
        ConcurrencyError: Another writer has appended events since the stream was read.
        AlreadyAppliedError: Events of this cause are already in the log.
    """
    if not events:
        return
    rows = [
        {
            "event_id": str(uuid5(NAMESPACE, f"{cause}:{match}:{number}")),
            "stream": match,
            "version": hashed.version,
            "type": type(hashed.event).__name__,
            "data": hashed.data,
            "cause": cause,
            "salt": hashed.salt,
            "hash": hashed.hash,
        }
        for number, hashed in enumerate(events, 1)
    ]
    try:
        conn.execute(_INSERT, rows)
    except IntegrityError as error:
        if "event_id" in str(error.orig):  # the name of the column whose value exists
            raise AlreadyAppliedError(f"{cause} was executed before") from error
        raise ConcurrencyError(f"match {match} has another event {events[0].version}") from error


def find_last_position(conn: Connection) -> int:
    """Return the position of the newest event in the log of all matches; 0 if the log is empty."""
    position: int = conn.execute(_FIND_LAST_POSITION).scalar_one()
    return position


def load_events(conn: Connection, match: MatchId) -> list[CausedEvent]:
    """Return all events of a match with their causes, oldest first."""
    rows = conn.execute(_LIST_EVENTS, {"stream": match})
    return [CausedEvent(event=load_event(row.type, row.data), cause=row.cause) for row in rows]


def load_rows(conn: Connection, match: MatchId) -> list[EventRow]:
    """Return the rows of all events of a match, oldest first."""
    query = select(EventRow.__table__).where(_EVENT.stream == match).order_by(_EVENT.version)  # type: ignore[attr-defined]
    return [to_row(EventRow, row) for row in conn.execute(query).mappings()]


def list_newest_events(conn: Connection, match: MatchId) -> list[MatchEvent]:
    """Return the events of the unit of work that changed a match last, oldest first."""
    query = _LIST_EVENTS.where(_EVENT.cause == _FIND_NEWEST_CAUSE.scalar_subquery())
    return [load_event(row.type, row.data) for row in conn.execute(query, {"stream": match})]


def list_recent_events(conn: Connection, match: MatchId, since: datetime) -> list[MatchEvent]:
    """Return the events of a match that happened at or after the time `since`, oldest first."""
    events = [row.event for row in load_events(conn, match)]
    return [event for event in events if event.at >= since]


def load_match(conn: Connection, match: MatchId) -> tuple[Match, str]:
    """Return a match, rebuilt from its events, and the hash of its newest event (the head).

    Raises:
        LookupError: There is no such match.
    """
    rows = conn.execute(_LIST_EVENTS, {"stream": match}).all()
    if not rows:
        raise LookupError(f"there is no match {match}")
    return replay(match, (load_event(row.type, row.data) for row in rows)), rows[-1].hash


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match, the hash of its newest event, and the secret of its random draws and salts."""

    match: Match
    head: str
    secret: bytes = field(repr=False)


@dataclass
class MatchCache:
    """A cache of recently used matches, so that their events need not be replayed again.

    A cached match is up to date if its head is the newest hash in the database, because that hash
    covers all events of the match. Only one thread may use a cache.
    """

    _matches: OrderedDict[MatchId, LoadedMatch] = field(default_factory=OrderedDict)

    def load_match(self, conn: Connection, match: MatchId, head: str) -> LoadedMatch:
        """Return a match from the cache, or from the log if the cached match is not up to date.

        `head` is the hash of the newest event, from the match's row in the database (MatchRow).
        """
        loaded = self._matches.get(match)
        if loaded is None or loaded.head != head:
            loaded = LoadedMatch(*load_match(conn, match), find_secret(conn, match))
        self.add(loaded)
        return loaded

    def add(self, loaded: LoadedMatch) -> None:
        """Add a match to the cache, even if its newest events are not committed yet.

        If their transaction is rolled back, the match's row keeps the old head. So `load_match`
        notices the difference, and loads the match from the log.
        """
        self._matches[loaded.match.id] = loaded
        self._matches.move_to_end(loaded.match.id)
        if len(self._matches) > CACHED_MATCHES:
            self._matches.popitem(last=False)


def verify_chain(conn: Connection, match: MatchId) -> list[str]:
    """Return the faults in the hash chain of a match, as sentences; empty without faults."""
    faults: list[str] = []
    head = NO_HASH
    for number, row in enumerate(load_rows(conn, match), 1):
        if row.version != number:
            return [*faults, f"Event {number} of match {match} is missing."]
        if row.hash != compute_hash(head, match, str(row.version), row.type, row.data, row.salt):
            faults.append(f"Event {number} of match {match} was changed after it was written.")
        head = row.hash
    return faults


def verify_log(conn: Connection, match: MatchId) -> list[str]:
    """Return the faults in the hash chain, draws, moves and result of a match, as sentences.

    The list is empty if there are no faults.
    """
    return [*verify_chain(conn, match), *verify_match(match, load_events(conn, match))]


def add_secret(conn: Connection, match: MatchId, secret: bytes) -> None:
    """Store the secret of a new match, from which its draws and salts are derived."""
    conn.execute(insert(ChanceSecretRow).values(match=match, secret=secret))


def find_secret(conn: Connection, match: MatchId) -> bytes:
    """Return the secret of an existing match, from which its draws and salts are derived."""
    return bytes(conn.execute(_FIND_SECRET, {"match": match}).scalar_one())
