"""Who works with a database, by whatever path it is named: one service, and pages beside it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pbem.errors import ConfigError
from pbem.store.engine import file_of, url_of
from pbem.store.presence import nobody_there

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
