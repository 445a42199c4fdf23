"""Deletion of old data that is no longer needed.

The event log and the keys of received emails are stored forever. The contents of emails from
players and from us are stored for 90 days: late replies and bounces refer to them, and the operator
may need them. An email that was set aside stays until the operator decides. Each call is a short
transaction that deletes at most BATCH rows of each kind.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, Table, delete, select, update

from pbem.store.tables import AccountChangeRow, InboxRow, OutboxRow, QuestionRow, RateLimitRow

EMAIL_RETENTION: Final = timedelta(days=90)
CHANGE_RETENTION: Final = timedelta(days=365)  # changes of addresses and accounts
BATCH: Final = 500  # rows in one transaction, which takes some milliseconds

_CHANGE = AccountChangeRow.__table__  # type: ignore[attr-defined]
_INBOX = InboxRow.__table__  # type: ignore[attr-defined]
_OUTBOX = OutboxRow.__table__  # type: ignore[attr-defined]
_QUESTION = QuestionRow.__table__  # type: ignore[attr-defined]
_RATE_LIMIT = RateLimitRow.__table__  # type: ignore[attr-defined]


def delete_old(conn: Connection, now: datetime) -> bool:
    """Delete at most BATCH old rows of each kind, and return whether more old rows may be left.

    The kinds are emails from us, questions, counters of rate limits, and changes of accounts. Of
    received emails, only the contents are deleted.
    """
    limit = now - EMAIL_RETENTION
    is_over = _OUTBOX.c.state.in_(("sent", "failed", "dropped"))
    deleted = [
        _delete(conn, _OUTBOX, _OUTBOX.c.id, is_over & (_OUTBOX.c.queued_at < limit)),
        _delete(conn, _QUESTION, _QUESTION.c.id, _QUESTION.c.expires_at < limit),
        _delete(conn, _RATE_LIMIT, _RATE_LIMIT.c.ends_at, _RATE_LIMIT.c.ends_at <= now),
        _delete(conn, _CHANGE, _CHANGE.c.id, _CHANGE.c.at < now - CHANGE_RETENTION),
        _blank_emails(conn, limit),
    ]
    return max(deleted) >= BATCH


def _delete(
    conn: Connection, table: Table, key: ColumnElement[object], where: ColumnElement[bool]
) -> int:
    keys = select(key).where(where).limit(BATCH)
    return conn.execute(delete(table).where(key.in_(keys), where)).rowcount


def _blank_emails(conn: Connection, limit: datetime) -> int:
    where = (_INBOX.c.state == "done") & _INBOX.c.raw.is_not(None) & (_INBOX.c.received_at < limit)
    keys = select(_INBOX.c.key).where(where).limit(BATCH)
    blank = update(_INBOX).where(_INBOX.c.key.in_(keys)).values(raw=None)
    return conn.execute(blank).rowcount
