"""Where letters are read: in processes of their own, which a letter may take down, or in a thread.

Whatever somebody sends us, the writer's thread and the event loop never look at its bytes: a letter
that takes too long ends the process that reads it, and no other.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from pebble import ProcessExpired, ProcessPool

from pbem.errors import PbemError
from pbem.legacy.intake.read_letter import read_row
from pbem.legacy.transport import apart

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.legacy.intake.intent import Intent
    from pbem.legacy.store.mails.inbox import InboxRow
    from pbem.legacy.transaction.installation import House

READ_SECONDS: Final = 5.0
"""A letter of any shape is read in a fraction of this; one that is not is set aside."""

START_SECONDS: Final = 120.0
"""A process that cannot even start by then never will."""

_KIB: Final = 1 if sys.platform != "darwin" else 1024
"""What `ru_maxrss` counts in, in KiB or as parts of one."""

log = structlog.get_logger("pbem.readers")


class ReadersBroken(PbemError):  # noqa: N818 - what happened to the processes
    """No process can read: the fault is no letter's, and passes or is the operator's."""


class ReadingFailed(PbemError):  # noqa: N818 - what happened to the letter
    """A letter took too long, or ended the process that read it."""


class LetterReader(Protocol):
    """Understands letters."""

    async def read(self, row: InboxRow) -> Intent:
        """What a letter says, by the facts as they are.

        Raises UnreadableLetter; ReadingFailed where the letter was too much, or seemed to be: a
        clock that is set, or a machine that sleeps, makes any letter look slow.
        """
        ...

    def describe(self) -> str:
        """How it is doing, for the operator."""
        ...


@dataclass(frozen=True, slots=True)
class ThreadReader:
    """Reads in the database's reading thread: for a demonstration, and for tests."""

    house: House

    async def read(self, row: InboxRow) -> Intent:
        """As `LetterReader.read`; nothing ends what takes too long."""
        unit = partial(read_row, house=self.house, row=row, now=self.house.now())
        return await asyncio.wrap_future(self.house.db.read(unit))

    def describe(self) -> str:
        """One thread, of which there is nothing to say."""
        return "in a thread"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a process has read, and how it is doing: its id and the most memory it has had, in KiB.

    `intent` is None where it was only asked how it is.
    """

    intent: Intent | None
    pid: int
    peak: int


def peak_of_memory() -> int:
    """The most memory of this process in KiB.

    On Linux `ru_maxrss` begins with that of the process that started it, however large that was.
    """
    with suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as told:
        found = re.search(r"^VmHWM:\s*(\d+) kB$", told.read(), re.MULTILINE)
        if found is not None:
            return int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _KIB


class ProcessReader:
    """Reads in processes of its own, and starts one again that was ended or has died."""

    def __init__(
        self,
        processes: int,
        *,
        start: Callable[..., None],
        arguments: tuple[Any, ...],
        work: Callable[[InboxRow | None, datetime], Answer],
        now: Callable[[], datetime],
        seconds: float = READ_SECONDS,
    ) -> None:
        """`start(*arguments)` makes a process ready, `work` runs in it; both by their names."""
        self._processes, self._work, self._now, self._seconds = processes, work, now, seconds
        self._start, self._arguments = start, arguments
        self._pool = self._new_pool()
        self._peaks: dict[int, int] = {}
        self._ended = 0

    async def read(self, row: InboxRow) -> Intent:
        """As `LetterReader.read`: a process that takes longer than allowed is ended."""
        try:
            intent = await self._ask(row, self._seconds)
        except TimeoutError as error:
            self._count_end("too slow", row.key)
            await self.probe()  # raises if it was the database that hung, and not the letter
            raise ReadingFailed(f"it was not read within {self._seconds:g} s") from error
        except ProcessExpired as error:
            self._count_end(f"exit {error.exitcode}", row.key)
            await self.probe()
            raise ReadingFailed("it ended the process that read it") from error
        if intent is None:
            raise LookupError("a letter was read, and nothing came of it")
        return intent

    async def probe(self) -> None:
        """Wait until a process answers that it could read. Raises ReadersBroken if none can.

        Also what it raises where its database is away.
        """
        try:
            await self._ask(None, START_SECONDS)
        except (TimeoutError, ProcessExpired) as error:
            raise ReadersBroken(f"the processes that read letters do not start: {error}") from error

    def describe(self) -> str:
        """How many there are, their memory, and how many had to be ended."""
        memory = " + ".join(f"{peak // 1024}" for _, peak in sorted(self._peaks.items()))
        many = f"{self._processes} process{'es' if self._processes > 1 else ''}"
        took = f", at most {memory} MiB" if memory else ""
        return f"{many}{took}{f', {self._ended} ended' if self._ended else ''}"

    def close(self) -> None:
        """End all processes at once: a letter that is being read is read again another time."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # the library's own hint is missing
        self._pool.join(timeout=5)

    def _new_pool(self) -> ProcessPool:
        # Not forked: a copy of us would hold our database, our sockets and our threads' locks.
        return ProcessPool(
            max_workers=self._processes,
            initializer=self._start,
            initargs=self._arguments,
            context=get_context("spawn"),
        )

    async def _ask(self, row: InboxRow | None, seconds: float) -> Intent | None:
        try:
            return await self._ask_pool(self._pool, row, seconds)
        except BrokenProcessPool:
            # All processes died between two letters (out of memory, or killed): not a letter's
            # fault, so it is asked again; where new ones cannot live either, nothing works.
            self._count_end("all died", "")
            pool = self._renewed()
        try:
            return await self._ask_pool(pool, row, seconds)
        except BrokenProcessPool as error:
            self._renewed()
            raise ReadersBroken("the processes that read letters do not live") from error

    async def _ask_pool(
        self, pool: ProcessPool, row: InboxRow | None, seconds: float
    ) -> Intent | None:
        try:
            scheduled: Future[Answer] = pool.schedule(
                self._work, args=[row, self._now()], timeout=seconds
            )
        except RuntimeError as error:  # the pool was found broken before
            raise BrokenProcessPool(str(error)) from error
        answered = asyncio.wrap_future(scheduled)
        try:
            while not (await asyncio.wait((answered,), timeout=apart.LOOKED_EVERY))[0]:
                apart.lose(pool, scheduled)
        finally:
            answered.cancel()  # nothing, where it is done
        answer = answered.result()
        self._peaks[answer.pid] = answer.peak
        return answer.intent

    def _renewed(self) -> ProcessPool:
        """A pool that is not broken; of several letters that find it so, the first makes one."""
        if not self._pool.active:
            self.close()
            self._pool = self._new_pool()
        return self._pool

    def _count_end(self, why: str, key: str) -> None:
        self._ended += 1
        self._peaks.clear()  # which of them has gone is not said; the others tell of themselves
        log.warning("reader_ended", mail=key, why=why)


@contextmanager
def process_reader(
    processes: int,
    *,
    start: Callable[..., None],
    arguments: tuple[Any, ...],
    work: Callable[[InboxRow | None, datetime], Answer],
    now: Callable[[], datetime],
) -> Iterator[ProcessReader]:
    """Processes that read, until the end of the block."""
    reader = ProcessReader(processes, start=start, arguments=arguments, work=work, now=now)
    try:
        yield reader
    finally:
        reader.close()
