"""Databases of clubs look whether each unit of work keeps to what it says that it touches.

Where one process writes nothing would come of it; two would meet in a stream that none has named.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, func, select

from pbem.store import tables
from pbem.store.database import Database
from pbem.store.scopes import ALL, Scope

T = TypeVar("T")
_E = tables.event.c


def opened(path: Path | str) -> Database:
    """A database that does."""
    db = Database.open(path)
    write = db.write

    def scoped(unit: Callable[[Connection], T], scope: Scope = ALL) -> Future[T]:
        return write(unit if scope is ALL else partial(_within, unit, scope), scope)

    vars(db)["write"] = scoped
    return db


def _within(unit: Callable[[Connection], T], scope: Scope, conn: Connection) -> T:
    before = conn.execute(select(func.max(_E.position))).scalar() or 0
    done = unit(conn)
    touched = {*conn.execute(select(_E.stream).where(_E.position > before)).scalars()}
    assert scope.names is None or touched <= scope.names, (touched, scope)
    return done
