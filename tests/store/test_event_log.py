"""The event log on both databases: order, versions, causes and the hash chain."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pbem.match.endings import resign
from pbem.match.events import ChallengeIssued, MatchEvent, MovePlayed
from pbem.match.state import Status, apply
from pbem.names import MatchId
from pbem.store import event_log
from pbem.store.codec import dump_event, load_event
from pbem.store.database import AlreadyAppliedError, ConcurrencyError, Database
from pbem.store.event_log import NO_HASH, LoadedMatch, MatchCache, hash_events
from tests.match.test_match import ANN, BOB, CODE, NOON, running

OTHER = MatchId("M3SS4")
SECRET = bytes(32)


def play_match() -> list[MatchEvent]:
    table = running(forced_pass="ask")
    table.move(ANN, "place a1")
    table.execute(resign(table.match, BOB, NOON))
    return [caused.event for caused in table.log]


EVENTS = play_match()


def append(
    conn: Connection,
    events: list[MatchEvent],
    *,
    version: int = 0,
    cause: str = "email-1",
    match: MatchId = CODE,
) -> None:
    head = event_log.load_match(conn, match)[1] if version else NO_HASH
    hashed = hash_events(match, events, version=version, head=head, secret=SECRET)
    event_log.append(conn, match, hashed, cause=cause)


def test_canonical_json_does_not_depend_on_the_order_of_options() -> None:
    first = EVENTS[0]
    assert isinstance(first, ChallengeIssued)
    reordered = replace(first, options=dict(reversed(first.options.items())))
    assert dump_event(reordered) == dump_event(first)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(ValueError, match="no event type 'MoveHeld'"):
        load_event("MoveHeld", "{}")


def test_what_is_appended_is_read_in_order(conn: Connection) -> None:
    append(conn, EVENTS[:2])
    append(conn, EVENTS[:1], match=OTHER, cause="email-2")
    append(conn, EVENTS[2:], version=2, cause="email-3")
    found = event_log.load_events(conn, CODE)
    assert [caused.event for caused in found] == EVENTS
    assert [caused.cause for caused in found] == ["email-1"] * 2 + ["email-3"] * 4
    match, _ = event_log.load_match(conn, CODE)
    assert match.version == 6
    assert match.status is Status.ENDED
    assert event_log.verify_chain(conn, CODE) == []
    rows = conn.execute(text("SELECT position, stream FROM event ORDER BY position")).all()
    assert [*map(tuple, rows)] == [*enumerate([CODE, CODE, OTHER, CODE, CODE, CODE, CODE], 1)]


def test_a_writer_who_came_second_is_refused(conn: Connection) -> None:
    append(conn, EVENTS[:2])
    hashed = hash_events(CODE, EVENTS[1:2], version=1, head=NO_HASH, secret=SECRET)
    with pytest.raises(ConcurrencyError):
        event_log.append(conn, CODE, hashed, cause="email-2")


def test_a_cause_is_applied_once(conn: Connection) -> None:
    append(conn, EVENTS[:2])
    with pytest.raises(AlreadyAppliedError):
        append(conn, EVENTS[2:3], version=2, cause="email-1")


@pytest.mark.parametrize("statement", ["UPDATE event SET data = '{}'", "DELETE FROM event"])
def test_the_database_refuses_to_change_events(conn: Connection, statement: str) -> None:
    append(conn, EVENTS)
    with pytest.raises(DBAPIError, match="only ever appended"):
        conn.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET data = replace(data, 'place a1', 'place a5') WHERE version = 4",
        "UPDATE event SET salt = '00' WHERE version = 2",
        "UPDATE event SET type = 'SeatReleased' WHERE version = 2",
        "DELETE FROM event WHERE version = 3",
    ],
)
def test_the_chain_shows_changes_made_behind_the_database(conn: Connection, statement: str) -> None:
    append(conn, EVENTS)
    drop = {
        "sqlite": ["DROP TRIGGER event_no_update", "DROP TRIGGER event_no_delete"],
        "postgresql": ["DROP TRIGGER event_append_only ON event"],
    }[conn.dialect.name]
    for sql in (*drop, statement):
        conn.execute(text(sql))
    assert event_log.verify_chain(conn, CODE) != []


def test_a_missing_match_is_said_so(conn: Connection) -> None:
    with pytest.raises(LookupError, match="no match K7QX2"):
        event_log.load_match(conn, CODE)


def test_a_cache_forgets_what_was_rolled_back(conn: Connection) -> None:
    before, move = EVENTS[:3], EVENTS[3]
    assert isinstance(move, MovePlayed)
    append(conn, before)
    event_log.add_secret(conn, CODE, SECRET)
    cache = MatchCache()
    _, head = event_log.load_match(conn, CODE)
    before_move = cache.load_match(conn, CODE, head)
    lost = hash_events(CODE, [move], version=len(before), head=head, secret=SECRET)
    cache.add(LoadedMatch(apply(before_move.match, move), lost[-1].hash, SECRET))
    append(conn, [replace(move, notation="place e5")], version=len(before), cause="email-3")
    played, head = event_log.load_match(conn, CODE)
    assert cache.load_match(conn, CODE, head) == LoadedMatch(played, head, SECRET)


def test_a_unit_is_repeated_after_a_conflict(database: Database) -> None:
    tries: list[int] = []

    def unit(_conn: object) -> int:
        tries.append(1)
        if len(tries) < 3:
            raise ConcurrencyError("somebody was first")
        return len(tries)

    assert database.run(unit) == 3
