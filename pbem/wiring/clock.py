"""The time and the chance of the world outside: what every command may ask for at no cost."""

from __future__ import annotations

import os
from datetime import UTC, datetime


def clock() -> datetime:
    """Now, as aware UTC."""
    return datetime.now(UTC)


def entropy(count: int) -> bytes:
    """Bytes that nobody can predict."""
    return os.urandom(count)
