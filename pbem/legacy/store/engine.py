"""How the database is reached: URLs, and SQLite's settings for every connection.

What is PostgreSQL's own stands in `postgres.py`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import ExceptionContext
from sqlalchemy.exc import DataError
from sqlalchemy.pool import NullPool

from pbem.errors import ConfigError
from pbem.legacy.store import postgres

_SQLITE = "sqlite:///"

KNOWN = "give the path of a file (SQLite), or postgresql://user@host/name"

_SETTINGS = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # Without it INSERT OR REPLACE passes the trigger that refuses deletes.
    "PRAGMA recursive_triggers = ON",
    # What is deleted is overwritten in the file, wherever SQLite was built.
    "PRAGMA secure_delete = ON",
)


def url_of(target: Path | str) -> str:
    """A database URL from a URL or from the path of an SQLite file."""
    text = str(target)
    if "://" not in text:
        return f"{_SQLITE}{text}"
    if not text.startswith((_SQLITE, *postgres.SCHEMES)):
        raise ConfigError(f"{postgres.shown(text)} is no database that pbem knows: {KNOWN}")
    return text


def file_of(target: Path | str) -> Path | None:
    """The file of an SQLite database, by its path or URL; None if it is another database."""
    url = url_of(target)
    return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None


def shown(target: Path | str) -> str:
    """A database as the operator may see it named: a path, or a URL without its password."""
    file = file_of(target)
    return postgres.shown(str(target)) if file is None else str(file)


def unwritable(target: Path | str) -> str:
    """What helps where one of SQLite's files, or their folder, cannot be written; else nothing."""
    file = file_of(target)
    if file is None:
        return ""
    folder = file.absolute().parent
    for one in (folder, *(Path(f"{file}{end}") for end in ("", "-wal", "-shm"))):
        if one.exists() and not os.access(one, os.W_OK):
            return f"{one} belongs to another user, or its rights are wrong: let us write to it"
    return ""


def empty_journal(url: str) -> None:
    """Bring all of SQLite's write-ahead log into the file and empty it, if nobody is reading."""
    file = file_of(url)
    if file is None:
        return
    with closing(_opened(file)) as connection:
        connection.execute("PRAGMA busy_timeout = 5000").close()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


def _opened(file: Path) -> SqliteConnection:
    """A connection to a file that is there; else SQLite would make an empty one."""
    uri = f"{file.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)


def _without_values(context: ExceptionContext) -> None:
    """Errors of PostgreSQL repeat the row behind what is wrong, and a value that does not fit."""
    error, told = context.original_exception, context.sqlalchemy_exception
    diagnosis = getattr(error, "diag", None)
    if told is None or diagnosis is None or diagnosis.sqlstate is None:
        return  # the connection failed, and says so itself
    misfit = isinstance(told, DataError)
    said = "a value does not fit its column" if misfit else diagnosis.message_primary
    error.args = (said,)
    told.args = (f"({type(error).__name__}) {said}",)


def engine_of(url: str, *, read_only: bool = False, lenient: bool = False) -> Engine:
    """An engine without a pool: whoever connects owns the connection and closes it.

    On SQLite a transaction is BEGIN IMMEDIATE, since one that first reads and then writes fails at
    once where another has written between; a reader's is a snapshot and cannot write.
    Text that is no UTF-8 is an error, but with `lenient` a sign stands for what cannot be read.
    """
    if postgres.is_url(url):
        engine = postgres.engine_of(url, read_only=read_only)
        event.listen(engine, "handle_error", _without_values)
        return engine
    # Without their values: errors go into the log, and rows hold addresses and raw mails.
    file = Path(url.removeprefix(_SQLITE))
    engine = create_engine(
        url, creator=partial(_opened, file), poolclass=NullPool, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: SqliteConnection, _record: object) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        for setting in _SETTINGS:
            connection.execute(setting).close()
        if read_only:
            connection.execute("PRAGMA query_only = ON").close()
        if lenient:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine
