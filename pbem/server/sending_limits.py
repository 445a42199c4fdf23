"""Limits on the number of emails that we send per hour and per day.

A provider locks accounts that send too many emails, so the operator sets limits for any 60 minutes
and any 24 hours. The last fifth of each limit is reserved for urgent emails, such as those to
players whose clocks are running. Emails above the limit wait in the outbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from pbem.settings import Settings
from pbem.store.figures import DAY, HOUR, count_sent

# The fraction of a limit above which only urgent emails are sent, with an alarm.
URGENT_ONLY_FRACTION: Final = 0.8


@dataclass(frozen=True, slots=True)
class SendingLimits:
    """The maximum numbers of emails that are sent in any hour and any day; 0 means no limit."""

    per_hour: int = 0
    per_day: int = 0


NO_SENDING_LIMITS: Final = SendingLimits()


@dataclass(frozen=True, slots=True)
class Allowance:
    """The numbers of emails that may be sent now.

    `emails` is the number in all. Only `others` of them may be emails that are not urgent.
    """

    emails: int
    others: int


def read_sending_limits(settings: Settings) -> SendingLimits:
    """Return the sending limits that the settings contain."""
    return SendingLimits(settings.smtp.per_hour, settings.smtp.per_day)


def find_allowance(
    conn: Connection, sending_limits: SendingLimits, now: datetime, *, max_emails: int
) -> Allowance:
    """Return the numbers of emails that may be sent at `now`, each at most `max_emails`."""
    emails = others = max_emails
    for limit, span in ((sending_limits.per_hour, HOUR), (sending_limits.per_day, DAY)):
        if limit:
            sent = count_sent(conn, now - span)
            emails = min(emails, limit - sent)
            others = min(others, int(limit * URGENT_ONLY_FRACTION) - sent)
    return Allowance(max(emails, 0), max(others, 0))
