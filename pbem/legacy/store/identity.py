"""Which database this is, and which processes are at work on it."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, cast

from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from pbem.errors import ConfigError, PbemError
from pbem.legacy.store import postgres, scopes
from pbem.legacy.store.engine import engine_of, file_of, shown
from pbem.legacy.store.scopes import key_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.scopes import Scope


# --- identity ------------------------------------------------------------------------------------
# Which database this is, so that a process accepts nothing for another than the one it has opened.
#
# A path or a URL may lead elsewhere after a while: to a file that was restored, to tables that were
# upgraded, to a database that was left for another, to nothing. The key of a database is made anew
# wherever a copy becomes a database of its own; where the file or the tables are is held to as
# well.

_KEY_BYTES: Final = 16

_ROWS: Final = (
    "(SELECT key FROM identity)",
    "(SELECT left_for FROM identity)",
    "(SELECT version_num FROM alembic_version)",
)
_READ: Final = {
    "sqlite": _ROWS,
    # A table that was dropped and made again has another number, as has a database.
    "postgresql": (
        *_ROWS,
        "'identity'::regclass::oid::bigint",
        "(SELECT oid::bigint FROM pg_database WHERE datname = current_database())",
    ),
}

_Identity: TypeAlias = tuple[Any, ...]
"""A database's key, for which other one it was left, its tables' version, and where it is."""

_HAS_GONE: Final = (FileNotFoundError, NotADirectoryError)


class Replaced(PbemError):  # noqa: N818 - what happened to the database
    """The database is another one now: nothing more is accepted, and the process has to end."""


def renew(conn: Connection) -> None:
    """From now on this is a database of its own, whatever it was copied from."""
    conn.execute(text("DELETE FROM identity"))
    new = text("INSERT INTO identity (key, left_for) VALUES (:key, '')")
    conn.execute(new, {"key": secrets.token_hex(_KEY_BYTES)})


def leave(conn: Connection, other: str) -> None:
    """Say in a database that `other` has taken its place."""
    conn.execute(text("UPDATE identity SET left_for = :other"), {"other": other})


def left(conn: Connection) -> str:
    """Why a database is not to be used any more: what was moved away from it; else nothing."""
    if not inspect(conn).has_table("identity"):
        return ""
    other = conn.execute(text("SELECT left_for FROM identity")).scalar()
    if not other:
        return ""
    return (
        f"was left for {other} by `pbem migrate`, where all goes on: write `database = "
        f'"{other}"` below [store] in the settings. The way back is `pbem migrate --to` an empty '
        "database, from there"
    )


class Guard:
    """Holds a process to the database that it has opened; for any thread."""

    def __init__(self, url: str) -> None:
        """What is at the URL now is the database."""
        self._shown, self._file = shown(url), file_of(url)
        read = _READ["sqlite" if self._file is not None else "postgresql"]
        self._identity = f"SELECT {', '.join(read)}"
        at = None if self._file is None else self._file.stat()
        self._inode = None if at is None else (at.st_dev, at.st_ino)
        self._known: _Identity | None = None
        self._why = ""

    def require(self, conn: Connection) -> None:
        """Raise Replaced where a connection does not lead to the database, or not as it was."""
        self.require_file()
        try:
            if self._file is None:
                found = tuple(conn.exec_driver_sql(self._identity).one())
            else:
                # By the driver itself: this is asked for each unit of work.
                driver = cast("sqlite3.Connection", conn.connection.driver_connection)
                found = driver.execute(self._identity).fetchone()
        except (DBAPIError, sqlite3.Error) as error:
            self._refuse_others(error)
            raise
        if found != self._known:
            self._know(found)

    def lock(self, conn: Connection, scope: Scope) -> None:
        """The same by the statement that locks a scope: it is one way to the server less."""
        try:
            found = tuple(scopes.lock(conn, scope, *_READ[conn.dialect.name]))
        except DBAPIError as error:
            self._refuse_others(error)
            raise
        if found != self._known:
            self._know(found)

    def _refuse_others(self, error: DBAPIError | sqlite3.Error) -> None:
        if "no such table" in str(error) or postgres.state_of(error) == _NO_TABLE:
            self._refuse("its tables are not those of pbem any more")

    def _know(self, found: _Identity) -> None:
        if self._known is not None:
            self._refuse(_difference(self._known, found))
        self._known = found

    def require_file(self) -> None:
        """Raise Replaced where SQLite's file is not at its place any more, or it is another."""
        if self._why:
            raise Replaced(self._why)
        if self._file is None:
            return
        try:
            found = os.stat(self._file)  # noqa: PTH116 - this is asked for each unit of work
        except _HAS_GONE:
            self._refuse("the file is gone from there")
        except OSError:
            return  # SQLite will say what is wrong
        if (found.st_dev, found.st_ino) != self._inode:
            self._refuse("another file is there now")

    def refuse_while_upgrading(self) -> None:
        """Raise Replaced, or ConfigError at the start: tables are being changed, or moved away."""
        why = "a `pbem upgrade` or `migrate` is at work"
        if self._known is None:
            raise ConfigError(f"{why} on {self._shown}: wait for its end")
        self._refuse(why)

    def _refuse(self, why: str) -> NoReturn:
        self._why = (
            f"{self._shown} is not the database that was opened: {why}. Nothing more is taken, and "
            "this process ends: a new start goes on with what is there"
        )
        raise Replaced(self._why)


_NO_TABLE: Final = "42P01"


def _difference(known: _Identity, found: _Identity) -> str:
    _, left_for, version, *_ = found
    if left_for:
        return f"it was left for {left_for} by `pbem migrate`"
    if version != known[2]:
        return f"its tables were brought from version {known[2]} to {version}"
    return "another one was put in its place"


# --- presence ------------------------------------------------------------------------------------
# Which processes are at work on a PostgreSQL database, and which of them has what alone.
#
# Locks say so, which the server lets go with the connection, however the process ends: whoever
# opened a database is there by each of its connections, so that nobody upgrades or migrates what it
# could write to, and is there again at the next look after the server was started anew. On SQLite
# locks of files say the same (`pbem/legacy/wiring/process.py`).

_KIND: Final = 0x7062656D  # "pbem": the first half of the locks that say who is there
_AT_WORK: Final = "at work"

AT_WORK: Final = "`pbem serve`, `pbem web` or another command is at work on"
A_MOMENT: Final = 3.0
"""Seconds."""

_LIVING: Final = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    " AND classid = :kind"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def new_worker() -> int:
    """A number for a process that begins to work; no other has it."""
    return secrets.randbelow(2**31 - 1) + 1


def living(conn: Connection) -> frozenset[int]:
    """The workers who are there now."""
    return frozenset(conn.execute(_LIVING, {"kind": _KIND}).scalars())


class Presence:
    """Says that a worker is there, and holds what it has alone; for one thread at a time."""

    def __init__(self, url: str, worker: int) -> None:
        """Nothing is said or held yet."""
        self.worker: Final = worker
        self._engine = engine_of(url).execution_options(isolation_level="AUTOCOMMIT")
        self._conn: Connection | None = None
        self._held: set[str] = set()

    def renew(self, wanted: Collection[str] = ()) -> frozenset[str]:
        """Be there, and try to have these alone; which of them we have.

        Where the connection is gone, others may have what we had: it is tried for anew. Raises what
        the driver raises while nobody answers, and then we have nothing.
        """
        try:
            if self._conn is None:
                self._conn = self._engine.connect()
                self._try("pg_try_advisory_lock(:kind, :name)", kind=_KIND, name=self.worker)
            else:
                self._conn.exec_driver_sql("SELECT 1")
            for name in sorted(set(wanted) - self._held):
                if self._try("pg_try_advisory_lock(:name)", name=key_of(name)):
                    self._held.add(name)
        except BaseException:
            self.close()
            raise
        return frozenset(self._held & set(wanted))

    def _try(self, lock: str, **values: int) -> bool:
        if self._conn is None:
            raise RuntimeError("not connected")
        return bool(self._conn.execute(text(f"SELECT {lock}"), values).scalar_one())

    def close(self) -> None:
        """Be there no more; whoever waits for what we had gets it."""
        conn, self._conn = self._conn, None
        self._held.clear()
        if conn is not None:
            with suppress(Exception):
                conn.invalidate()
            with suppress(Exception):
                conn.close()


def be_there(conn: Connection) -> bool:
    """Say that somebody is at work by this connection; not where nobody may be now."""
    lock = text("SELECT pg_try_advisory_lock_shared(:name)")
    return bool(conn.execute(lock, {"name": key_of(_AT_WORK)}).scalar_one())


@contextmanager
def nobody_there(url: str) -> Iterator[None]:
    """Nobody may begin to work on a database meanwhile. Raises ConfigError where somebody does.

    A command may just be at its end: it is waited for a moment.
    """
    with engine_of(url).connect() as conn:
        lock = text("SELECT pg_try_advisory_lock(:name)")
        until = time.monotonic() + A_MOMENT
        while not conn.execute(lock, {"name": key_of(_AT_WORK)}).scalar_one():
            if time.monotonic() > until:
                raise ConfigError(f"{AT_WORK} {shown(url)}: stop it first")
            time.sleep(A_MOMENT / 20)
        conn.commit()  # the lock is the connection's, not the transaction's
        yield
