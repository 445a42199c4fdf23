"""The end of the service: asked for by a signal, and there within seconds, whatever hangs."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import FrameType

AT_LATEST: Final = 9.0
"""Seconds after the signal at which the process is ended, and says where each thread hangs."""

THREADS_END: Final = 1.0
"""Seconds that threads have which wait for a server (a name that is looked up, a token)."""


@contextlib.contextmanager
def asked_to_stop() -> Iterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set; from then on the process ends, within AT_LATEST.

    What is left behind then was not committed, and is done again by the next process.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        if not stop.is_set():
            # A thread of C: it comes even where Python code does not get to run any more.
            faulthandler.dump_traceback_later(AT_LATEST, exit=True, file=sys.__stderr__ or 2)
        loop.call_soon_threadsafe(stop.set)

    # Not by the loop: a handler of its own would wait for whatever the loop hangs at.
    before = {name: signal.signal(name, ask) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        if stop.is_set():
            _leave_threads()
        else:
            for name, handler in before.items():
                signal.signal(name, handler)


def _leave_threads() -> None:
    """End the process soon, though threads of the loop's still wait for somebody.

    Python would wait for them: all else has ended, and nothing of theirs is to be kept.
    """
    timer = threading.Timer(THREADS_END, _leave)
    timer.daemon = True
    timer.start()


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
