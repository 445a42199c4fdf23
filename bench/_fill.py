"""Very many rows into a database at once: its indexes are made when all are there."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench._many import COUNTED, FILLED, Copies, Row, Rows
from pbem.store import postgres, sums, tables
from pbem.store.engine import engine_of, file_of, url_of
from pbem.store.schema import migrate

if TYPE_CHECKING:
    import psycopg

TOGETHER: Final = 2_000
"""Matches whose rows are in memory at once."""


def fill(target: Path | str, count: int) -> None:
    """Make a database with so many matches at a path or URL."""
    migrate(target)
    copies = Copies(count)
    if postgres.is_url(str(target)):
        _fill_postgres(str(target), copies)
    else:
        file = file_of(target)
        if file is None:
            raise ValueError(f"{target} is no database that can be filled")
        _fill_sqlite(file, copies)


def _parts(copies: Copies) -> Iterator[Rows]:
    """All rows by their tables, those of some thousand matches at a time."""
    yield from _together(copies.people(), 10 * TOGETHER)
    numbers = iter(range(copies.count))
    while part := list(islice(numbers, TOGETHER)):
        yield from _together(copies.matches(part))


def _together(found: Iterable[Rows], most: int | None = None) -> Iterator[Rows]:
    rows = iter(found)
    while part := list(islice(rows, most)):
        whole: defaultdict[str, list[Row]] = defaultdict(list)
        for one in part:
            for name, some in one.items():
                whole[name].extend(some)
        yield whole


def _columns(name: str) -> Sequence[str]:
    return list(tables.METADATA.tables[name].columns.keys())


# --- SQLite --------------------------------------------------------------------------------------


_MADE: Final = """
    SELECT type, name, sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND type IN ('index', 'trigger')
"""


def _fill_sqlite(file: Path, copies: Copies) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as conn:
        for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -4000000"):
            conn.execute(f"PRAGMA {setting}").close()
        known = conn.execute(_MADE).fetchall()
        for kind, name, _ in known:
            conn.execute(f'DROP {kind} "{name}"')
        conn.execute("BEGIN")
        for part in _parts(copies):
            for name in FILLED:
                if rows := part.get(name):
                    values = ", ".join("?" * len(rows[0]))
                    columns = ", ".join(f'"{one}"' for one in _columns(name))
                    conn.executemany(f'INSERT INTO "{name}" ({columns}) VALUES ({values})', rows)  # noqa: S608
        conn.execute("UPDATE log_head SET position = ?", (copies.events,))
        for _, _, sql in known:
            conn.execute(sql)
        conn.execute("COMMIT")
    engine = engine_of(url_of(file))
    with engine.connect() as whole, whole.begin():
        sums.touch_all(whole)
    engine.dispose()


# --- PostgreSQL ----------------------------------------------------------------------------------


_CONSTRAINTS: Final = """
    SELECT c.conrelid::regclass::text, quote_ident(c.conname), pg_get_constraintdef(c.oid)
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
    WHERE t.relname = ANY(%s) AND c.contype IN ('p', 'u', 'f')
    ORDER BY c.contype = 'f', c.conname
"""
_INDEXES: Final = """
    SELECT quote_ident(indexname), indexdef FROM pg_indexes
    WHERE tablename = ANY(%s) AND schemaname = 'public'
"""


def _fill_postgres(url: str, copies: Copies) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as conn:
        for setting in ("session_replication_role = replica", "maintenance_work_mem = '1GB'",
                        "synchronous_commit = off"):  # fmt: skip
            _run(conn, f"SET {setting}")
        names = list(FILLED)
        constraints = conn.execute(_CONSTRAINTS, (names,)).fetchall()
        for table, name, _ in reversed(constraints):
            _run(conn, f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name} CASCADE")
        indexes = conn.execute(_INDEXES, (names,)).fetchall()
        for name, _ in indexes:
            _run(conn, f"DROP INDEX {name}")
        for part in _parts(copies):
            for name in FILLED:
                if rows := part.get(name):
                    _copy(conn, name, rows)
        conn.execute("UPDATE log_head SET position = %s", (copies.events,))
        for _, made in indexes:
            _run(conn, made)
        for table, name, made in constraints:
            _run(conn, f"ALTER TABLE {table} ADD CONSTRAINT {name} {made}")
        for name, column in COUNTED.items():
            counted = f"pg_get_serial_sequence('{name}', '{column}')"
            _run(conn, f'SELECT setval({counted}, max("{column}")) FROM {name}')  # noqa: S608 - names of ours
        _run(conn, "VACUUM (ANALYZE)")
        _run(conn, "CHECKPOINT")


def _copy(conn: psycopg.Connection[Any], name: str, rows: Sequence[Row]) -> None:
    columns = ", ".join(f'"{one}"' for one in _columns(name))
    with (
        conn.cursor() as cursor,
        cursor.copy(f'COPY "{name}" ({columns}) FROM STDIN'.encode()) as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _run(conn: psycopg.Connection[Any], sql: str) -> None:
    conn.execute(sql.encode())
