"""A whole database into another, of whatever engine: every row as it is, and told if it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Boolean, Table, column, func, insert, select, text
from sqlalchemy import table as sql_table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator

from pbem.errors import ConfigError
from pbem.store import sums, tables
from pbem.store.log import verify

if TYPE_CHECKING:
    from sqlalchemy import Connection, TableClause

TOGETHER: Final = 500

_ITS_OWN: Final = (*sums.OWN, "identity")
"""Checksums are the engine's, which database it is is not said of another: both are made anew."""

MOVED: Final = tuple(table for table in tables.METADATA.sorted_tables if table.name not in _ITS_OWN)
"""All other tables, those first that others name."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How much is in the new database, of which everything was found as it is in the old one."""

    rows: int
    events: int
    streams: int


def require_empty(conn: Connection) -> None:
    """Raise ConfigError where a database has anything in it already."""
    for table in MOVED:
        if table.name == "log_head":
            continue
        if conn.execute(select(func.count()).select_from(table)).scalar_one():
            raise ConfigError(
                f"there are rows in its table {table.name} already: give a database without any"
            )


def move(old: Connection, new: Connection, told: Callable[[str, int], None]) -> Moved:
    """Copy everything, and compare what was written with what was read.

    `told` is called with each table and its number of rows. Raises ConfigError where anything
    differs; then the transaction of `new` must not be committed.
    """
    rows = 0
    new.execute(tables.log_head.delete())
    for table in MOVED:
        count = _copy(old, new, table)
        told(table.name, count)
        rows += count
        _go_on_counting(old, new, table)
    sums.settle(new)
    for table in MOVED:
        if _digest(old, table) != _digest(new, table):
            raise ConfigError(f"the rows of {table.name} are not the same after they were written")
    checked = verify.verify_all(new)
    if checked.findings:
        raise ConfigError(f"what was written is not whole: {checked.findings[0]}")
    streams = new.execute(select(func.count()).select_from(tables.stream)).scalar_one()
    return Moved(rows, checked.events, streams)


def _copy(old: Connection, new: Connection, table: Table) -> int:
    columns = [column.name for column in table.columns]
    wanted = insert(_PLAIN[table.name])
    count = 0
    for some in _batches(old, table):
        try:
            new.execute(wanted, [dict(zip(columns, row, strict=True)) for row in some])
        except DBAPIError as error:
            # Without the driver's own words, which repeat the row.
            raise ConfigError(
                f"a row of {table.name} cannot be written there "
                f"({type(error.orig).__name__}): `pbem check --deep` says which are damaged"
            ) from None
        count += len(some)
    return count


def _batches(conn: Connection, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    found = conn.execute(_rows(table).execution_options(yield_per=TOGETHER))
    truths = [isinstance(column.type, Boolean) for column in table.columns]
    for some in found.partitions(TOGETHER):
        yield [
            tuple(bool(value) if truth else value for value, truth in zip(row, truths, strict=True))
            for row in some
        ]


def _rows(table: Table) -> Any:
    """All rows by their key, each value as it is kept: a mail that is damaged stays so."""
    keys = [_PLAIN[table.name].c[column.name] for column in table.primary_key.columns]
    return select(*_PLAIN[table.name].columns).order_by(*keys)


def _plain(table: Table) -> TableClause:
    """The table without what our own kinds of columns make of values."""
    return sql_table(table.name, *(column(one.name, _kept_as(one.type)) for one in table.columns))


def _kept_as(kind: Any) -> Any:
    return kind.impl_instance if isinstance(kind, TypeDecorator) else kind


_PLAIN: Final = {table.name: _plain(table) for table in MOVED}


def _digest(conn: Connection, table: Table) -> tuple[int, int]:
    """How many rows, and a sum of their digests, whatever order the database has them in."""
    count = total = 0
    for some in _batches(conn, table):
        for row in some:
            total += int.from_bytes(sha256(repr(row).encode()).digest()[:16], "big")
            count += 1
    return count, total


def _go_on_counting(old: Connection, new: Connection, table: Table) -> None:
    """Numbers that were given once are not given again, also those of rows that are gone."""
    for one in table.primary_key.columns:
        if table.name in _NUMBERED and one.autoincrement is not False:
            last = max(_last_given(old, table.name, one.name), 0)
            if not last:
                return
            if new.dialect.name == "sqlite":
                new.execute(
                    text("UPDATE sqlite_sequence SET seq = max(seq, :last) WHERE name = :name"),
                    {"last": last, "name": table.name},
                )
            else:
                new.execute(
                    text("SELECT setval(pg_get_serial_sequence(:name, :column), :last)"),
                    {"last": last, "name": table.name, "column": one.name},
                )


def _last_given(conn: Connection, name: str, column_name: str) -> int:
    if conn.dialect.name == "sqlite":
        wanted = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int(conn.execute(wanted, {"name": name}).scalar() or 0)
    wanted = text("SELECT pg_sequence_last_value(pg_get_serial_sequence(:name, :column)::regclass)")
    return int(conn.execute(wanted, {"name": name, "column": column_name}).scalar() or 0)


_NUMBERED: Final = frozenset(
    table.name for table in MOVED if table.dialect_options["sqlite"]["autoincrement"]
)
