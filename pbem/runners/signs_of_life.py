"""When a service and its runners are heard of, for those who look whether they run."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

ALIVE: Final = "alive"
"""The runner's name under which the service notes that it is there."""

HOUSEKEEPING_EVERY: Final = timedelta(hours=6)
"""So seldom housekeeping gives a sign; all others look around every few seconds."""


def was_ahead(newest: datetime) -> str:
    """What the service notes of itself once it has set right what a clock that was ahead timed."""
    return f"the clock was ahead, at {newest:%Y-%m-%d %H:%M:%S}"
