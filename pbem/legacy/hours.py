"""When a player's clock counts: not on rest days, not in quiet hours, not on leave. Pure.

Matches and players both speak of it; it knows neither. Times are aware, spans are whole seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

Span: TypeAlias = tuple[datetime, datetime]

MOST_REST_DAYS: Final = 2
"""A week (PLAY 3): with more of them nothing would ever be late."""

MOST_QUIET_HOURS: Final = 10
"""A day (PLAY 3)."""

A_DAY, A_SECOND = timedelta(days=1), timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Hours:
    """What a player has chosen, in a time zone by its IANA name.

    `rest_days` are weekdays from Monday, 0; `quiet` the local hours from which and to which nothing
    counts (22, 7 goes over midnight); `leave` spans in which the player is away.
    """

    tz: str = "UTC"
    rest_days: tuple[int, ...] = ()
    quiet: tuple[int, int] | None = None
    leave: tuple[Span, ...] = ()


ALWAYS: Final = Hours()
"""Every hour counts."""


def counts_at(hours: Hours, at: datetime) -> bool:
    """Whether the clock counts at a moment."""
    return next(spans(hours, at))[0] == at


def counted(hours: Hours, start: datetime, end: datetime) -> int:
    """How many seconds count between two times; 0 if the second is not later."""
    if hours == ALWAYS:
        return max(0, (end - start) // A_SECOND)
    seconds = 0
    for begin, stop in spans(hours, start):
        if begin >= end:
            return seconds
        seconds += (min(stop, end) - begin) // A_SECOND
    raise AssertionError("time does not end")


def due(hours: Hours, start: datetime, seconds: int) -> datetime:
    """When so many seconds will have counted: always a moment that counts itself.

    So nothing ends on a rest day, not even at its first midnight.
    """
    if hours == ALWAYS:
        return start + timedelta(seconds=seconds)
    for begin, stop in spans(hours, start):
        length = (stop - begin) // A_SECOND
        if seconds < length:
            return begin + timedelta(seconds=seconds)
        seconds -= length
    raise AssertionError("time does not end")


def spans(hours: Hours, start: datetime) -> Iterator[Span]:
    """The spans that count, from `start` on, in order; there is no last one."""
    day = start.astimezone(ZoneInfo(hours.tz)).date()
    while True:
        for begin, stop in _of_day(hours, day):
            yield from _without(hours.leave, (max(begin, start), stop))
        day += A_DAY


def _of_day(hours: Hours, day: date) -> Iterator[Span]:
    if day.weekday() in hours.rest_days:
        return
    whole = (_moment(hours, day, 0), _moment(hours, day, 24))
    if hours.quiet is None:
        yield whole
        return
    first, last = (_moment(hours, day, hour) for hour in hours.quiet)
    if hours.quiet[0] < hours.quiet[1]:
        yield whole[0], first
        yield last, whole[1]
    else:
        yield last, first


def _moment(hours: Hours, day: date, hour: int) -> datetime:
    """A local hour as UTC; the hours of a day on which clocks are set are as long as they are."""
    days, rest = divmod(hour, 24)
    local = datetime.combine(day + days * A_DAY, time(rest), tzinfo=ZoneInfo(hours.tz))
    return local.astimezone(UTC)


def _without(away: tuple[Span, ...], span: Span) -> Iterator[Span]:
    begin, stop = span
    for left, back in sorted(away):
        if back <= begin or left >= stop:
            continue
        if begin < left:
            yield begin, left
        begin = max(begin, back)
    if begin < stop:
        yield begin, stop
