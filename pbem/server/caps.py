"""The number of emails that the provider lets us send in an hour and in a day.

A provider locks accounts that send more, so no 60 minutes and no 24 hours have more emails than the
operator says. The last fifth is kept for urgent emails, whose readers' clocks run. What is over
waits in the outbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from pbem.settings import Settings
from pbem.store.figures import DAY, HOUR, count_sent

CAP_WARNING: Final = 0.8  # of a cap; then only urgent emails go, and an alarm is raised


@dataclass(frozen=True, slots=True)
class SendingCaps:
    """How many emails may be sent in an hour and in a day; 0 for any number."""

    per_hour: int = 0
    per_day: int = 0


NO_CAPS: Final = SendingCaps()


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many emails may be sent now: in all, and how many that are not urgent."""

    emails: int
    others: int


def read_caps(settings: Settings) -> SendingCaps:
    """Return the caps of the settings."""
    return SendingCaps(settings.smtp.per_hour, settings.smtp.per_day)


def find_allowance(conn: Connection, caps: SendingCaps, now: datetime, *, most: int) -> Allowance:
    """Return how many emails may be sent now, at most `most`."""
    emails = others = most
    for cap, span in ((caps.per_hour, HOUR), (caps.per_day, DAY)):
        if cap:
            sent = count_sent(conn, now - span)
            emails = min(emails, cap - sent)
            others = min(others, int(cap * CAP_WARNING) - sent)
    return Allowance(max(emails, 0), max(others, 0))
