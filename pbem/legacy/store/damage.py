"""Why the database could not be read or written, in words: what is wrong, and what helps.

The one place that translates errors of SQLite, of files and of what rows hold; `postgres` has those
of PostgreSQL. No word of a row is in what it says, since rows are letters and addresses.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select
from sqlalchemy.exc import NoResultFound

from pbem.errors import PbemError
from pbem.legacy.store.codec import Unfit
from pbem.legacy.store.postgres import fault_of

T = TypeVar("T")

RESTORE: Final = "bring the newest whole backup back (`pbem restore FOLDER`)"
"""What helps, in few words."""

_MEND: Final = (
    "stop `pbem serve`, move the files of the database to another folder, and bring the newest "
    "backup back that is whole: `pbem restore FOLDER`"
)
_SEE: Final = "`pbem check --deep` names each such row, and says what helps"

_SQLITE: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_CORRUPT: f"the database is damaged: {_MEND}",
    sqlite3.SQLITE_NOTADB: f"this file is no database, or its beginning is damaged: {_MEND}",
    sqlite3.SQLITE_FULL: "the disk is full: make room, nothing is lost by it",
    sqlite3.SQLITE_READONLY: "the database cannot be written: let its file, its folder and "
    "the disk be writable for the user that pbem runs as",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened: its folder must be there, and it and "
    "its file be readable and writable for the user that pbem runs as",
    sqlite3.SQLITE_PERM: "the database may not be opened: look at who owns it",
    sqlite3.SQLITE_IOERR: "the disk does not read or write what it should: look into the system's "
    "log, and at how much room there is",
    sqlite3.SQLITE_BUSY: "another program holds the database: end it, or try again",
    sqlite3.SQLITE_LOCKED: "another program holds the database: end it, or try again",
    sqlite3.SQLITE_TOOBIG: f"a row is greater than it can be: {_MEND}",
    sqlite3.SQLITE_MISMATCH: f"a row holds what its table cannot hold: {_MEND}",
    sqlite3.SQLITE_CONSTRAINT: f"rows contradict each other, so that nothing was written: {_MEND}",
}

_OTHER_TABLES: Final = ("no such table", "no such column", "has no column")
_NOT_TEXT: Final = f"a text in the database is damaged: {_SEE}"
_NO_JSON: Final = f"a stored value in the database is damaged: {_SEE}"
_NO_KEY: Final = f"the key of a row is damaged, so that it is not found by it: {_SEE}"

_FILES: Final[Mapping[int, str]] = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "the quota of the disk is used up: make room",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "this user may not do that: look at who owns it, and at its rights",
    errno.EPERM: "this user may not do that: look at who owns it, and at its rights",
    errno.ENOENT: "it is not there",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "what should be a folder on its way is a file",
    errno.EIO: "the disk does not read or write what it should: look into the system's log",
}


class Damaged(PbemError):  # noqa: N818 - what was stored is damaged
    """Something stored is not what it was; the message is in words and holds nothing of it."""


def words_of(error: BaseException | None) -> str:
    """What an error means to an operator; nothing if it does not come of the store or of files."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if words := _one(getattr(error, "orig", None) or error):
            return words
        # An error that comes on top hides the one that says why.
        error = error.__cause__ or error.__context__
    return ""


def kind_of(error: BaseException) -> str:
    """An error in words, or at least its kind and never its text, which may hold a row's."""
    return words_of(error) or f"it holds what it should not ({type(error).__name__})"


def _one(error: BaseException) -> str:
    match error:
        case Damaged():
            return str(error)
        case sqlite3.Error():
            return _sqlite(error)
        case Unfit():
            return f"an event in the database is damaged: {_MEND}"
        case OverflowError():
            return "a number is greater than any that is stored: give a smaller one"
        case UnicodeDecodeError():
            return _NOT_TEXT
        case NoResultFound():
            return _NO_KEY
        case json.JSONDecodeError():
            return _NO_JSON
        case OSError() if error.errno is not None and not isinstance(error, ConnectionError):
            why = _FILES.get(error.errno) or error.strerror or "it fails"
            return f"{error.filename}: {why}" if error.filename is not None else why
    return fault_of(error)


def _sqlite(error: sqlite3.Error) -> str:
    # Python itself raises some without a code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _SQLITE:
        return _SQLITE[code]
    text = str(error)
    if "UTF-8" in text:
        return _NOT_TEXT
    if any(words in text for words in _OTHER_TABLES):
        return "the database has other tables than it should: `pbem upgrade`, then `pbem check`"
    return f"the database fails ({type(error).__name__} {code}): {_MEND}"


def each_alone(
    conn: Connection, wanted: Select[Any], key: ColumnElement[Any], build: Callable[[Row[Any]], T]
) -> Iterator[tuple[str, T | Damaged]]:
    """What is wanted, each row under its key; in place of a damaged one, what is wrong with it."""
    for one in conn.execute(wanted.with_only_columns(key)).scalars().all():
        try:
            yield _shown(one), build(conn.execute(wanted.where(key == one)).one())
        except Exception as error:  # noqa: BLE001 - whatever a row holds, the others are shown
            yield _shown(one), Damaged(kind_of(error))


def _shown(key: object) -> str:
    """A key as text, also where it has become bytes."""
    return key.decode("utf-8", "replace") if isinstance(key, bytes) else str(key)
