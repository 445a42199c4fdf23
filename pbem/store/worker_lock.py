"""The lock that lets only one process work on a database, and prevents writes by other processes.

On SQLite, the process locks a file beside the database. The operating system releases this lock
when the process ends.

On PostgreSQL, a separate session (a connection that does nothing else) holds an advisory lock. The
server releases the lock when the session ends: because the process ended, its machine is gone, or
the server was restarted. So a process can lose the lock while one of its transactions runs, and
another process can begin to work.

Two more advisory locks prevent both processes from writing:

- The session also locks a random number, and loses this lock, too, when it ends.
- Each writing transaction first takes `APPEND_LOCK`, which only one transaction at a time can hold.
  Then it checks that the random number of its process is still locked (`Database.check_lock`).

So a process that has lost the lock can at most complete the transaction that it has begun. The
process that takes over must wait for that transaction before it can write.

This does not work through poolers that give each transaction another session, such as PgBouncer.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO, TypeAlias

from sqlalchemy import Connection, text

from pbem.errors import PbemError
from pbem.store.database import Database

WORKER_LOCK: Final = 7_231_002  # number of the advisory lock of PostgreSQL that a process holds
TOKEN_BITS: Final = 62  # bits of the random number that is locked, which must fit a bigint

_IS_FREE: Final = text("SELECT pg_try_advisory_xact_lock_shared(:key)")
_FIND_HOLDER: Final = text(
    "SELECT application_name, client_addr FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND granted AND pg_locks.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND classid = 0 AND objid = :key AND objsubid = 1"
)
_SETTINGS: Final = (  # the server notices within 11 seconds that the machine is gone
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
)


class LockLostError(Exception):
    """Raised if this process has lost the lock and may no longer write to the database."""


class AlreadyServedError(PbemError):
    """Raised if another process works on the database and holds its lock."""


def make_worker_lock(database: Database) -> WorkerLock:
    """Return the lock of a database, which is not acquired yet."""
    file = database.file
    return SessionLock(database) if file is None else FileLock(file.with_name(f"{file.name}.lock"))


@contextmanager
def hold_worker_lock(database: Database, purpose: str) -> Iterator[None]:
    """Acquire the lock of a database for a `with` block, and release it at the end of the block.

    Args:
        database: The database.
        purpose: The verb for the error message. With `copy` it is "Cannot copy the database: ...".

    Raises:
        AlreadyServedError: Another process holds the lock.
    """
    lock = make_worker_lock(database)
    try:
        if not lock.acquire():
            raise AlreadyServedError(
                f"Cannot {purpose} the database: {lock.find_holder()}, serves it. Stop that first."
            )
        yield
    finally:
        lock.release()


class FileLock:
    """A lock on a file, which is created on first use and never deleted.

    The operating system releases the lock when the process ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def acquire(self) -> bool:
        """Try to acquire the lock, and return whether this succeeded."""
        file = self._path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        file.truncate(0)
        file.write(f"{_name_process()}, since {datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n")
        file.flush()
        self._file = file
        return True

    def is_held(self) -> bool:
        """Return whether this object holds the lock and the lock file has not been replaced."""
        if self._file is None:
            return False
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        return False

    def find_holder(self) -> str:
        """Return the description that the holder of the lock wrote into the file.

        If the file has no description, return `another process`.
        """
        with suppress(OSError):
            return self._path.read_text(encoding="utf-8").strip() or "another process"
        return "another process"

    def release(self) -> None:
        """Release the lock, if it is held."""
        if self._file is not None:
            self._file.close()
            self._file = None


class SessionLock:
    """An advisory lock of PostgreSQL, held by a separate session, which `acquire` opens."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._session: Any = None  # of psycopg: SQLAlchemy would connect again by itself
        self._token = 0
        self._error: type[Exception] = database.engine.dialect.loaded_dbapi.Error

    def acquire(self) -> bool:
        """Try to acquire the lock, and return whether this succeeded.

        Raises:
            ConnectionError: The database cannot be reached, or the session failed.
        """
        try:
            if self._session is None:
                self._session = self._connect()
            if not self._take(WORKER_LOCK):
                return False
            self._token = secrets.randbits(TOKEN_BITS)
            if not self._take(self._token):
                raise ConnectionError("a random number was locked already")
        except self._error as error:
            self.release()
            raise ConnectionError(str(error).strip()) from error
        self._database.check_lock = self._check_lock
        return True

    def is_held(self) -> bool:
        """Return whether this object holds the lock: its session is still alive."""
        if self._session is None or not self._token:
            return False
        try:
            self._session.execute("SELECT 1")
        except self._error:
            return False
        return True

    def find_holder(self) -> str:
        """Return the name and the address of the process that holds the lock, from PostgreSQL.

        If no process holds it any longer, return `another process`.
        """
        with self._database.snapshot() as conn:
            row = conn.execute(_FIND_HOLDER, {"key": WORKER_LOCK}).first()
        if row is None:
            return "another process"
        return f"{row.application_name} ({row.client_addr or 'this machine'})"

    def release(self) -> None:
        """End the session, which releases the lock.

        Stop the loops of this process first. After the release, this process can still write, for
        example because of a page, but nothing checks any longer that it holds the lock.
        """
        self._database.check_lock = None
        if self._session is not None:
            with suppress(self._error):  # the server may notice the end of the session later
                self._session.execute("SELECT pg_advisory_unlock_all()")
            self._session.close()
            self._session = None

    def _take(self, key: int) -> bool:
        row = self._session.execute("SELECT pg_try_advisory_lock(%s)", [key]).fetchone()
        return bool(row[0])

    def _connect(self) -> Any:
        pooled = self._database.engine.raw_connection()
        session: Any = pooled.driver_connection
        pooled.detach()  # it never goes back to the pool
        session.autocommit = True
        name = f"pbem serve, {_name_process()}"[:63]  # PostgreSQL keeps 63 bytes
        session.execute("SELECT set_config('application_name', %s, false)", [name])
        for setting in _SETTINGS:
            session.execute(setting)
        return session

    def _check_lock(self, conn: Connection) -> None:
        """Raise LockLostError if the session that holds the lock has ended.

        Each writing transaction calls this method first. `conn` is the transaction's connection.
        """
        if conn.execute(_IS_FREE, {"key": self._token}).scalar():
            raise LockLostError("another process may have taken over")


WorkerLock: TypeAlias = FileLock | SessionLock
"""The lock of a database, which only one process at a time can hold."""


def _name_process() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"
