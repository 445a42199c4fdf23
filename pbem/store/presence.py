"""Which processes are at work on a PostgreSQL database, and which of them has what alone.

Locks say so, which the server lets go with the connection, however the process ends: whoever opened
a database is there by each of its connections, so that nobody upgrades or migrates what it could
write to, and is there again at the next look after the server was started anew.
On SQLite locks of files say the same (`pbem/wiring/one_service.py`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from sqlalchemy import text

from pbem.errors import ConfigError
from pbem.store.engine import engine_of, shown
from pbem.store.scopes import key_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

_KIND: Final = 0x7062656D  # "pbem": the first half of the locks that say who is there
_AT_WORK: Final = "at work"

AT_WORK: Final = "`pbem serve`, `pbem web` or another command is at work on"
A_MOMENT: Final = 3.0
"""Seconds."""

_LIVING: Final = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
    " AND classid = :kind"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def new_worker() -> int:
    """A number for a process that begins to work; no other has it."""
    return secrets.randbelow(2**31 - 1) + 1


def mark_of(worker: int | None) -> str:
    """What the names of a worker's runners end with; nothing where there is one process."""
    return "" if worker is None else f" @{worker}"


def worker_of(runner: str) -> int | None:
    """Whose runner this is, if a worker's mark is at its end."""
    number = runner.rpartition(" @")[2]
    return int(number) if number != runner and number.isdecimal() else None


def unmarked(runner: str) -> str:
    """The name of a runner without the mark of its worker."""
    return runner.removesuffix(mark_of(worker_of(runner)))


def living(conn: Connection) -> frozenset[int]:
    """The workers who are there now."""
    return frozenset(conn.execute(_LIVING, {"kind": _KIND}).scalars())


class Presence:
    """Says that a worker is there, and holds what it has alone; for one thread at a time."""

    def __init__(self, url: str, worker: int) -> None:
        """Nothing is said or held yet."""
        self.worker: Final = worker
        self._engine = engine_of(url).execution_options(isolation_level="AUTOCOMMIT")
        self._conn: Connection | None = None
        self._held: set[str] = set()

    def renew(self, wanted: Collection[str] = ()) -> frozenset[str]:
        """Be there, and try to have these alone; which of them we have.

        Where the connection is gone, others may have what we had: it is tried for anew. Raises what
        the driver raises while nobody answers, and then we have nothing.
        """
        try:
            if self._conn is None:
                self._conn = self._engine.connect()
                self._try("pg_try_advisory_lock(:kind, :name)", kind=_KIND, name=self.worker)
            else:
                self._conn.exec_driver_sql("SELECT 1")
            for name in sorted(set(wanted) - self._held):
                if self._try("pg_try_advisory_lock(:name)", name=key_of(name)):
                    self._held.add(name)
        except BaseException:
            self.close()
            raise
        return frozenset(self._held & set(wanted))

    def _try(self, lock: str, **values: int) -> bool:
        if self._conn is None:
            raise RuntimeError("not connected")
        return bool(self._conn.execute(text(f"SELECT {lock}"), values).scalar_one())

    def close(self) -> None:
        """Be there no more; whoever waits for what we had gets it."""
        conn, self._conn = self._conn, None
        self._held.clear()
        if conn is not None:
            with suppress(Exception):
                conn.invalidate()
            with suppress(Exception):
                conn.close()


def be_there(conn: Connection) -> bool:
    """Say that somebody is at work by this connection; not where nobody may be now."""
    lock = text("SELECT pg_try_advisory_lock_shared(:name)")
    return bool(conn.execute(lock, {"name": key_of(_AT_WORK)}).scalar_one())


@contextmanager
def nobody_there(url: str) -> Iterator[None]:
    """Nobody may begin to work on a database meanwhile. Raises ConfigError where somebody does.

    A command may just be at its end: it is waited for a moment.
    """
    with engine_of(url).connect() as conn:
        lock = text("SELECT pg_try_advisory_lock(:name)")
        until = time.monotonic() + A_MOMENT
        while not conn.execute(lock, {"name": key_of(_AT_WORK)}).scalar_one():
            if time.monotonic() > until:
                raise ConfigError(f"{AT_WORK} {shown(url)}: stop it first")
            time.sleep(A_MOMENT / 20)
        conn.commit()  # the lock is the connection's, not the transaction's
        yield
