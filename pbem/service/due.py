"""When something happens in a match by itself: it expires, a clock runs out, a pause ends.

A match has one timer, which is due at the earliest of these times. `timers` looks then what is due.
"""

from __future__ import annotations

from datetime import datetime

from pbem.games.game import Seat
from pbem.match.state import Match, Status
from pbem.match.timing import next_pause_end, reminder_time
from pbem.store.matches import MatchRecord


def next_due(match: Match, record: MatchRecord) -> datetime | None:
    """Return when something is due in a match, or None if nothing is."""
    if match.status is Status.CHALLENGE:
        return match.terms.expires
    if match.status is not Status.RUNNING or match.clocks is None:
        return None
    due = [next_pause_end(match)]
    for seat in match.clocks.running:
        due += [match.clocks.deadline(seat), find_reminder(match, record, seat)]
    return min((at for at in due if at is not None), default=None)


def find_reminder(match: Match, record: MatchRecord, seat: Seat) -> datetime | None:
    """Return when a player is to be reminded of their deadline; None if they have been, or never.

    A reminder is for one deadline: after a move, or with more time, there is another one.
    """
    row = record.find_seat(match.player_at(seat))
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if row is None or deadline is None or row.reminded_of == deadline:
        return None
    return reminder_time(match, seat)
