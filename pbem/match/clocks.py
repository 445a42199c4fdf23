"""Clocks: each player has a time bank and gains an increment with each move, up to a cap.

A clock runs from the moment at which its player has the turn until the mailbox receives their move.
What an email takes on its way in, and the undo window, cost nothing: the time of receipt counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat

NO_TIME_CONTROL: Final = "none"
MAX_HOURS: Final = 9_999  # of bank, increment and cap: more than a year

_TEXT: Final = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,4})")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player has: a bank, an increment for each move, a cap of the bank."""

    bank: timedelta
    increment: timedelta
    cap: timedelta

    def __str__(self) -> str:
        """Return it in hours, as challenges record it: `240/36/240`."""
        parts = (self.bank, self.increment, self.cap)
        return "/".join(str(part // timedelta(hours=1)) for part in parts)


PRESETS: Final[Mapping[str, str]] = MappingProxyType(
    {"slow": "240/36/240", "medium": "96/24/96", "fast": "24/8/48"}
)
"""Named time controls, in hours."""


def parse_time_control(text: str) -> TimeControl | None:
    """Read a preset, three numbers of hours, or `none`.

    Raises:
        Rejection: `bad_time`, for any other text or a bank that is zero or above the cap.
    """
    if text == NO_TIME_CONTROL:
        return None
    match = _TEXT.fullmatch(PRESETS.get(text, text))
    bank, increment, cap = map(int, match.groups()) if match else (0, 0, 0)
    if not 0 < bank <= cap:
        raise Rejection("bad_time", typed=text, presets=[*PRESETS, NO_TIME_CONTROL])
    return TimeControl(*(timedelta(hours=hours) for hours in (bank, increment, cap)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Clocks:
    """The clocks of a running match.

    `banks` is what each seat has left, in seat order, without what the running turn has used.
    `running` has the seats whose clocks run, with the time at which they began.
    """

    control: TimeControl
    banks: tuple[timedelta, ...]
    running: Mapping[Seat, datetime]

    def deadline(self, seat: Seat) -> datetime | None:
        """Return when the clock of a seat runs out, or None while it does not run."""
        since = self.running.get(seat)
        return None if since is None else since + self.banks[seat - 1]

    def bank_after_move(self, seat: Seat, received: datetime) -> timedelta:
        """Return what a seat has left after a move that was received at this time."""
        since = self.running.get(seat, received)
        used = max(received - since, timedelta(0))
        left = max(self.banks[seat - 1] - used, timedelta(0))
        return min(left + self.control.increment, self.control.cap)


def start_clocks(control: TimeControl, seats: int) -> Clocks:
    """Return the clocks at the start of a match; none runs yet."""
    return Clocks(control=control, banks=(control.bank,) * seats, running={})
