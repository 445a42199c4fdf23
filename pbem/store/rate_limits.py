"""Counters of uses within a window of time, for rate limits.

A counter has a name and a subject, such as `refusals` of a player. The window of a counter begins
with the first use after the previous window has ended. Rows whose window has ended are ignored.
They are deleted when a new window begins, so that data about strangers is not kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, case, delete, insert, select, update

from pbem.store.tables import RateLimitRow, UtcDateTime

_RATE_LIMIT = RateLimitRow.__table__  # type: ignore[attr-defined]

_IS_OVER = _RATE_LIMIT.c.ends_at <= bindparam("now")
_COUNT = (
    update(_RATE_LIMIT)
    .where(_RATE_LIMIT.c.name == bindparam("of_name"))
    .where(_RATE_LIMIT.c.subject == bindparam("of_subject"))
    .values(
        count=case(
            (_IS_OVER, bindparam("amount")), else_=_RATE_LIMIT.c.count + bindparam("amount")
        ),
        ends_at=case(
            (_IS_OVER, bindparam("ends", type_=UtcDateTime())), else_=_RATE_LIMIT.c.ends_at
        ),
    )
    .returning(_RATE_LIMIT.c.count, _RATE_LIMIT.c.ends_at)
)


@dataclass(frozen=True, slots=True)
class Usage:
    """The value of a counter in its current window of time, and the end of that window."""

    count: int
    ends_at: datetime


def count_use(
    conn: Connection, name: str, subject: str, *, span: timedelta, now: datetime, amount: int = 1
) -> Usage:
    """Increase the counter of a subject, and return its new value in the current window.

    Args:
        conn: The connection of the unit of work.
        name: The name of the counter.
        subject: The id of a player, a domain, or the hash of a mailbox.
        span: The length of a new window, which begins now if there is no current window.
        now: The current time.
        amount: The number to add to the counter.
    """
    values = {"of_name": name, "of_subject": subject, "ends": now + span, "amount": amount}
    row = conn.execute(_COUNT, {**values, "now": now}).one_or_none()
    if row is not None:
        return Usage(*row)
    conn.execute(delete(_RATE_LIMIT).where(_RATE_LIMIT.c.ends_at <= now))
    first = {"name": name, "subject": subject, "ends_at": now + span, "count": amount}
    conn.execute(insert(_RATE_LIMIT), first)
    return Usage(amount, now + span)


def find_usage(conn: Connection, name: str, subject: str, now: datetime) -> Usage | None:
    """Return the value of a subject's counter in its current window; None if there is no window."""
    table = _RATE_LIMIT.c
    query = select(table.count, table.ends_at).where(
        table.name == name, table.subject == subject, table.ends_at > now
    )
    row = conn.execute(query).one_or_none()
    return None if row is None else Usage(*row)


def forget_subject(conn: Connection, subject: str) -> None:
    """Delete all counters of a subject, whatever their names."""
    conn.execute(delete(_RATE_LIMIT).where(_RATE_LIMIT.c.subject == subject))
