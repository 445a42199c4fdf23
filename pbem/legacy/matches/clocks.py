"""The clocks of a match: the time control, what is left to each seat, and what stands still."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.legacy.hours import ALWAYS, Hours, Span, counted
from pbem.legacy.matches.events import Event, Eyes, MovePlayed, SeatReassigned, SeatTakenOver, Visible

HOUR: Final = 3600
MOST_HOURS: Final = 9_999
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """PLAY 3: a bank, an increment for every move, and a cap of the bank, in hours."""

    bank: int
    increment: int
    cap: int

    def __str__(self) -> str:
        """As in a challenge: `240/36/240`."""
        return f"{self.bank}/{self.increment}/{self.cap}"


PRESETS: Final[Mapping[str, TimeControl]] = {
    "slow": TimeControl(240, 36, 240),
    "medium": TimeControl(96, 24, 96),
    "fast": TimeControl(24, 8, 48),
}

_NUMBERS: Final = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,4})")


def time_control(text: str) -> TimeControl | None:
    """The time control of a preset or of three numbers; None for `none`. Raises Rejection."""
    if text == NONE:
        return None
    if text in PRESETS:
        return PRESETS[text]
    found = _NUMBERS.fullmatch(text)
    bank, increment, cap = map(int, found.groups()) if found else (0, 0, 0)
    if not 0 < bank <= cap:
        raise Rejection("bad_time", typed=text, presets=[*PRESETS, NONE])
    return TimeControl(bank, increment, cap)


@dataclass(frozen=True, slots=True)
class Running:
    """A clock that counts down: since when, with how many seconds, by which hours, until when.

    `began` is when its turn did; the rest days and quiet hours of `chosen` then hold to its end.
    `given_back` are spans that do not count in this turn, since they were nobody's fault.
    """

    since: datetime
    bank: int
    due: datetime
    hours: Hours
    began: datetime
    chosen: Hours
    given_back: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Clocks:
    """The clocks of all seats.

    `banks` are seconds of the clocks that do not run; `paused` says why a clock may not run;
    `flagged` are the seats whose time is over and who have not moved since; `credited` has the
    seconds that a seat was given back in its newest turn. `interrupted` are the clocks as they ran
    last of seats that are still to move, and whose clock stands.
    """

    control: TimeControl
    banks: Mapping[Seat, int]
    running: Mapping[Seat, Running] = field(default_factory=dict)
    paused: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    hours: Mapping[Seat, Hours] = field(default_factory=dict)
    flagged: tuple[Seat, ...] = ()
    credited: Mapping[Seat, int] = field(default_factory=dict)
    interrupted: Mapping[Seat, Running] = field(default_factory=dict)

    def hours_of(self, seat: Seat) -> Hours:
        """By which hours a clock will count in the seat's next turn."""
        return self.hours.get(seat, ALWAYS)

    def of_turn(self, seat: Seat) -> Running | None:
        """The clock of the turn that a seat is in, even if it stands; None between its turns."""
        return self.running.get(seat) or self.interrupted.get(seat)

    def hours_now(self, seat: Seat) -> Hours:
        """By which hours a clock is to count that is set now.

        A turn keeps the rest days and quiet hours that it began with, however often its clock
        stands meanwhile; only leave, and what is given back, moves its deadline. Else who is short
        of time could choose other hours and go away for a moment.
        """
        hours = self.hours.get(seat, ALWAYS)
        clock = self.running.get(seat) or self.interrupted.get(seat)
        if clock is None:
            return hours
        return replace(clock.chosen, leave=(*hours.leave, *clock.given_back))

    def counted_between(self, seat: Seat, begin: datetime, end: datetime) -> int:
        """The seconds that the clock of a seat's turn has counted of a span, since it was set."""
        clock = self.of_turn(seat)
        if clock is None:
            return 0
        return counted(clock.hours, max(begin, clock.since), min(end, clock.due))

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


def begun(time: str, seats: int) -> Clocks | None:
    """The clocks at the start; none without a time control."""
    control = time_control(time)
    if control is None:
        return None
    return Clocks(
        control=control,
        banks={Seat(seat): control.bank * HOUR for seat in range(1, seats + 1)},
    )


# --- what happens ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineSet(Event):
    """A seat's clock runs since `since` with `bank` seconds, and will be over at `due`."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    since: datetime
    bank: int
    due: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockStopped(Event):
    """A seat's clock stands with `bank` seconds left, since it need not act any more."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockPaused(Event):
    """A seat's clock stands with `bank` seconds left: mail comes back, or all agreed on a pause."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int
    reason: Literal["unreachable", "operator", "agreed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockResumed(Event):
    """What stopped a seat's clock is over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    reason: Literal["unreachable", "operator", "agreed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockCredited(Event):
    """A seat got back the seconds that its clock had counted from `begin` to `end`.

    Its mail went out late, or came back (`unreachable`), the service was down, or the match stood
    still without its rules.
    """

    visible = Visible(Eyes.TABLE)
    seat: Seat
    begin: datetime
    end: datetime
    seconds: int
    reason: Literal["late_mail", "downtime", "unreachable", "rules_away"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockSetRight(Event):
    """The service's clock had been ahead: a seat's runs anew, with what it had left at a time."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineMissed(Event):
    """A seat's time was over at `due`."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    due: datetime


Ticking: TypeAlias = (
    DeadlineSet
    | ClockStopped
    | ClockPaused
    | ClockResumed
    | ClockCredited
    | ClockSetRight
    | DeadlineMissed
)
"""What changes the clocks; some of it stands among the moves as well (`COURSE` in timing.py)."""


# --- what events make of them --------------------------------------------------------------------


def _stopped(clocks: Clocks, event: ClockStopped) -> Clocks:
    return stopped_at(clocks, event.seat, event.bank)


def _paused(clocks: Clocks, event: ClockPaused) -> Clocks:
    reasons = tuple(sorted({*clocks.paused.get(event.seat, ()), event.reason}))
    stopped = stopped_at(clocks, event.seat, event.bank)
    return replace(stopped, paused={**clocks.paused, event.seat: reasons})


def _resumed(clocks: Clocks, event: ClockResumed) -> Clocks:
    rest = tuple(one for one in clocks.paused.get(event.seat, ()) if one != event.reason)
    return replace(clocks, paused={**clocks.paused, event.seat: rest})


def _missed(clocks: Clocks, event: DeadlineMissed) -> Clocks:
    stopped = stopped_at(clocks, event.seat, 0)
    return replace(stopped, flagged=(*clocks.flagged, event.seat))


def _set(clocks: Clocks, event: DeadlineSet) -> Clocks:
    seat = event.seat
    old = clocks.running.get(seat) or clocks.interrupted.get(seat)
    hours = clocks.hours_now(seat)
    running = Running(
        since=event.since,
        bank=event.bank,
        due=event.due,
        hours=hours,
        began=old.began if old is not None else event.since,
        chosen=old.chosen if old is not None else hours,
        given_back=old.given_back if old is not None else (),
    )
    credited = clocks.credited if old is not None else without(clocks.credited, seat)
    return replace(
        clocks,
        running={**clocks.running, seat: running},
        banks={**clocks.banks, seat: event.bank},
        interrupted=without(clocks.interrupted, seat),
        flagged=tuple(other for other in clocks.flagged if other != seat),
        credited=credited,
    )


def _credited(clocks: Clocks, event: ClockCredited) -> Clocks:
    """The clocks when a span does not count any more; a flag that fell for it is taken back."""
    seat, clock = event.seat, clocks.of_turn(event.seat)
    so_far = clocks.credited.get(seat, 0) + event.seconds
    clocks = replace(clocks, credited={**clocks.credited, seat: so_far})
    if clock is None:
        return clocks
    clock = replace(clock, given_back=(*clock.given_back, (event.begin, event.end)))
    if seat in clocks.running:
        return replace(clocks, running={**clocks.running, seat: clock})
    return replace(
        clocks,
        interrupted={**clocks.interrupted, seat: clock},
        banks={**clocks.banks, seat: clocks.banks[seat] + event.seconds},
        flagged=tuple(other for other in clocks.flagged if other != seat),
    )


def _set_right(clocks: Clocks, event: ClockSetRight) -> Clocks:
    """The turn goes on as if it began now: what was given back of it was not, or will not be."""
    seat, clock = event.seat, clocks.running[event.seat]
    stopped = stopped_at(clocks, seat, event.bank)
    turn = replace(clock, began=min(clock.began, event.at), given_back=())
    return replace(
        stopped,
        interrupted={**stopped.interrupted, seat: turn},
        credited=without(stopped.credited, seat),
    )


def is_ahead(clock: Running, now: datetime) -> bool:
    """Whether a clock was set, or given time back, by a clock of ours that was ahead of now."""
    return clock.since > now or any(end > now for _, end in clock.given_back)


def stopped_at(clocks: Clocks, seat: Seat, bank: int) -> Clocks:
    """The clocks when one of them stands, with so many seconds left."""
    stopped = replace(clocks, banks={**clocks.banks, seat: bank})
    if seat not in clocks.running:
        return stopped
    return replace(
        stopped,
        running=without(clocks.running, seat),
        interrupted={**clocks.interrupted, seat: clocks.running[seat]},
    )


def _moved(clocks: Clocks, event: MovePlayed) -> Clocks:
    """The clocks after a move; a flag that nobody claimed is forgotten with it."""
    seat, bank = event.seat, event.bank
    if bank is None:
        return turns_over(clocks, [seat]) if seat in clocks.interrupted else clocks
    return replace(
        clocks,
        banks={**clocks.banks, seat: bank},
        running=without(clocks.running, seat),
        interrupted=without(clocks.interrupted, seat),
        flagged=tuple(other for other in clocks.flagged if other != seat),
    )


def _fresh(clocks: Clocks, event: SeatTakenOver | SeatReassigned) -> Clocks:
    """Nobody begins with less time than the match began with, nor with another's hours."""
    seat = event.seat
    kept = tuple(why for why in clocks.paused.get(seat, ()) if why != "unreachable")
    bank = max(clocks.banks[seat], clocks.control.bank * HOUR)
    return replace(
        clocks,
        running=without(clocks.running, seat),
        interrupted=without(clocks.interrupted, seat),
        credited=without(clocks.credited, seat),
        banks={**clocks.banks, seat: bank},
        flagged=tuple(other for other in clocks.flagged if other != seat),
        hours=without(clocks.hours, seat),
        paused={**clocks.paused, seat: kept},
    )


def turns_over(clocks: Clocks, seats: Iterable[Seat]) -> Clocks:
    """The clocks when the turns of seats whose clock stands are over."""
    return replace(clocks, interrupted=without(clocks.interrupted, *seats))


Kept = TypeVar("Kept")


def without(kept: Mapping[Seat, Kept], *seats: Seat) -> Mapping[Seat, Kept]:
    """What is kept for the other seats."""
    return {other: one for other, one in kept.items() if other not in seats}


Settings: TypeAlias = Mapping[type[Event], Callable[[Clocks, Any], Clocks]]
"""What an event makes of the clocks."""

CLOCKS: Final[Settings] = {
    DeadlineSet: _set,
    ClockStopped: _stopped,
    ClockPaused: _paused,
    ClockResumed: _resumed,
    ClockCredited: _credited,
    ClockSetRight: _set_right,
    DeadlineMissed: _missed,
    MovePlayed: _moved,
    SeatTakenOver: _fresh,
    SeatReassigned: _fresh,
}
