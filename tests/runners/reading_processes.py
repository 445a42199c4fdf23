"""What runs in the processes of test_readers.py: the real thing, and what breaks it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.config import Settings
from pbem.config.settings import Store
from pbem.runners.readers import Answer
from pbem.store.database import Looks
from pbem.store.mails.inbox import InboxRow
from pbem.wiring import reader_process


def start(settings: Settings) -> None:
    """As in the service."""
    reader_process.start(settings)


def start_and_hang(settings: Settings, silent: str) -> None:
    """The same, but the first look hangs in the midst of it, and the database from then on."""
    started = settings.keys.file.with_suffix(".started")
    if started.exists():
        settings = settings.model_copy(update={"store": Store(database=silent)})
    started.touch()
    reader_process.start(settings)
    looks, installation = reader_process._ready[0]
    reader_process._ready[0] = (Hanging(looks), installation)  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Hanging:
    """Looks that hang once they have begun."""

    looks: Looks

    def run(self, unit: Callable[[Connection], Any]) -> Any:
        """Begin, and find nothing."""

        def hang(conn: Connection) -> None:
            unit(conn)
            time.sleep(600)

        return self.looks.run(hang)


def work(row: InboxRow | None, now: datetime) -> Answer:
    """As in the service, but that some words do what a letter never should."""
    if row is not None and b"for ever" in row.raw:
        time.sleep(600)
    if row is not None and b"the end" in row.raw:
        os._exit(9)
    return reader_process.work(row, now)
