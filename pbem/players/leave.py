"""The leave that a player has: earned with time, charged by the day, given back where not used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

AT_FIRST: Final = 10
"""Days of leave that a player has at first (PLAY 3)."""

CAP: Final = 30
"""Days of leave that a player has at most; at the cap none is earned."""

EARNED_IN: Final = timedelta(days=12)
"""How long it takes to earn a day."""

A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Account:
    """So many days as of a time, from which on the next day is being earned."""

    days: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Leave:
    """A span in which a player is away, and the days that it was charged with."""

    begin: datetime
    end: datetime
    days: int


def opened(at: datetime) -> Account:
    """The account of somebody who has just become a player."""
    return Account(AT_FIRST, at)


def days_left(account: Account, now: datetime) -> int:
    """The days that can be spent at a time."""
    return min(CAP, account.days + _earned(account, now))


def charged(account: Account, days: int, now: datetime) -> Account:
    """The account after so many days were spent; or given back, where they are negative."""
    left = days_left(account, now)
    # A day that is nearly earned stays so; but at the cap nothing was being earned.
    # Nor does one wait for a time that a clock of ours that was ahead thought to be.
    since = now if left == CAP else min(now, account.since + _earned(account, now) * EARNED_IN)
    return Account(min(CAP, left - days), since)


def unused(leave: Leave, now: datetime) -> int:
    """The days of a leave that have not begun yet."""
    begun = -((leave.begin - now) // A_DAY) if now > leave.begin else 0
    return max(0, leave.days - begun)


def _earned(account: Account, now: datetime) -> int:
    return max(0, (now - account.since) // EARNED_IN)
