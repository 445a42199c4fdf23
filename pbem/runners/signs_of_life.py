"""When a service and its runners are heard of, for those who look whether they run."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

ALIVE: Final = "alive"
"""The runner's name under which the service notes that it is there."""

HOUSEKEEPING_EVERY: Final = timedelta(hours=6)
"""So seldom housekeeping gives a sign; all others look around every few seconds."""
