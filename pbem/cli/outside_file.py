"""A file from outside, read within bounds: its lines, or in a sentence why not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 100_000_000
"""A file that is greater is not read: the longest matches have some hundred kilobytes."""


def read_lines(file: Path) -> list[str]:
    """The lines of a file, or of standard input for `-`. Raises ConfigError."""
    from pbem.errors import ConfigError

    try:
        if str(file) == "-":
            read = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with file.open("rb") as opened:  # its size is not asked for: it may be a pipe
                read = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    if len(read) > MOST_BYTES:
        raise ConfigError(f"{file} has more than {MOST_BYTES // 1_000_000} MB: it is no export")
    if read.startswith(b"\x1f\x8b"):
        raise ConfigError(f"{file} is packed by gzip: unpack it first, with `gzip -d`")
    try:
        # Not by splitlines: JSON may hold U+2028 as it is.
        return read.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        line = read.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file} cannot be read: line {line} is no UTF-8") from None
