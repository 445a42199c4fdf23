"""What is due at a time: moves at the end of their undo window, challenges that expire.

A timer is only a reason to look: it decides again from the match as it is then. What ends something
for a player runs only after a successful fetch that began after its due time, and after all older
emails were processed, so that an email that was sent in time counts.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from pbem.match.setup import expire_challenge
from pbem.names import MatchId
from pbem.service.app import App
from pbem.service.moves import execute_scheduled_move
from pbem.service.unit_of_work import EXPIRY, UnitOfWork
from pbem.store import inbox, waiting


def run_due_timers(conn: Connection, app: App, now: datetime) -> int:
    """Run one thing that is due. Return how many things were done: 0 or 1."""
    fetched = inbox.last_complete_fetch(conn)
    if fetched is None or inbox.has_unprocessed(conn):
        return 0
    until = min(now, fetched)
    for row in waiting.list_due_moves(conn, until, limit=1):
        uow = UnitOfWork(app, conn, f"window:{row.match}:{row.seat}:{row.cause}")
        execute_scheduled_move(uow, row)
        uow.finish()
        return 1
    for timer in waiting.list_due_timers(conn, until, limit=1):
        uow = UnitOfWork(app, conn, f"timer:{timer.kind}:{timer.match}:{timer.id}")
        match = uow.load_match(MatchId(timer.match))
        waiting.drop_timers(conn, match.id, timer.kind)
        if timer.kind == EXPIRY:
            uow.append(match.id, expire_challenge(match, now=uow.now))
        uow.finish()
        return 1
    return 0
