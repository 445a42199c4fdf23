"""What decisions mean for the clocks, and whether events of clocks may stand where they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.hours import Hours, due
from pbem.matches.checks import require_running, require_seat
from pbem.matches.clocks import Clocks, is_ahead
from pbem.matches.commands import (
    BeginLeave,
    ChooseHours,
    ClaimTime,
    ClockCommand,
    CreditClock,
    EndLeave,
    MissDeadline,
    Pause,
    PauseClock,
    ResumeClock,
    SetClockRight,
)
from pbem.matches.events import (
    ClockCredited,
    ClockEvent,
    ClockPaused,
    ClockResumed,
    ClockSetRight,
    ClockStopped,
    DeadlineMissed,
    DeadlineSet,
    Event,
    HoursChosen,
    LeaveBegun,
    LeaveEnded,
    MovePlayed,
    SeatTimedOut,
)
from pbem.matches.steps import Status
from pbem.names import PlayerId, is_bot

if TYPE_CHECKING:
    from pbem.matches.match import Match


# --- timing --------------------------------------------------------------------------------------
# What decisions mean for the clocks: they are set, stopped, paused and credited as events say.


def with_bank(match: Match, event: Event, now: datetime) -> Event:
    """The event, with what is left to the seat if it is a move of one whose clock runs."""
    if not isinstance(event, MovePlayed) or match.clocks is None:
        return event
    seat = event.seat
    if seat not in match.clocks.running and seat not in match.clocks.flagged:
        return event  # the server played at once, or the clock is paused
    held = match.pending.held.get(seat)  # PLAY 3: what is held counts as made when it came
    at = held.made(now) if held is not None else now
    return replace(event, bank=match.clocks.after_move(seat, at), received=at)


def settled(match: Match, now: datetime) -> Iterator[Event]:
    """What a decision means for the clocks when all else of it has happened.

    Whoever is to act has a running clock, unless it is paused or its time is over; no other runs.
    """
    clocks = match.clocks
    if clocks is None or match.status is not Status.RUNNING:
        return
    for seat in sorted(clocks.running):
        if seat not in match.to_act:
            yield ClockStopped(seat=seat, at=now, bank=clocks.left(seat, now))
        elif clocks.running[seat].hours != clocks.hours_now(seat):
            # Leave, or what is given back, moves a deadline that runs.
            yield deadline(clocks, seat, clocks.running[seat].since, clocks.running[seat].bank)
    for seat in match.to_act:
        stands = clocks.paused.get(seat) or seat in clocks.flagged
        if seat not in clocks.running and not stands:
            yield deadline(clocks, seat, now, clocks.banks[seat])


def deadline(clocks: Clocks, seat: Seat, since: datetime, bank: int) -> DeadlineSet:
    """The clock of a seat runs since a time, with so many seconds then."""
    hours = clocks.hours_now(seat)
    return DeadlineSet(seat=seat, since=since, bank=bank, due=due(hours, since, bank))


# --- commands ------------------------------------------------------------------------------------


def require_clocks(match: Match) -> Clocks:
    """The clocks of a match. Raises Rejection `no_clocks`."""
    if match.clocks is None:
        raise Rejection("no_clocks")
    return match.clocks


def _clocks(match: Match) -> Clocks:
    require_running(match)
    return require_clocks(match)


def on_time(command: ClockCommand, match: Match, now: datetime) -> list[Event]:
    """The events of a command about clocks; those of a seat that falls are to be followed up."""
    match command:
        case ChooseHours(player=player, hours=hours):
            return _choose_hours(player, hours, match, now)
        case BeginLeave():
            return _begin_leave(command, match)
        case EndLeave(player=player):
            return _end_leave(player, match, now)
        case PauseClock(player=player, reason=reason):
            return _pause(player, reason, match, now)
        case ResumeClock(player=player, reason=reason):
            return _resume(player, reason, match, now)
        case CreditClock():
            return _credit(command, match, now)
        case SetClockRight(player=player):
            return _set_right(player, match, now)
        case MissDeadline(seat=seat):
            return _miss_deadline(seat, match, now)
        case ClaimTime(player=player):
            return _claim(player, match)


def _choose_hours(player: PlayerId, hours: Hours, match: Match, now: datetime) -> list[Event]:
    """Copy rest days and quiet hours into the match; they hold from the seat's next turn on."""
    clocks, seat = _clocks(match), require_seat(player, match)
    quiet = hours.quiet or ()
    if replace(hours, leave=()) == replace(clocks.hours_of(seat), leave=()):
        return []
    return [HoursChosen(seat=seat, tz=hours.tz, rest_days=hours.rest_days, quiet=quiet, at=now)]


def _begin_leave(command: BeginLeave, match: Match) -> list[Event]:
    _clocks(match)
    seat = require_seat(command.player, match)
    return [
        LeaveBegun(seat=seat, begin=command.begin, end=command.end, by_itself=command.by_itself)
    ]


def _end_leave(player: PlayerId, match: Match, now: datetime) -> list[Event]:
    """The player is back: no leave that was planned stands any more."""
    clocks, seat = _clocks(match), require_seat(player, match)
    if all(end <= now for _, end in clocks.hours_of(seat).leave):
        return []
    return [LeaveEnded(seat=seat, at=now)]


def _pause(player: PlayerId, reason: Pause, match: Match, now: datetime) -> list[Event]:
    """The clock of a player stands still until it is resumed for the same reason."""
    clocks, seat = _clocks(match), require_seat(player, match)
    if reason in clocks.paused.get(seat, ()):
        return []
    return [ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason=reason)]


def _resume(player: PlayerId, reason: Pause, match: Match, now: datetime) -> list[Event]:
    """What stopped the clock is over; it runs again if nothing else stops it."""
    clocks, seat = _clocks(match), require_seat(player, match)
    if reason not in clocks.paused.get(seat, ()):
        return []
    return [ClockResumed(seat=seat, at=now, reason=reason)]


def _credit(command: CreditClock, match: Match, now: datetime) -> list[Event]:
    """Give back what a clock counted while it was not its player's fault, also if it was all."""
    clocks, seat = _clocks(match), require_seat(command.player, match)
    clock = clocks.of_turn(seat)
    if clock is None or (seat not in clocks.running and seat not in clocks.flagged):
        return []
    begin, end = max(command.begin, clock.since), min(command.end, now)
    seconds = clocks.counted_between(seat, begin, end)
    if seconds == 0:
        return []
    reason = command.reason
    return [ClockCredited(seat=seat, begin=begin, end=end, seconds=seconds, reason=reason)]


def _set_right(player: PlayerId, match: Match, now: datetime) -> list[Event]:
    """A clock that counts from a time to come, or not until then, counts from now on."""
    clocks, seat = _clocks(match), require_seat(player, match)
    running = clocks.running.get(seat)
    if running is None or not is_ahead(running, now):
        return []
    return [ClockSetRight(seat=seat, at=now, bank=clocks.left(seat, now))]


def _miss_deadline(seat: Seat, match: Match, now: datetime) -> list[Event]:
    """The time of a seat is over. Raises Rejection `not_due` where it is not (any more)."""
    running = _clocks(match).running.get(seat)
    if running is None or running.due > now or is_held_in_time(match, seat, now):
        raise Rejection("not_due")
    if is_bot(match.player_at(seat)):
        return []  # it moves within a second, or we are at fault
    return [DeadlineMissed(seat=seat, due=running.due)]


def is_held_in_time(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether a seat holds a move that came before its time was over: it counts as made then."""
    held = match.pending.held.get(seat)
    running = match.clocks.running.get(seat) if match.clocks is not None else None
    return held is not None and (running is None or held.made(now) <= running.due)


def _claim(player: PlayerId, match: Match) -> list[Event]:
    """PLAY 3: after the flag of another the match need not wait. Raises Rejection `no_flag`."""
    clocks, seat = _clocks(match), require_seat(player, match)
    late = [other for other in clocks.flagged if other != seat and other in match.to_act]
    if not late:
        raise Rejection("no_flag", seats=list(match.to_act))
    return [SeatTimedOut(seat=late[0], ply=match.course.ply)]


# --- audit clocks --------------------------------------------------------------------------------
# Whether events of clocks may stand where they do: recomputed from the clocks that they met.


def bank(state: Match, event: MovePlayed) -> Iterator[str]:
    """What a move leaves to its seat, by when it came."""
    clocks, seat, bank = state.clocks, event.seat, None
    if clocks is not None and (seat in clocks.running or seat in clocks.flagged):
        bank = clocks.after_move(seat, event.received) if event.received is not None else -1
    if event.bank != bank or (event.received is None) != (bank is None):
        yield f"ply {event.ply} leaves seat {seat} other time than its clock"


def clock(state: Match, event: ClockEvent) -> Iterator[str]:
    """Banks and deadlines are recomputed from the clocks that the event met."""
    clocks = state.clocks
    if clocks is None:
        yield f"{type(event).__name__} stands in a match without clocks"
        return
    match event:
        case DeadlineSet():
            yield from _deadline(state, clocks, event)
        case ClockStopped(seat=seat, at=at, bank=bank) | ClockPaused(seat=seat, at=at, bank=bank):
            if bank != clocks.left(seat, at):
                yield f"the clock of seat {seat} did not stand at {bank} seconds"
        case DeadlineMissed(seat=seat, due=due):
            running = clocks.running.get(seat)
            if running is None or running.due != due:
                yield f"seat {seat} was not due then"
        case ClockCredited() | ClockSetRight():
            yield from _corrected(clocks, event)
        case ClockResumed(seat=seat, reason=reason) if reason not in clocks.paused.get(seat, ()):
            yield f"nothing of that kind had stopped the clock of seat {seat}"
        case _:
            if event.seat not in state.table.playing:
                yield f"seat {event.seat} has no clock"


def _corrected(clocks: Clocks, event: ClockCredited | ClockSetRight) -> Iterator[str]:
    if isinstance(event, ClockCredited):
        yield from _audit_credit(clocks, event)
        return
    seat, running = event.seat, clocks.running.get(event.seat)
    if running is None or not is_ahead(running, event.at):
        yield f"the clock of seat {seat} was set right, and had not been ahead"
    elif event.bank != clocks.left(seat, event.at):
        yield f"the clock of seat {seat} did not stand at {event.bank} seconds"


def _audit_credit(clocks: Clocks, event: ClockCredited) -> Iterator[str]:
    """What is given back must have been counted, in the turn that the seat is in."""
    seat, clock = event.seat, clocks.of_turn(event.seat)
    if clock is None or event.begin < clock.since or event.end < event.begin:
        yield f"seat {seat} got time back that its clock had not counted"
    if event.seconds != clocks.counted_between(seat, event.begin, event.end):
        yield f"seat {seat} got other time back than its clock had counted"


def _deadline(state: Match, clocks: Clocks, event: DeadlineSet) -> Iterator[str]:
    """A deadline is moved by what does not count any more, or set with what the seat has left."""
    seat, running = event.seat, clocks.running.get(event.seat)
    if seat not in state.to_act or clocks.paused.get(seat) or seat in clocks.flagged:
        yield f"a deadline was set for seat {seat}, whose clock stands"
    if running is not None and running.hours == clocks.hours_now(seat):
        yield f"the deadline of seat {seat} was set twice"
    since = event.since if running is None else running.since
    bank = clocks.banks[seat] if running is None else running.bank
    if event != deadline(clocks, seat, since, bank):
        yield f"the deadline of seat {seat} is not what its bank gives"


def unsettled(state: Match) -> Iterator[str]:
    """What is wrong with the clocks once a letter or timer has been carried out."""
    clocks = state.clocks
    if clocks is None or state.status is not Status.RUNNING:
        return
    for seat in state.to_act:
        stands = clocks.paused.get(seat) or seat in clocks.flagged
        if (seat in clocks.running) == bool(stands):
            yield f"after event {state.version} the clock of seat {seat} should run, or stand"
    if late := set(clocks.running) - set(state.to_act):
        yield f"after event {state.version} clocks run of seats {sorted(late)}, not to act"
