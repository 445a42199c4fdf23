"""How often somebody may have something, and what they were asked: rows that lapse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from pbem.errors import Facts
from pbem.names import PlayerId
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical
from pbem.legacy.store.columns import insert_absent, insert_or_update
from pbem.legacy.store.prepared import Prepared

# --- questions -----------------------------------------------------------------------------------
# What a player was asked, so that `yes` has something to answer.

_T = tables.question.c

_ASK = insert_absent(tables.question, "key")

_PENDING = Prepared(
    select(_T.key, _T.player, _T.kind, _T.facts, _T.expires_at)
    .where(
        _T.player == bindparam("asked"),
        _T.answered_at.is_(None),
        _T.expires_at > bindparam("now"),
    )
    .order_by(_T.number.desc())
)

_OF_CAUSE = (  # a range, so that an index could be used: `;` comes after `:`
    select(_T.key, _T.player, _T.kind, _T.facts, _T.expires_at, _T.answered_at)
    .where(
        _T.player == bindparam("asked"),
        _T.key >= bindparam("low"),
        _T.key < bindparam("high"),
    )
    .order_by(_T.number.desc())
)

_ANSWER = (
    update(tables.question)
    .where(_T.key == bindparam("of_key"), _T.answered_at.is_(None))
    .values(answered_at=bindparam("now"))
)

_AMEND = (
    update(tables.question)
    .where(_T.key == bindparam("of_key"), _T.answered_at.is_(None))
    .values(facts=bindparam("new_facts"))
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for its answer; `facts` are what carrying it out needs."""

    key: str
    player: PlayerId
    kind: str
    facts: dict[str, object]
    expires_at: datetime
    answered_at: datetime | None = None


def ask(
    conn: Connection, key: str, *, player: PlayerId, kind: str, facts: Facts, expires_at: datetime
) -> None:
    """Note a question; the same key again changes nothing."""
    row = {
        "key": key,
        "player": player,
        "kind": kind,
        "facts": canonical(facts),
        "expires_at": expires_at,
    }
    conn.execute(_ASK[conn.dialect.name], row)


def amend(conn: Connection, key: str, facts: Facts) -> None:
    """Change what carrying out a question needs, as long as it waits for its answer."""
    conn.execute(_AMEND, {"of_key": key, "new_facts": canonical(facts)})


def prune_questions(conn: Connection, before: datetime) -> int:
    """Delete what could be answered until before a time; how many. Facts are what people typed."""
    return conn.execute(delete(tables.question).where(_T.expires_at < before)).rowcount


def pending(conn: Connection, player: PlayerId, *, now: datetime) -> list[Question]:
    """What a player may answer now, the newest question first."""
    return [
        Question(key, PlayerId(asked), kind, json.loads(facts), expires_at)
        for key, asked, kind, facts, expires_at in _PENDING.rows(
            conn, {"asked": player, "now": now}
        )
    ]


def asked_by(conn: Connection, player: PlayerId, cause: str) -> list[Question]:
    """What a player was asked for one cause, settled or not, the newest question first."""
    rows = conn.execute(_OF_CAUSE, {"asked": player, "low": f"{cause}:", "high": f"{cause};"})
    return [
        Question(
            key=row.key,
            player=PlayerId(row.player),
            kind=row.kind,
            facts=json.loads(row.facts),
            expires_at=row.expires_at,
            answered_at=row.answered_at,
        )
        for row in rows
    ]


def answer(conn: Connection, key: str, now: datetime) -> bool:
    """Note that a question is answered; False if it was before."""
    return conn.execute(_ANSWER, {"of_key": key, "now": now}).rowcount == 1


# --- budgets -------------------------------------------------------------------------------------
# How much was spent in the last day, exactly: a row for each, which lapses a day later.
#
# Unlike leaky buckets (rates.py) there is no more than the budget in any span of a day.

A_DAY: Final = timedelta(days=1)
_R = tables.rate.c


def spent(conn: Connection, budget: str, now: datetime, per: timedelta = A_DAY) -> int:
    """How much of a budget was spent in the last day, or in a part of it."""
    wanted = select(func.count()).select_from(tables.rate).where(*_of(budget, now, per))
    return int(conn.execute(wanted).scalar_one())


def spend(conn: Connection, budget: str, now: datetime) -> str:
    """Count one more; the key of its row."""
    key = f"{budget}:{now.isoformat()}:{spent(conn, budget, now)}"
    conn.execute(insert(tables.rate), {"key": key, "empty_at": now + A_DAY})
    return key


def spend_named(conn: Connection, budget: str, now: datetime, names: Iterable[object]) -> None:
    """Count one more for each name, which tells it from others of the same moment."""
    for name in names:
        _FILL.write(conn, {"key": f"{budget}:{now.isoformat()}:{name}", "empty_at": now + A_DAY})


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


def _of(budget: str, now: datetime, per: timedelta = A_DAY) -> tuple[ColumnElement[bool], ...]:
    # A clock that was ahead and went back leaves rows that no day of ours has spent.
    alive = (_R.empty_at > now + A_DAY - per, _R.empty_at <= now + A_DAY)
    return (_R.key >= f"{budget}:", _R.key < f"{budget};", *alive)


# --- rates ---------------------------------------------------------------------------------------
# Leaky buckets: how often somebody may have something in a time.

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


def buckets(conn: Connection, kind: str, now: datetime) -> int:
    """How many buckets of a kind (`kind:name`) have something in them."""
    key = tables.rate.c.key
    wanted = select(func.count()).select_from(tables.rate)
    alive = (key >= f"{kind}:", key < f"{kind};", tables.rate.c.empty_at > now)
    return int(conn.execute(wanted.where(*alive)).scalar_one())


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
