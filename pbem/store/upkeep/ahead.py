"""Times to come that a clock which was ahead has left behind: they are brought back to now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select, update

from pbem.store import tables
from pbem.store.codec import canonical

OVERDUE: Final = "overdue"
"""A fact of a timer that was brought back: what it is about has a time to come in the log."""

_O, _T, _Q, _R = tables.outbox.c, tables.timer.c, tables.question.c, tables.runner_state.c


def newest_event(conn: Connection) -> datetime | None:
    """When the newest event was recorded."""
    event = tables.event.c
    last = select(event.recorded_at).order_by(event.position.desc()).limit(1)
    return conn.execute(last).scalar()


def newest(conn: Connection, runner: str) -> datetime | None:
    """The same, or when the runner last gave a sign, whichever is later."""
    seen = conn.execute(select(_R.last_at).where(_R.runner == runner)).scalar()
    return max((at for at in (newest_event(conn), seen) if at is not None), default=None)


def bring_mails(conn: Connection, now: datetime, *, lease: timedelta, held: timedelta) -> int:
    """Let mails be due that wait for a time to come; how many.

    One that is under way keeps a lease, and one that waits for a digest waits no longer than
    `held`.
    """
    latest = {"new": now, "failed": now, "leased": now + lease, "held": now + held}
    moved = 0
    for state, at in latest.items():
        late = update(tables.outbox).where(_O.state == state, _O.next_at > max(at, now + lease))
        moved += conn.execute(late.values(next_at=at)).rowcount
    young = update(tables.outbox).where(_O.queued_at > now, _O.next_at.is_not(None))
    conn.execute(young.values(queued_at=now))
    return moved


def bring_letters(conn: Connection, now: datetime) -> None:
    """Let letters that nobody has taken yet have come now: how long they wait is looked at."""
    inbox = tables.inbox
    late = update(inbox).where(inbox.c.state == "new", inbox.c.received_at > now)
    conn.execute(late.values(received_at=now))


def bring_timers(
    conn: Connection, now: datetime, *, by: timedelta, longest: Mapping[str, timedelta]
) -> int:
    """Bring timers back that are due later than those of their kind can be; how many.

    Kinds that are missing in `longest` stay as they are.
    """
    moved = 0
    for kind, span in longest.items():
        late = select(_T.key, _T.due_at, _T.facts).where(
            _T.kind == kind, _T.fired_at.is_(None), _T.due_at > now + span
        )
        for row in conn.execute(late).all():
            facts = canonical({**json.loads(row.facts), OVERDUE: True})
            due = min(max(now, row.due_at - by), now + span)
            one = update(tables.timer).where(_T.key == row.key)
            conn.execute(one.values(due_at=due, facts=facts))
            moved += 1
    return moved


def put_off_timers(conn: Connection, since: datetime, *, by: timedelta, kinds: list[str]) -> int:
    """Let timers of these kinds be due so much later that were not due at a time; how many."""
    waiting = select(_T.key, _T.due_at).where(
        _T.kind.in_(kinds), _T.fired_at.is_(None), _T.due_at > since
    )
    rows = conn.execute(waiting).all()
    for row in rows:
        one = update(tables.timer).where(_T.key == row.key)
        conn.execute(one.values(due_at=row.due_at + by))
    return len(rows)


def bring_questions(conn: Connection, now: datetime, *, longest: timedelta) -> int:
    """Let no question be open for longer than questions are; how many there were."""
    late = update(tables.question).where(_Q.expires_at > now + longest)
    return conn.execute(late.values(expires_at=now + longest)).rowcount


def drop_buckets(conn: Connection, now: datetime, *, longest: timedelta) -> int:
    """Forget buckets that are emptier later than any can be; how many."""
    rate = tables.rate
    full = rate.c.empty_at > now + longest
    count: int = conn.execute(select(func.count()).select_from(rate).where(full)).scalar_one()
    conn.execute(rate.delete().where(full))
    return count
