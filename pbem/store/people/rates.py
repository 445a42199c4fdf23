"""Leaky buckets: how often somebody may have something in a time."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, delete, select

from pbem.store import tables
from pbem.store.dialects import insert_or_update
from pbem.store.prepared import Prepared

_EMPTY_AT = Prepared(select(tables.rate.c.empty_at).where(tables.rate.c.key == bindparam("of_key")))
_FILL = Prepared(insert_or_update(tables.rate, "key"), insert=("key", "empty_at"))


def take(conn: Connection, key: str, *, now: datetime, capacity: int, per: timedelta) -> bool:
    """Pour one into a bucket that holds `capacity` and empties in `per`; False if it is full."""
    return pour(conn, key, _read(conn, key), now=now, capacity=capacity, per=per)


def pour(
    conn: Connection,
    key: str,
    empty_at: datetime | None,
    *,
    now: datetime,
    capacity: int,
    per: timedelta,
) -> bool:
    """As `take`, where the same unit has read when the bucket will be empty (None: it is)."""
    if capacity < 1:
        return False
    after = _sound(empty_at, now, per) + per // capacity
    if after > now + per:
        return False
    _FILL.write(conn, {"key": key, "empty_at": after})
    return True


def room_at(
    conn: Connection, key: str, *, now: datetime, capacity: int, per: timedelta
) -> datetime:
    """When a bucket has room for one more: now, or as soon as enough has run out of it."""
    return max(now, _empty_at(conn, key, now, per) + per // capacity - per)


def filled(conn: Connection, key: str, *, now: datetime, capacity: int, per: timedelta) -> int:
    """How much is in a bucket now; 0 where nothing has been poured into it."""
    left = _empty_at(conn, key, now, per) - now
    return min(-(-left // (per // capacity)), capacity)


def _empty_at(conn: Connection, key: str, now: datetime, per: timedelta) -> datetime:
    """When a bucket will be empty; now if it is."""
    return _sound(_read(conn, key), now, per)


def _read(conn: Connection, key: str) -> datetime | None:
    row = _EMPTY_AT.first(conn, {"of_key": key})
    return None if row is None else row[0]


def _sound(before: datetime | None, now: datetime, per: timedelta) -> datetime:
    """What would take longer than a full one was poured in when our clock was ahead: anew then."""
    return before if before is not None and now < before <= now + per else now


def empty(conn: Connection, key: str) -> None:
    """Empty a bucket."""
    conn.execute(delete(tables.rate).where(tables.rate.c.key == key))


def prune(conn: Connection, now: datetime) -> int:
    """Forget the buckets that are empty; how many."""
    return conn.execute(delete(tables.rate).where(tables.rate.c.empty_at <= now)).rowcount
