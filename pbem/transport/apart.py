"""Work in processes of its own, which it may take down: it holds up neither loop nor writer."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

from pebble import ProcessPool

T = TypeVar("T")


class Apart:
    """A few processes that are started when there is something to do.

    They end with whoever started them, and by nothing else. `nice` is how far they stand back.
    """

    def __init__(self, processes: int = 1, *, nice: int = 0) -> None:
        """So many at most."""
        self._processes, self._nice = processes, nice
        self._pool: ProcessPool | None = None

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """What the work makes; a process in which it takes longer is ended, and another started.

        Raises what the work raised, TimeoutError, and ProcessExpired where the process died. Its
        start counts for nothing: on a busy machine nothing would ever be made, and each try would
        leave one more process that starts.
        """
        pool = self.pool()
        try:
            return await self._done_in(pool, work, seconds)
        except RuntimeError:
            if pool.active:
                raise  # the work's own fault
            # The process died between two pieces of work: neither's fault, so it is asked again.
            if self._pool is pool:
                self._pool = None
            return await self._done_in(self.pool(), work, seconds)

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
    def started(self) -> bool:
        """Whether there was something to do."""
        return self._pool is not None

    def forget(self) -> None:
        """Begin anew with the next work."""
        self._pool = None

    @staticmethod
    async def _done_in(pool: ProcessPool, work: Callable[[], T], seconds: float) -> T:
        done: Future[T] = pool.schedule(work, timeout=seconds)
        return await asyncio.wrap_future(done)


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
