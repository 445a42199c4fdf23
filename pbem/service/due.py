"""Due times: when a challenge expires, a clock runs out, a pause ends or a reminder is sent.

A match has one timer, which is set to the earliest of these times. When it fires, `timers`
works out what is due.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.games.game import Seat
from pbem.match.state import Match, Status
from pbem.match.timing import next_pause_end, reminder_time
from pbem.store.matches import MatchRecord

PAGE_PATIENCE: Final = timedelta(minutes=15)  # after this time, a bot's move on a page is emailed


def next_due(match: Match, record: MatchRecord) -> datetime | None:
    """Return the earliest time at which something is due in the match, or None if nothing is.

    `record` has the database rows of the match.
    """
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
    """Return the time at which to remind the player at `seat` of the deadline; None for never.

    The result is None if the player has already been reminded of this deadline, or `reminder_time`
    allows no reminder. A new deadline, after a move or with more time, gets a new reminder.
    """
    row = record.find_seat(match.player_at(seat))
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if row is None or deadline is None or row.reminded_of == deadline:
        return None
    return reminder_time(match, seat)


def find_page_notice(match: Match, record: MatchRecord, seat: Seat) -> datetime | None:
    """Return the time at which to email the player at `seat` that a bot has answered their move.

    The result is None if the player did not move on a page, or has moved again. An open page shows
    the bot's answer by itself, but the page may have been closed. In matches with clocks, the
    player gets a reminder instead.
    """
    player = match.player_at(seat)
    row = record.find_seat(player)
    if row is None or row.news_since is None or not match.has_only_bots_against(player):
        return None
    return row.news_since + PAGE_PATIENCE
