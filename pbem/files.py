"""Writing files so that they survive a crash, and finding files that come with pbem."""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Create a file that only its owner can read, and flush it to the disk.

    Raises:
        FileExistsError: There is such a file.
        OSError: It cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Flush the contents of a file, or the file names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def find_shipped(inside: str, beside: str) -> Path:
    """Return the path of a file or folder that comes with pbem.

    Args:
        inside: Its path inside the package, as in a wheel.
        beside: Its path in a checkout.
    """
    package = Path(__file__).resolve().parent
    path = package / inside
    return path if path.exists() else package.parent / beside
