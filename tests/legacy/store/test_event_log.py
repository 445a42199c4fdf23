"""Append, load, and what the log refuses."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from pbem.errors import StreamConflict
from pbem.legacy.matches.events import Event, MatchEnded, MovePlayed
from pbem.legacy.players.events import AddressConfirmed, PlayerInvited
from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import GENESIS, AlreadyAppended, Head, StreamClosed, hash_of
from tests.legacy.store.given import BOB, MINUTE, NOW, append, move, play_match, read, write


def test_what_is_appended_is_loaded_in_order_and_as_it_was(db: Database) -> None:
    events: list[Event] = [move(1), move(2), MatchEnded(placings=(1, 2), termination="resigned")]
    written = write(db, append("match-A", 0, events))
    loaded = read(db, lambda conn: event_log.load(conn, "match-A"))
    assert loaded == written
    assert event_log.match_events_of(loaded) == events
    assert [one.version for one in loaded] == [1, 2, 3]
    assert {one.recorded_at for one in loaded} == {NOW}
    assert event_log.cause_of(loaded[0]) == "letter-match-A-0"
    assert loaded[0].meta == ('{"actor":"ann","caused_by":"letter-match-A-0","ruleset":"logger-1"}')
    head = read(db, lambda conn: event_log.head(conn, "match-A"))
    assert head == Head(3, loaded[-1].hash)


def test_later_events_are_loaded_alone(db: Database) -> None:
    write(db, append("match-A", 0, [move(1), move(2), move(3)]))
    later = read(db, lambda conn: event_log.load(conn, "match-A", after=2))
    assert [one.version for one in later] == [3]


def test_a_stream_to_which_nothing_happened_has_no_head(db: Database) -> None:
    assert read(db, lambda conn: event_log.head(conn, "match-A")) is None
    assert read(db, lambda conn: event_log.load(conn, "match-A")) == []
    assert write(db, append("match-A", 0, [])) == []
    assert read(db, lambda conn: event_log.head(conn, "match-A")) is None


def test_positions_count_on_over_all_streams(db: Database) -> None:
    write(db, append("match-A", 0, [move(1), move(2)]))
    write(db, append("player-ann", 0, [PlayerInvited(by=BOB)], category="player"))
    write(db, append("match-A", 2, [move(3)]))
    of_match = read(db, lambda conn: event_log.load(conn, "match-A"))
    of_player = read(db, lambda conn: event_log.load(conn, "player-ann"))
    assert [one.position for one in of_match] == [1, 2, 4]
    assert [one.position for one in of_player] == [3]
    assert [event_log.event_of(one) for one in of_player] == [PlayerInvited(by=BOB)]
    assert read(db, lambda conn: event_log.streams(conn, "player")) == ["player-ann"]


def test_a_failed_append_leaves_no_gap_in_the_positions(db: Database) -> None:
    write(db, append("match-A", 0, [move(1)]))
    with pytest.raises(StreamConflict):
        write(db, append("match-A", 0, [move(1)], cause="other"))
    (one,) = write(db, append("match-B", 0, [move(1)]))
    assert one.position == 2


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_an_append_after_another_version_is_a_conflict(db: Database, expected: int) -> None:
    write(db, append("match-A", 0, [move(1), move(2)]))
    with pytest.raises(StreamConflict) as caught:
        write(db, append("match-A", expected, [move(3)], cause="late"))
    assert (caught.value.stream_id, caught.value.expected) == ("match-A", expected)
    assert len(read(db, lambda conn: event_log.load(conn, "match-A"))) == 2


def test_a_stream_that_is_not_there_is_at_version_0_only(db: Database) -> None:
    with pytest.raises(StreamConflict):
        write(db, append("match-A", 1, [move(1)]))


def test_one_cause_appends_once_to_a_stream(db: Database) -> None:
    write(db, append("match-A", 0, [move(1)], cause="k"))
    with pytest.raises(AlreadyAppended, match="match-A has event"):
        write(db, append("match-A", 1, [move(2)], cause="k"))
    # The same cause may happen to other streams, and other causes to this one.
    write(db, append("match-B", 0, [move(1)], cause="k"))
    write(db, append("match-A", 1, [move(2)], cause="l"))


def test_nothing_more_happens_to_a_closed_stream(db: Database) -> None:
    write(db, append("match-A", 0, [move(1)]))
    write(db, lambda conn: event_log.close(conn, "match-A", NOW))
    with pytest.raises(StreamClosed):
        write(db, append("match-A", 1, [move(2)]))
    write(db, lambda conn: event_log.close(conn, "match-A", NOW + MINUTE))


def test_only_its_own_events_happen_to_a_stream(db: Database) -> None:
    with pytest.raises(ValueError, match="AddressConfirmed cannot happen to a match"):
        write(db, append("match-A", 0, [AddressConfirmed(at=NOW)]))
    with pytest.raises(ValueError, match="MovePlayed cannot happen to a player"):
        write(db, append("player-ann", 0, [move(1)], category="player"))
    with pytest.raises(ValueError, match="no stream is a club"):
        write(db, append("match-A", 0, [move(1)], category="club"))
    write(db, append("match-A", 0, [move(1)]))
    with pytest.raises(ValueError, match="is a match, not a player"):
        write(db, append("match-A", 1, [AddressConfirmed(at=NOW)], category="player"))


# --- the chain -----------------------------------------------------------------------------------


def test_each_hash_covers_the_one_before(db: Database) -> None:
    write(db, lambda conn: play_match(conn, "match-A"))
    previous = GENESIS
    for one in read(db, lambda conn: event_log.load(conn, "match-A")):
        assert one.hash == hash_of(previous, one)
        previous = one.hash


def test_the_hash_is_made_as_the_contract_says(db: Database) -> None:
    """events/legacy/README.md: netstrings, so that another language can make it."""
    (one,) = write(db, append("match-A", 0, [move(1)]))
    texts = [
        "0" * 64,
        "match-A",
        "1",
        one.event_id,
        "MovePlayed",
        "1",
        (
            '{"bank":null,"comment":null,"condition":false,"forced":false,"letter":"",'
            '"notation":"c1 plant c2","ply":1,"received":null,"seat":1,"standing":false,'
            '"typed":"c1 plant c2"}'
        ),
        '{"actor":"ann","caused_by":"letter-match-A-0","ruleset":"logger-1"}',
        "2026-03-01T12:00:00.123456Z",
    ]
    plain = b"".join(b"%d:%s," % (len(text.encode()), text.encode()) for text in texts)
    assert one.hash == hashlib.sha256(plain).hexdigest()


def test_event_ids_come_from_cause_stream_and_number() -> None:
    ids = {
        event_log.event_id(cause, stream, number)
        for cause in ("a", "ab")
        for stream in ("b", "")
        for number in (0, 1)
    }
    assert len(ids) == 8
    assert event_log.event_id("k", "match-A", 0) == event_log.event_id("k", "match-A", 0)


# --- append-only ---------------------------------------------------------------------------------

REFUSED = (
    ("UPDATE event SET data = '{}' WHERE position = 2", "never changed"),
    ("UPDATE event SET position = 99 WHERE position = 3", "never changed"),
    ("DELETE FROM event WHERE position = 3", "never.* deleted"),
    (
        """
        INSERT INTO event SELECT 5, stream, 4, 'x', type, schema, data, meta, recorded_at, hash
        FROM event WHERE position = 3
        """,
        "no gap",
    ),
    (
        """
        INSERT INTO event SELECT 4, stream, 5, 'x', type, schema, data, meta, recorded_at, hash
        FROM event WHERE position = 3
        """,
        "no gap",
    ),
    (
        """
        INSERT INTO event SELECT 4, 'match-B', 1, 'x', type, schema, data, meta, recorded_at, hash
        FROM event WHERE position = 3
        """,
        "FOREIGN KEY|foreign key",
    ),
)

REPLACING = (
    "INSERT OR REPLACE INTO event SELECT * FROM event WHERE position = 3",
    """
    REPLACE INTO event
    SELECT 4, stream, 4, 'x', type, schema, data, meta, recorded_at, hash
    FROM event WHERE position IN (2, 3)
    """,
)


@pytest.mark.parametrize(("statement", "words"), REFUSED)
def test_the_database_itself_refuses_to_change_events(
    db: Database, statement: str, words: str
) -> None:
    write(db, append("match-A", 0, [move(1), move(2), move(3)]))
    before = read(db, lambda conn: event_log.load(conn, "match-A"))
    with pytest.raises(DBAPIError, match=words):
        write(db, lambda conn: conn.exec_driver_sql(statement))
    assert read(db, lambda conn: event_log.load(conn, "match-A")) == before


@pytest.mark.sqlite
@pytest.mark.parametrize("statement", REPLACING)
def test_no_event_is_replaced(db: Database, statement: str) -> None:
    test_the_database_itself_refuses_to_change_events(db, statement, "events")


def test_a_plain_client_is_refused_too(db: Database, path: Path) -> None:
    write(db, append("match-A", 0, [move(1)]))
    with closing(sqlite3.connect(path)) as conn:
        for statement in ("UPDATE event SET hash = ''", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="events are never"):
                conn.execute(statement)
        # Without recursive_triggers, which is a setting of each client, the gap trigger remains.
        with pytest.raises(sqlite3.IntegrityError, match="no gap"):
            conn.execute("INSERT OR REPLACE INTO event SELECT * FROM event")


def test_a_conflict_of_two_writers_is_told_to_the_second(db: Database) -> None:
    """Both read version 1; the one who commits later must decide again."""
    write(db, append("match-A", 0, [move(1)]))
    first = db.write(append("match-A", 1, [move(2, "a")], cause="a"))
    second = db.write(append("match-A", 1, [move(2, "b")], cause="b"))
    assert first.result()[0].version == 2
    with pytest.raises(StreamConflict):
        second.result()
    (_, played) = event_log.match_events_of(read(db, lambda c: event_log.load(c, "match-A")))
    assert isinstance(played, MovePlayed)
    assert played.notation == "a"
