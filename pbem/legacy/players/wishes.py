"""What players may wish of their mails: the closed table behind orders, `settings`, help and docs.

A value is kept as text in one canonical form. A wish that was never chosen has its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from typing import Final
from zoneinfo import available_timezones

from pbem.errors import Rejection

NARROWEST, WIDEST = 40, 72
"""Columns of a line. Below, a game's examples would not stay in one piece; above (MAIL 7), mail
programs break the lines that they quote, and do not bring them back whole."""

LONGEST_REMINDER: Final = 240
"""Hours before a deadline; no clock has more in its bank at the start."""

LONGEST_WINDOW: Final = 24 * 60
"""Minutes in which a move may be taken back at most: nobody waits longer for a move."""

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}", re.IGNORECASE)
_NEAR: Final = 3
_A_PLACE: Final = 5
"""Letters below which everything is near something."""
_NOON: Final = 12
_HOURS: Final = 24
_MINUTES: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """One row: what is wished for, its default, and how a typed value is read.

    `read` gives the canonical value and raises Rejection `bad_wish`. `shape` is what a typed value
    looks like, right or wrong: a line of any other shape is a sentence and no order. `written` is
    how a value is typed, `choices` are whole lines that are possible, `examples` some of them.
    """

    name: str
    default: str
    shape: re.Pattern[str]
    read: Callable[[str], str]
    choices: tuple[str, ...]
    written: Callable[[str], str]

    @property
    def examples(self) -> tuple[str, ...]:
        """Lines that show how it is typed."""
        usual = self.written(self.default)
        return tuple(line for line in self.choices if line != usual) or self.choices


def _refused(name: str, typed: str, may: Iterable[str], near: Iterable[str] = ()) -> Rejection:
    return Rejection("bad_wish", wish=name, value=typed, may=[*may], near=[*near])


# --- one of a few words ---------------------------------------------------------------------------


def _choice(
    name: str,
    *values: str,
    also: Mapping[str, str] | None = None,
    shape: str = "",
    bare: bool = False,
) -> Wish:
    """A wish that has one of these values, the first of them by default."""
    words = {value: value for value in values} | dict(also or {})

    def read(typed: str) -> str:
        if typed.casefold() not in words:
            raise _refused(name, typed, map(written, values))
        return words[typed.casefold()]

    def written(value: str) -> str:
        return value if bare else f"{name} {value}"

    return Wish(
        name=name,
        default=values[0],
        shape=_shape(shape or "|".join(map(re.escape, words))),
        read=read,
        choices=tuple(map(written, values)),
        written=written,
    )


def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_YES_NO: Final = {"yes": "on", "no": "off", "never": "off"}


def _kind(name: str) -> Wish:
    """Mails of a kind that can be stopped; `stop` and `start` are how it is written."""
    wish = _choice(name, "on", "off")

    def written(value: str) -> str:
        return f"{'start' if value == 'on' else 'stop'} {name}"

    return Wish(
        name=name,
        default="on",
        shape=wish.shape,
        read=wish.read,
        choices=(written("on"), written("off")),
        written=written,
    )


# --- numbers and times ----------------------------------------------------------------------------


def _read_width(typed: str) -> str:
    if not NARROWEST <= int(typed) <= WIDEST:
        raise _refused("width", typed, [f"width {NARROWEST}", f"width {WIDEST}"])
    return str(int(typed))


_CLOCK: Final = re.compile(
    r"(?:at )?(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})?)?\s?(?P<half>am|pm)?(?:\s?o'clock)?",
    re.IGNORECASE,
)


def read_clock(typed: str) -> str | None:
    """A time of day as `18:00`, from `18`, `18.30`, `6 pm`; None if it is none."""
    found = _CLOCK.fullmatch(typed.strip())
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= _NOON:
            return None
        hour = hour % _NOON + (_NOON if found["half"].casefold() == "pm" else 0)
    return f"{hour:02}:{minute:02}" if hour < _HOURS and minute < _MINUTES else None


def _read_digest(typed: str) -> str:
    if typed.casefold() in ("off", "no", "never"):
        return "off"
    time = read_clock(typed)
    if time is None:
        raise _refused("digest", typed, ["digest 18:00", "digest off"])
    return time


_SPAN: Final = re.compile(r"(?P<number>\d{1,3})\s?(?P<unit>h|hours?|d|days?)?", re.IGNORECASE)


def _read_remind(typed: str) -> str:
    words = _YES_NO.get(typed.casefold(), typed.casefold())
    if words in ("on", "off"):
        return words
    found = _SPAN.fullmatch(words)
    if found is not None:
        hours = int(found["number"]) * (_HOURS if (found["unit"] or "h")[0] == "d" else 1)
        if 1 <= hours <= LONGEST_REMINDER:
            return f"{hours}h"
    raise _refused("remind", typed, ["remind 12h", "remind 2 days", "remind off"])


def reminder_hours(value: str) -> int | None:
    """Hours before a deadline at which a reminder is wished for, from a value of `remind`.

    None for `on`, when a quarter of the time is left, and 0 for `off`.
    """
    if value == "on":
        return None
    return 0 if value == "off" else int(value.removesuffix("h"))


_WINDOW: Final = re.compile(
    r"(?P<number>\d{1,4})\s?(?P<unit>m|mins?|minutes?|h|hours?)?", re.IGNORECASE
)


def _read_window(typed: str) -> str:
    """Minutes, unless hours are named; `house` for what the service does."""
    words = {"on": "house", "yes": "house", "off": "0", "no": "0"}.get(typed.casefold(), typed)
    if words.casefold() == "house":
        return "house"
    found = _WINDOW.fullmatch(words)
    if found is not None:
        hours = (found["unit"] or "m")[0].casefold() == "h"
        minutes = int(found["number"]) * (_MINUTES if hours else 1)
        if minutes <= LONGEST_WINDOW:
            whole = minutes and minutes % _MINUTES == 0
            return f"{minutes // _MINUTES}h" if whole else f"{minutes}m" if minutes else "0"
    raise _refused("window", typed, ["window 5m", "window 2h", "window 0", "window house"])


def window_minutes(value: str) -> int | None:
    """How long moves may be taken back, from a value of `window`; None for the house's own."""
    if value == "house":
        return None
    return int(value.rstrip("mh")) * (_MINUTES if value.endswith("h") else 1)


# --- time zones -----------------------------------------------------------------------------------


@cache
def _zones() -> Mapping[str, str]:
    """Every zone that has the name of a place, and UTC, by its folded name."""
    places = (zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return {zone.casefold(): zone for zone in sorted([*places, "UTC"])}


def _read_zone(typed: str) -> str:
    """A zone of the IANA data base in any case; a near miss is suggested and never taken."""
    wanted = typed.casefold().replace(" ", "_")
    zone = _zones().get({"gmt": "utc", "z": "utc"}.get(wanted, wanted))
    if zone is None:
        near = [f"tz {name}" for name in near_zones(wanted)]
        raise _refused("tz", typed, ["tz Europe/Paris", "tz UTC"], near)
    return zone


def near_zones(typed: str) -> list[str]:
    """The zones that somebody who typed this may have meant, the nearest first."""
    zones = _zones()
    place = typed.casefold().replace(" ", "_").rpartition("/")[2]
    same = [zone for folded, zone in zones.items() if folded.rpartition("/")[2] == place]
    if same:
        return same[:_NEAR]
    whole = get_close_matches(typed.casefold(), zones, n=_NEAR, cutoff=0.9)
    places = {folded.rpartition("/")[2]: zone for folded, zone in zones.items()}
    close = get_close_matches(place, places, n=_NEAR, cutoff=0.75) if len(place) >= _A_PLACE else []
    found = [*(zones[name] for name in whole), *(places[name] for name in close)]
    return list(dict.fromkeys(found))[:_NEAR]


MOST_MATCHES: Final = 99
"""A higher limit would be none: nobody has so many matches at once."""


def _read_limit(typed: str) -> str:
    if typed.casefold() in ("none", "off", "no"):
        return "none"
    if int(typed) > MOST_MATCHES:
        raise _refused("limit", typed, ["limit 5", "limit none"])
    return str(int(typed))


def matches_limit(value: str) -> int | None:
    """Running matches that are accepted at most, from a value of `limit`; None: as many as come."""
    return None if value == "none" else int(value)


def _read_language(typed: str) -> str:
    """The code of a language; which of them are spoken is known where the catalogues are."""
    if not _LANGUAGE.fullmatch(typed):
        raise _refused("lang", typed, ["lang en", "lang de"])
    return typed.casefold()


# --- the table ------------------------------------------------------------------------------------


def _plain(name: str, default: str, shape: str, read: Callable[[str], str], *choices: str) -> Wish:
    return Wish(
        name=name,
        default=default,
        shape=_shape(shape),
        read=read,
        choices=choices,
        written=partial("{} {}".format, name),
    )


WISHES: Final = (
    _choice("mail", "html", "text", "spoken", also={"plain": "text"}),
    _choice("glyphs", "ascii", "unicode", bare=True),
    _choice("pictures", "on", "off", also=_YES_NO),
    _choice("replays", "off", "on", also=_YES_NO),
    _plain("width", "72", r"\d{1,4}", _read_width, "width 60", "width 72"),
    _plain("lang", "en", r"[^\W\d_]{2,12}", _read_language, "lang en", "lang de"),
    _plain("tz", "UTC", r"[\w+-]+(?:[/ ][\w+-]+){0,3}", _read_zone, "tz Europe/Paris", "tz UTC"),
    _choice("thread", "on", "off", also=_YES_NO),
    _plain(
        "digest",
        "off",
        r"off|no|never|(?:at )?\d.{0,14}",
        _read_digest,
        "digest off",
        "digest 18:00",
    ),
    _plain(
        "remind",
        "on",
        r"on|off|yes|no|never|\d.{0,8}",
        _read_remind,
        "remind on",
        "remind 12h",
        "remind off",
    ),
    _choice("receipts", "usual", "on", "off", also=_YES_NO),
    _plain(
        "window",
        "house",
        r"on|off|yes|no|house|\d.{0,9}",
        _read_window,
        "window house",
        "window 10m",
        "window 0",
    ),
    _plain("limit", "none", r"none|off|no|\d{1,4}", _read_limit, "limit none", "limit 5"),
    _choice("profile", "on", "off", also=_YES_NO),
    _kind("chat"),
    _kind("news"),
    _kind("tournaments"),
    _kind("everything"),
)
"""Every wish, in the order of `settings`."""

BY_NAME: Final[Mapping[str, Wish]] = {wish.name: wish for wish in WISHES}

STOPPABLE: Final[Mapping[str, str]] = {
    "receipts": "receipts",
    "receipt": "receipts",
    "reminders": "remind",
    "reminder": "remind",
    "chat": "chat",
    "messages": "chat",
    "news": "news",
    "tournaments": "tournaments",
    "tournament": "tournaments",
    "digest": "digest",
    "everything": "everything",
    "all": "everything",
    "all mail": "everything",
    "mail": "everything",
    "mails": "everything",
    "": "everything",
}
"""What `stop` and `start` take, and the wish that it is."""


def wished(chosen: Mapping[str, str], name: str) -> str:
    """The value of a wish, chosen or not."""
    return chosen.get(name, BY_NAME[name].default)


def stops_all(chosen: Mapping[str, str]) -> bool:
    """Whether a player wants no mail but answers."""
    return wished(chosen, "everything") == "off"
