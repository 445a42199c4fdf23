"""The two statements that SQLite and PostgreSQL spell alike and SQLAlchemy does not.

Never for events: what is appended there either fits or fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

PerDialect: TypeAlias = Mapping[str, sqlite.Insert | postgresql.Insert]
"""A statement by the name of its dialect: `conn.execute(STATEMENT[conn.dialect.name], ...)`."""


def insert_absent(table: Table, *key: str) -> PerDialect:
    """Insert rows; those whose key is there already change nothing."""
    return {
        "sqlite": sqlite.insert(table).on_conflict_do_nothing(index_elements=key),
        "postgresql": postgresql.insert(table).on_conflict_do_nothing(index_elements=key),
    }


def insert_or_update(table: Table, *key: str, keep: tuple[str, ...] = ()) -> PerDialect:
    """Insert rows; those whose key is there already get the new values, but for `keep`."""
    return {
        "sqlite": _updating(sqlite.insert(table), table, key, keep),
        "postgresql": _updating(postgresql.insert(table), table, key, keep),
    }


def _updating(
    insert: sqlite.Insert | postgresql.Insert,
    table: Table,
    key: tuple[str, ...],
    keep: tuple[str, ...],
) -> sqlite.Insert | postgresql.Insert:
    new = {
        column.name: insert.excluded[column.name]
        for column in table.columns
        if column.name not in {*key, *keep}
    }
    return insert.on_conflict_do_update(index_elements=key, set_=new)
