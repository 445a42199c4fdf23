"""Work in processes of its own, which it may take down: it holds up neither loop nor writer."""

from __future__ import annotations

import asyncio
import heapq
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from itertools import count
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from pebble import ProcessPool

T = TypeVar("T")


LOOKED_EVERY: Final = 1.0
"""Seconds between two looks whether work was lost with its processes."""


def lose(pool: ProcessPool, given: Future[Any]) -> None:
    """Have whoever waits hear of it where a work was lost with its processes.

    When all processes have died, pebble tells only of works that it had begun to give away, and one
    that had just come would be waited for until the end of time.
    """
    if not pool.active:
        with suppress(InvalidStateError):
            given.set_exception(BrokenProcessPool("the processes died before they had the work"))


class Rank(IntEnum):
    """What waits for whom: the lower goes first."""

    MOVE = 1
    TRIAL = 2
    LESSON = 3
    HINT = 4
    ANALYSIS = 5


@dataclass(order=True, slots=True)
class _Asked:
    """A work that waits: the lowest rank first, and within a rank in order of asking."""

    rank: Rank
    number: int
    work: Callable[[], Any] = field(compare=False)
    seconds: float = field(compare=False)
    done: Future[Any] = field(compare=False, default_factory=Future)
    lose: Callable[[], None] = field(compare=False, default=lambda: None)


class Apart:
    """A few processes that are started when there is something to do, and what waits for them.

    No more is given to them than they do at once, so that what is urgent never stands behind what
    is not. What runs is not stopped for it: long work is better asked for in pieces. They end with
    whoever started them, and by nothing else. `nice` is how far they stand back.
    """

    def __init__(self, processes: int = 1, *, nice: int = 0) -> None:
        """So many at most."""
        self._processes, self._nice = processes, nice
        self._pool: ProcessPool | None = None
        # What ends is told in a thread of the pool, and several loops may ask.
        self._lock: Final = Lock()
        self._waiting: list[_Asked] = []
        self._running, self._numbers = 0, count()

    async def do(self, work: Callable[[], T], seconds: float, *, rank: Rank = Rank.MOVE) -> T:
        """What the work makes; a process in which it takes longer is ended, and another started.

        Raises what the work raised, TimeoutError, and ProcessExpired where the process died. Its
        start counts for nothing, nor does the time it waits: on a busy machine nothing would ever
        be made, and each try would leave one more process that starts. Whoever gives up takes it
        out of the queue, or down with its process.
        """
        pool = self.pool()
        try:
            return await self._done(work, seconds, rank)
        except RuntimeError:
            if pool.active:
                raise  # the work's own fault
            # The process died between two pieces of work: neither's fault, so it is asked again.
            if self._pool is pool:
                self._pool = None
            return await self._done(work, seconds, rank)

    def pool(self) -> ProcessPool:
        """The processes; the first to ask makes them."""
        if self._pool is None:
            # Not forked: a copy of us would hold our database, our sockets and our threads' locks.
            self._pool = ProcessPool(
                max_workers=self._processes,
                context=get_context("spawn"),
                initializer=_start,
                initargs=(self._nice,),
            )
        return self._pool

    @property
    def processes(self) -> int:
        """How many works are done at once."""
        return self._processes

    @property
    def started(self) -> bool:
        """Whether there was something to do."""
        return self._pool is not None

    def forget(self) -> None:
        """Begin anew with the next work."""
        self._pool = None

    async def _done(self, work: Callable[[], T], seconds: float, rank: Rank) -> T:
        asked = _Asked(rank, next(self._numbers), work, seconds)
        done: Future[T] = asked.done
        with self._lock:
            heapq.heappush(self._waiting, asked)
        self._fill()
        answered = asyncio.wrap_future(done)
        try:
            while not (await asyncio.wait((answered,), timeout=LOOKED_EVERY))[0]:
                asked.lose()
        finally:
            answered.cancel()  # nothing, where it is done
        return answered.result()

    def _fill(self) -> None:
        """Give the processes what is next, as many as there are."""
        while (asked := self._next()) is not None:
            pool = self.pool()
            try:
                given: Future[Any] = pool.schedule(asked.work, timeout=asked.seconds)
            except RuntimeError as broken:
                self._ended(asked, error=broken)
                continue
            asked.lose = partial(lose, pool, given)
            given.add_done_callback(partial(self._over, asked))
            asked.done.add_done_callback(partial(_give_up, given))

    def _next(self) -> _Asked | None:
        """What is next, if there is something and somebody who is free for it."""
        with self._lock:
            while self._waiting and self._running < self._processes:
                asked = heapq.heappop(self._waiting)
                if not asked.done.cancelled():
                    self._running += 1
                    return asked
        return None

    def _over(self, asked: _Asked, given: Future[Any]) -> None:
        """Tell whoever asked, and go on."""
        if given.cancelled():
            asked.done.cancel()
            self._ended(asked)
        elif (error := given.exception()) is not None:
            self._ended(asked, error=error)
        else:
            self._ended(asked, made=given.result())
        self._fill()

    def _ended(
        self, asked: _Asked, *, made: object = None, error: BaseException | None = None
    ) -> None:
        with self._lock:
            self._running -= 1
        if not asked.done.set_running_or_notify_cancel():
            return  # nobody waits for it any more
        if error is not None:
            asked.done.set_exception(error)
        else:
            asked.done.set_result(made)


def _give_up(given: Future[Any], done: Future[Any]) -> None:
    if done.cancelled():
        given.cancel()


def _start(nice: int) -> None:
    """In the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(nice)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
