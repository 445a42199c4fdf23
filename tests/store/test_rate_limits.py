"""Counters in windows of time, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from pbem.store.rate_limits import Usage, count_use, find_usage
from pbem.store.tables import RateLimitRow
from tests.match.test_match import HOUR, NOON


def minutes(number: int) -> datetime:
    return NOON + timedelta(minutes=number)


def test_a_count_begins_again_when_its_window_is_over(conn: Connection) -> None:
    def count(now: datetime, subject: str = "ann", amount: int = 1) -> Usage:
        return count_use(conn, "said", subject, span=HOUR, now=now, amount=amount)

    assert count(NOON) == Usage(1, minutes(60))
    assert count(minutes(59), amount=2) == Usage(3, minutes(60))
    assert find_usage(conn, "said", "ann", minutes(59)) == Usage(3, minutes(60))
    assert find_usage(conn, "said", "ann", minutes(60)) is None
    assert count(minutes(60)) == Usage(1, minutes(120))
    assert count(minutes(61)) == Usage(2, minutes(120))
    assert count(minutes(62), "bob") == Usage(1, minutes(122))
    assert find_usage(conn, "written", "ann", minutes(62)) is None


def test_windows_that_are_over_are_deleted(conn: Connection) -> None:
    for number in range(5):
        count_use(conn, "said", f"stranger {number}", span=HOUR, now=minutes(number))
    count_use(conn, "said", "ann", span=HOUR, now=minutes(62))
    assert conn.execute(select(func.count()).select_from(RateLimitRow)).scalar() == 3
