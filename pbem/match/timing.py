"""Decisions about time: expired deadlines, more time, pauses, reminders.

When a player's clock runs out, vacation days are spent automatically as long as enough are left;
then the seat is timed out. Each player has ten days of vacation in each match
(`clocks.ALLOWANCES`). The service's timers only call these functions, which decide from the current
state of the match.

In a match without time control these functions do nothing, except that commands of players and the
operator are refused with `no_clocks`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match.clocks import ALLOWANCES, DAY, NO_TIME, Clocks
from pbem.match.events import (
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    ExtensionReason,
    MatchEvent,
    PauseReason,
    SeatTimedOut,
)
from pbem.match.state import Match, Status, require_playing, require_seat_number
from pbem.names import PlayerId

MIN_GIFT: Final = timedelta(hours=1)
MAX_GIFT: Final = timedelta(days=30)
LONGEST_REMINDER: Final = timedelta(days=2)  # most time before the deadline of a reminder
SHORTEST_REMINDER: Final = timedelta(hours=6)  # shortest such time; with less there is no reminder


# --- deadlines -----------------------------------------------------------------------------------


def reminder_time(match: Match, seat: Seat) -> datetime | None:
    """Return the time at which to remind a player of a deadline, or None for no reminder.

    At that time, half of the player's time is over, and at most two days are left. A player whose
    turn begins with less than half a day is not reminded: the turn email has just said so.
    """
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if match.clocks is None or deadline is None:
        return None
    bank = match.clocks.banks[seat - 1]
    before = min(bank / 2, LONGEST_REMINDER)
    return deadline - before if SHORTEST_REMINDER <= before < bank else None


def time_out(match: Match, seat: Seat, now: datetime) -> list[MatchEvent]:
    """Return the event for a player who is out of time: vacation is spent, or the seat loses.

    Return no events if the deadline has not passed.
    """
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if match.clocks is None or deadline is None or now < deadline:
        return []
    needed = ((now - deadline) // DAY + 1) * DAY
    if needed > match.clocks.allowance_left(seat, PauseReason.VACATION):
        return [SeatTimedOut(at=now, seat=seat)]
    return [_extend(match.clocks, seat, needed, ExtensionReason.VACATION, now=now)]


def give_time(
    match: Match, player: PlayerId, seat: int, time: timedelta, now: datetime
) -> list[MatchEvent]:
    """Return the event of giving another seat more time, which costs the giver nothing.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out`,
            `no_such_seat`, `no_clocks`, `gift_to_self` or `bad_gift`.
    """
    giver = require_playing(match, player)
    receiver = require_seat_number(match, seat)
    clocks = _require_clocks(match)
    if giver == receiver:
        raise Rejection("gift_to_self", match=match.id)
    if not MIN_GIFT <= time <= MAX_GIFT:
        raise Rejection("bad_gift", hours=time // MIN_GIFT, max_days=MAX_GIFT // DAY)
    return [_extend(clocks, receiver, time, ExtensionReason.GIFT, now=now, giver=giver)]


def extend_deadline(
    match: Match, seat: int, added: timedelta, now: datetime
) -> list[DeadlineExtended]:
    """Return the event by which the operator gives the player to move more time.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_such_seat`, `no_clocks` or
            `clock_not_running`.
    """
    number = require_seat_number(match, seat)
    clocks = _require_clocks(match)
    if clocks.deadline(number) is None:
        raise Rejection("clock_not_running", match=match.id, seat=seat)
    return [_extend(clocks, number, added, ExtensionReason.OPERATOR, now=now)]


def credit_time(
    match: Match,
    begin: datetime,
    end: datetime,
    reason: ExtensionReason,
    *,
    now: datetime,
    seat: Seat | None = None,
) -> list[MatchEvent]:
    """Return the events that give players back clock time after a delay that was not their fault.

    Args:
        match: The match.
        begin: The beginning of the delay.
        end: Its end.
        reason: LATE_EMAIL or DOWNTIME.
        now: The time of the decision.
        seat: The seat to credit; None for all seats whose clocks are running.
    """
    if match.status is not Status.RUNNING or match.clocks is None:
        return []
    events: list[MatchEvent] = []
    for running, since in match.clocks.running.items():
        added = end - max(begin, since)
        if seat in (None, running) and added > NO_TIME:
            events.append(_extend(match.clocks, running, added, reason, now=now))
    return events


def _extend(
    clocks: Clocks,
    seat: Seat,
    added: timedelta,
    reason: ExtensionReason,
    *,
    now: datetime,
    giver: Seat | None = None,
) -> DeadlineExtended:
    deadline = clocks.deadline(seat)
    return DeadlineExtended(
        at=now,
        seat=seat,
        added=added,
        deadline=None if deadline is None else deadline + added,
        reason=reason,
        giver=giver,
    )


# --- pauses --------------------------------------------------------------------------------------


def begin_vacation(match: Match, player: PlayerId, days: int, now: datetime) -> list[MatchEvent]:
    """Return the events that pause a player's clock for a number of vacation days.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out`,
            `no_clocks`, `already_away` or `too_few_vacation_days`.
    """
    seat = require_playing(match, player)
    clocks = _require_clocks(match)
    pause = clocks.pauses.get((seat, PauseReason.VACATION))
    if pause is not None and pause.until is not None:
        raise Rejection("already_away", until=pause.until.isoformat())
    left = clocks.allowance_left(seat, PauseReason.VACATION) // DAY
    if not 0 < days <= left:
        raise Rejection("too_few_vacation_days", days=days, left=left)
    until = now + days * DAY
    return [ClockPaused(at=now, seat=seat, reason=PauseReason.VACATION, until=until)]


def pause_clock(match: Match, seat: Seat, reason: PauseReason, now: datetime) -> list[MatchEvent]:
    """Return the event that pauses a player's clock for the reason BOUNCE or GAME.

    Return no event if the clock is paused for it already, or the allowance for bounces is used up.
    """
    if match.clocks is None or seat not in match.playing or (seat, reason) in match.clocks.pauses:
        return []
    until = None
    if reason in ALLOWANCES:
        until = now + match.clocks.allowance_left(seat, reason)
        if until <= now:
            return []
    return [ClockPaused(at=now, seat=seat, reason=reason, until=until)]


def resume_clock(match: Match, seat: Seat, reason: PauseReason, now: datetime) -> list[MatchEvent]:
    """Return the event that ends a player's pause for a reason, or no event if there is none.

    A player who ends a vacation early keeps the vacation days that have not begun.
    """
    clocks = match.clocks
    if match.status is not Status.RUNNING or clocks is None or (seat, reason) not in clocks.pauses:
        return []
    return [ClockResumed(at=now, seat=seat, reason=reason)]


def end_due_pauses(match: Match, now: datetime) -> list[MatchEvent]:
    """Return the events that end all pauses which have reached their latest end."""
    if match.clocks is None:
        return []
    events: list[MatchEvent] = []
    for (seat, reason), pause in match.clocks.pauses.items():
        if pause.until is not None and pause.until <= now:
            events.extend(resume_clock(match, seat, reason, now))
    return events


def next_pause_end(match: Match) -> datetime | None:
    """Return the earliest time at which a pause ends, or None if no pause has a known end.

    At that time `end_due_pauses` must be called.
    """
    if match.status is not Status.RUNNING or match.clocks is None:
        return None
    ends = [pause.until for pause in match.clocks.pauses.values() if pause.until is not None]
    return min(ends, default=None)


def _require_clocks(match: Match) -> Clocks:
    if match.clocks is None:
        raise Rejection("no_clocks", match=match.id)
    return match.clocks
