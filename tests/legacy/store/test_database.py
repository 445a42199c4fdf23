"""Units of work: one commit for those that wait together, and each alone in its failure."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from pbem.errors import ConfigError
from pbem.games.waiting import HERE, NotYet
from pbem.legacy.store.database import TOGETHER, Database
from pbem.legacy.store.log import event_log, verify
from pbem.legacy.store.schema import migrate
from tests.legacy.store.given import append, move, read, write

WAIT = 30


def note(runner: str) -> Callable[[Connection], str]:
    """A unit that writes one row that no other has."""

    def unit(conn: Connection) -> str:
        conn.execute(
            text("INSERT INTO runner_state VALUES (:runner, '2026', '')"), {"runner": runner}
        )
        return runner

    return unit


def noted(conn: Connection) -> set[str]:
    return set(conn.execute(text("SELECT runner FROM runner_state")).scalars())


class Gate:
    """Holds the writing thread, so that the units behind it wait together."""

    def __init__(self, db: Database) -> None:
        self._entered, self._open = threading.Event(), threading.Event()
        self._future = db.write(self._unit)
        assert self._entered.wait(WAIT)

    def _unit(self, _conn: Connection) -> None:
        self._entered.set()
        assert self._open.wait(WAIT)

    def open(self) -> None:
        self._open.set()
        self._future.result(WAIT)


@pytest.fixture
def gate(db: Database) -> Iterator[Gate]:
    held = Gate(db)
    yield held
    held.open()


def test_a_unit_gives_its_result_after_the_commit(db: Database, path: Path) -> None:
    seen: list[bool] = []

    def look(_done: Future[str]) -> None:
        with closing(sqlite3.connect(path)) as conn:
            seen.append(bool(conn.execute("SELECT 1 FROM runner_state").fetchone()))

    future = db.write(note("a"))
    future.add_done_callback(look)
    assert future.result(WAIT) == "a"
    db.close()
    assert seen == [True]


def test_a_failing_unit_undoes_its_own_work_and_no_other(db: Database, gate: Gate) -> None:
    def fails(conn: Connection) -> None:
        note("b")(conn)
        raise ValueError("on purpose")

    futures: list[Future[Any]] = [db.write(note("a")), db.write(fails), db.write(note("c"))]
    gate.open()
    assert futures[0].result(WAIT) == "a"
    with pytest.raises(ValueError, match="on purpose"):
        futures[1].result(WAIT)
    assert futures[2].result(WAIT) == "c"
    assert read(db, noted) == {"a", "c"}


def test_an_error_repeats_nothing_that_stands_in_a_row(db: Database) -> None:
    row = {"id": "ann@x", "at": "2026-11-21T12:00:00+00:00"}
    insert = text("INSERT INTO stream VALUES (:id, 'match', 0, '', :at, NULL)")

    def twice(conn: Connection) -> None:
        conn.execute(insert, row)
        conn.execute(insert, row)

    def misfit(conn: Connection) -> None:
        conn.execute(text("SELECT CAST(:id AS integer) + 'ann@x'"), {"id": "ann@x"})

    for unit in (twice, misfit) if db.is_shared else (twice,):  # to SQLite any text is a number
        with pytest.raises(DBAPIError) as caught:
            db.write(unit).result(WAIT)
        assert "ann@x" not in str(caught.value).partition("[SQL")[0] + str(caught.value.orig)
        assert "constraint" in str(caught.value) or "does not fit" in str(caught.value)


async def test_whoever_waits_for_a_unit_hears_of_an_iterator_that_ended(db: Database) -> None:
    def unit(_: Connection) -> int:
        return next(iter(()))

    for work in (db.write, db.read):
        with pytest.raises(RuntimeError, match="iterator"):
            await asyncio.wait_for(asyncio.wrap_future(work(unit)), 60)


def test_a_unit_sees_what_the_one_before_it_did(db: Database, gate: Gate) -> None:
    first, second = (
        db.write(append("match-A", 0, [move(1)])),
        db.write(append("match-A", 1, [move(2)])),
    )
    gate.open()
    assert [first.result(WAIT)[0].version, second.result(WAIT)[0].version] == [1, 2]


def test_units_that_wait_share_a_commit_up_to_a_limit(db: Database, path: Path, gate: Gate) -> None:
    """A second client counts the commits by SQLite's own counter of changes by others."""
    versions: list[int] = []
    with closing(sqlite3.connect(path, check_same_thread=False)) as conn:

        def look(_done: Future[str]) -> None:
            versions.append(conn.execute("PRAGMA data_version").fetchone()[0])

        futures = [db.write(note(str(number))) for number in range(2 * TOGETHER)]
        for future in futures:
            future.add_done_callback(look)
        gate.open()
        for future in futures:
            future.result(WAIT)
        db.close()
    assert len(versions) == 2 * TOGETHER
    assert len(set(versions)) == 2


@pytest.mark.sqlite
def test_a_commit_that_fails_fails_all_that_share_it(db: Database, gate: Gate) -> None:
    def breaks_at_commit(conn: Connection) -> None:
        conn.execute(text("PRAGMA defer_foreign_keys = ON"))
        conn.execute(
            text(
                "INSERT INTO address (folded, address, player, main, confirmed, added_at, bounces)"
                " VALUES ('x', 'x', 'nobody', 1, 0, '2026', 0)"
            )
        )

    futures: list[Future[Any]] = [db.write(note("a")), db.write(breaks_at_commit)]
    gate.open()
    for future in futures:
        with pytest.raises(IntegrityError, match="FOREIGN KEY"):
            future.result(WAIT)
    assert read(db, noted) == set()
    assert write(db, note("b")) == "b"


@pytest.mark.sqlite
def test_a_lost_transaction_fails_all_and_the_next_goes_on(db: Database, gate: Gate) -> None:
    """As SQLite itself does it when a disk is full."""

    def loses(conn: Connection) -> None:
        conn.exec_driver_sql("ROLLBACK")
        raise OSError("disk full")

    futures: list[Future[Any]] = [db.write(note("a")), db.write(loses), db.write(note("b"))]
    gate.open()
    for future in futures:
        with pytest.raises(sqlite3.OperationalError, match="savepoint"):
            future.result(WAIT)
    assert write(db, note("c")) == "c"
    assert read(db, noted) == {"c"}


def test_even_an_exit_inside_a_unit_does_not_end_the_thread(db: Database) -> None:
    def leaves(_conn: Connection) -> None:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        write(db, leaves)
    assert write(db, note("a")) == "a"


def test_a_unit_that_was_cancelled_in_time_is_not_done(db: Database, gate: Gate) -> None:
    future = db.write(note("a"))
    assert future.cancel()
    gate.open()
    assert write(db, noted) == set()


def test_a_reader_sees_a_snapshot_while_others_write(db: Database) -> None:
    began, go_on = threading.Event(), threading.Event()

    def looks_twice(conn: Connection) -> tuple[set[str], set[str]]:
        before = noted(conn)
        began.set()
        assert go_on.wait(WAIT)
        return before, noted(conn)

    future = db.read(looks_twice)
    assert began.wait(WAIT)
    write(db, note("a"))
    go_on.set()
    assert future.result(WAIT) == (set(), set())
    assert read(db, noted) == {"a"}


def test_a_reader_cannot_write(db: Database) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        read(db, note("a"))


def test_closing_does_what_was_submitted_and_nothing_after_it(path: Path) -> None:
    db = Database.open(path)
    future = db.write(note("a"))
    db.close()
    db.close()
    assert future.result(WAIT) == "a"
    with pytest.raises(RuntimeError, match="closed"):
        db.write(note("b"))
    with pytest.raises(RuntimeError, match="closed"):
        db.read(noted)


@pytest.mark.sqlite
def test_the_settings_are_those_that_durability_needs(db: Database) -> None:
    def settings(conn: Connection) -> list[Any]:
        names = ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
        return [conn.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    assert write(db, settings) == read(db, settings) == ["wal", 2, 1, 1]


def test_a_second_process_writes_in_turn(db: Database, path: Path) -> None:
    """The CLI beside the service: it waits for the other's transaction, and does not fail."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        future = db.write(note("a"))
        conn.execute("INSERT INTO runner_state VALUES ('other', '2026', '')")
        conn.execute("COMMIT")
    assert future.result(WAIT) == "a"
    assert read(db, noted) == {"a", "other"}


def test_a_database_must_be_there_and_of_today(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no database"):
        Database.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "empty.db").touch()
    with pytest.raises(ConfigError, match="has no tables of pbem"):
        Database.open(tmp_path / "empty.db")
    migrate(tmp_path / "empty.db")
    Database.open(f"sqlite:///{tmp_path / 'empty.db'}").close()


WRITER = """
import sys
from pbem.legacy.store.database import Database
from tests.legacy.store.given import append, move

db = Database.open(sys.argv[1])
for version in range(1_000_000):
    db.write(append("match-A", version, [move(version + 1)])).result()
    print(version + 1, flush=True)
"""


def test_nothing_that_was_reported_is_lost_when_the_process_is_killed(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        reported = [int(next(process.stdout)) for _ in range(50)]
        process.kill()
        reported += [int(line) for line in process.stdout if line.endswith("\n")]
    with closing(Database.open(path)) as db:
        loaded = read(db, lambda conn: event_log.load(conn, "match-A"))
        assert len(loaded) in (reported[-1], reported[-1] + 1)
        assert read(db, lambda conn: list(verify.verify(conn))) == []


def lacking(runner: str, answers: dict[str, int], tries: list[str]) -> Callable[[Connection], str]:
    """A unit that lacks an answer when it first runs, and has written something by then."""

    def unit(conn: Connection) -> str:
        note(runner)(conn)
        tries.append(runner)
        if runner not in answers:
            raise NotYet(lambda: answers.setdefault(runner, 1))
        return runner

    return unit


def test_a_unit_that_lacks_an_answer_runs_again_and_holds_up_nobody(
    db: Database, gate: Gate
) -> None:
    answers: dict[str, int] = {}
    tries: list[str] = []
    futures = [db.write(lacking("one", answers, tries)), db.write(note("two"))]
    gate.open()
    assert [one.result(WAIT) for one in futures] == ["one", "two"]
    assert tries == ["one", "one"]
    assert read(db, noted) == {"one", "two"}
    assert db.write(lacking("three", answers, tries)).result(WAIT) == "three"
    assert db.read(lambda _: HERE.waits).result(WAIT) is False


def test_an_answer_that_cannot_be_had_is_the_fault_of_its_unit_alone(db: Database) -> None:
    def unit(_conn: Connection) -> None:
        def settle() -> None:
            raise LookupError("no answer")

        raise NotYet(settle)

    with pytest.raises(LookupError, match="no answer"):
        db.write(unit).result(WAIT)
    with pytest.raises(LookupError, match="no answer"):
        db.read(unit).result(WAIT)
    assert db.write(note("two")).result(WAIT) == "two"
