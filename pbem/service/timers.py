"""Things that happen when their time comes: the end of an undo window, a challenge that expires.

A timer is only a reason to look: it decides again from the match as it is then. It runs only after
a complete fetch that began after its due time, and while no message is unprocessed, so that an
email that was sent in time counts. One that fails is tried again later, and the others go on.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pbem.match.setup import expire_challenge
from pbem.names import MatchId
from pbem.service.app import App
from pbem.service.moves import execute_scheduled_move
from pbem.service.unit_of_work import EXPIRY, UnitOfWork
from pbem.store import inbox, waiting
from pbem.store.tables import ScheduledMoveRow, TimerRow

RETRY_PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30))


def find_due(conn: Connection, now: datetime) -> ScheduledMoveRow | TimerRow | None:
    """Return what is to happen next, if its time has come and no email can change it any longer."""
    fetched = inbox.last_complete_fetch(conn)
    if fetched is None or inbox.has_unprocessed(conn):
        return None
    until = min(now, fetched)
    moves = waiting.list_due_moves(conn, until, limit=1)
    found = moves or waiting.list_due_timers(conn, until, limit=1)
    return found[0] if found else None


def run_due(conn: Connection, app: App, due: ScheduledMoveRow | TimerRow) -> None:
    """Let happen what is due, in a unit of work of its own."""
    if isinstance(due, ScheduledMoveRow):
        uow = UnitOfWork(app, conn, f"window:{due.match}:{due.seat}:{due.cause}")
        execute_scheduled_move(uow, due)
        uow.finish()
        return
    uow = UnitOfWork(app, conn, f"timer:{due.kind}:{due.match}:{due.id}")
    match = uow.load_match(MatchId(due.match))
    waiting.drop_timers(conn, match.id, due.kind)
    if due.kind == EXPIRY:
        uow.append(match.id, expire_challenge(match, now=uow.now))
    uow.finish()


def postpone(conn: Connection, due: ScheduledMoveRow | TimerRow, now: datetime) -> None:
    """Try again later what has failed."""
    pause = RETRY_PAUSES[min(due.attempts, len(RETRY_PAUSES) - 1)]
    waiting.postpone(conn, due, now + pause)
