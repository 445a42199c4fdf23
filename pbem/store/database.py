"""Transactions on SQLite or PostgreSQL, run by one writer thread and a few reader threads.

A unit of work is a plain function that takes a connection. `write` runs the function on the writer
thread, in one transaction. This transaction holds the write lock from its beginning (BEGIN
IMMEDIATE), so that another writer cannot make it fail halfway. `read` runs a function that only
reads, on one of a few reader threads. `write` and `read` are coroutines, so that the event loop
never waits for the disk:

    row = await database.write(lambda conn: claim_next(conn, now))

SQLite runs in WAL mode with `synchronous=FULL`: committed data survives a loss of power.

On PostgreSQL several processes can write, but only one transaction at a time: each writing
transaction first takes the advisory lock `APPEND_LOCK`. A process that holds the worker lock
(`worker_lock`) also sets `Database.check_lock`, a function. Each writing transaction calls this
function when it has taken `APPEND_LOCK`. The function raises an error if the process has lost the
worker lock, because another process may have taken over.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from sqlalchemy import (
    Connection,
    Engine,
    Integer,
    Table,
    create_engine,
    event,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import OperationalError

from pbem.errors import ConfigError

T = TypeVar("T")
Unit = Callable[[Connection], T]

READERS: Final = 4  # threads that read at the same time
BUSY_TIMEOUT: Final = 10.0  # seconds to wait for a lock of another process
MAX_ATTEMPTS: Final = 5  # to run a unit of work that meets a lock, a deadlock or a conflict
MAX_PAUSE: Final = 0.5  # seconds between two attempts
_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_OUTAGES: Final = tuple(
    f"SQLITE_{name}" for name in ("FULL", "IOERR", "BUSY", "LOCKED", "CANTOPEN", "READONLY")
)
_HINT: Final = "Is the server running"  # beginning of a line that we remove from libpq's errors
APPEND_LOCK: Final = 7_231_001  # number of the advisory lock of PostgreSQL that each writer takes
_LOCK_APPENDS: Final = select(func.pg_advisory_xact_lock(APPEND_LOCK))
CONNECTION_PARAMETERS: Final = {
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 5,  # seconds without an answer until the network is tested
    "keepalives_interval": 2,  # seconds between two tests
    "keepalives_count": 3,  # tests without an answer end the connection
    "tcp_user_timeout": 10_000,  # milliseconds; data not acknowledged for longer ends it
}
"""Settings of libpq that detect a lost server; parameters in the database URL override them."""


class ConcurrencyError(Exception):
    """Raised if another unit of work has changed the same rows, so that this one must run again."""


class AlreadyAppliedError(Exception):
    """Raised if the event log or the outbox shows that the same cause has been applied before."""


class Database:
    """A connection pool and the threads that run units of work; close it at the end."""

    def __init__(self, url: str) -> None:
        """Open a database by its URL (`sqlite:///path` or `postgresql+psycopg://...`)."""
        self.url = url
        self.engine = _create_engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.check_lock: Unit[None] | None = None  # called first in each writing transaction
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="database-writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="database-reader")

    def migrate(self) -> None:
        """Create the tables, or upgrade existing ones to this version of pbem."""
        from alembic import command  # takes a quarter of a second, and `serve` does not need it
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self.engine.begin() as conn:
            config.attributes["connection"] = conn
            command.upgrade(config, "head")
            _protect_events(conn)

    @property
    def file(self) -> Path | None:
        """The path of the SQLite file; None on PostgreSQL."""
        return Path(self.engine.url.database or "") if self.is_sqlite else None

    def run(self, unit: Unit[T]) -> T:
        """Run a writing unit of work in the calling thread, and return the result of `unit`.

        If `unit` meets a lock, a deadlock or a conflict, its transaction is rolled back, and `unit`
        is called again, at most MAX_ATTEMPTS times in all.
        """
        return self._run(unit, self.check_lock)

    def _run(self, unit: Unit[T], check_lock: Unit[None] | None) -> T:
        """Run a writing unit of work in a transaction that first calls `check_lock`, if not None.

        `check_lock` is the value that `self.check_lock` had when the unit of work was submitted. It
        is passed as an argument because `self.check_lock` may have been set to None since.
        """
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                with self.engine.begin() as conn:
                    if not self.is_sqlite:
                        # Events have gapless positions in the order of commits.
                        conn.execute(_LOCK_APPENDS)
                    if check_lock is not None:
                        check_lock(conn)
                    return unit(conn)
            except (ConcurrencyError, OperationalError):
                if attempt == MAX_ATTEMPTS:
                    raise
                time.sleep(random.uniform(0, MAX_PAUSE * attempt / MAX_ATTEMPTS))
        raise AssertionError("the loop returns or raises")

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open a read-only transaction, which does not see what others commit while it runs."""
        level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.engine.execution_options(is_read=True, **level).connect() as conn:
            yield conn

    async def write(self, unit: Unit[T]) -> T:
        """Run a writing unit of work on the writer thread, as `run` does, and return its result."""
        return await asyncio.wrap_future(self._writer.submit(self._run, unit, self.check_lock))

    async def read(self, unit: Unit[T]) -> T:
        """Run a unit of work that only reads on a reader thread, and return its result."""

        def run() -> T:
            with self.snapshot() as conn:
                return unit(conn)

        return await asyncio.wrap_future(self._readers.submit(run))

    def close(self) -> None:
        """Wait until all submitted units of work have ended, and then close all connections."""
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def describe_outage(error: BaseException) -> str | None:
    """Return one line that says why the database is unavailable, or None for any other error.

    An OperationalError of PostgreSQL's driver counts as an outage. SQLite's driver raises the same
    class for our own mistakes, such as a missing table. So there the name of the error decides.
    """
    if not isinstance(error, OperationalError):
        return None
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None and not name.startswith(_OUTAGES):
        return None
    lines = [line.strip() for line in str(error.orig).splitlines()]
    return " ".join(line for line in lines if not line.startswith(_HINT))


def find_revision(conn: Connection) -> str | None:
    """Return the migration revision of the tables, or None if there are no tables."""
    if not inspect(conn).has_table("alembic_version"):
        return None
    revision: str | None = conn.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def list_revisions() -> list[str]:
    """Return the migration revisions that this version of pbem knows, newest first."""
    files = (_MIGRATIONS / "versions").glob("[0-9]*.py")
    return sorted((file.name.partition("_")[0] for file in files), reverse=True)


def reset_sequence(conn: Connection, table: Table) -> None:
    """Make the generated ids of a table continue after the highest id of its rows.

    PostgreSQL needs this after rows were copied together with their ids. On SQLite, and for tables
    without generated ids, nothing is done.
    """
    column = table.autoincrement_column
    if conn.dialect.name == "sqlite" or column is None or not isinstance(column.type, Integer):
        return
    last = conn.execute(select(func.max(column))).scalar()
    if last is not None:
        sequence = {"name": f'"{table.name}"', "column": column.name, "last": last}
        find_name = text("SELECT pg_get_serial_sequence(:name, :column)")
        if conn.execute(find_name, sequence).scalar() is not None:
            conn.execute(
                text("SELECT setval(pg_get_serial_sequence(:name, :column), :last)"), sequence
            )


def check_file(conn: Connection) -> list[str]:
    """Return faults that SQLite finds in the file of the database, as sentences.

    SQLite looks for damage (`quick_check`) and for references to missing rows
    (`foreign_key_check`). At most ten faults of each kind are returned. On PostgreSQL the list is
    empty.
    """
    if conn.dialect.name != "sqlite":
        return []
    reports = [row[0] for row in conn.exec_driver_sql("PRAGMA quick_check(10)")]
    faults = [f"SQLite's quick_check says: {report}" for report in reports if report != "ok"]
    missing = conn.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(10)
    return [
        *faults,
        *(f"Row {row[1]} of {row[0]} names a row of {row[2]} that is missing." for row in missing),
    ]


def open_read_only(file: Path) -> Engine:
    """Return a read-only engine for an SQLite file that no process changes while it is used.

    SQLite takes no locks on such a file, and writes no files beside it (`immutable`).
    """
    uri = f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1"
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True))


def write_file_copy(database: Database, file: Path) -> None:
    """Write a consistent copy of an SQLite database, which may be in use, to a new file."""
    raw = database.engine.raw_connection()
    try:
        raw.cursor().execute("VACUUM INTO ?", (str(file),))
    finally:
        raw.close()


def _protect_events(conn: Connection) -> None:
    """Create triggers that refuse to change or delete events."""
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


def _create_postgresql_engine(url: str) -> Engine:
    """Return an engine for a PostgreSQL database.

    libpq reads the URL, not SQLAlchemy, so the URL may name several hosts as libpq allows.

    Raises:
        ConfigError: The driver is not installed, or libpq cannot read the URL.
    """
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise ConfigError(
            "PostgreSQL needs psycopg, which is not installed. Run `pip install pbem[postgres]`."
        ) from None
    try:
        values: dict[str, Any] = conninfo_to_dict(url.replace("postgresql+psycopg:", "postgresql:"))
    except psycopg.ProgrammingError as error:
        raise ConfigError(f"Cannot read the URL of the database: {str(error).strip()}.") from None
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(**{**CONNECTION_PARAMETERS, **values}),
        pool_size=READERS + 1,
        pool_pre_ping=True,
    )


def _create_engine(url: str) -> Engine:
    url = url.replace("postgresql://", "postgresql+psycopg://", 1)
    if not url.startswith("sqlite"):
        return _create_postgresql_engine(url)
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
