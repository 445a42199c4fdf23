"""Days and hours as people write them: `24.12. 2.1.`, `until friday`, `sat sun`, `22-7`."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.legacy.hours import MOST_QUIET_HOURS, MOST_REST_DAYS
from pbem.legacy.players.wishes import read_clock

# --- weekdays -----------------------------------------------------------------------------------

_DAYS: Final = {
    name: number
    for number, names in enumerate(
        ("mon mo", "tue di", "wed mi", "thu do", "fri fr", "sat sa", "sun so")
    )
    for name in names.split()
}
_LONG: Final = (
    r"mon(?:day|tag)?|mo|tue(?:s|sday)?|dienstag|di|wed(?:nesday)?|mittwoch|mi|thu(?:r|rs|rsday)?"
    r"|donnerstag|do|fri(?:day)?|freitag|fr|sat(?:urday)?|samstag|sa|sun(?:day)?|sonntag|so"
)
_GERMAN: Final = {"dienstag": 1, "mittwoch": 2, "donnerstag": 3}


def _weekday(word: str) -> int:
    if word in _GERMAN:
        return _GERMAN[word]
    return next(_DAYS[word[:length]] for length in (3, 2) if word[:length] in _DAYS)


# --- periods -------------------------------------------------------------------------------------
# Days as people write them: `24.12. 2.1.`, `2026-12-24 to 2027-01-02`, `5 days`, `until Jan 2`,
# `from next Monday for 3 days`.

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan", "feb", "mar mär mrz", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt",
            "nov", "dec dez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = rf"(?:{'|'.join(_MONTHS)})[a-zä]{{0,6}}\.?"
_DATE: Final = re.compile(
    r"(?P<y1>\d{4})-(?P<m1>\d{1,2})-(?P<d1>\d{1,2})"
    r"|(?P<d2>\d{1,2})\.\s?(?P<m2>\d{1,2})\.?\s?(?P<y2>\d{4})?(?!\d)"
    r"|(?P<a3>\d{1,2})/(?P<b3>\d{1,2})(?:/(?P<y3>\d{4}))?(?!\d)"
    rf"|(?P<d4>\d{{1,2}})\.?\s?(?P<m4>{_MONTH})(?:\s(?P<y4>\d{{4}}))?"
    rf"|(?P<m5>{_MONTH})\s(?P<d5>\d{{1,2}})(?:,?\s(?P<y5>\d{{4}}))?(?!\d)"
    r"|(?P<word>today|tomorrow|heute|morgen)"
    rf"|(?P<next>(?:next|coming|nächste[nrs]?|kommende[nrs]?)\s)?\b(?P<weekday>(?=\w{{3}})(?:{_LONG}))\b",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"(?:from|off|to|until|till|through|and|on|by|von|vom|ab|bis|zum|am|und|[\s,-])*", re.IGNORECASE
)
"""What stands around days; `off` is what `ab` may be in English."""

SHAPE: Final = re.compile(
    r"(?=.*\d|.*tomorrow|.*morgen|.*\b(?:a|one|ein|eine) ).{4,40}", re.IGNORECASE
)
"""What looks like a period, right or wrong; anything else behind `away` is a sentence."""

_UNTIL: Final = re.compile(r"(?:until|till|through|to|by|bis)\b", re.IGNORECASE)
_SPAN: Final = re.compile(
    r"(?:for |für )?(?P<number>\d{1,3}|a|one|ein|eine)\s?"
    r"(?P<unit>days?|weeks?|tage?|wochen?|woche)(?: from now)?",
    re.IGNORECASE,
)
_FOR: Final = re.compile(rf"(?<=\s){_SPAN.pattern}\s*$", re.IGNORECASE)
"""How long a leave is that begins on a day."""

_WEEK: Final = 7
_LAST_MONTH: Final = 12

LONGEST: Final = 60
"""Characters of what cannot be read that are told."""

_FARTHEST: Final = timedelta(days=366)


def read_period(typed: str, today: date) -> tuple[date, date] | int:
    """The first and the last day that somebody means who types this, or a number of days from now.

    A date without a year is the next one that comes. `today` is that of the player's time zone.
    Raises Rejection `bad_period`.
    """
    if (span := _SPAN.fullmatch(typed.strip())) is not None:
        return _days(span)
    first, last = _two(typed, today)
    if last < first or first < today or last - today > _FARTHEST:
        raise _refused(typed)
    return first, last


def _refused(typed: str) -> Rejection:
    return Rejection("bad_period", typed=typed[:LONGEST])


def _days(span: re.Match[str]) -> int:
    number = int(span["number"]) if span["number"].isdigit() else 1
    days = number * (_WEEK if span["unit"][0].casefold() == "w" else 1)
    if not 1 <= days <= _FARTHEST.days:
        raise _refused(span[0])
    return days


def _two(typed: str, today: date) -> tuple[date, date]:
    for_days = _FOR.search(typed)
    if for_days is not None:
        typed = typed[: for_days.start()]
    found = list(_DATE.finditer(typed))
    if not 1 <= len(found) <= 2 or _BETWEEN.fullmatch(_DATE.sub(" ", typed)) is None:  # noqa: PLR2004 - from, to
        raise _refused(typed)
    first = _date(found[0], today)
    if for_days is not None:
        if len(found) > 1:
            raise _refused(typed)
        return first, first + timedelta(days=_days(for_days) - 1)
    if len(found) > 1:
        return first, _date(found[1], first)
    return (today, first) if _UNTIL.match(typed.strip()) else (first, first)


def _date(found: re.Match[str], earliest: date) -> date:
    """A date as it was written; without a year the first one that is not before `earliest`."""
    if found["word"] is not None:
        return earliest + timedelta(days=found["word"].casefold() in ("tomorrow", "morgen"))
    if found["weekday"] is not None:
        least = 1 if found["next"] else 0
        ahead = (_weekday(found["weekday"].casefold()) - earliest.weekday() - least) % _WEEK
        return earliest + timedelta(days=ahead + least)
    day, month, year = _numbers(found)
    for number in (year,) if year else (earliest.year, earliest.year + 1):
        with suppress(ValueError):
            if (read := date(number, month, day)) >= earliest or year:
                return read
    raise _refused(found[0])


def _numbers(found: re.Match[str]) -> tuple[int, int, int | None]:
    """Day, month, and year if it was written."""
    groups = {name: value for name, value in found.groupdict().items() if value is not None}
    year = next((int(value) for name, value in groups.items() if name[0] == "y"), None)
    if "a3" in groups:
        return (*_slashed(int(groups["a3"]), int(groups["b3"]), found[0]), year)
    day = next(int(value) for name, value in groups.items() if name[0] == "d")
    month = next(value for name, value in groups.items() if name[0] == "m")
    return day, int(month) if month.isdigit() else _MONTHS[month[:3].casefold()], year


def _slashed(one: int, other: int, typed: str) -> tuple[int, int]:
    """Some write the day first, some the month: read only where it can be but one of them."""
    if one != other and max(one, other) <= _LAST_MONTH:
        raise Rejection("unclear_date", typed=typed)
    return (one, other) if other <= _LAST_MONTH else (other, one)


# --- hours typed ---------------------------------------------------------------------------------
# Rest days and quiet hours as people write them: `sat sun`, `22-7`, `10 pm to 7 am`, `off`.

DAYS_SHAPE: Final = re.compile(
    rf"off|no|none|aus|(?:(?:on )?(?:{_LONG})s?(?:$|(?:[,\s&+]|(?:and|und)\s)++))++", re.IGNORECASE
)
"""What looks like rest days, right or wrong; anything else behind `rest` is a sentence."""

_TIME: Final = r"\d[\d:.]*\s?(?:am|pm|uhr|h|o'clock)?"
HOURS_SHAPE: Final = re.compile(
    rf"off|no|none|aus|(?:from |von )?{_TIME}\s?(?:-|to|till?|until|bis)\s?{_TIME}",
    re.IGNORECASE,
)
"""The same for quiet hours."""

_OFF: Final = ("off", "no", "none", "aus")
_DAY: Final = re.compile(rf"\b({_LONG})", re.IGNORECASE)
_BETWEEN_HOURS: Final = re.compile(
    r"(?:(?<!\s)\s+)?(?:-|\bto\b|\btill?\b|\buntil\b|\bbis\b)\s*", re.IGNORECASE
)
_A_DAY: Final = 24


def read_rest_days(typed: str) -> tuple[int, ...]:
    """Weekdays from Monday, 0, in order; none for `off`. Raises Rejection `bad_rest_days`."""
    if typed.casefold() in _OFF:
        return ()
    days = {_weekday(found[1].casefold()) for found in _DAY.finditer(typed)}
    if not 1 <= len(days) <= MOST_REST_DAYS:
        raise Rejection("bad_rest_days", most=MOST_REST_DAYS)
    return tuple(sorted(days))


def read_quiet_hours(typed: str) -> tuple[int, ...]:
    """The hours from which and to which it is quiet; none for `off`.

    Raises Rejection `bad_quiet_hours`.
    """
    if typed.casefold() in _OFF:
        return ()
    ends = _BETWEEN_HOURS.split(re.sub(r"^(?:from|von)\s+", "", typed.strip(), flags=re.IGNORECASE))
    clocks = [read_clock(end) for end in ends]
    hours = [int(clock[:2]) for clock in clocks if clock is not None and clock.endswith(":00")]
    if len(ends) != 2 or len(hours) != 2:  # noqa: PLR2004 - from, to
        raise Rejection("bad_quiet_hours", most=MOST_QUIET_HOURS)
    first, last = hours
    if not 1 <= (last - first) % _A_DAY <= MOST_QUIET_HOURS:
        raise Rejection("bad_quiet_hours", most=MOST_QUIET_HOURS)
    return first, last
