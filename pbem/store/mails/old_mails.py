"""What is forgotten of mails that were sent long ago."""

from __future__ import annotations

import json
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select, update

from pbem.store import tables
from pbem.store.codec import canonical

_T = tables.outbox.c

_EMPTY = (
    update(tables.outbox)
    .where(_T.id == bindparam("mail"))
    .values(data=None, notices=bindparam("kinds"))
)


def prune(conn: Connection, before: datetime) -> int:
    """Forget the bytes, lines and facts of settled mails queued before a time; how many.

    Of their notices the kinds stay, for the history of a match: facts repeat what people typed.
    """
    old = (_T.queued_at < before, _T.next_at.is_(None), _T.data.is_not(None))
    rows = conn.execute(select(_T.id, _T.notices).where(*old)).all()
    ids = select(_T.id).where(*old)
    conn.execute(delete(tables.fingerprint).where(tables.fingerprint.c.outbox_id.in_(ids)))
    emptied = [{"mail": row.id, "kinds": _kinds(row.notices)} for row in rows]
    if emptied:
        conn.execute(_EMPTY, emptied)
    return len(emptied)


def _kinds(notices: str) -> str:
    return canonical([{"notice": notice["notice"]} for notice in json.loads(notices)])
