"""A copy of a database that is in use, and the way back from it; SQLite's own online backup."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pbem.errors import ConfigError
from pbem.store import identity, sums
from pbem.store.engine import engine_of, url_of
from pbem.store.schema import current_of, head


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
