"""Budgets of a day: exact in any span of a day, whatever the clock does."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from pbem.store.database import Database
from pbem.store.people import rates
from tests.store.given import NOW, write

DAY = timedelta(days=1)


def test_what_is_spent_comes_back_a_day_later_to_the_second(db: Database) -> None:
    def unit(conn: Connection) -> list[int]:
        rates.spend(conn, "b:one", NOW)
        rates.spend(conn, "b:one", NOW + timedelta(hours=23))
        later = (NOW, NOW + DAY - timedelta(seconds=1), NOW + DAY, NOW + 2 * DAY)
        return [rates.spent(conn, "b:one", at) for at in later[1:]]

    assert write(db, unit) == [2, 1, 0]


def test_budgets_do_not_mix(db: Database) -> None:
    def unit(conn: Connection) -> tuple[int, int, list[str]]:
        for name in ("b:x", "b:x", "b:x.example", "b:y", "c:x"):
            rates.spend(conn, name, NOW)
        return (
            rates.spent(conn, "b:x", NOW),
            rates.spent(conn, "b", NOW),
            list(rates.full(conn, "b", NOW, 2)),
        )

    assert write(db, unit) == (2, 4, ["x"])


def test_a_clock_that_was_ahead_has_spent_nothing(db: Database) -> None:
    def unit(conn: Connection) -> int:
        rates.spend(conn, "b:one", NOW + 2 * DAY)
        return rates.spent(conn, "b:one", NOW)

    assert write(db, unit) == 0


def test_what_is_taken_back_is_spent_no_more(db: Database) -> None:
    def unit(conn: Connection) -> tuple[bool, bool]:
        with conn.begin_nested() as point:
            key = rates.spend(conn, "b:one", NOW)
            before = rates.is_spent(conn, key)
            point.rollback()
        return before, rates.is_spent(conn, key)

    assert write(db, unit) == (True, False)
