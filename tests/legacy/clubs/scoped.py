"""Databases of clubs look whether each unit of work keeps to what it says that it touches.

Where one process writes nothing would come of it; two would meet in a stream that none has named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from pbem.legacy.store.database import Database
from pbem.legacy.store.log import event_log
from pbem.legacy.store.log.event_log import RecordedEvent
from pbem.legacy.store.scopes import ALL, Scope

T = TypeVar("T")

_touched: ContextVar[set[str]] = ContextVar("touched")
_write = event_log.write


def _noted(conn: Connection, recorded: Sequence[RecordedEvent], expected: int) -> None:
    _touched.get(set()).add(recorded[0].stream)
    _write(conn, recorded, expected)


vars(event_log)["write"] = _noted


def opened(path: Path | str) -> Database:
    """A database that does."""
    db = Database.open(path)
    write = db.write

    def scoped(unit: Callable[[Connection], T], scope: Scope = ALL) -> Future[T]:
        return write(unit if scope is ALL else partial(_within, unit, scope), scope)

    vars(db)["write"] = scoped
    return db


def _within(unit: Callable[[Connection], T], scope: Scope, conn: Connection) -> T:
    touched: set[str] = set()
    before = _touched.set(touched)
    try:
        done = unit(conn)
    finally:
        _touched.reset(before)
    assert scope.names is None or touched <= scope.names, (touched, scope)
    return done
