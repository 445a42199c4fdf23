"""Which columns statements read, as SQLite itself tells when it prepares them.

What is damaged in a column hurts only who reads it: commands that do not need not be tried.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.engine import Engine


@contextmanager
def columns_read(conn: sqlite3.Connection) -> Iterator[set[str]]:
    """The columns that are read on a connection in the block, as `table.column`."""
    found: set[str] = set()
    _watch(conn, found)
    try:
        yield found
    finally:
        conn.set_authorizer(None)


@contextmanager
def columns_read_by_all() -> Iterator[set[str]]:
    """The columns that are read in the block on whatever connection is opened in it."""
    found: set[str] = set()

    def opened(conn: sqlite3.Connection, _: object) -> None:
        _watch(conn, found)

    event.listen(Engine, "connect", opened)
    try:
        yield found
    finally:
        event.remove(Engine, "connect", opened)


def _watch(conn: sqlite3.Connection, found: set[str]) -> None:
    def authorized(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            found.add(f"{table}.{column}")
        return sqlite3.SQLITE_OK

    conn.set_authorizer(authorized)
