"""How much was spent in the last day, exactly: a row for each, which lapses a day later.

Unlike leaky buckets (rates.py) there is no more than the budget in any span of a day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from pbem.store import tables

A_DAY: Final = timedelta(days=1)
_R = tables.rate.c


def spent(conn: Connection, budget: str, now: datetime) -> int:
    """How much of a budget was spent in the last day."""
    wanted = select(func.count()).select_from(tables.rate).where(*_of(budget, now))
    return int(conn.execute(wanted).scalar_one())


def spend(conn: Connection, budget: str, now: datetime) -> str:
    """Count one more; the key of its row."""
    key = f"{budget}:{now.isoformat()}:{spent(conn, budget, now)}"
    conn.execute(insert(tables.rate), {"key": key, "empty_at": now + A_DAY})
    return key


def is_spent(conn: Connection, key: str) -> bool:
    """Whether a row is there still: a unit that is taken back gives back what it spent."""
    return conn.execute(select(_R.key).where(_R.key == key)).first() is not None


def forget(conn: Connection, budget: str) -> None:
    """Let nothing be spent of a budget."""
    conn.execute(delete(tables.rate).where(_R.key >= f"{budget}:", _R.key < f"{budget};"))


def full(conn: Connection, kind: str, now: datetime, most: int) -> Iterator[str]:
    """The budgets of a kind (`budget:kind:name`) that have no room, by their names."""
    counts: dict[str, int] = {}
    for key in conn.execute(select(_R.key).where(*_of(kind, now))).scalars():
        name = str(key).removeprefix(f"{kind}:").partition(":")[0]
        counts[name] = counts.get(name, 0) + 1
    yield from sorted(name for name, count in counts.items() if count >= most)


def _of(budget: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    # A clock that was ahead and went back leaves rows that no day of ours has spent.
    alive = (_R.empty_at > now, _R.empty_at <= now + A_DAY)
    return (_R.key >= f"{budget}:", _R.key < f"{budget};", *alive)
