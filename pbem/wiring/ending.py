"""The end, asked for by a signal or since the database is another: within seconds, or at once."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import shutil
import signal
import sys
import tempfile
import termios
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from pbem.errors import ConfigError
from pbem.store.identity import Replaced

if TYPE_CHECKING:
    from types import FrameType

    from pbem.store.database import Database

AT_LATEST: Final = 9.0
"""Seconds after the signal at which the process is ended, and says where each thread hangs."""

THREADS_END: Final = 1.0
"""Seconds that threads have which wait for a server (a name that is looked up, a token)."""

TRIES: Final = 5
"""How often a folder is deleted into which somebody still writes."""

FATAL: Final = 128
"""Shells add the signal's number to it where one has ended a program."""

LOOK: Final = 1.0
"""Seconds between two looks whether the database is still the one that was opened."""

log = structlog.get_logger("pbem")


@contextlib.contextmanager
def leaving_at_once() -> Iterator[Path]:
    """A folder to work in. On SIGINT, SIGTERM and SIGHUP both it and the process are gone.

    No work is ended and no thread waited for: only for what nobody needs any more.
    """
    terminal = _terminal()
    with tempfile.TemporaryDirectory(prefix="pbem-", ignore_cleanup_errors=True) as folder:

        def leave(number: int, _frame: FrameType | None) -> None:
            _forget(Path(folder))
            if terminal is not None:  # whoever was reading a line may have changed it
                termios.tcsetattr(0, termios.TCSANOW, terminal)
                os.write(1, b"\n")
            os._exit(FATAL + number)

        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, leave)
        yield Path(folder)


def _terminal() -> list[Any] | None:
    """How the terminal is set, if there is one."""
    try:
        return termios.tcgetattr(0)
    except (termios.error, OSError):
        return None


def _forget(folder: Path) -> None:
    """Delete a folder into which threads may still be writing."""
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


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
    code = 1
    try:
        yield stop
        code = 0
    finally:
        if stop.is_set():
            _leave_threads(code)
        else:
            for name, handler in before.items():
                signal.signal(name, handler)


@contextlib.asynccontextmanager
async def while_same(db: Database, stop: asyncio.Event) -> AsyncIterator[None]:
    """Set `stop` as soon as the database is not the one that was opened; then raise ConfigError."""
    looking = asyncio.create_task(_replaced(db, stop))
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.wait({looking})
    if not looking.cancelled():
        raise ConfigError(looking.result())


async def _replaced(db: Database, stop: asyncio.Event) -> str:
    """Look for ever; why the database is not the one that was opened."""
    while True:
        try:
            await asyncio.wrap_future(db.require_same())
        except Replaced as replaced:
            log.error("database_replaced", why=str(replaced))  # noqa: TRY400 - it says all
            stop.set()
            return str(replaced)
        except Exception as error:  # noqa: BLE001 - whoever works with it says what is wrong
            log.debug("not_looked", why=type(error).__name__)
        await asyncio.sleep(LOOK)


def _leave_threads(code: int) -> None:
    """End the process soon, though threads of the loop's still wait for somebody.

    Python would wait for them: all else has ended, and nothing of theirs is to be kept.
    """
    timer = threading.Timer(THREADS_END, _leave, (code,))
    timer.daemon = True
    timer.start()


def _leave(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
