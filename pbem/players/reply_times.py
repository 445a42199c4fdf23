"""How long what was sent to a player is worth something."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

OLD_ASKS: Final = timedelta(days=14)
"""So long whoever orders something at the old address of a seat is asked whether it was they."""
