"""Transactions: one writer thread on SQLite, and the only place that knows the dialect.

A unit of work is a plain function of a connection. `write` runs it on the writer thread, inside of
one transaction that holds the write lock from its beginning (BEGIN IMMEDIATE), so that it never
fails halfway because another writer came first. `read` runs it on one of a few reader threads. Both
return a future, so that the event loop never waits for the disk:

    row = await database.write(lambda conn: claim_next(conn, now))

SQLite runs in WAL mode with `synchronous=FULL`: what is committed survives a loss of power.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError

T = TypeVar("T")
Unit = Callable[[Connection], T]

READERS: Final = 4  # threads that read at the same time
BUSY_TIMEOUT: Final = 10.0  # seconds to wait for a lock of another process
ATTEMPTS: Final = 5  # of a unit that met a lock, a deadlock or a conflict
LONGEST_PAUSE: Final = 0.5  # seconds between two attempts, at most
APPEND_LOCK: Final = 7_231_001  # number of PostgreSQL's advisory lock for the order of events


class ConcurrencyError(Exception):
    """Another unit of work changed the same rows first; the unit is repeated."""


class AlreadyAppliedError(Exception):
    """Events or emails of this cause are stored: its unit of work was committed before."""


class Database:
    """A database and its threads. Close it when the service stops."""

    def __init__(self, url: str) -> None:
        """Open a database by its URL (`sqlite:///path` or `postgresql+psycopg://...`)."""
        self.engine = _create_engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="database-writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="database-reader")

    def migrate(self) -> None:
        """Create the tables, or bring them up to date."""
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.engine.begin() as conn:
            config.attributes["connection"] = conn
            command.upgrade(config, "head")
            _protect_events(conn)

    def run(self, unit: Unit[T]) -> T:
        """Run a writing unit in this thread. Repeat it if it met a lock or a conflict."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self.engine.begin() as conn:
                    if not self.is_sqlite:
                        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), _append_key())
                    return unit(conn)
            except (ConcurrencyError, OperationalError):
                if attempt == ATTEMPTS:
                    raise
                time.sleep(random.uniform(0, LONGEST_PAUSE * attempt / ATTEMPTS))
        raise AssertionError("the loop returns or raises")

    async def write(self, unit: Unit[T]) -> T:
        """Run a writing unit on the writer thread and return its result."""
        return await asyncio.wrap_future(self._writer.submit(self.run, unit))

    async def read(self, unit: Unit[T]) -> T:
        """Run a reading unit on a reader thread and return its result."""
        return await asyncio.wrap_future(self._submit_read(unit))

    def _submit_read(self, unit: Unit[T]) -> Future[T]:
        def run() -> T:
            with self.engine.execution_options(is_read=True).connect() as conn:
                return unit(conn)

        return self._readers.submit(run)

    def close(self) -> None:
        """Finish the running units and close all connections."""
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def _protect_events(conn: Connection) -> None:
    """Let the database itself refuse to change or delete events."""
    if conn.dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            conn.exec_driver_sql(
                f"CREATE TRIGGER IF NOT EXISTS event_no_{verb.lower()} BEFORE {verb} ON event "
                "BEGIN SELECT RAISE(ABORT, 'events are only ever appended'); END"
            )
        return
    conn.exec_driver_sql(
        "CREATE OR REPLACE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are only ever appended'; END $$"
    )
    conn.exec_driver_sql(
        "CREATE OR REPLACE TRIGGER event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event "
        "EXECUTE FUNCTION refuse_event_change()"
    )


def _append_key() -> dict[str, int]:
    # Positions are gapless and in commit order, so units that append run one after another.
    return {"key": APPEND_LOCK}


def _create_engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=READERS + 1)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # SQLAlchemy's documentation: let the driver begin no transactions by itself.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(conn: Connection) -> None:
        is_read = conn.get_execution_options().get("is_read", False)
        conn.exec_driver_sql("BEGIN" if is_read else "BEGIN IMMEDIATE")

    return engine
