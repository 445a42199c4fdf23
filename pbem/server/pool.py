"""A pool of processes for work that is slow or may fail, so that emails do not wait for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from typing import Any, TypeVar

from pebble import ProcessPool

T = TypeVar("T")


class WorkerPool:
    """A pool of processes for function calls.

    The first call starts the pool. If the pool has failed, the next call starts it again.

    The pool has one process fewer than the machine has processors, but at least one.
    """

    def __init__(self, niceness: int) -> None:
        """Set the niceness of the processes. If it is above 0, other work takes precedence."""
        self._niceness = niceness
        self._pool: ProcessPool | None = None

    def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float
    ) -> asyncio.Future[T]:
        """Call a module-level function in a process of the pool. Return a future of its result.

        The process is ended if the call takes longer than `seconds`.
        """
        if self._pool is None or not self._pool.active:
            self._pool = ProcessPool(
                max(1, (os.cpu_count() or 1) - 1),
                initializer=os.nice,
                initargs=[self._niceness],
                context=multiprocessing.get_context("spawn"),
            )
        return asyncio.wrap_future(self._pool.schedule(function, args=arguments, timeout=seconds))

    async def close(self) -> None:
        """End the processes and abandon their work."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            await asyncio.to_thread(self._pool.join)
            self._pool = None
