"""The clocks of a match: the time control, what is left to each seat, and what stands still."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.hours import ALWAYS, Hours, counted
from pbem.matches.events import (
    ClockEvent,
    ClockPaused,
    ClockResumed,
    ClockStopped,
    DeadlineMissed,
    DeadlineSet,
    HoursChosen,
    LeaveBegun,
    LeaveEnded,
    MovePlayed,
)

HOUR: Final = 3600
MOST_HOURS: Final = 9_999
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """PLAY 3: a bank, an increment for every move, and a cap of the bank, in hours.

    `hard`: who is late loses at once; else the others may claim it or wait.
    """

    bank: int
    increment: int
    cap: int
    hard: bool = False

    def __str__(self) -> str:
        """As in a challenge: `240/36/240`."""
        return f"{self.bank}/{self.increment}/{self.cap}"


PRESETS: Final[Mapping[str, TimeControl]] = {
    "slow": TimeControl(240, 36, 240),
    "medium": TimeControl(96, 24, 96),
    "fast": TimeControl(24, 8, 48),
}

_NUMBERS: Final = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,4})")


def time_control(text: str, *, hard: bool = False) -> TimeControl | None:
    """The time control of a preset or of three numbers; None for `none`. Raises Rejection."""
    if text == NONE:
        return None
    if text in PRESETS:
        return replace(PRESETS[text], hard=hard)
    found = _NUMBERS.fullmatch(text)
    bank, increment, cap = map(int, found.groups()) if found else (0, 0, 0)
    if not 0 < bank <= cap:
        raise Rejection("bad_time", typed=text, presets=[*PRESETS, NONE])
    return TimeControl(bank, increment, cap, hard=hard)


@dataclass(frozen=True, slots=True)
class Running:
    """A clock that counts down: since when, with how many seconds, by which hours, until when."""

    since: datetime
    bank: int
    due: datetime
    hours: Hours


@dataclass(frozen=True, kw_only=True, slots=True)
class Clocks:
    """The clocks of all seats.

    `banks` are seconds of the clocks that do not run; `paused` says why a clock may not run;
    `flagged` are the seats whose time is over and who have not moved since; `credited` has the
    seconds that a seat was given back in its newest turn.
    """

    control: TimeControl
    banks: Mapping[Seat, int]
    running: Mapping[Seat, Running] = field(default_factory=dict)
    paused: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    hours: Mapping[Seat, Hours] = field(default_factory=dict)
    flagged: tuple[Seat, ...] = ()
    credited: Mapping[Seat, int] = field(default_factory=dict)

    def hours_of(self, seat: Seat) -> Hours:
        """By which hours a clock will count when it is set next."""
        return self.hours.get(seat, ALWAYS)

    def hours_from(self, seat: Seat, since: datetime) -> Hours:
        """By which hours a clock counts that is set at a time.

        One that runs already keeps its rest days and quiet hours; only leave moves it. Else who is
        short of time could choose other hours and go away for a moment.
        """
        hours, running = self.hours_of(seat), self.running.get(seat)
        if running is None or running.since == since:
            return hours
        return replace(running.hours, leave=hours.leave)

    def left(self, seat: Seat, at: datetime) -> int:
        """The seconds that a seat has left at a time."""
        clock = self.running.get(seat)
        if clock is None:
            return self.banks[seat]
        return max(0, clock.bank - counted(clock.hours, clock.since, at))

    def after_move(self, seat: Seat, at: datetime) -> int:
        """What a seat has left after a move that was received at a time: the increment is its."""
        most = self.control.cap * HOUR
        return min(most, self.left(seat, at) + self.control.increment * HOUR)


def full(control: TimeControl, seats: int) -> Clocks:
    """The clocks at the start."""
    return Clocks(
        control=control,
        banks={Seat(seat): control.bank * HOUR for seat in range(1, seats + 1)},
    )


def clocks_after(clocks: Clocks, event: ClockEvent) -> Clocks:
    """The clocks after an event that changes them."""
    match event:
        case DeadlineSet(seat=seat, since=since, bank=bank, due=due):
            running = Running(since, bank, due, clocks.hours_from(seat, since))
            credited = dict(clocks.credited)
            if seat not in clocks.running:  # another turn begins
                credited.pop(seat, None)
            flagged = tuple(other for other in clocks.flagged if other != seat)
            stopped = stopped_at(clocks, seat, bank)
            return replace(
                stopped,
                running={**stopped.running, seat: running},
                flagged=flagged,
                credited=credited,
            )
        case ClockStopped(seat=seat, bank=bank):
            return stopped_at(clocks, seat, bank)
        case ClockPaused(seat=seat, bank=bank, reason=reason):
            reasons = tuple({*clocks.paused.get(seat, ()), reason})
            stopped = stopped_at(clocks, seat, bank)
            return replace(stopped, paused={**clocks.paused, seat: tuple(sorted(reasons))})
        case ClockResumed(seat=seat, reason=reason):
            rest = tuple(other for other in clocks.paused.get(seat, ()) if other != reason)
            return replace(clocks, paused={**clocks.paused, seat: rest})
        case DeadlineMissed(seat=seat):
            stopped = stopped_at(clocks, seat, 0)
            return replace(stopped, flagged=(*clocks.flagged, seat))
        case HoursChosen() | LeaveBegun() | LeaveEnded():
            return _at_other_hours(clocks, event)


def _at_other_hours(clocks: Clocks, event: HoursChosen | LeaveBegun | LeaveEnded) -> Clocks:
    hours = clocks.hours_of(event.seat)
    match event:
        case HoursChosen(tz=tz, rest_days=rest_days, quiet=quiet):
            first_last = (quiet[0], quiet[1]) if quiet else None
            hours = replace(hours, tz=tz, rest_days=rest_days, quiet=first_last)
        case LeaveBegun(begin=begin, end=end):
            hours = replace(hours, leave=(*hours.leave, (begin, end)))
        case LeaveEnded(at=at):
            left = ((begin, min(end, at)) for begin, end in hours.leave if begin < at)
            hours = replace(hours, leave=tuple(left))
    return replace(clocks, hours={**clocks.hours, event.seat: hours})


def stopped_at(clocks: Clocks, seat: Seat, bank: int) -> Clocks:
    """The clocks when one of them stands, with so many seconds left."""
    running = {other: clock for other, clock in clocks.running.items() if other != seat}
    return replace(clocks, running=running, banks={**clocks.banks, seat: bank})


def moved(clocks: Clocks, event: MovePlayed) -> Clocks:
    """The clocks after a move; a flag that nobody claimed is forgotten with it."""
    if event.bank is None:
        return clocks
    flagged = tuple(other for other in clocks.flagged if other != event.seat)
    return replace(stopped_at(clocks, event.seat, event.bank), flagged=flagged)
