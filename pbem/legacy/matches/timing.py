"""What decisions mean for the clocks, and whether events of clocks may stand where they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.hours import Hours, due
from pbem.legacy.matches.clocks import (
    ClockCredited,
    ClockPaused,
    ClockResumed,
    Clocks,
    ClockSetRight,
    ClockStopped,
    DeadlineMissed,
    DeadlineSet,
    Settings,
    Ticking,
    is_ahead,
)
from pbem.legacy.matches.course import clock_news
from pbem.legacy.matches.events import Event, Eyes, MovePlayed, SeatTimedOut, Visible
from pbem.legacy.matches.match import Course, Match, require_running, require_seat
from pbem.legacy.matches.resigning import out
from pbem.legacy.matches.steps import Status
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId, is_bot

Pause: TypeAlias = Literal["unreachable", "operator", "agreed"]
"""Why a clock stands still."""

Credit: TypeAlias = Literal["late_mail", "downtime", "unreachable", "rules_away"]
"""Why a clock gets time back."""


# --- hours and leave ------------------------------------------------------------------------------
# By which hours the clock of a seat counts.


@dataclass(frozen=True, kw_only=True, slots=True)
class HoursChosen(Event):
    """A seat's rest days (Monday is 0) and quiet hours (from, to; or none), from a turn on."""

    visible = Visible(Eyes.OWN_ALONE)
    seat: Seat
    tz: str
    rest_days: tuple[int, ...]
    quiet: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveBegun(Event):
    """A seat is away from `begin` to `end`; `by_itself`: a day of leave saved it from losing."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    begin: datetime
    end: datetime
    by_itself: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveEnded(Event):
    """A seat is back, before its leave was over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime


def _at_other_hours(clocks: Clocks, event: HoursChosen | LeaveBegun | LeaveEnded) -> Clocks:
    hours = clocks.hours_of(event.seat)
    match event:
        case HoursChosen(tz=tz, rest_days=rest_days, quiet=quiet, at=at):
            first_last = (quiet[0], quiet[1]) if quiet else None
            hours = replace(hours, tz=tz, rest_days=rest_days, quiet=first_last)
            clocks = _chosen_at(clocks, event.seat, hours, at)
        case LeaveBegun(begin=begin, end=end):
            hours = replace(hours, leave=(*hours.leave, (begin, end)))
        case LeaveEnded(at=at):
            left = ((begin, min(end, at)) for begin, end in hours.leave if begin < at)
            hours = replace(hours, leave=tuple(left))
    return replace(clocks, hours={**clocks.hours, event.seat: hours})


def _chosen_at(clocks: Clocks, seat: Seat, hours: Hours, at: datetime) -> Clocks:
    """A turn that begins in that moment has the new hours: nothing can be gained by them."""
    clock = clocks.running.get(seat)
    if clock is None or clock.began != at:
        return clocks
    return replace(clocks, running={**clocks.running, seat: replace(clock, chosen=hours)})


CLOCKS: Final[Settings] = dict.fromkeys((HoursChosen, LeaveBegun, LeaveEnded), _at_other_hours)

COURSE: Final[Changes[Course]] = dict.fromkeys(
    (LeaveBegun, DeadlineMissed, ClockCredited), clock_news
)


# --- timing --------------------------------------------------------------------------------------
# What decisions mean for the clocks: they are set, stopped, paused and credited as events say.


def with_bank(match: Match, clocks: Clocks, event: MovePlayed, now: datetime) -> MovePlayed:
    """The move, with what is left to its seat if its clock runs."""
    seat = event.seat
    if seat not in clocks.running and seat not in clocks.flagged:
        return event  # the server played at once, or the clock is paused
    held = match.pending.held.get(seat)  # PLAY 3: what is held counts as made when it came
    at = held.made(now) if held is not None else now
    return replace(event, bank=clocks.after_move(seat, at), received=at)


def settled(match: Match, clocks: Clocks, now: datetime) -> Iterator[Ticking]:
    """What a decision means for the clocks when all else of it has happened.

    Whoever is to act has a running clock, unless it is paused or its time is over; no other runs.
    """
    to_act = match.to_act
    for seat in sorted(clocks.running):
        if seat not in to_act:
            yield ClockStopped(seat=seat, at=now, bank=clocks.left(seat, now))
        elif clocks.running[seat].hours != clocks.hours_now(seat):
            # Leave, or what is given back, moves a deadline that runs.
            yield deadline(clocks, seat, clocks.running[seat].since, clocks.running[seat].bank)
    for seat in to_act:
        stands = clocks.paused.get(seat) or seat in clocks.flagged
        if seat not in clocks.running and not stands:
            yield deadline(clocks, seat, now, clocks.banks[seat])


def deadline(clocks: Clocks, seat: Seat, since: datetime, bank: int) -> DeadlineSet:
    """The clock of a seat runs since a time, with so many seconds then."""
    hours = clocks.hours_now(seat)
    return DeadlineSet(seat=seat, since=since, bank=bank, due=due(hours, since, bank))


# --- what is decided ------------------------------------------------------------------------------


def require_clocks(match: Match) -> Clocks:
    """The clocks of a match. Raises Rejection `no_clocks`."""
    if match.clocks is None:
        raise Rejection("no_clocks")
    return match.clocks


def _of_player(player: PlayerId, match: Match) -> tuple[Clocks, Seat]:
    """The clocks of a match that runs, and the seat of somebody who plays in it."""
    require_running(match)
    return require_clocks(match), require_seat(player, match)


def choose_hours(unfolding: Unfolding, player: PlayerId, *, hours: Hours) -> Deciding:
    """Let rest days and quiet hours hold in this match, from the seat's next turn on.

    Leave is not looked at.
    """
    clocks, seat = _of_player(player, unfolding.match)
    if replace(hours, leave=()) != replace(clocks.hours_of(seat), leave=()):
        yield HoursChosen(
            seat=seat,
            tz=hours.tz,
            rest_days=hours.rest_days,
            quiet=hours.quiet or (),
            at=unfolding.now,
        )


def begin_leave(
    unfolding: Unfolding,
    player: PlayerId,
    *,
    begin: datetime,
    end: datetime,
    by_itself: bool = False,
) -> Deciding:
    """The player is away from `begin` to `end`."""
    _, seat = _of_player(player, unfolding.match)
    yield LeaveBegun(seat=seat, begin=begin, end=end, by_itself=by_itself)


def spend_leave(
    unfolding: Unfolding, player: PlayerId, *, begin: datetime, end: datetime
) -> Deciding:
    """A day of leave holds everywhere, but only where time was over was it spent by itself."""
    clocks, seat = _of_player(player, unfolding.match)
    running = clocks.running.get(seat)
    saved = running is not None and running.due <= begin
    yield LeaveBegun(seat=seat, begin=begin, end=end, by_itself=saved)


def end_leave(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """The player is back: no leave that was planned stands any more."""
    clocks, seat = _of_player(player, unfolding.match)
    if any(end > unfolding.now for _, end in clocks.hours_of(seat).leave):
        yield LeaveEnded(seat=seat, at=unfolding.now)


def pause_clock(unfolding: Unfolding, player: PlayerId, *, reason: Pause) -> Deciding:
    """The clock of a player stands still until it is resumed for the same reason."""
    clocks, seat = _of_player(player, unfolding.match)
    now = unfolding.now
    if reason not in clocks.paused.get(seat, ()):
        yield ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason=reason)


def resume_clock(unfolding: Unfolding, player: PlayerId, *, reason: Pause) -> Deciding:
    """What stopped the clock is over; it runs again if nothing else stops it."""
    clocks, seat = _of_player(player, unfolding.match)
    if reason in clocks.paused.get(seat, ()):
        yield ClockResumed(seat=seat, at=unfolding.now, reason=reason)


def credit_clock(
    unfolding: Unfolding, player: PlayerId, *, begin: datetime, end: datetime, reason: Credit
) -> Deciding:
    """Give back what a clock counted while it was not its player's fault, also if it was all."""
    clocks, seat = _of_player(player, unfolding.match)
    clock = clocks.of_turn(seat)
    if clock is None or (seat not in clocks.running and seat not in clocks.flagged):
        return
    begin, end = max(begin, clock.since), min(end, unfolding.now)
    seconds = clocks.counted_between(seat, begin, end)
    if seconds:
        yield ClockCredited(seat=seat, begin=begin, end=end, seconds=seconds, reason=reason)


def set_clock_right(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Our own clock has gone back: none may wait for a time that was only thought to be.

    One that counts from a time to come, or not until then, counts from now on.
    """
    clocks, seat = _of_player(player, unfolding.match)
    running, now = clocks.running.get(seat), unfolding.now
    if running is not None and is_ahead(running, now):
        yield ClockSetRight(seat=seat, at=now, bank=clocks.left(seat, now))


def miss_deadline(unfolding: Unfolding, seat: Seat) -> Deciding:
    """The time of a seat is over. Raises Rejection `not_due` where it is not (any more)."""
    match, now = unfolding.match, unfolding.now
    require_running(match)
    running = require_clocks(match).running.get(seat)
    if running is None or running.due > now or is_held_in_time(match, seat, now):
        raise Rejection("not_due")
    if not is_bot(match.player_at(seat)):  # it moves within a second, or we are at fault
        yield DeadlineMissed(seat=seat, due=running.due)


def is_held_in_time(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether a seat holds a move that came before its time was over: it counts as made then."""
    held = match.pending.held.get(seat)
    running = match.clocks.running.get(seat) if match.clocks is not None else None
    return held is not None and (running is None or held.made(now) <= running.due)


def claim_time(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Wait no longer for somebody whose time is over: it is as if they resigned (PLAY 3).

    Raises Rejection `no_flag`, or `match_paused`: who agreed to a pause takes no advantage of it.
    """
    match = unfolding.match
    clocks, seat = _of_player(player, match)
    if match.pending.paused is not None:
        raise Rejection("match_paused", until=match.pending.paused.until.isoformat())
    late = [other for other in clocks.flagged if other != seat and other in match.to_act]
    if not late:
        raise Rejection("no_flag", seats=list(match.to_act))
    yield out(match, SeatTimedOut(seat=late[0], ply=match.course.ply))


# --- audit clocks --------------------------------------------------------------------------------
# Whether events of clocks may stand where they do: recomputed from the clocks that they met.


def bank(state: Match, event: MovePlayed) -> Iterator[str]:
    """What a move leaves to its seat, by when it came."""
    clocks, seat, bank = state.clocks, event.seat, None
    if clocks is not None and (seat in clocks.running or seat in clocks.flagged):
        bank = clocks.after_move(seat, event.received) if event.received is not None else -1
    if event.bank != bank or (event.received is None) != (bank is None):
        yield f"ply {event.ply} leaves seat {seat} other time than its clock"


def clock(state: Match, event: Ticking | HoursChosen | LeaveBegun | LeaveEnded) -> Iterator[str]:
    """Banks and deadlines are recomputed from the clocks that the event met."""
    clocks = state.clocks
    if clocks is None:
        yield f"{type(event).__name__} stands in a match without clocks"
        return
    match event:
        case DeadlineSet():
            yield from _deadline(state, clocks, event)
        case ClockStopped() | ClockPaused():
            yield from _stands(state, clocks, event)
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


def _stands(state: Match, clocks: Clocks, event: ClockStopped | ClockPaused) -> Iterator[str]:
    if event.bank != clocks.left(event.seat, event.at):
        yield f"the clock of seat {event.seat} did not stand at {event.bank} seconds"
    agreed = isinstance(event, ClockPaused) and event.reason == "agreed"
    if agreed and state.pending.paused is None:
        yield f"the clock of seat {event.seat} stands, and no pause was agreed on"


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
    for seat in state.table.playing:
        if ("agreed" in clocks.paused.get(seat, ())) != (state.pending.paused is not None):
            yield f"after event {state.version} seat {seat} does not pause with the others"
    for seat in state.to_act:
        stands = clocks.paused.get(seat) or seat in clocks.flagged
        if (seat in clocks.running) == bool(stands):
            yield f"after event {state.version} the clock of seat {seat} should run, or stand"
    if late := set(clocks.running) - set(state.to_act):
        yield f"after event {state.version} clocks run of seats {sorted(late)}, not to act"


AUDIT: Final[Audit] = in_play(
    dict.fromkeys(
        (
            HoursChosen,
            LeaveBegun,
            LeaveEnded,
            DeadlineSet,
            ClockStopped,
            ClockPaused,
            ClockResumed,
            ClockCredited,
            ClockSetRight,
            DeadlineMissed,
        ),
        clock,
    )
)
