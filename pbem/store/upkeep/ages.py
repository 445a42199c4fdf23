"""How long what waits has waited: letters to be taken, mails to be sent, timers to be fired."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, cast

from sqlalchemy import Connection, bindparam, case, func, select

from pbem.store import tables, timers
from pbem.store.mails import outbox
from pbem.store.mails.outbox import READER
from pbem.store.prepared import Prepared

_I, _O = tables.inbox.c, tables.outbox.c

AGAIN_WITHIN: Final = timedelta(minutes=61)
"""A mail that failed is tried again as soon as that; what is due later waits on purpose."""

SEVERAL: Final = 2
"""Readers who get nothing although it was tried: for one of them alone the fault may be theirs."""

LAST_SENT: Final = 20
"""Of so many mails that were sent the newest says when the relay last took one."""

_OLDEST_LETTER = Prepared(
    select(_I.received_at).where(_I.state == "new").order_by(_I.number).limit(1)
)

_FAILED = Prepared(
    select(
        case((_O.attempts > 0, 1), else_=0).label("tried"),
        func.min(_O.queued_at),
        func.count(READER.distinct()),
    )
    .where(
        _O.next_at.is_not(None),
        _O.next_at <= bindparam("soon"),
        _O.state == "failed",
    )
    .group_by("tried")
)

_SENT = (
    select(_O.sent_at)
    .where(_O.state == "sent", _O.sent_at <= bindparam("now"))
    .order_by(_O.id.desc())
    .limit(LAST_SENT)
    .subquery("sent")
)
_LAST_SENT = Prepared(select(func.max(_SENT.c.sent_at)))


def oldest_letter(conn: Connection) -> datetime | None:
    """When the letter came that has waited longest to be taken; None if none waits."""
    row = _OLDEST_LETTER.first(conn, {})
    return None if row is None else row[0]


def mail_owed_since(conn: Connection, now: datetime) -> datetime | None:
    """Since when a mail should have gone out, and it is ours that it has not; None if none.

    One that is due, one that the relay was not even asked about, and those that were tried while
    nobody at all was sent anything. That one reader's server takes nothing says nothing of us.
    """
    due = outbox.next_due(conn)
    owed = [due] if due is not None and due <= now else []
    waiting = _FAILED.rows(conn, {"soon": now + AGAIN_WITHIN})
    failed = [since for tried, since, readers in waiting if not tried or readers >= SEVERAL]
    if failed:
        [(sent,)] = _LAST_SENT.rows(conn, {"now": now})
        oldest = min(failed)
        owed.append(oldest if sent is None else max(oldest, cast("datetime", sent)))
    return min(owed, default=None)


def next_timer(conn: Connection) -> datetime | None:
    """When the timer is due that is next, or has waited longest; None if none waits."""
    found = (timers.next_due(conn), timers.next_bot(conn))
    return min((one for one in found if one is not None), default=None)
