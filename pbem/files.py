"""Functions to write files that survive a crash, and to find files that come with pbem."""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Write `data` to a new file that only its owner can read, and flush the file to the disk.

    Raises:
        FileExistsError: There is a file with this path.
        OSError: The file cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Flush a file to the disk, so that its contents survive a crash of the machine.

    If `path` is a folder, the names of its files are flushed.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def find_shipped(inside: str, beside: str) -> Path:
    """Return the path of a file or folder that comes with pbem, in a wheel or in a checkout.

    Args:
        inside: The path inside the package `pbem`, if pbem was installed from a wheel.
        beside: The path in a checkout, which is used if there is nothing at `inside`.
    """
    package = Path(__file__).resolve().parent
    path = package / inside
    return path if path.exists() else package.parent / beside
