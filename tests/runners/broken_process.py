"""What runs in a process that is of no use; it imports nothing of pbem, so that it soon ends."""

from __future__ import annotations

import os


def cannot_start() -> None:
    """The end of the process."""
    os._exit(3)
