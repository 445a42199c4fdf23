"""A stream leaves the log and comes into another, whole; a forged one does not."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.names import Digest, MatchId
from pbem.store.database import Database
from pbem.store.log import event_log, sealed, verify
from pbem.store.log.event_log import AlreadyAppended
from pbem.store.log.exchange import export, import_stream
from pbem.store.log.outside_lines import ImportRefused
from tests.store.given import NOW, append, move, play_match, read, write


@pytest.fixture
def other(migrated: Path, tmp_path: Path) -> Iterator[Database]:
    """Another log, in which something has happened already."""
    with closing(Database.open(shutil.copy(migrated, tmp_path / "other.db"))) as database:
        write(database, append("match-Z", 0, [move(1)]))
        yield database


@pytest.fixture
def lines(db: Database) -> list[str]:
    def played(conn: Any) -> list[str]:
        play_match(conn, "match-A")
        sealed.advance(conn, MatchId("A"), 7)
        event_log.close(conn, "match-A", NOW)
        return list(export(conn, "match-A"))

    return write(db, played)


def test_lines_say_what_they_are(lines: list[str]) -> None:
    read_lines = [json.loads(line) for line in lines]
    kinds = [
        next(kind for kind in ("category", "event_id", "sealed", "chance") if kind in line)
        for line in read_lines
    ]
    assert kinds == ["category", *["event_id"] * 8, "sealed", "chance"]
    assert read_lines[3]["data"]["players"] == ["ann", "bob"]


def test_a_stream_is_the_same_in_another_log(
    db: Database, other: Database, lines: list[str]
) -> None:
    head = write(other, lambda conn: import_stream(conn, lines))
    assert head == read(db, lambda conn: event_log.head(conn, "match-A"))
    here = read(db, lambda conn: event_log.load(conn, "match-A"))
    there = read(other, lambda conn: event_log.load(conn, "match-A"))
    assert [one.hash for one in there] == [one.hash for one in here]
    assert event_log.match_events_of(there) == event_log.match_events_of(here)
    assert [one.position for one in there] == list(range(2, 10))
    chain = read(other, lambda conn: sealed.draws(conn, MatchId("A")))
    assert chain is not None
    assert chain.next_index == 7
    assert read(other, lambda conn: list(verify.verify(conn))) == []
    again = read(other, lambda conn: list(export(conn, "match-A")))
    assert [_without_position(line) for line in again] == [
        _without_position(line) for line in lines
    ]


def _without_position(line: str) -> dict[str, Any]:
    return {key: value for key, value in json.loads(line).items() if key != "position"}


def test_what_was_forgotten_stays_forgotten(
    db: Database, other: Database, lines: list[str]
) -> None:
    (digest,) = [Digest(json.loads(line)["sealed"]) for line in lines if '"sealed"' in line]
    assert read(db, lambda conn: sealed.unseal(conn, [digest])) == {digest: "Good luck, Bob!"}
    assert write(db, lambda conn: sealed.forget(conn, digest))
    without = read(db, lambda conn: list(export(conn, "match-A")))
    assert len(without) == len(lines) - 1
    write(other, lambda conn: import_stream(conn, without))
    assert read(other, lambda conn: sealed.unseal(conn, [digest])) == {}
    assert read(other, lambda conn: list(verify.verify(conn))) == []


def test_a_stream_that_is_not_there_has_no_lines(db: Database) -> None:
    assert read(db, lambda conn: list(export(conn, "match-X"))) == []


def test_a_stream_is_not_taken_in_twice(other: Database, lines: list[str]) -> None:
    write(other, lambda conn: import_stream(conn, lines))
    write(other, lambda conn: event_log.reopen(conn, "match-A"))
    with pytest.raises(ImportRefused, match="there is a stream match-A already"):
        write(other, lambda conn: import_stream(conn, lines))


def test_a_closed_stream_comes_in_closed(other: Database, lines: list[str]) -> None:
    write(other, lambda conn: import_stream(conn, lines))
    with pytest.raises(event_log.StreamClosed):
        write(other, append("match-A", 8, [move(5)]))


def test_events_that_are_under_another_name_are_refused(other: Database, lines: list[str]) -> None:
    renamed = [line.replace("match-A", "match-B") for line in lines]
    with pytest.raises(ImportRefused, match="hash of event 1"):
        write(other, lambda conn: import_stream(conn, renamed))


CHANGES: list[tuple[int, str, Any, str]] = [
    (0, "format", 2, "first line"),
    (0, "version", 7, "not the stream's head"),
    (0, "head_hash", "0" * 64, "not the stream's head"),
    (2, "data", {"player": "bob", "words": ""}, "line 3: SeatTaken has other fields: letter"),
    (2, "data", {"letter": "", "player": "bob", "words": ""}, "line 3: the hash of event 2"),
    (2, "data", {"player": "bob", "words": 1.5}, "line 3 holds 1.5, which is no whole"),
    (2, "meta", {}, "line 3 .event.: meta must be"),
    (2, "version", 3, "event 2 is event 3"),
    (2, "hash", "0" * 64, "hash of event 2"),
    (2, "recorded_at", "2026-03-01T12:01:00.123457Z", "hash of event 2"),
    (2, "recorded_at", "yesterday", "line 3 .event.: recorded_at must be a time"),
    (9, "text", "Bad luck", "not what was sealed"),
    (10, "secret", "00" * 32, "not the one that was committed"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_forged_line_is_refused_and_nothing_is_kept(
    other: Database, lines: list[str], change: tuple[int, str, Any, str]
) -> None:
    number, field, value, words = change
    forged = [json.loads(line) for line in lines]
    forged[number][field] = value
    with pytest.raises(Exception, match=words):
        write(other, lambda conn: import_stream(conn, map(json.dumps, forged)))
    _nothing_was_kept(other)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (lambda _: [], "first line"),
        (lambda lines: lines[:1], "no event"),
        (lambda lines: lines[1:], "first line"),
        (lambda lines: [*lines[:8], *lines[9:]], "not the stream's head"),
        (lambda lines: [*lines[:4], *lines[5:]], "event 4 is event 5"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "event 1 is event 2"),
        (lambda lines: [*lines, "{}"], "no kind"),
        (lambda lines: [*lines, "{"], "line 12 is no JSON"),
        (lambda lines: [lines[0], "[]", *lines[1:]], "line 2 is no JSON object"),
    ],
)
def test_lines_that_are_not_one_whole_stream_are_refused(
    other: Database, lines: list[str], chosen: Any, words: str
) -> None:
    with pytest.raises(ImportRefused, match=words):
        write(other, lambda conn: import_stream(conn, chosen(lines)))
    _nothing_was_kept(other)


def _nothing_was_kept(other: Database) -> None:
    assert read(other, lambda conn: event_log.head(conn, "match-A")) is None
    assert read(other, lambda conn: list(verify.verify(conn))) == []
    (one,) = write(other, append("match-Z", 1, [move(2)]))
    assert one.position == 2


def test_events_that_stand_in_another_stream_are_refused(db: Database, lines: list[str]) -> None:
    """An id is given once: as if the stream's row had been renamed."""
    with pytest.raises((ImportRefused, AlreadyAppended)):
        write(db, lambda conn: import_stream(conn, lines))
