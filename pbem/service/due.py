"""When something happens in a match by itself: it expires, a clock runs out, a pause ends.

A match has one timer, which is due at the earliest of these times. `timers` looks then what is due.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.games.game import Seat
from pbem.match.state import Match, Status
from pbem.match.timing import next_pause_end, reminder_time
from pbem.store.matches import MatchRecord

PAGE_PATIENCE: Final = timedelta(minutes=15)  # in which a player may answer a bot on the page


def next_due(match: Match, record: MatchRecord) -> datetime | None:
    """Return when something is due in a match, or None if nothing is."""
    if match.status is Status.CHALLENGE:
        return match.terms.expires
    if match.status is not Status.RUNNING:
        return None
    if match.clocks is None:
        due = [find_page_notice(match, record, seat) for seat in match.to_move]
        return min((at for at in due if at is not None), default=None)
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


def find_page_notice(match: Match, record: MatchRecord, seat: Seat) -> datetime | None:
    """Return when a player is told by email that a bot has answered a move of their page.

    A page that is open shows the answer by itself, but it may have been closed. A player who has
    moved again by then needs no email. With clocks there is a reminder instead.
    """
    player = match.player_at(seat)
    row = record.find_seat(player)
    if row is None or row.untold_since is None or not match.has_only_bots_against(player):
        return None
    return row.untold_since + PAGE_PATIENCE
