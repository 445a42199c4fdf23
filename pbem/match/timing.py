"""Decisions about time: expired deadlines, more time, pauses, reminders.

When a player's clock runs out, vacation days are spent automatically. If too few are left, the seat
is timed out. Each player has ten days of vacation in each match (`clocks.ALLOWANCES`). The
service's timers only call these functions, which decide from the current state of the match.

In a match without time control, the functions for commands of players and the operator raise the
Rejection `no_clocks`. All other functions return no events, or None.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match.clocks import ALLOWANCES, DAY, NO_TIME, Clocks
from pbem.match.events import (
    AUTOMATIC_SOURCES,
    ClockPaused,
    ClockResumed,
    DeadlineExtended,
    ExtensionReason,
    MatchEvent,
    PauseReason,
    SeatTimedOut,
    Source,
)
from pbem.match.state import Match, Status, require_playing, require_seat_number
from pbem.names import PlayerId

MIN_GIFT: Final = timedelta(hours=1)
MAX_GIFT: Final = timedelta(days=30)
MAX_NOTICE: Final = timedelta(days=2)  # longest time from a reminder to the deadline
MIN_NOTICE: Final = timedelta(hours=6)  # shortest such time; below it, none is sent


# --- deadlines -----------------------------------------------------------------------------------


def bank_after_move(
    match: Match, seat: Seat, source: Source, received: datetime
) -> timedelta | None:
    """Return the time left for a seat after a move; None without a time control.

    A move that the server makes earns no increment. `received` is when the move was received.
    """
    if match.clocks is None:
        return None
    if source in AUTOMATIC_SOURCES:
        return match.clocks.time_left(seat, received)
    return match.clocks.bank_after_move(seat, received)


def reminder_time(match: Match, seat: Seat) -> datetime | None:
    """Return the time at which to remind a player of the deadline, or None for no reminder.

    The reminder is due halfway through the time that the player has for the turn, or two days
    before the deadline if that is later. A player whose turn begins with less than twelve hours is
    not reminded, because the email about the turn has just shown the deadline.
    """
    deadline = match.clocks.deadline(seat) if match.clocks is not None else None
    if match.clocks is None or deadline is None:
        return None
    bank = match.clocks.banks[seat - 1]
    notice = min(bank / 2, MAX_NOTICE)
    return deadline - notice if MIN_NOTICE <= notice < bank else None


def time_out(match: Match, seat: Seat, now: datetime) -> list[MatchEvent]:
    """Return the event for a player who is out of time at `now`, or no event if time is left.

    As many vacation days are spent as the player needs to be in time again. If too few are left,
    the seat is timed out.
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
    """Return the event by which a player gives another seat more time, without losing any time.

    `time` is the added time.

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
    """Return the event by which the operator gives a seat that is to move more time.

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
    seat: Seat,
) -> list[MatchEvent]:
    """Return the event that gives a seat back clock time after a delay that was not its fault.

    Return no event if the clock of the seat does not run, or has not run during the delay.

    Args:
        match: The match.
        begin: The beginning of the delay.
        end: The end of the delay.
        reason: LATE_EMAIL or DOWNTIME.
        now: The time of the event.
        seat: The seat.
    """
    since = match.clocks.running.get(seat) if match.clocks is not None else None
    if match.clocks is None or since is None:
        return []
    added = end - max(begin, since)
    return [_extend(match.clocks, seat, added, reason, now=now)] if added > NO_TIME else []


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
    """Return the event that pauses a player's clock for `days` days of vacation.

    Raises:
        Rejection: `not_started`, `match_over`, `challenge_closed`, `no_seat`, `seat_out`,
            `no_clocks`, `already_away` or `too_few_vacation_days`.
    """
    seat = require_playing(match, player)
    clocks = _require_clocks(match)
    pause = clocks.pauses.get((seat, PauseReason.VACATION))
    if pause is not None and pause.until is not None:
        raise Rejection("already_away", until=pause.until.isoformat())
    days_left = clocks.allowance_left(seat, PauseReason.VACATION) // DAY
    if not 0 < days <= days_left:
        raise Rejection("too_few_vacation_days", days=days, left=days_left)
    until = now + days * DAY
    return [ClockPaused(at=now, seat=seat, reason=PauseReason.VACATION, until=until)]


def pause_clock(match: Match, seat: Seat, reason: PauseReason, now: datetime) -> list[MatchEvent]:
    """Return the event that pauses a seat's clock for `reason`, which is BOUNCE or GAME.

    Return no event if the seat is out of the game, its clock is paused for the same reason already,
    or its allowance for bounces is used up.
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
    """Return the event that ends a seat's pause for `reason`, or no event without such a pause.

    A player who ends a vacation early keeps the vacation days that have not begun.
    """
    clocks = match.clocks
    if match.status is not Status.RUNNING or clocks is None or (seat, reason) not in clocks.pauses:
        return []
    return [ClockResumed(at=now, seat=seat, reason=reason)]


def end_due_pauses(match: Match, now: datetime) -> list[MatchEvent]:
    """Return the events that end all pauses whose time limit is `now` or earlier."""
    if match.clocks is None:
        return []
    events: list[MatchEvent] = []
    for (seat, reason), pause in match.clocks.pauses.items():
        if pause.until is not None and pause.until <= now:
            events.extend(resume_clock(match, seat, reason, now))
    return events


def next_pause_end(match: Match) -> datetime | None:
    """Return the next time at which a pause of a match must end, or None if no pause has a limit.

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
