"""What runs in the processes of test_readers.py: the real thing, and what breaks it."""

from __future__ import annotations

import os
import time
from datetime import datetime

from pbem.config import Settings
from pbem.runners.readers import Answer
from pbem.store.mails.inbox import InboxRow
from pbem.wiring import reader_process


def start(settings: Settings) -> None:
    """As in the service."""
    reader_process.start(settings)


def work(row: InboxRow | None, now: datetime) -> Answer:
    """As in the service, but that some words do what a letter never should."""
    if row is not None and b"for ever" in row.raw:
        time.sleep(600)
    if row is not None and b"the end" in row.raw:
        os._exit(9)
    return reader_process.work(row, now)
