"""What the tests of the store begin with: a time, a match that happens, and ways to do a unit."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from pbem.fairness import LINKS, commitment
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.challenges import ChallengeIssued
from pbem.legacy.matches.events import MatchStarted, MovePlayed
from pbem.legacy.matches.seats import SeatTaken
from pbem.legacy.matches.table import MessageSaid
from pbem.names import PlayerId
from pbem.legacy.store.codec import Event
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log, sealed
from pbem.legacy.store.log.event_log import RecordedEvent

T = TypeVar("T")

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
ANN, BOB = PlayerId("ann"), PlayerId("bob")
SECRET = bytes(range(32))


def write(db: Database, unit: Callable[[Connection], T]) -> T:
    """Do a unit and wait for its commit."""
    return db.write(unit).result(timeout=120)


def read(db: Database, unit: Callable[[Connection], T]) -> T:
    """Do a reading unit."""
    return db.read(unit).result(timeout=120)


def move(ply: int, notation: str = "c1 plant c2") -> MovePlayed:
    """A move of a game of two."""
    return MovePlayed(seat=Seat(2 - ply % 2), ply=Ply(ply), notation=notation, typed=notation)


def append(
    stream: str, expected: int, events: Sequence[Event], cause: str = "", category: str = "match"
) -> Callable[[Connection], list[RecordedEvent]]:
    """A unit that appends; by default each has a cause of its own."""
    return lambda conn: event_log.append(
        conn,
        stream,
        category=category,
        expected=expected,
        events=events,
        cause=cause or f"letter-{stream}-{expected}",
        actor=ANN,
        ruleset="logger-1",
        now=NOW + expected * MINUTE,
    )


def play_match(conn: Connection, stream: str, moves: int = 4) -> None:
    """A match from challenge to `moves` moves and a message, each its own append."""
    sealed.open_chain(conn, stream, SECRET, LINKS)
    said = sealed.seal(conn, "Good luck, Bob!", salt=stream.encode().ljust(16, b"."))
    players = (ANN, BOB)
    issued = ChallengeIssued(
        ruleset="logger-1",
        options={"board": "small"},
        challenger=ANN,
        players=players,
        seats_drawn=False,
        commitment=commitment(SECRET, LINKS).hex(),
        protocol=2,
        links=LINKS,
    )
    letters: list[list[Event]] = [
        [issued],
        [
            SeatTaken(player=BOB, words="Glück auf, “Ann”\n"),
            MatchStarted(ruleset="logger-1", options={"board": "small"}, players=players),
        ],
        [MessageSaid(author=ANN, text=said)],
    ]
    letters.extend([move(ply)] for ply in range(1, moves + 1))
    version = 0
    for events in letters:
        append(stream, version, events)(conn)
        version += len(events)


def behind_its_back(path: Path, *statements: str) -> None:
    """Change the file as somebody would who wants to forge: the triggers go first."""
    with closing(sqlite3.connect(path)) as conn, conn:
        for trigger in ("event_never_changes", "event_never_goes", "event_leaves_no_gap"):
            conn.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        conn.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            assert conn.execute(statement).rowcount != 0, f"nothing was changed by {statement}"
