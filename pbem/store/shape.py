"""Whether a database has the tables, columns, indexes and triggers that it should have, in words.

What it should have is what the migrations make of nothing, tried in memory. SQLite only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from pbem.store.engine import engine_of, url_of
from pbem.store.schema import upgrade_in

_MAKES: Final = "`pbem upgrade` makes it again"
_BACKUP: Final = "that was done by no pbem: undo it, or bring a backup back with `pbem restore`"


@dataclass(frozen=True, slots=True)
class _Made:
    """A table, index or trigger: on which table, its statement, and a table's columns."""

    kind: str
    table: str
    sql: str
    columns: Mapping[str, tuple[str, int, object, int]]


def differences(conn: Connection) -> list[str]:
    """What a database lacks, or has otherwise than it should, and what helps."""
    if conn.dialect.name != "sqlite":
        return []
    return list(_differences(_fresh(), _shape(conn)))


def mend(conn: Connection) -> list[str]:
    """Make the tables, indexes and triggers that are missing; what was made."""
    if conn.dialect.name != "sqlite":
        return []
    have = _shape(conn)
    missing = [(name, made) for name, made in _fresh().items() if name not in have]
    for _, made in missing:
        conn.exec_driver_sql(made.sql)
    return [f"the {made.kind} {name}" for name, made in missing]


def _differences(wanted: Mapping[str, _Made], have: Mapping[str, _Made]) -> Iterator[str]:
    for name, made in wanted.items():
        found = have.get(name)
        if found is None:
            if made.kind == "table" or made.table in have:
                lost = ", but what it held is gone" if made.kind == "table" else ""
                yield f"the {made.kind} {name} is missing: {_MAKES}{lost}"
        elif made.kind == "table":
            yield from _columns(name, made.columns, found.columns)
        elif _plain(made.sql) != _plain(found.sql):
            yield f"the {made.kind} {name} is another than it should be: drop it, and {_MAKES}"
    for name, found in have.items():
        # Tables and indexes of others do no harm.
        if name not in wanted and found.kind == "trigger":
            yield f"there is a trigger {name} that pbem never made: drop it"


def _columns(
    table: str,
    wanted: Mapping[str, tuple[str, int, object, int]],
    have: Mapping[str, tuple[str, int, object, int]],
) -> Iterator[str]:
    for name, kind in wanted.items():
        if name not in have:
            yield f"the table {table} has no column {name}: {_BACKUP}"
        elif have[name] != kind:
            yield f"the column {name} of the table {table} is of another kind: {_BACKUP}"
    for name, (_, required, default, _) in have.items():
        if name not in wanted and required and default is None:
            yield f"the table {table} has a column {name} that pbem cannot fill: {_BACKUP}"


@cache
def _fresh() -> Mapping[str, _Made]:
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as conn:
        upgrade_in(conn)
        made = _shape(conn)
    engine.dispose()
    return made


def _shape(conn: Connection) -> dict[str, _Made]:
    found = conn.exec_driver_sql(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type = 'table' DESC, rowid"
    ).fetchall()
    return {
        name: _Made(
            kind,
            table,
            sql,
            _columns_of(conn, name) if kind == "table" else {},
        )
        for kind, name, table, sql in found
    }


def _plain(sql: str) -> str:
    return " ".join(sql.replace('"', "").split())


def _columns_of(conn: Connection, table: str) -> dict[str, tuple[str, int, object, int]]:
    rows = conn.exec_driver_sql(f'PRAGMA table_info("{table}")')
    return {name: (kind, needed, default, key) for _, name, kind, needed, default, key in rows}


def mend_file(target: Path | str) -> list[str]:
    """As `mend`, for a database by its path or URL."""
    with engine_of(url_of(target)).begin() as conn:
        return mend(conn)
