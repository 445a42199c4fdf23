"""Lines that are typed at the terminal, which arrow keys edit if Python has readline."""

from __future__ import annotations

import contextlib
import sys


def read_line(prompt: str) -> str:
    """Return a line that is typed.

    Raises:
        EOFError: The input is at its end.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - `input` uses it once it is imported
    line = input(prompt)
    if not sys.stdin.isatty():  # a terminal shows itself what is typed
        print(line)  # noqa: T201
    return line


def typed_so_far() -> str:
    """Return what the prompt that waits has so far."""
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()
