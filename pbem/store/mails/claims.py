"""Which letters are taken next, and by whom."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, or_, select, update

from pbem.store import tables
from pbem.store.mails.inbox import ROW, InboxRow
from pbem.store.prepared import Prepared

if TYPE_CHECKING:
    from sqlalchemy import Connection

_T = tables.inbox.c

_NEW = select(_T.number).where(_T.state == "new").order_by(_T.number).limit(bindparam("most"))

_CLAIM = Prepared(
    update(tables.inbox)
    .where(_T.number.in_(_NEW))
    .values(attempts=_T.attempts + 1)
    .returning(_T.number, *ROW)
)

_BEFORE = tables.inbox.alias("before")

_OTHERS_ARE_AT_IT = (
    select(_BEFORE.c.number)
    .where(
        _BEFORE.c.state == "new",
        _BEFORE.c.lane == _T.lane,
        _BEFORE.c.number < _T.number,
        _BEFORE.c.worker != bindparam("me"),
    )
    .exists()
)

_CLAIM_AS = Prepared(
    update(tables.inbox)
    .where(
        _T.number.in_(
            _NEW.where(or_(_T.worker.is_(None), _T.worker == bindparam("me")), ~_OTHERS_ARE_AT_IT)
        ),
        _T.state == "new",
    )
    .values(attempts=_T.attempts + 1, worker=bindparam("me"))
    .returning(_T.number, *ROW)
)


def claim(conn: Connection, limit: int, worker: int | None = None) -> list[InboxRow]:
    """The oldest new letters, in order of receipt, each with one attempt more.

    Commit it before the letters are worked on: a letter that ends the process must not do so for
    ever. Rows have the attempts as they are now. With a `worker` they are that one's until they are
    settled or it is gone; it gets none that another has, nor what must come after one of those.
    Two workers must not ask at the same time (`scopes.CLAIMS`).
    """
    if worker is None:
        rows = _CLAIM.rows(conn, {"most": limit})
    else:
        rows = _CLAIM_AS.rows(conn, {"most": limit, "me": worker})
    return [InboxRow(*row) for _, *row in sorted(rows)]  # rows that were changed come in any order


def let_go_of(conn: Connection, gone: Collection[int]) -> int:
    """Let others take what these workers, who are gone, had claimed; how many letters."""
    freed = update(tables.inbox).where(_T.state == "new", _T.worker.in_(gone))
    return conn.execute(freed.values(worker=None)).rowcount


def workers(conn: Connection) -> frozenset[int]:
    """Who has claimed letters that are not settled yet."""
    at_it = select(_T.worker).where(_T.state == "new", _T.worker.is_not(None)).distinct()
    return frozenset(conn.execute(at_it).scalars())
