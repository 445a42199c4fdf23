"""One service a database, by whatever path it is named."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError
from pbem.store.engine import file_of, url_of
from pbem.store.presence import nobody_serves

_SET_LOCK: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
"""A lock of the open file, which other descriptors of the process do not give up when they close.

Linux has it; elsewhere the lock beside the file has to do.
"""

_FLOCK: Final = "hhqqi4x"  # struct flock: type, whence, start, length, process

_OURS: Final = 1 << 62
"""The byte of the database that is locked: far behind its end and those that SQLite locks."""


@contextlib.contextmanager
def alone(database: Path | str) -> Iterator[None]:
    """Nobody else may serve a database, or put another in its place, meanwhile.

    The lock is on the file itself, so that it holds for each name that it has (symbolic and hard
    links, other mounts), and on one beside it, for a database that is not there yet. Raises
    ConfigError if somebody has one of the two. Both go with the process, however it ends.
    """
    file = file_of(database)
    if file is None:
        with nobody_serves(url_of(database)):
            yield
        return
    real = file.resolve()
    with contextlib.ExitStack() as stack:
        beside = _open(Path(f"{real}.lock"), os.O_CREAT | os.O_RDWR, stack)
        try:
            fcntl.flock(beside, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if real.exists():
                _lock_itself(_open(real, os.O_RDWR, stack))
        except (BlockingIOError, PermissionError):
            raise ConfigError(f"a `pbem serve` is at work on {database}: stop it first") from None
        yield


def _lock_itself(number: int) -> None:
    if _SET_LOCK is None:
        return
    lock = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _OURS, 1, 0)
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
