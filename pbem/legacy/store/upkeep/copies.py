"""A database copied: as a backup, into another engine; and a match from a file taken out again."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Boolean, Table, column, delete, exists, func, insert, select, text
from sqlalchemy import table as sql_table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeDecorator

from pbem.errors import ConfigError
from pbem.names import Digest, MatchId, PlayerId, is_bot
from pbem.legacy.store import identity, sums, tables
from pbem.legacy.store.engine import engine_of, url_of
from pbem.legacy.store.log import event_log, verify
from pbem.legacy.store.schema import current_of, head

if TYPE_CHECKING:
    from sqlalchemy import Connection, TableClause


# --- backup --------------------------------------------------------------------------------------
# A copy of a database that is in use, and the way back from it; SQLite's own online backup.


def backup(database: Path, target: Path) -> None:
    """Write a whole, checked copy; `target` is there when it is complete, or not at all.

    The service may go on meanwhile. Raises ConfigError if there is nothing to copy, or something
    that would be overwritten.
    """
    if not database.exists():
        raise ConfigError(f"there is no database at {database}")
    _copy(database, target)


def restore(copy: Path, database: Path) -> None:
    """Put a backup where the database was; the service must not be running.

    Raises ConfigError if a database is there already: move it away first, with its -wal and -shm.
    """
    if not copy.exists():
        raise ConfigError(f"there is no backup at {copy}")
    for left in (f"{database}-wal", f"{database}-shm"):
        if Path(left).exists():
            raise ConfigError(f"{left} belongs to another database: move it away first")
    _copy(copy, database, finish=_renew)


def _renew(unfinished: Path) -> None:
    """Make a copy a database of its own, so that who served the one before notices."""
    with engine_of(url_of(unfinished)).begin() as conn:
        if current_of(conn) == head():  # an older one is renewed when it is brought to our tables
            identity.renew(conn)
            sums.settle(conn)


def _copy(source: Path, target: Path, finish: Callable[[Path], None] | None = None) -> None:
    if target.exists():
        raise ConfigError(f"{target} exists already and is not overwritten")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)  # it holds letters and secrets
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as read,
            closing(sqlite3.connect(unfinished)) as written,
        ):
            read.backup(written)
            _require_whole(written, source)
        if finish is not None:
            finish(unfinished)
        with closing(sqlite3.connect(unfinished)) as written:
            # A copy of a database in WAL mode would need its two other files to be opened.
            written.execute("PRAGMA journal_mode = DELETE").close()
        _flush(unfinished)
        os.link(unfinished, target)  # unlike a rename, it does not overwrite
        _flush(target.parent)
    except sqlite3.DatabaseError as error:
        raise ConfigError(f"{source} cannot be copied: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _require_whole(written: sqlite3.Connection, source: Path) -> None:
    found = [text for (text,) in written.execute("PRAGMA integrity_check")]
    if found != ["ok"]:
        raise ConfigError(f"{source} is damaged: {found[0]}")
    if not written.execute("SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'").fetchone():
        raise ConfigError(f"{source} is no database of pbem")


def _flush(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# --- moving --------------------------------------------------------------------------------------
# A whole database into another, of whatever engine: every row as it is, and told if it is not.

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
        count = _copy_table(old, new, table)
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


def _copy_table(old: Connection, new: Connection, table: Table) -> int:
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


# --- taking out ----------------------------------------------------------------------------------
# A match that came from a file is taken out again: hidden, with all that stands beside the log.
#
# Events never go: positions without gaps, chains and backups rest on that. So its stream is closed,
# which is as if it were not there, and what can be forgotten is: names, texts, secrets, lists.


def residents(conn: Connection, players: Collection[PlayerId]) -> list[PlayerId]:
    """Those who play here or did, in their order: who came with a file has no stream, no address.

    Bots are everywhere.
    """
    address = tables.address.c
    people = [player for player in players if not is_bot(player)]
    known = set(conn.execute(select(address.player).where(address.player.in_(people))).scalars())
    return [
        player
        for player in people
        if player in known or event_log.head(conn, f"player-{player}") is not None
    ]


def take_out(
    conn: Connection,
    match: MatchId,
    players: Collection[PlayerId],
    texts: Collection[Digest],
    now: datetime,
) -> None:
    """Hide a match of guests; their names go unless another match has them."""
    stream = f"match-{match}"
    event_log.close(conn, stream, now)
    for table in (tables.match_player, tables.match_watcher, tables.seat_name):
        conn.execute(delete(table).where(table.c.match == match))
    conn.execute(delete(tables.match).where(tables.match.c.id == match))
    for table in (tables.chance_secret, tables.timer):
        conn.execute(delete(table).where(table.c.stream == stream))
    conn.execute(delete(tables.sealed).where(tables.sealed.c.digest.in_(texts)))
    player = tables.player.c.id
    guests = [one for one in players if not is_bot(one)]
    others = exists().where(tables.match_player.c.player == player)
    conn.execute(delete(tables.player).where(player.in_(guests), ~others))
