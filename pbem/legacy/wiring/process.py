"""The process of a service: clock, ports, systemd, the one at a database, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import faulthandler
import fcntl
import os
import shutil
import signal
import socket
import struct
import sys
import tempfile
import termios
import threading
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog

from pbem.errors import ConfigError
from pbem.legacy.health import wrong
from pbem.legacy.store.engine import file_of, url_of
from pbem.legacy.store.identity import Replaced, nobody_there

if TYPE_CHECKING:
    from types import FrameType

    from pbem.legacy.config import Settings
    from pbem.legacy.runners.watch import Report
    from pbem.legacy.store.database import Database


# --- clock ---------------------------------------------------------------------------------------
# The time and the chance of the world outside: what every command may ask for at no cost.


def clock() -> datetime:
    """Now, as aware UTC."""
    return datetime.now(UTC)


def entropy(count: int) -> bytes:
    """Bytes that nobody can predict."""
    return os.urandom(count)


# --- ports ---------------------------------------------------------------------------------------
# A port of ours, or in words why it cannot be had: taken, not ours to take, of another machine.

WAITING: Final = 2048
"""Connections that the system keeps until they are taken."""


def bound(settings: Settings, *names: str, host: str, port: int) -> socket.socket:
    """A socket that listens at a port, which these settings name. Raises ConfigError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        # What was closed a minute ago is no reason to wait.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(WAITING)
    except (OSError, OverflowError) as error:
        listener.close()
        raise refused(settings, *names, host=host, port=port, error=error) from error
    return listener


def refused(settings: Settings, *names: str, host: str, port: int, error: Exception) -> ConfigError:
    """Why a port cannot be had, with the settings that name it."""
    why = getattr(error, "strerror", None) or error
    return ConfigError(f"{settings.named(*names)}: {host}:{port} cannot be had: {why}")


# --- systemd -------------------------------------------------------------------------------------
# Tell systemd that the service is ready, lives and stops (sd_notify(3)).
#
# The protocol is one datagram to a socket that the environment names: less than a library for it.

SOCKET: Final = "NOTIFY_SOCKET"
WATCHDOG, WATCHED = "WATCHDOG_USEC", "WATCHDOG_PID"

ENOUGH: Final = 2.5
"""A sign of life is given so often in the time after which systemd misses one."""


@dataclass(slots=True)
class Systemd:
    """Whoever started us and wants to hear of us; `every` is the seconds between two signs."""

    address: str
    every: float | None
    is_ready: bool = False

    @classmethod
    def of(cls, environ: MutableMapping[str, str] | None = None) -> Systemd | None:
        """As the environment has it; None where nobody wants to hear. No child inherits it."""
        environ = os.environ if environ is None else environ
        address = environ.pop(SOCKET, "")
        microseconds, watched = environ.pop(WATCHDOG, ""), environ.pop(WATCHED, "")
        if not address.startswith(("/", "@")):
            return None
        ours = microseconds.isdecimal() and watched in ("", str(os.getpid()))
        return cls(address, int(microseconds) / 1e6 / ENOUGH if ours else None)

    async def hear(self, report: Report) -> None:
        """Pass on that who writes has answered; where it has not, systemd waits in vain."""
        names = ", ".join(check.name for check in wrong(report.checks))
        lines = [f"STATUS={f'wrong: {names}' if names else 'all is well'}"]
        if report.answers:
            lines.append("WATCHDOG=1")
            if not self.is_ready:
                lines.append("READY=1")
                self.is_ready = True
        self.say(*lines)

    def stopping(self) -> None:
        """The work at hand is ended, and nothing else is begun."""
        self.say("STOPPING=1")

    def say(self, *lines: str) -> None:
        """Send it; whoever does not listen any more misses it."""
        # An abstract socket, which has no file, begins with a zero byte.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto("\n".join(lines).encode(), address)


# --- one service ---------------------------------------------------------------------------------
# Who works with a database, by whatever path it is named: one service, and pages beside it.

_SET_LOCK: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
"""A lock of the open file, which other descriptors of the process do not give up when they close.

Linux has it; elsewhere the lock beside the file has to do.
"""

_FLOCK: Final = "hhqqi4x"  # struct flock: type, whence, start, length, process


class _Lock(NamedTuple):
    """The byte of the database that is locked, and what the name of the file beside it ends with.

    The byte is far behind the end of the file and those that SQLite locks.
    """

    byte: int
    suffix: str


_SERVICE: Final = _Lock(1 << 62, ".lock")
_PRESENCE: Final = _Lock((1 << 62) + 1, ".open")


@contextlib.contextmanager
def serving(file: Path) -> Iterator[None]:
    """Nobody else may serve the database of an SQLite file meanwhile; raises ConfigError."""
    with present(file), _Locks(file) as locks:
        locks.take(_SERVICE, fcntl.LOCK_EX, f"a `pbem serve` is at work on {file}: stop it first")
        yield


@contextlib.contextmanager
def present(file: Path) -> Iterator[None]:
    """Somebody works with the database of an SQLite file. Raises ConfigError if nobody may."""
    with _Locks(file) as locks:
        why = f"a `pbem upgrade`, `migrate` or `restore` is at work on {file}: wait for its end"
        locks.take(_PRESENCE, fcntl.LOCK_SH, why)
        yield


@contextlib.contextmanager
def alone(database: Path | str) -> Iterator[None]:
    """Nobody else may work with a database, or put another in its place, meanwhile.

    Raises ConfigError where somebody does.
    """
    file = file_of(database)
    if file is None:
        with nobody_there(url_of(database)):
            yield
        return
    with _Locks(file) as locks:
        for lock, command in ((_SERVICE, "serve"), (_PRESENCE, "web")):
            why = f"a `pbem {command}` is at work on {file}: stop it first"
            locks.take(lock, fcntl.LOCK_EX, why)
        yield


class _Locks(contextlib.ExitStack):
    """Locks of an SQLite database; they go with the process, however it ends.

    Each is on the file itself, so that it holds for each name that it has (symbolic and hard links,
    other mounts), and on one beside it, for a database that is not there yet.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file.resolve()

    def take(self, lock: _Lock, how: int, why: str) -> None:
        """Take one, alone or with others; ConfigError with `why` where that cannot be now."""
        beside = _open(Path(f"{self._file}{lock.suffix}"), os.O_CREAT | os.O_RDWR, self)
        try:
            fcntl.flock(beside, how | fcntl.LOCK_NB)
            if self._file.exists():
                _lock_itself(_open(self._file, os.O_RDWR, self), lock.byte, how)
        except (BlockingIOError, PermissionError):
            raise ConfigError(why) from None


def _lock_itself(number: int, byte: int, how: int) -> None:
    if _SET_LOCK is None:
        return
    kind = fcntl.F_WRLCK if how == fcntl.LOCK_EX else fcntl.F_RDLCK
    lock = struct.pack(_FLOCK, kind, os.SEEK_SET, byte, 1, 0)
    try:
        fcntl.fcntl(number, _SET_LOCK, lock)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise
        # A file system without such locks: the one beside it has to do.


def _open(path: Path, flags: int, stack: contextlib.ExitStack) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number = os.open(path, flags | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from error
    stack.callback(os.close, number)
    return number


# --- ending --------------------------------------------------------------------------------------
# The end, asked for by a signal or since the database is another: within seconds, or at once.

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
                with suppress(OSError, termios.error):  # it may have been closed
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
