"""Claims of letters that are given up: by who is gone, and after a try that was none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, bindparam, select, update

from pbem.legacy.store import tables
from pbem.legacy.store.mails.inbox import AS_CLAIMED
from pbem.legacy.store.prepared import Prepared

if TYPE_CHECKING:
    from pbem.legacy.store.mails.inbox import InboxRow

_T = tables.inbox.c

_UNTRIED: Final = Prepared(
    update(tables.inbox)
    .where(_T.mail_key == bindparam("key"), *AS_CLAIMED)
    .values(attempts=_T.attempts - 1)
)


def give_back(conn: Connection, rows: Sequence[InboxRow]) -> None:
    """Let claimed letters have one attempt less: that nothing came of it was not their fault.

    What is not as it was claimed stays as it is.
    """
    for row in rows:
        as_claimed = {"key": row.key, "tries": row.attempts, "claimer": row.worker}
        _UNTRIED.write(conn, as_claimed)


def let_go_of(conn: Connection, gone: Collection[int]) -> int:
    """Let others take what these workers, who are gone, had claimed; how many letters."""
    freed = update(tables.inbox).where(_T.state == "new", _T.worker.in_(gone))
    return conn.execute(freed.values(worker=None)).rowcount


def workers(conn: Connection) -> frozenset[int]:
    """Who has claimed letters that are not settled yet."""
    at_it = select(_T.worker).where(_T.state == "new", _T.worker.is_not(None)).distinct()
    return frozenset(conn.execute(at_it).scalars())
