"""One thread writes, one reads; both run units of work: synchronous functions of a connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine

from pbem.errors import PbemError
from pbem.games.waiting import HERE, NotYet
from pbem.legacy.store import identity, postgres, scopes, sums
from pbem.legacy.store.engine import empty_journal, engine_of, url_of
from pbem.legacy.store.identity import Guard, Replaced
from pbem.legacy.store.postgres import fault_of
from pbem.legacy.store.schema import require_ours
from pbem.legacy.store.scopes import ALL, OWN_ROWS, Scope

# --- looks ---------------------------------------------------------------------------------------
# A connection that is only looked through, by a process that does nothing else meanwhile.
#
# A server that has vanished without a word keeps who asks it waiting, and a dead host that stands
# before the living one in the URL does so at each connecting. Whoever counts the time of a look
# must not count that: it says something about the database, and nothing about what is looked for.

ANSWER_SECONDS: Final = 2.0
"""A server that takes longer to say a word hangs."""


class NoAnswer(PbemError):  # noqa: N818 - what happened to the question
    """The database does not answer: no look has begun, and the next one may find it well."""


class Looks:
    """Looks at a database, one after the other, each at a snapshot of its own."""

    def __init__(self, url: str) -> None:
        """Nothing is connected until somebody looks."""
        self._engine = engine_of(url, read_only=True)
        self._is_remote = postgres.is_url(url)
        self._conn: Connection | None = None
        self._session: postgres.Session | None = None
        self._asking = ThreadPoolExecutor(1, "answers")

    def run(self, unit: Callable[[Connection], T]) -> T:
        """What a unit finds. Raises NoAnswer, or what the driver raises, before it has begun."""
        if self._is_remote:
            return self._answering().run(unit)
        conn, self._conn = self._conn or self._engine.connect(), None
        try:
            with conn.begin():
                found = unit(conn)
            self._conn = conn
        finally:
            if self._conn is None:
                conn.close()  # it may have read the file damaged, and would remember that
        return found

    def _answering(self) -> postgres.Session:
        """A connection at whose end somebody is; one that hangs goes on hanging in its thread."""
        asked = self._asking.submit(self._ask)
        try:
            return asked.result(ANSWER_SECONDS)
        except TimeoutError:
            asked.cancel()
            raise NoAnswer(
                f"PostgreSQL has not answered for {ANSWER_SECONDS:g} s: is it reached there?"
            ) from None

    def _ask(self) -> postgres.Session:
        if self._session is None:
            self._session = postgres.Session(self._engine)
        self._session.run(lambda conn: conn.exec_driver_sql("SELECT 1"))
        return self._session


# --- database ------------------------------------------------------------------------------------
# On SQLite units that wait together share one transaction, each in a savepoint of its own, and one
# flush to the disk. On PostgreSQL each has a transaction of its own, beside those of other
# processes (`scopes.py`). A future is resolved only after the commit: what it reports has happened.

T = TypeVar("T")

Unit: TypeAlias = Callable[[Connection], T]
"""A unit of work. It neither commits nor rolls back; an exception undoes what it did."""

TOGETHER = 64
"""The most units that share one commit."""

_CLOSED: Final = "the database has been closed"


_OF_THE_DISK: Final = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_NOTADB,
}


_DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@dataclass(frozen=True, slots=True)
class _Job(Generic[T]):
    """A unit that waits; `lacks` runs it again where it lacked an answer, `again` says so."""

    unit: Unit[T]
    scope: Scope
    lacks: Callable[[_Job[Any], NotYet], None]
    future: Future[T] = field(default_factory=Future)
    again: bool = False


_Done: TypeAlias = tuple[_Job[Any], Any, BaseException | None]
"""What became of a job, kept until the commit: its result, or its error."""

_Jobs: TypeAlias = "SimpleQueue[_Job[Any] | None]"


class Database:
    """An open database; `open` makes one, `close` ends its threads."""

    def __init__(self, url: str, *, lenient: bool = False) -> None:
        """Start the two threads, and wait until each has its connection."""
        self._url = url
        self._closed = False
        self._lock = Lock()
        self._writes: _Jobs = SimpleQueue()
        self._reads: _Jobs = SimpleQueue()
        self._write_again = partial(self._again, self._writes)
        self._read_again = partial(self._again, self._reads)
        self._threads: list[Thread] = []
        guard = self._guard = Guard(url)
        reading = engine_of(url, read_only=True, lenient=lenient)
        try:
            self._start("pbem-writer", engine_of(url), self._writes, TOGETHER, guard)
            self._start("pbem-reader", reading, self._reads, 1, guard)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, target: Path | str, *, lenient: bool = False) -> Database:
        """Open the database of a path or URL. Raises ConfigError if it needs a migration first.

        `lenient` is for who looks at what may be damaged: text that cannot be read is no error.
        """
        require_ours(target)
        return cls(url_of(target), lenient=lenient)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write beside us: on PostgreSQL."""
        return postgres.is_url(self._url)

    def write(self, unit: Unit[T], scope: Scope = ALL) -> Future[T]:
        """Run a unit on the writing thread; the future is resolved after the commit.

        `scope` is what it touches: on PostgreSQL no other process touches it meanwhile.
        """
        job = _Job(unit, scope, self._write_again)
        with self._lock:
            if self._closed:
                raise RuntimeError(_CLOSED)
            self._writes.put(job)
        return job.future

    def read(self, unit: Unit[T]) -> Future[T]:
        """Run a unit on the reading thread, in a snapshot of its own; it cannot write."""
        job = _Job(unit, OWN_ROWS, self._read_again)
        with self._lock:
            if self._closed:
                raise RuntimeError(_CLOSED)
            self._reads.put(job)
        return job.future

    def require_same(self) -> Future[None]:
        """Look whether this is still the database that was opened; else it fails with Replaced.

        Each unit on SQLite looks by itself, and on PostgreSQL each that writes.
        """
        return self.read(self._guard.require)

    def empty_journal(self) -> None:
        """Let no page of before stand in SQLite's journal: it has what was deleted since."""
        empty_journal(self._url)

    def close(self) -> None:
        """Do what has been submitted, and end. Again changes nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._writes.put(None)
            self._reads.put(None)
        for thread in self._threads:
            thread.join()

    def _start(self, name: str, engine: Engine, jobs: _Jobs, together: int, guard: Guard) -> None:
        ready: Future[None] = Future()
        # A daemon: what has not been committed at an exit has not been reported either.
        work = _work if engine.dialect.name == "sqlite" else _work_alone
        told = (engine, jobs, together, guard, ready)
        thread = Thread(target=work, args=told, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)
        ready.result()

    def _again(self, jobs: _Jobs, job: _Job[Any], lacks: NotYet) -> None:
        """Get in a thread of its own what a unit lacked, and run it again: nobody waits for it."""
        Thread(target=self._settle, args=(jobs, job, lacks), daemon=True).start()

    def _settle(self, jobs: _Jobs, job: _Job[Any], lacks: NotYet) -> None:
        try:
            lacks.settle()
        except BaseException as error:  # noqa: BLE001 - it is the waiter's, not this thread's
            job.future.set_exception(_bearable(error))
            return
        with self._lock:
            if not self._closed:
                jobs.put(replace(job, again=True))
                return
        job.future.set_exception(RuntimeError(_CLOSED))


def fault_of_the_store(error: BaseException | None) -> str:
    """What is wrong if the database could not be used at all (a full disk); else nothing.

    No unit is to blame for that, and all goes on as soon as it has passed.
    """
    while error is not None:
        if isinstance(error, NoAnswer | Replaced):
            return str(error)
        cause = getattr(error, "orig", error)
        if isinstance(cause, sqlite3.Error):
            code = getattr(cause, "sqlite_errorcode", 0)  # not there where Python itself raised it
            if code & 0xFF in _OF_THE_DISK:
                return str(cause)
        if fault := fault_of(error):
            return fault
        # A transaction that is gone has no savepoint to go back to: that error comes on top.
        error = error.__context__
    return ""


def _bearable(error: BaseException) -> BaseException:
    """What a future can tell: asyncio's take no StopIteration, and whoever waits would for ever."""
    if not isinstance(error, StopIteration):
        return error
    told = RuntimeError("an iterator of a unit ended before something was found")
    told.__cause__ = error
    return told


def _work(engine: Engine, jobs: _Jobs, together: int, guard: Guard, ready: Future[None]) -> None:
    HERE.waits = False
    conn: Connection | None
    try:
        conn = engine.connect()
    except BaseException as error:  # noqa: BLE001 - it is the starter's, not this thread's
        ready.set_exception(error)
        return
    ready.set_result(None)
    for batch in _batches(jobs, together):
        try:
            conn = engine.connect() if conn is None else conn
        except Exception as error:  # noqa: BLE001 - it is the waiters', and the next may be luckier
            for job in batch:
                job.future.set_exception(_bearable(error))
        else:
            conn = _run(conn, batch, together, guard)
    if conn is not None:
        conn.close()
    engine.dispose()


def _work_alone(
    engine: Engine, jobs: _Jobs, together: int, guard: Guard, ready: Future[None]
) -> None:
    """The same on PostgreSQL: each unit in a transaction of its own."""
    HERE.waits = False
    writes = together > 1

    def greet(conn: Connection) -> None:
        # Who only reads for now may write at any time, and reads again as soon as it is possible.
        if not identity.be_there(conn):
            guard.refuse_while_upgrading()
        guard.require(conn)

    try:
        session = postgres.Session(engine, greet, guard.lock if writes else scopes.lock)
    except BaseException as error:  # noqa: BLE001 - it is the starter's, not this thread's
        ready.set_exception(error)
        return
    ready.set_result(None)
    for batch in _batches(jobs, 1):
        for job in batch:
            try:
                result = session.run(job.unit, job.scope)
            except NotYet as lacks:
                job.lacks(job, lacks)
            except BaseException as error:  # noqa: BLE001 - it is the waiter's, not this thread's
                job.future.set_exception(_bearable(error))
            else:
                job.future.set_result(result)
    session.close()


def _batches(jobs: _Jobs, together: int) -> Iterator[list[_Job[Any]]]:
    """All that waits, at most `together` at a time, until None comes."""
    while True:
        batch: list[_Job[Any]] = []
        job = jobs.get()
        while job is not None:
            if job.again or job.future.set_running_or_notify_cancel():
                batch.append(job)
            if len(batch) == together:
                break
            try:
                job = jobs.get_nowait()
            except Empty:
                break
        yield batch
        if job is None:
            return


def _run(
    conn: Connection, batch: list[_Job[Any]], together: int, guard: Guard
) -> Connection | None:
    """One transaction. Whatever happens, every future of the batch is resolved.

    Nothing is reported of a file that is not at its place any more, be it committed there. The
    connection is given back, but not one that has read the file damaged: it would remember that.
    """
    if not batch:
        return conn
    done: list[_Done]
    try:
        with conn.begin():
            guard.require(conn)
            if len(batch) == 1:  # its failure undoes all, and that is its own work
                done = [(batch[0], batch[0].unit(conn), None)]
            else:
                done = [_alone(conn, job) for job in batch]
            if together > 1:
                sums.settle(conn)
        if together > 1:
            guard.require_file()
    except BaseException as error:  # noqa: BLE001 - the thread must go on, and the waiters must know
        done = [(job, None, error) for job in batch]
        with suppress(Exception):
            # SQLite keeps a transaction open whose COMMIT failed, and would refuse the next BEGIN.
            conn.connection.rollback()
        if getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) in _DAMAGED:
            conn.close()
    for job, result, fault in done:
        if fault is None:
            job.future.set_result(result)
        elif isinstance(fault, NotYet):
            job.lacks(job, fault)
        else:
            job.future.set_exception(_bearable(fault))
    return None if conn.closed else conn


def _alone(conn: Connection, job: _Job[Any]) -> _Done:
    """Run one unit in a savepoint: its failure undoes its own work, not that of the others."""
    # By the driver itself: SQLAlchemy's nested transaction costs as much as two more statements.
    driver = cast("sqlite3.Connection", conn.connection.driver_connection)
    driver.execute("SAVEPOINT unit").close()
    try:
        result = job.unit(conn)
    except BaseException as error:  # noqa: BLE001 - it is the waiter's, not this thread's
        # If the whole transaction is gone (a full disk), this raises, and all units fail.
        driver.execute("ROLLBACK TO unit").close()
        driver.execute("RELEASE unit").close()
        return job, None, error
    driver.execute("RELEASE unit").close()
    return job, result, None
