"""Times as a reader's calendar and clock have them; the words for them stand in dates.txt.j2."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

_REMEMBERED: Final = 1024
"""Times whose day and clock are kept at hand: both mails of a turn say the same ones."""

_DAY: Final = 24 * 60
_HOUR: Final = 60
_MANY_DAYS: Final = 10
"""From so many days on, hours say nothing."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar; `weekday` is 0 on Mondays."""

    weekday: int
    day: int
    month: int
    year: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A time at the reader's place, and the same in UTC where that reads differently."""

    day: Day
    clock: str
    utc_clock: str | None
    utc_day: Day | None


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time in the two units that matter; all are 0 for less than a minute."""

    days: int
    hours: int
    minutes: int


@lru_cache(maxsize=_REMEMBERED)
def moment(at: datetime | str, zone: tzinfo) -> Moment:
    """A time (aware, or as ISO text) seen in a time zone. PLAY 1.5: UTC stands beside it."""
    utc = _aware(at).astimezone(UTC)
    here = utc.astimezone(zone)
    same = here.replace(tzinfo=None) == utc.replace(tzinfo=None)
    return Moment(
        day=day(here, zone),
        clock=_clock(here),
        utc_clock=None if same else _clock(utc),
        utc_day=None if here.date() == utc.date() else day(utc, UTC),
    )


def day(at: datetime | str, zone: tzinfo) -> Day:
    """The day of a time in a time zone. ISO text of a day alone is that day everywhere."""
    if isinstance(at, str) and "T" not in at and " " not in at:
        here = datetime.fromisoformat(at)
    else:
        here = _aware(at).astimezone(zone)
    return Day(here.weekday(), here.day, here.month, here.year)


def span(length: timedelta | float) -> Span:
    """A length of time (seconds, where it is a number), rounded down to what it is told in."""
    seconds = length.total_seconds() if isinstance(length, timedelta) else length
    minutes = max(int(seconds // 60), 0)
    if minutes >= _DAY:
        days, rest = divmod(minutes, _DAY)
        return Span(days, rest // _HOUR if days < _MANY_DAYS else 0, 0)
    return Span(0, *divmod(minutes, _HOUR))


def _aware(at: datetime | str) -> datetime:
    when = datetime.fromisoformat(at) if isinstance(at, str) else at
    if when.tzinfo is None:
        raise ValueError(f"a time without a zone: {when}")
    return when


def _clock(when: datetime) -> str:
    return f"{when:%H:%M}"
