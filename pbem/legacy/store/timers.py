"""What is to be done at a time: set with the events that ask for it, fired once."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Final, cast

from sqlalchemy import Connection, bindparam, delete, func, literal_column, select, update

from pbem.errors import Facts
from pbem.legacy.store import tables
from pbem.legacy.store.codec import canonical, instant_of, instant_text
from pbem.legacy.store.columns import insert_or_update
from pbem.legacy.store.prepared import Prepared

_T = tables.timer.c

BOT: Final = "bot"
"""The kind of those that ask bots to act: a runner of their own fires them."""

_SET = Prepared(
    insert_or_update(tables.timer, "key"),
    insert=("key", "due_at", "stream", "kind", "facts", "fired_at"),
)

_IS_BOTS = _T.kind == literal_column(f"'{BOT}'")  # as in the index of these

_WAITING = (
    select(_T.key, _T.due_at, _T.stream, _T.kind, _T.facts)
    .where(_T.due_at <= bindparam("now"), _T.fired_at.is_(None))
    .order_by(_T.due_at, _T.key)
    .limit(bindparam("most"))
)
_DUE = Prepared(_WAITING.where(_T.kind != BOT))
_DUE_BOTS = Prepared(_WAITING.where(_IS_BOTS))

_CLAIM_BOTS = Prepared(
    update(tables.timer)
    .where(
        _T.key.in_(
            select(_T.key)
            .where(_T.due_at <= bindparam("now"), _T.fired_at.is_(None), _IS_BOTS)
            .order_by(_T.due_at, _T.key)
            .limit(bindparam("most"))
        ),
        _T.due_at <= bindparam("now"),
        _T.fired_at.is_(None),
    )
    .values(due_at=bindparam("until"))
    .returning(_T.key, _T.due_at, _T.stream, _T.kind, _T.facts)
)

_FIRE = Prepared(
    update(tables.timer)
    # A timer that was found due may have been put off since, by one that fired before it.
    .where(_T.key == bindparam("of_key"), _T.fired_at.is_(None), _T.due_at <= bindparam("now"))
    .values(fired_at=bindparam("now"))
)

_CANCEL = Prepared(delete(tables.timer).where(_T.key == bindparam("of_key"), _T.fired_at.is_(None)))

_NEXT = select(func.min(_T.due_at)).where(_T.fired_at.is_(None))
_NEXT_DUE = Prepared(_NEXT.where(_T.kind != BOT))
_NEXT_BOT = Prepared(_NEXT.where(_IS_BOTS))


_CAUSE = re.compile(r"(?P<key>[^@]+)@(?P<due>\d{4}-\d\d-\d\dT[\d:.]{15}Z)")


@dataclass(frozen=True, slots=True)
class Timer:
    """Something to be done at a time; what, is for `kind` to say."""

    key: str
    due_at: datetime
    stream: str | None
    kind: str
    facts: dict[str, object]


def cause_of(timer: Timer) -> str:
    """What a timer's events and mails are kept with: one that is set anew is another cause."""
    return f"{timer.key}@{instant_text(timer.due_at)}"


def read_cause(text: str) -> tuple[str, datetime] | None:
    """The key of a timer and when it was due, from `cause_of`; None for other causes."""
    found = _CAUSE.match(text)
    return (found["key"], instant_of(found["due"])) if found is not None else None


def set_timer(  # noqa: PLR0917 - the row's columns, in their order
    conn: Connection, key: str, due_at: datetime, stream: str | None, kind: str, facts: Facts
) -> None:
    """Set a timer; one of the same key is set anew, also if it has fired."""
    set_timers(conn, [Timer(key, due_at, stream, kind, dict(facts))])


def set_timers(conn: Connection, wanted: Collection[Timer]) -> None:
    """Set timers; those of the same keys are set anew, also if they have fired."""
    rows = [
        {
            "key": timer.key,
            "due_at": timer.due_at,
            "stream": timer.stream,
            "kind": timer.kind,
            "facts": canonical(timer.facts),
            "fired_at": None,
        }
        for timer in wanted
    ]
    if rows:
        _SET.write(conn, *rows)


def due(conn: Connection, now: datetime, limit: int, *, of_bots: bool = False) -> list[Timer]:
    """The timers whose time has come, the earliest first: those that ask bots to act, or others."""
    rows = (_DUE_BOTS if of_bots else _DUE).rows(conn, {"now": now, "most": limit})
    return [
        Timer(key, due_at, stream, kind, json.loads(facts))
        for key, due_at, stream, kind, facts in rows
    ]


def claim_bots(conn: Connection, now: datetime, limit: int, until: datetime) -> list[Timer]:
    """The same where several processes ask: nobody else is given them before `until`.

    Two must not ask at the same time (`scopes.CLAIMS`).
    """
    rows = _CLAIM_BOTS.rows(conn, {"now": now, "until": until, "most": limit})
    return [
        Timer(key, due_at, stream, kind, json.loads(facts))
        for key, due_at, stream, kind, facts in sorted(rows, key=itemgetter(1, 0))
    ]


def fire(conn: Connection, key: str, now: datetime) -> bool:
    """Note in the unit that does what is due that it is done.

    False if it was done before, was cancelled, or was put off to later than `now`.
    """
    return _FIRE.write(conn, {"of_key": key, "now": now}) == 1


def cancel(conn: Connection, key: str) -> bool:
    """Take a timer back; False if there is none that waits."""
    return _CANCEL.write(conn, {"of_key": key}) == 1


def cancel_all(conn: Connection, keys: Collection[str]) -> None:
    """Take all of these timers back that wait."""
    if keys:
        _CANCEL.write(conn, *({"of_key": key} for key in keys))


def waiting(conn: Connection, keys: Collection[str]) -> frozenset[str]:
    """Those of these timers that have not fired."""
    wanted = select(_T.key).where(_T.key.in_(list(keys)), _T.fired_at.is_(None))
    return frozenset(conn.execute(wanted).scalars())


def next_due(conn: Connection, *, of_bots: bool = False) -> datetime | None:
    """When the next timer is due, of those that ask bots to act or of the others; or None."""
    [(due,)] = (_NEXT_BOT if of_bots else _NEXT_DUE).rows(conn, {})
    return cast("datetime | None", due)
