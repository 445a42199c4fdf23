"""How long a challenge waits: a timer that is set with it, and taken back when it is settled."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.matches.match import Status
from pbem.store import timers
from pbem.transaction.installation import match_stream

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.working_copy import OpenMatch

STALE: Final = "stale"
"""The kind of the timer that ends a challenge."""


def set_patience(conn: Connection, opened: OpenMatch, now: datetime, days: int) -> None:
    """Let a challenge end by itself some days after it was issued."""
    before, match = opened.before.status, opened.now
    key = f"{STALE}:{match.id}"
    if before is Status.NEW and match.status is Status.CHALLENGE:
        due_at, facts = now + timedelta(days=days), {"match": match.id}
        timers.set_timer(conn, key, due_at, match_stream(match.id), STALE, facts)
    elif before is Status.CHALLENGE and match.status is not Status.CHALLENGE:
        timers.cancel(conn, key)
