"""One process at a time holds the lock; one that has lost it cannot write any more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from pbem.store.database import APPEND_LOCK, ConcurrencyError, Database
from pbem.store.heartbeats import SERVE, find_heartbeat, note_heartbeat
from pbem.store.worker_lock import LockLostError, make_worker_lock
from tests.match.test_match import NOON


@contextmanager
def another(database: Database) -> Iterator[Database]:
    """The same database, as another process opens it."""
    opened = Database(database.url)
    yield opened
    opened.close()


def write(database: Database) -> None:
    database.run(lambda conn: note_heartbeat(conn, SERVE, NOON))


def end_session(database: Database) -> None:
    """End the session that holds the lock, as a restart of the server does."""
    query = text(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE application_name LIKE 'pbem serve%' AND datname = current_database()"
    )
    with database.engine.connect() as conn:
        assert conn.execute(query).scalars().all() == [True]


def test_a_second_process_finds_the_lock_taken(database: Database) -> None:
    first = make_worker_lock(database)
    assert first.acquire()
    assert first.is_held()
    with another(database) as other:
        second = make_worker_lock(other)
        assert not second.acquire()
        assert not second.is_held()
        assert str(os.getpid()) in second.find_holder()
        first.release()
        assert second.acquire()
        second.release()


def test_a_process_that_has_lost_the_lock_cannot_write(postgresql_database: Database) -> None:
    database = postgresql_database
    lock = make_worker_lock(database)
    assert lock.acquire()
    write(database)
    with another(database) as other:
        end_session(other)
        assert not lock.is_held()
        with pytest.raises(LockLostError):
            write(database)
        follower = make_worker_lock(other)
        assert follower.acquire()
        write(other)
        with pytest.raises(LockLostError):
            write(database)
        follower.release()
    lock.release()
    again = make_worker_lock(database)
    assert again.acquire()
    write(database)
    again.release()


def test_a_unit_that_is_repeated_has_the_guard_that_it_began_with(
    postgresql_database: Database,
) -> None:
    database = postgresql_database
    lock = make_worker_lock(database)
    assert lock.acquire()
    attempts: list[str] = []

    def unit(_conn: Connection) -> None:
        attempts.append("ran")
        lock.release()  # the server that handed it in has been stopped meanwhile
        raise ConcurrencyError("repeat it")

    with pytest.raises(LockLostError):
        database.run(unit)
    assert attempts == ["ran"]


def test_who_takes_over_waits_for_the_transaction_that_runs(postgresql_database: Database) -> None:
    database = postgresql_database
    lock = make_worker_lock(database)
    assert lock.acquire()

    def unit(conn: Connection) -> None:
        with another(database) as other:
            end_session(other)
            follower = make_worker_lock(other)
            assert follower.acquire()
            with other.engine.begin() as late:
                late.execute(text("SET LOCAL lock_timeout = '200ms'"))
                with pytest.raises(OperationalError, match="lock timeout"):
                    late.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": APPEND_LOCK})
            follower.release()
        note_heartbeat(conn, SERVE, NOON)

    database.run(unit)
    assert database.check_lock is not None
    database.check_lock = None
    lock.release()
    assert database.run(lambda conn: find_heartbeat(conn, SERVE)) == NOON
