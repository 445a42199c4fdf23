"""Reading of typed lines from the terminal, with line editing if Python has readline."""

from __future__ import annotations

import contextlib
import sys


def read_line(prompt: str) -> str:
    """Return the next line that the person types after a prompt.

    Raises:
        EOFError: The input has ended.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - `input` uses it once it is imported
    line = input(prompt)
    if not sys.stdin.isatty():  # a terminal shows itself what is typed
        print(line)  # noqa: T201
    return line


def unfinished_line() -> str:
    """Return the text typed so far at the current prompt, or an empty string without readline."""
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()
