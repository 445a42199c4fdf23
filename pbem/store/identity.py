"""Which database this is, so that a process accepts nothing for another than the one it has opened.

A path or a URL may lead elsewhere after a while: to a file that was restored, to tables that were
upgraded, to a database that was left for another, to nothing. The key of a database is made anew
wherever a copy becomes a database of its own; where the file or the tables are is held to as well.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from pbem.errors import ConfigError, PbemError
from pbem.store import postgres, scopes
from pbem.store.engine import file_of, shown

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from pbem.store.scopes import Scope

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

_HAS_GONE: Final = (FileNotFoundError, NotADirectoryError)


class Replaced(PbemError):  # noqa: N818 - what happened to the database
    """The database is another one now: nothing more is accepted, and the process has to end."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A database's key, its tables' version, for which other one it was left, and where it is."""

    key: str | None
    left_for: str | None
    version: str | None
    place: tuple[int, ...] = ()


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
        self._inode = None if self._file is None else _inode(self._file)
        self._known: Identity | None = None
        self._why = ""

    def require(self, conn: Connection) -> None:
        """Raise Replaced where a connection does not lead to the database, or not as it was."""
        self.require_file()
        wanted = f"SELECT {', '.join(_READ[conn.dialect.name])}"
        if self._file is None:
            self._hold(lambda: conn.exec_driver_sql(wanted).one())
        else:
            # By the driver itself: this is asked for each unit of work.
            driver = cast("sqlite3.Connection", conn.connection.driver_connection)
            self._hold(lambda: driver.execute(wanted).fetchone())

    def lock(self, conn: Connection, scope: Scope) -> None:
        """The same by the statement that locks a scope: it is one way to the server less."""
        self._hold(lambda: scopes.lock(conn, scope, *_READ[conn.dialect.name]))

    def _hold(self, ask: Callable[[], Sequence[Any]]) -> None:
        try:
            key, left_for, version, *place = ask()
        except (DBAPIError, sqlite3.Error) as error:
            if "no such table" in str(error) or postgres.state_of(error) == _NO_TABLE:
                self._refuse("its tables are not those of pbem any more")
            raise
        found = Identity(key, left_for, version, tuple(place))
        if self._known is None:
            self._known = found
        if found != self._known:
            self._refuse(_difference(self._known, found))

    def require_file(self) -> None:
        """Raise Replaced where SQLite's file is not at its place any more, or it is another."""
        if self._why:
            raise Replaced(self._why)
        if self._file is None:
            return
        try:
            inode = _inode(self._file)
        except _HAS_GONE:
            self._refuse("the file is gone from there")
        except OSError:
            return  # SQLite will say what is wrong
        else:
            if inode != self._inode:
                self._refuse("another file is there now")

    def refuse_while_upgrading(self) -> None:
        """Raise Replaced, or ConfigError at the start: tables are being changed, or moved away."""
        why = "a `pbem upgrade` or `migrate` is at work"
        if self._known is None:
            raise ConfigError(f"{why} on {self._shown}: wait for its end")
        self._refuse(why)

    def _refuse(self, why: str) -> None:
        self._why = (
            f"{self._shown} is not the database that was opened: {why}. Nothing more is taken, and "
            "this process ends: a new start goes on with what is there"
        )
        raise Replaced(self._why)


_NO_TABLE: Final = "42P01"


def _inode(file: Path) -> tuple[int, int]:
    found = os.stat(file)  # noqa: PTH116 - this is asked for each unit of work
    return found.st_dev, found.st_ino


def _difference(known: Identity, found: Identity) -> str:
    if found.left_for:
        return f"it was left for {found.left_for} by `pbem migrate`"
    if found.version != known.version:
        return f"its tables were brought from version {known.version} to {found.version}"
    return "another one was put in its place"
