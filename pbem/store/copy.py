"""Copy everything from one database into another one, such as from SQLite to PostgreSQL.

The source is read in one transaction, so that the copy is consistent. The target is written in one
transaction, so that it gets everything or nothing. Before the commit, each table is read again from
both databases and compared, and the hash chain of each match is checked. The target must have no
rows. Rows that the service writes to the source during the copy are not copied. So the service must
be stopped before it moves to another database, but can keep running while a backup is made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, Table, insert, select
from sqlmodel import SQLModel

from pbem.errors import PbemError
from pbem.names import MatchId
from pbem.store.database import Database, find_revision, list_revisions, reset_sequence
from pbem.store.event_log import verify_chain
from pbem.store.tables import EventRow

BATCH: Final = 100  # rows that are read and written at once; an email can have 1 MB

_EVENT = EventRow.__table__.c  # type: ignore[attr-defined]


class CopyError(PbemError):
    """Raised if a database cannot be copied; the message says why and what to do."""


def copy_database(source: Database, target: Database) -> dict[str, int]:
    """Copy all rows into a database without rows, and return the number of rows by table name.

    The tables of the target are created or upgraded first, and the copy is checked before the
    commit.

    Raises:
        CopyError: The tables of the source are of another version of pbem, the target has rows, the
            copy differs from its source, or a hash chain in it is broken.
    """
    target.migrate()
    with source.snapshot() as reading, target.engine.begin() as writing:
        _check_revision(reading)
        require_empty(writing)
        counts = {}
        for table in SQLModel.metadata.sorted_tables:
            counts[table.name] = _copy_table(reading, writing, table)
            reset_sequence(writing, table)
            if _digest_rows(reading, table) != _digest_rows(writing, table):
                raise CopyError(
                    f"Cannot copy the database: table {table.name} of the copy differs from its "
                    "source. Nothing was written."
                )
        faults = verify_chains(writing)
        if faults:
            raise CopyError(f"Cannot copy the database: {faults[0]} Nothing was written.")
    return counts


def require_empty(conn: Connection) -> None:
    """Raise CopyError if any table of the database has a row."""
    for table in SQLModel.metadata.sorted_tables:
        if conn.execute(select(table).limit(1)).first() is not None:
            raise CopyError(
                f"Cannot copy into this database: its table {table.name} has rows already. "
                "Take a new database."
            )


def verify_chains(conn: Connection) -> list[str]:
    """Return the faults in the hash chains of all matches, as sentences; empty without faults."""
    query = select(_EVENT.stream).distinct().order_by(_EVENT.stream)
    streams = conn.execute(query).scalars().all()
    return [fault for stream in streams for fault in verify_chain(conn, MatchId(stream))]


def _check_revision(conn: Connection) -> None:
    revision, newest = find_revision(conn), list_revisions()[0]
    if revision != newest:
        raise CopyError(
            f"Cannot copy the database: its tables have revision {revision}, and this version of "
            f"pbem has {newest}. Run `pbem db upgrade` first."
        )


def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    count = 0
    for rows in _read_batches(reading, table):
        writing.execute(insert(table), [dict(row) for row in rows])
        count += len(rows)
    return count


def _read_batches(conn: Connection, table: Table) -> Iterator[Sequence[RowMapping]]:
    query = select(table).execution_options(yield_per=BATCH)
    return conn.execute(query).mappings().partitions()


def _digest_rows(conn: Connection, table: Table) -> int:
    """Return the sum of the SHA-256 hashes of a table's rows, to compare tables of two databases.

    The sum does not depend on the order of the rows, which can differ between databases.
    """
    return sum(
        int.from_bytes(hashlib.sha256(_dump_row(row)).digest(), "big")
        for rows in _read_batches(conn, table)
        for row in rows
    )


def _dump_row(row: RowMapping) -> bytes:
    return json.dumps([*row.values()], sort_keys=True, default=_dump_value).encode()


def _dump_value(value: Any) -> str:
    return value.hex() if isinstance(value, bytes | bytearray | memoryview) else repr(value)
