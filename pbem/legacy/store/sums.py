"""A checksum for every row that no hash chain covers, so that a bit that fell over is found.

Triggers note which rows were written; whoever commits sums those up first, in the same transaction.
A row that differs from its checksum was changed by no statement: by the disk, or in the file.
SQLite only, as the file is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from pbem.legacy.store.tables import METADATA

if TYPE_CHECKING:
    from sqlalchemy import Connection

OWN: Final = ("touched", "row_sum")
COVERED: Final = ("event", "log_head", "sealed", "result", "rating", "opening")
"""Tables whose rows the chains and digests of the log cover, or that are made of it anew.

And counts of openings: there are dozens for a match, and a wrong one misleads nobody for long.
"""

SUMMED: Final = tuple(name for name in sorted(METADATA.tables) if name not in (*OWN, *COVERED))

BETWEEN: Final = "\x1f"
"""Stands between the parts of a key of several columns."""

_ARMED: Final = (
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_is_touched_?'"
)
_PENDING: Final = "SELECT tbl, key FROM touched"
_PUT: Final = "INSERT OR REPLACE INTO row_sum (tbl, key, sum) VALUES (?, ?, ?)"
_DROP: Final = "DELETE FROM row_sum WHERE tbl = ? AND key = ?"
_SUMS: Final = "SELECT key, sum FROM row_sum WHERE tbl = ?"


_Sum: TypeAlias = tuple[str, str, bytes]


@dataclass(frozen=True, slots=True)
class Altered:
    """A row that is not what was written last: changed, gone, or put in."""

    table: str
    key: str
    how: str


def arm(conn: Connection) -> None:
    """Let triggers note what is written from now on, in every table of today."""
    driver = _driver(conn)
    if driver is None:
        return
    for (name,) in driver.execute(_ARMED).fetchall():
        driver.execute(f'DROP TRIGGER "{name}"')
    for table in SUMMED:
        for statement in _triggers(table):
            driver.execute(statement)


def touch_all(conn: Connection) -> None:
    """Sum up every row anew, as after a migration: from now on that is what was written."""
    driver = _driver(conn)
    if driver is None:
        return
    driver.execute("DELETE FROM row_sum")
    for table in SUMMED:
        # Row by row: a table may be larger than memory.
        rows = driver.execute(
            f'SELECT {_key_of(table, "t")}, {_columns(table)} FROM "{table}" AS t'  # noqa: S608 - ours
        )
        driver.executemany(_PUT, _summed((table, key, row) for key, *row in rows))
    driver.execute("DELETE FROM touched")


def settle(conn: Connection) -> None:
    """Sum up what was written in this transaction; last, before its commit."""
    if conn.dialect.name != "sqlite":
        return
    driver = cast("sqlite3.Connection", conn.connection.driver_connection)
    pending = driver.execute(_PENDING).fetchall()
    if not pending:
        return
    there, gone = [], []
    for table, key in pending:
        row = None
        if table in METADATA.tables:
            statement, parts = _row(table)
            # SQLite compares a text with a number column by the column's kind.
            row = driver.execute(statement, key.split(BETWEEN, parts - 1)).fetchone()
        if row is None:
            gone.append((table, key))
        else:
            there.append((table, key, row))
    driver.executemany(_PUT, _summed(there))
    driver.executemany(_DROP, gone)
    driver.execute("DELETE FROM touched")


def altered(conn: Connection, table: str) -> Iterator[Altered]:
    """The rows of a table that no statement made as they are."""
    driver = _driver(conn)
    if driver is None:
        return
    pending = {key for name, key in driver.execute(_PENDING) if name == table}
    sums = dict(driver.execute(_SUMS, (table,)).fetchall())
    columns = _columns(table)
    rows = driver.execute(
        f'SELECT {_key_of(table, "t")}, {columns} FROM "{table}" AS t'  # noqa: S608 - names of ours
    )
    for _, key, now in _summed((table, key, row) for key, *row in rows):
        known = sums.pop(key, None)
        if key in pending:
            continue  # another program wrote it; the next unit of work sums it up
        if known is None:
            yield Altered(table, key, "was put in")
        elif known != now:
            yield Altered(table, key, "was changed")
    for key in sums:
        if key not in pending:
            yield Altered(table, key, "is gone")


# --- statements ----------------------------------------------------------------------------------


def _driver(conn: Connection) -> sqlite3.Connection | None:
    if conn.dialect.name != "sqlite":
        return None
    # By the driver itself: this is done for every commit.
    return cast("sqlite3.Connection", conn.connection.driver_connection)


def _keys(table: str) -> list[str]:
    return [column.name for column in METADATA.tables[table].primary_key.columns]


def _key_of(table: str, of: str) -> str:
    """A row's key as one text, in SQL."""
    parts = [f'{of}."{name}"' for name in _keys(table)]
    return "'' || " + " || char(31) || ".join(parts)


@cache
def _row(table: str) -> tuple[str, int]:
    """The statement that finds a row of a table, and how many parts its key has."""
    keys = _keys(table)
    where = " AND ".join(f'"{name}" = ?' for name in keys)
    found = f'SELECT {_columns(table)} FROM "{table}" WHERE {where}'  # noqa: S608 - names of ours
    return found, len(keys)


@cache
def _columns(table: str) -> str:
    """All columns as bytes, so that text which is no text can be read, too."""
    return ", ".join(f'CAST("{column.name}" AS BLOB)' for column in METADATA.tables[table].columns)


@cache
def _names(table: str) -> tuple[bytes, ...]:
    return tuple(column.name.encode() for column in METADATA.tables[table].columns)


def _summed(rows: Iterable[tuple[str, str, Sequence[bytes | None]]]) -> Iterator[_Sum]:
    """The checksums of rows, each with its table and key: of its names and values.

    A column that is empty counts nothing, so that a new one changes no sum.
    """
    for table, key, row in rows:
        made = blake2b(digest_size=8)
        for name, value in zip(_names(table), row, strict=True):
            if value is not None:
                made.update(b"%b=%d:" % (name, len(value)))
                made.update(value)
        yield table, key, made.digest()


def _triggers(table: str) -> Iterator[str]:
    old, new = _key_of(table, "OLD"), _key_of(table, "NEW")
    for short, when, keys in (
        ("i", "INSERT", (new,)),
        ("u", "UPDATE", (old, new)),
        ("d", "DELETE", (old,)),
    ):
        body = " ".join(_note(table, key) for key in keys)
        name = f"{table}_is_touched_{short}"
        yield f'CREATE TRIGGER "{name}" AFTER {when} ON "{table}" BEGIN {body} END'


def _note(table: str, key: str) -> str:
    # Not by OR IGNORE: in a trigger the policy of the statement that fired it counts.
    there = f"SELECT 1 FROM touched WHERE tbl = '{table}' AND key = {key}"  # noqa: S608 - ours
    return f"INSERT INTO touched SELECT '{table}', {key} WHERE NOT EXISTS ({there});"
