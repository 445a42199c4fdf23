"""Whatever is done to the log behind its back is found, and said in words."""

from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.store.database import Database
from pbem.store.log import verify
from pbem.store.log.verify import verify_all
from tests.store.given import append, behind_its_back, move, play_match, read, write


@pytest.fixture
def log(db: Database, path: Path) -> Path:
    """Two matches whose events stand between each other, 9 and 5 of them, and a player."""
    write(db, lambda conn: play_match(conn, "match-A", moves=3))
    write(db, lambda conn: play_match(conn, "match-B", moves=1))
    write(db, append("match-A", 7, [move(4)]))
    write(db, append("match-A", 8, [move(5)]))
    return path


def found(db: Database, stream: str | None = None) -> list[str]:
    return read(db, lambda conn: [str(one) for one in verify.verify(conn, stream)])


def test_an_honest_log_has_no_findings(db: Database, log: Path) -> None:
    assert log.exists()
    assert found(db) == found(db, "match-A") == found(db, "match-B") == []
    assert read(db, verify_all).events == 14


def test_an_empty_log_has_no_findings(db: Database) -> None:
    assert found(db) == []


CHANGES = {
    "position": "100",
    "stream": "'match-C'",
    "version": "40",
    "event_id": "'another'",
    "type": "'SeatResigned'",
    "schema": "7",
    "data": "replace(data, 'c1', 'c3')",
    "meta": "replace(meta, 'ann', 'bob')",
    "recorded_at": "replace(recorded_at, '2026', '2025')",
    "hash": "'x' || substr(hash, 2)",
}


@pytest.mark.sqlite
def test_the_table_below_has_every_column(db: Database) -> None:
    def columns(conn: Connection) -> set[str]:
        return {row[1] for row in conn.exec_driver_sql("PRAGMA table_info(event)")}

    assert read(db, columns) == CHANGES.keys()


@pytest.mark.parametrize("version", [5, 9])
@pytest.mark.parametrize(("column", "value"), CHANGES.items(), ids=CHANGES.keys())
def test_a_change_of_any_column_is_found(
    db: Database, log: Path, column: str, value: str, version: int
) -> None:
    where = f"stream = 'match-A' AND version = {version}"
    behind_its_back(log, f"UPDATE event SET {column} = {value} WHERE {where}")  # noqa: S608 - ours
    assert any("match-A" in words or "position" in words for words in found(db))


@pytest.mark.parametrize(
    ("what", "statements", "words"),
    [
        (
            "a changed move",
            ["UPDATE event SET data = replace(data, 'c1', 'c3') WHERE position = 5"],
            "match-A event 5: its hash is not that of its content",
        ),
        (
            "a dropped event",
            ["DELETE FROM event WHERE stream = 'match-A' AND version = 5"],
            "match-A event 6: event 5 is missing before it",
        ),
        (
            "two dropped events",
            ["DELETE FROM event WHERE stream = 'match-A' AND version IN (4, 5)"],
            "match-A event 6: 2 events are missing before it",
        ),
        (
            "a dropped event, and the others moved up",
            [
                "DELETE FROM event WHERE stream = 'match-A' AND version = 8",
                "UPDATE event SET version = 8 WHERE stream = 'match-A' AND version = 9",
                "UPDATE stream SET version = 8 WHERE id = 'match-A'",
            ],
            "match-A event 8: its hash is not that of its content",
        ),
        (
            "a dropped last event",
            ["DELETE FROM event WHERE stream = 'match-A' AND version = 9"],
            "match-A: its head is at event 9, its newest event is 8",
        ),
        (
            "a dropped last event of the log, with all heads moved back",
            [
                "DELETE FROM event WHERE stream = 'match-A' AND version = 8",
                "DELETE FROM event WHERE stream = 'match-A' AND version = 9",
                """
                UPDATE stream SET version = 7, head_hash = (
                    SELECT hash FROM event WHERE stream = 'match-A' AND version = 7
                ) WHERE id = 'match-A'
                """,
            ],
            "log: its head is at position 14, its newest event at 12",
        ),
        (
            "an event that was put in",
            [
                """
                INSERT INTO event
                SELECT 15, stream, 10, 'forged', type, schema, data, meta, recorded_at, hash
                FROM event WHERE stream = 'match-A' AND version = 9
                """,
                "UPDATE stream SET version = 10 WHERE id = 'match-A'",
                "UPDATE log_head SET position = 15",
            ],
            "match-A event 10: its hash is not that of its content",
        ),
        (
            "two events that changed places",
            [
                "UPDATE event SET version = 99 WHERE stream = 'match-A' AND version = 5",
                "UPDATE event SET version = 5 WHERE stream = 'match-A' AND version = 6",
                "UPDATE event SET version = 6 WHERE stream = 'match-A' AND version = 99",
            ],
            "match-A event 5: its hash is not that of its content",
        ),
        (
            "two positions that changed places",
            [
                "UPDATE event SET position = 99 WHERE position = 5",
                "UPDATE event SET position = 5 WHERE position = 6",
                "UPDATE event SET position = 6 WHERE position = 99",
            ],
            "match-A event 6: its position 5 is not after 6, that of the one before",
        ),
        (
            "a stream that is gone",
            [
                "DELETE FROM event WHERE stream = 'match-B'",
                "DELETE FROM stream WHERE id = 'match-B'",
            ],
            "log: position 13 follows position 7",
        ),
        (
            "a stream without a head",
            ["DELETE FROM stream WHERE id = 'match-B'"],
            "match-B: it has no head",
        ),
        (
            "a head with another hash",
            ["UPDATE stream SET head_hash = 'x' WHERE id = 'match-B'"],
            "match-B: its head has another hash than its newest event",
        ),
        (
            "a wrong head of the log",
            ["UPDATE log_head SET position = 7"],
            "log: its head is at position 7, its newest event at 14",
        ),
        (
            "no head of the log",
            ["DELETE FROM log_head"],
            "log: its head is at position none, its newest event at 14",
        ),
        (
            "another category",
            ["UPDATE stream SET category = 'player' WHERE id = 'match-B'"],
            "match-B event 1: a ChallengeIssued cannot happen to a player",
        ),
        (
            "data that is no JSON",
            ["UPDATE event SET data = '{' WHERE position = 5"],
            "match-A event 5: its data cannot be read",
        ),
        (
            "data that is spaced",
            ["UPDATE event SET data = replace(data, ',', ', ') WHERE position = 5"],
            "match-A event 5: its data is not written in the canonical way",
        ),
        (
            "a sealed text",
            ["UPDATE sealed SET text = 'Bad luck'"],
            "is not what was sealed",
        ),
        (
            "a secret",
            ["UPDATE chance_secret SET secret = zeroblob(32) WHERE stream = 'match-B'"],
            "match-B: its secret is not the one that was committed to",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and ":" not in value else "",
)
def test_tampering_is_told_in_words(
    db: Database, log: Path, what: str, statements: list[str], words: str
) -> None:
    behind_its_back(log, *statements)
    told = found(db)
    assert any(words in one for one in told), (what, told)


def test_only_the_event_that_was_changed_is_named(db: Database, log: Path) -> None:
    behind_its_back(log, "UPDATE event SET data = replace(data, 'c1', 'c3') WHERE position = 5")
    assert len(found(db)) == len(found(db, "match-A")) == 1
    assert found(db, "match-B") == []


def test_a_forgotten_text_is_no_finding(db: Database, log: Path) -> None:
    behind_its_back(log, "DELETE FROM sealed")
    assert found(db) == []


def test_a_stream_that_is_not_there_is_a_finding(db: Database) -> None:
    assert found(db, "match-X") == [
        "match-X: it has no head, so that nobody says what its newest event is"
    ]
