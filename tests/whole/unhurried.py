"""A loop whose time goes on only when nothing else is left to do: what happens in it is the same
each time, and nobody waits.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import contextmanager
from typing import Any, Final, TypeVar, TypeVarTuple

from pbem.store.database import Database, Unit
from pbem.store.scopes import ALL, Scope

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

A_MOMENT: Final = 0.2
"""Seconds of the loop: what is due so soon is part of what goes on, what is due later is not."""

PATIENCE: Final = 120.0
"""Seconds of the clock on the wall in which other threads and processes do their work."""


class Unhurried(asyncio.SelectorEventLoop):
    """Goes to the next timer at once where nobody works for it in another thread or process."""

    def __init__(self) -> None:
        self._at = 0.0
        self._under_way = 0
        self._quiet: asyncio.Future[None] | None = None
        super().__init__(_Selector(self._idle))

    def time(self) -> float:
        return self._at

    async def quiet(self) -> None:
        """Wait until nothing is left to do, and nothing will be in a moment."""
        self._quiet = self.create_future()
        await self._quiet

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Somebody works for us elsewhere."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        self._under_way += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._came_back)
        return future

    async def shutdown_default_executor(self, *args: Any) -> None:
        with self.waiting():
            await super().shutdown_default_executor(*args)

    def _came_back(self, _: object) -> None:
        self._under_way -= 1

    def _idle(self, timeout: float | None) -> float:
        """Nothing is ready: how long to wait in truth. The time until the next timer goes by."""
        if self._under_way:
            return PATIENCE
        if self._quiet is not None and (timeout is None or timeout > A_MOMENT):
            self._quiet.set_result(None)
            self._quiet = None
            return 0.0
        if timeout is not None:
            self._at += timeout
            return 0.0
        return PATIENCE


class _Selector(selectors.DefaultSelector):
    """Asks before it waits."""

    def __init__(self, idle: Callable[[float | None], float]) -> None:
        super().__init__()
        self._idle = idle

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        pause = self._idle(timeout)
        found = super().select(pause)
        if pause and not found:
            raise TimeoutError("nobody has come back")
        return found


class InOrder(Database):
    """A database whose asker waits for its thread: who hears of what first is no accident."""

    def write(self, unit: Unit[T], scope: Scope = ALL) -> Future[T]:
        return _done(super().write(unit, scope))

    def read(self, unit: Unit[T]) -> Future[T]:
        return _done(super().read(unit))


def _done(future: Future[T]) -> Future[T]:
    wait([future])
    return future
