"""Rest days and quiet hours as people write them: `sat sun`, `22-7`, `10 pm to 7 am`, `off`."""

from __future__ import annotations

import re
from typing import Final

from pbem.errors import Rejection
from pbem.hours import MOST_QUIET_HOURS, MOST_REST_DAYS
from pbem.players.wishes import read_clock

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
_GERMAN: Final = {"dienstag": 1, "mittwoch": 2, "donnerstag": 3}
_BETWEEN: Final = re.compile(
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


def _weekday(word: str) -> int:
    if word in _GERMAN:
        return _GERMAN[word]
    return next(_DAYS[word[:length]] for length in (3, 2) if word[:length] in _DAYS)


def read_quiet_hours(typed: str) -> tuple[int, ...]:
    """The hours from which and to which it is quiet; none for `off`.

    Raises Rejection `bad_quiet_hours`.
    """
    if typed.casefold() in _OFF:
        return ()
    ends = _BETWEEN.split(re.sub(r"^(?:from|von)\s+", "", typed.strip(), flags=re.IGNORECASE))
    clocks = [read_clock(end) for end in ends]
    hours = [int(clock[:2]) for clock in clocks if clock is not None and clock.endswith(":00")]
    if len(ends) != 2 or len(hours) != 2:  # noqa: PLR2004 - from, to
        raise Rejection("bad_quiet_hours", most=MOST_QUIET_HOURS)
    first, last = hours
    if not 1 <= (last - first) % _A_DAY <= MOST_QUIET_HOURS:
        raise Rejection("bad_quiet_hours", most=MOST_QUIET_HOURS)
    return first, last
