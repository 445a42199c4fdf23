"""Faults of this process, collected in memory until the heartbeat writes them to the database.

A failing loop is recorded under its name, and cleared when it works again. Errors in the log are
recorded under the name of their log event by `FaultLog.note_error`, a structlog processor.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import MutableMapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from pbem.server.health import LOOP_PREFIX
from pbem.store import faults
from pbem.store.database import Database

_ERRORS: Final = frozenset({"error", "exception", "critical"})
_NOT_SHOWN: Final = frozenset({"event", "exc_info", "level", "timestamp"})


class FaultLog:
    """A thread-safe collection of faults that are not yet in the database."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._texts: dict[str, str] = {}
        self._mended: set[str] = set()
        self._failing: set[str] = set()

    def note_loop(self, loop: str, error: Exception) -> None:
        """Record that the server's loop with the name `loop` failed with an error."""
        name = LOOP_PREFIX + loop
        with self._lock:
            self._failing.add(name)
            self._mended.discard(name)
        self._add(name, _describe(error))

    def clear_loop(self, loop: str) -> None:
        """Record that the server's loop with the name `loop` works, and drop its fault, if any."""
        name = LOOP_PREFIX + loop
        with self._lock:
            if name in self._failing:
                self._failing.remove(name)
                self._counts.pop(name, None)
                self._mended.add(name)

    def note_error(
        self, _logger: object, method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Record a log event as a fault if it was logged as an error, and return it unchanged.

        This method is a processor of structlog. `method` is the method of the log that was called.
        """
        if method in _ERRORS:
            facts = [f"{key}={value}" for key, value in event.items() if key not in _NOT_SHOWN]
            error = sys.exc_info()[1]
            self._add(str(event["event"]), " ".join([*facts, _describe(error) if error else ""]))
        return event

    def _add(self, name: str, text: str) -> None:
        with self._lock:
            self._texts[name] = text.strip()
            self._counts[name] += 1

    async def write(self, database: Database, now: datetime) -> None:
        """Write the collected faults into the database. Delete faults of loops that work again.

        The faults are then removed from the collection. If the database fails, they stay in it for
        the next call. `now` is stored as the time of the faults.
        """
        with self._lock:
            counts, texts, mended = self._counts.copy(), dict(self._texts), set(self._mended)

        def unit(conn: Connection) -> None:
            for name in mended:
                faults.clear_fault(conn, name)
            for name, count in counts.items():
                faults.note_fault(conn, name, texts[name], now, count)

        if counts or mended:
            await database.write(unit)
            with self._lock:
                self._counts -= counts
                self._mended -= mended


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
