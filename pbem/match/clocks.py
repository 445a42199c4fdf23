"""Clocks as values: each player has a time bank and gains an increment with each move, up to a cap.

A player's clock runs from the start of their turn until the mailbox receives their move. It pauses
during vacation, while emails to the player bounce, and while the game is not installed. The time of
receipt counts, so the delay of processing an email and the undo window cost a player nothing. An
increment never raises a bank above the cap, but time given to a player can.

Vacation and bouncing emails can pause a clock only for a limited time in each match (`ALLOWANCES`).
Vacation is counted in whole days. Decisions about time are in `timing.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.match.events import PauseReason

NO_TIME_CONTROL: Final = "none"

DAY: Final = timedelta(days=1)
NO_TIME: Final = timedelta(0)

# The total time for which each reason can pause a player's clock in one match. Reasons that are not
# listed have no limit.
ALLOWANCES: Final[Mapping[PauseReason, timedelta]] = MappingProxyType(
    {PauseReason.VACATION: 10 * DAY, PauseReason.BOUNCE: 14 * DAY}
)

_TEXT: Final = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,4})")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each player: an initial bank, an increment for each move, and the bank's cap."""

    bank: timedelta
    increment: timedelta
    cap: timedelta

    def __str__(self) -> str:
        """Return the three durations in hours, as challenges record them: `240/36/240`."""
        parts = (self.bank, self.increment, self.cap)
        return "/".join(str(part // timedelta(hours=1)) for part in parts)


PRESETS: Final[Mapping[str, str]] = MappingProxyType(  # named time controls, in hours
    {"slow": "240/36/240", "medium": "96/24/96", "fast": "24/8/48"}
)


def parse_time_control(text: str) -> TimeControl | None:
    """Return the time control that `text` names, or None if it is `none`.

    `text` is `none`, a preset such as `slow`, or the hours of bank, increment and cap, such as
    `240/36/240`.

    Raises:
        Rejection: `bad_time`, for any other text, or if the bank is zero or above the cap.
    """
    if text == NO_TIME_CONTROL:
        return None
    match = _TEXT.fullmatch(PRESETS.get(text, text))
    bank, increment, cap = map(int, match.groups()) if match else (0, 0, 0)
    if not 0 < bank <= cap:
        raise Rejection("bad_time", typed=text, presets=[*PRESETS, NO_TIME_CONTROL])
    return TimeControl(*(timedelta(hours=hours) for hours in (bank, increment, cap)))


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a clock, with its beginning and its latest end (None if there is no limit)."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Clocks:
    """The clocks of a running match.

    `banks` is the time left for each seat, in seat order; time used in the current turn is not yet
    subtracted. `running` has the seats whose clocks run, each with the time at which its clock
    started. `pauses` has the current pauses by seat and reason. `spent_allowances` has the part of
    each allowance (see ALLOWANCES) that a seat has used, not counting its current pause.
    """

    control: TimeControl
    banks: tuple[timedelta, ...]
    running: Mapping[Seat, datetime] = field(default_factory=dict)
    pauses: Mapping[tuple[Seat, PauseReason], Pause] = field(default_factory=dict)
    spent_allowances: Mapping[tuple[Seat, PauseReason], timedelta] = field(default_factory=dict)

    def deadline(self, seat: Seat) -> datetime | None:
        """Return the time at which a seat's clock runs out, or None if the clock does not run."""
        since = self.running.get(seat)
        return None if since is None else since + self.banks[seat - 1]

    def allowance_left(self, seat: Seat, reason: PauseReason) -> timedelta:
        """Return the rest of a seat's allowance for `reason` (see ALLOWANCES).

        A current pause is deducted as if it lasted until its latest end.
        """
        allowance = ALLOWANCES[reason] - self.spent_allowances.get((seat, reason), NO_TIME)
        pause = self.pauses.get((seat, reason))
        if pause is not None and pause.until is not None:
            allowance -= pause.until - pause.since
        return allowance

    def bank_after_move(self, seat: Seat, received: datetime) -> timedelta:
        """Return the time left for a seat after a move that was received at the time `received`.

        The time includes the increment for the move, which cannot make it exceed the cap.
        """
        bank = self.time_left(seat, received)
        return max(bank, min(bank + self.control.increment, self.control.cap))

    def time_left(self, seat: Seat, at: datetime) -> timedelta:
        """Return the time left for a seat at the time `at`, never negative."""
        elapsed = max(at - self.running.get(seat, at), NO_TIME)
        return max(self.banks[seat - 1] - elapsed, NO_TIME)

    # --- changes ---------------------------------------------------------------------------------

    def replace_bank(self, seat: Seat, bank: timedelta) -> Clocks:
        """Return the clocks with the bank of one seat replaced."""
        return replace(self, banks=(*self.banks[: seat - 1], bank, *self.banks[seat:]))

    def stop(self, seat: Seat, at: datetime) -> Clocks:
        """Return the clocks with one seat's clock stopped at the time `at`.

        The time used since the clock started is subtracted from the seat's bank.
        """
        return self.move(seat, self.time_left(seat, at))

    def run(self, seats: tuple[Seat, ...], at: datetime) -> Clocks:
        """Return the clocks with only those of `seats` running, from the time `at` on.

        Paused clocks do not run. A clock that already runs keeps its start time.
        """
        paused = {seat for seat, _ in self.pauses}
        seats = tuple(seat for seat in seats if seat not in paused)
        if set(seats) == set(self.running):
            return self
        clocks = self
        for seat in self.running:
            if seat not in seats:
                clocks = clocks.stop(seat, at)
        return replace(clocks, running={seat: clocks.running.get(seat, at) for seat in seats})

    def move(self, seat: Seat, bank: timedelta) -> Clocks:
        """Return the clocks after a seat has moved: its clock is stopped, and has `bank` left."""
        running = {other: since for other, since in self.running.items() if other != seat}
        return replace(self.replace_bank(seat, bank), running=running)

    def pause(self, seat: Seat, reason: PauseReason, pause: Pause) -> Clocks:
        """Return the clocks with a pause added for a seat. The caller stops the clock by `run`."""
        return replace(self, pauses={**self.pauses, (seat, reason): pause})

    def resume(self, seat: Seat, reason: PauseReason, at: datetime) -> Clocks:
        """Return the clocks without a seat's pause for `reason`, which ended at the time `at`.

        The duration of the pause is deducted from the seat's allowance. The duration of a vacation
        is rounded up to whole days.
        """
        key = (seat, reason)
        pause = self.pauses[key]
        duration = max(min(at, pause.until or at) - pause.since, NO_TIME)
        if reason is PauseReason.VACATION:
            duration = -(-duration // DAY) * DAY  # a day that has begun is spent
        pauses = {other: value for other, value in self.pauses.items() if other != key}
        return replace(self, pauses=pauses).spend(seat, reason, duration)

    def spend(self, seat: Seat, reason: PauseReason, duration: timedelta) -> Clocks:
        """Return the clocks after a seat has used `duration` of its allowance for `reason`."""
        spent = self.spent_allowances.get((seat, reason), NO_TIME) + duration
        return replace(self, spent_allowances={**self.spent_allowances, (seat, reason): spent})

    def reassign(self, seat: Seat, at: datetime) -> Clocks:
        """Return the clocks after a seat was given to another player at the time `at`.

        The new player has at least the initial time bank, and full allowances. A pause stays only
        if its reason is that the game is not installed.
        """
        clocks = self.stop(seat, at)
        clocks = clocks.replace_bank(seat, max(clocks.banks[seat - 1], self.control.bank))
        personal = [(seat, reason) for reason in ALLOWANCES]
        return replace(
            clocks,
            pauses={key: pause for key, pause in self.pauses.items() if key not in personal},
            spent_allowances={
                key: duration
                for key, duration in self.spent_allowances.items()
                if key not in personal
            },
        )


def start_clocks(control: TimeControl, seats: int) -> Clocks:
    """Return the clocks of a match with this number of seats at its start. No clock runs yet."""
    return Clocks(control=control, banks=(control.bank,) * seats)
