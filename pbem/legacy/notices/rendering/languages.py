"""The languages of the templates: their catalogues (gettext), and times in their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import quote

import structlog

from pbem.legacy import hours
from pbem.legacy.bots import levels
from pbem.legacy.bots.analysis import can_analyse
from pbem.errors import ConfigError
from pbem.games import newest
from pbem.games.packages import packages
from pbem.legacy.matches import challenges
from pbem.legacy.players import names, player
from pbem.legacy.standing import book

log = structlog.get_logger("pbem.words")

# --- catalogue -----------------------------------------------------------------------------------
# The languages of the templates: which there are, and the catalogue of each (gettext).

ENGLISH: Final = "en"
"""The language that the templates are written in; it needs no catalogue."""

IN_THIS: Final = "To read these mails in English, reply with %(order)s."
"""A catalogue says it of its own language, for those who do not know yet that it is spoken."""

_ENOUGH: Final = 2
"""Names of a verb that help lists, besides the English one; the others are spellings."""

_REMEMBERED: Final = 1024
"""Orders whose words are kept at hand: a mail has the same dozen as the one before."""

_LONGEST: Final = 2
"""Words of the longest verb."""

_GAME_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]++(?![0-9])")
"""A word of a move: no column of a square, no part of a name."""

_HEADING: Final = re.compile(r"(?<![^\W_])([A-Z][a-z]{2,})(?![^\W_]) *+")
"""A word in a picture of a board, with the room behind it."""

MATCH_NAME: Final = re.compile(r"(?=[A-Z]*[0-9])[A-Z0-9]{5}")
"""The name of a match, which may stand before a verb."""

_PLANNED: Final = re.compile(
    r"(?<![\w'])(?:if|then|(?<=if )any(?= if| then)|(?<=if )drawn|(?<=then )resign yes)(?![\w'])"
)
"""The words of a conditional order beside its moves."""

_PHRASES: Final = {"resign yes": "i resign yes"}
"""Those that stand in the catalogues as another phrase."""

_CATALOGUE: Final = Path("LC_MESSAGES", "pbem.mo")
_SOURCE: Final = _CATALOGUE.with_suffix(".po")


def catalogue(folders: Sequence[Path], lang: str) -> NullTranslations:
    """The translations of a language, those of the first folder first; English where none is."""
    return _catalogue(tuple(folders), lang)


@cache
def _catalogue(folders: tuple[Path, ...], lang: str) -> NullTranslations:
    first: NullTranslations | None = None
    for folder in folders:
        path = folder / "locale" / lang / _CATALOGUE
        if lang == ENGLISH or not lang.isalnum() or not path.is_file():
            continue
        with path.open("rb") as file:
            found = GNUTranslations(file)
        if first is None:
            first = found
        else:
            first.add_fallback(found)
    for theirs in () if lang == ENGLISH or not lang.isalnum() else _of_games(lang):
        if first is None:
            first = theirs
        else:
            first.add_fallback(theirs)
    return first or NullTranslations()


def _of_games(lang: str) -> Iterator[GNUTranslations]:
    """The words of games of others in a language: from their sources, which nobody compiles."""
    for folder in dict.fromkeys(one.folder for one in packages().values() if one.folder):
        source = Path(folder) / "locale" / lang / _SOURCE
        if source.is_file():
            import polib

            try:
                read = polib.pofile(str(source)).to_binary()
                yield GNUTranslations(BytesIO(read))
            except (OSError, ValueError) as fault:
                log.warning("words_of_a_game", file=str(source), why=str(fault))


def languages(folders: Sequence[Path]) -> tuple[str, ...]:
    """The codes of all languages that have a catalogue, English first.

    Raises ConfigError where one is not compiled, since a language must not be lost unseen.
    """
    for folder in folders:
        for source in folder.glob(f"locale/*/{_SOURCE.as_posix()}"):
            if not source.with_suffix(".mo").is_file():
                raise ConfigError(
                    f"{source} is not compiled: `python hatch_build.py` does it in a checkout of"
                    " pbem, `msgfmt pbem.po -o pbem.mo` everywhere"
                )
    found = {
        path.parent.parent.name
        for folder in folders
        for path in folder.glob(f"locale/*/{_CATALOGUE.as_posix()}")
    }
    return (ENGLISH, *sorted(found - {ENGLISH}))


@lru_cache(maxsize=_REMEMBERED)
def order_in(words: NullTranslations, text: str) -> str:
    """What could be typed, in a language: as a whole where it is translated, else its verb.

    A single word behind the verb (`thread on`) is translated, too.
    """
    said = words.pgettext("order", text)
    if said != text:
        return said
    if text.startswith("if "):
        return plan_in(words, text, "")
    parts = text.split(" ")
    if len(parts) > 1 and MATCH_NAME.fullmatch(parts[0]):
        return f"{parts[0]} {order_in(words, text.partition(' ')[2])}"
    for end in range(min(len(parts), _LONGEST), 0, -1):
        verb = " ".join(parts[:end])
        if (known := words.pgettext("verb", verb)) != verb:
            rest = parts[end:]
            if len(rest) == 1:
                rest = [words.pgettext("phrase", rest[0]).partition("|")[0]]
            return " ".join([known.partition("|")[0], *rest])
    return text


@lru_cache(maxsize=_REMEMBERED)
def move_in(words: NullTranslations, text: str, game: str) -> str:
    """A move as it could be typed in a language: the words of the game, by its key.

    Squares, sizes and other signs stay. The notation that is kept is always the game's own.
    """
    known_game = newest(game)
    if known_game is None:
        return text
    if known_game.lettered is not None:
        text = known_game.lettered.sub(
            lambda found: found[1] + "".join(words.pgettext(game, letter) for letter in found[2]),
            text,
        )
    return _GAME_WORD.sub(lambda found: _word_in(words, found[0], game), text)


def _word_in(words: NullTranslations, word: str, game: str) -> str:
    if word.isupper():
        return word
    for known in (word, word.lower(), word.capitalize()):
        first = words.pgettext(game, known).partition("|")[0]
        if first != known:
            return first.capitalize() if word[0].isupper() else first
    return word


def tap_in(words: NullTranslations, text: str, href: str, game: str) -> tuple[str, str]:
    """A ready-made answer in a language: what the mail says of it, and the mailto address."""
    said = order_in(words, text)
    if said == text:
        said = move_in(words, text, game)
    if said == text:
        return text, href
    body = quote(text, safe="")
    return said, href.removesuffix(body) + quote(said, safe="") if href.endswith(body) else href


def picture_in(words: NullTranslations, line: str) -> str:
    """A line of a board with the words in it said in a language, each as wide as it was."""
    return _HEADING.sub(lambda word: words.pgettext("word", word[1]).ljust(len(word[0])), line)


def plan_in(words: NullTranslations, line: str, game: str) -> str:
    """A conditional order as it could be typed in a language, with the moves of a game."""

    def said(phrase: str) -> str:
        return words.pgettext("phrase", phrase).partition("|")[0]

    line = move_in(words, line, game)
    return _PLANNED.sub(lambda found: said(_PHRASES.get(found[0], found[0])), line)


@lru_cache(maxsize=_REMEMBERED)
def names_of(words: NullTranslations, verb: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """Names of a verb for a reader, the usual one first; the English one always works."""
    known = words.pgettext("verb", verb)
    if known == verb:
        return (verb, *also)
    return tuple(dict.fromkeys([*known.split("|")[:_ENOUGH], verb]))


# --- moments -------------------------------------------------------------------------------------
# Times as a reader's calendar and clock have them; the words for them stand in dates.txt.j2.

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
        clock=f"{here:%H:%M}",
        utc_clock=None if same else f"{utc:%H:%M}",
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


# --- own facts -----------------------------------------------------------------------------------
# What mails say of the program, read where the program keeps it when they say it.


def own_facts() -> SimpleNamespace:
    """Bounds and times, by the words that templates use: numbers of days, hours, digits."""
    return SimpleNamespace(
        quiet_hours=hours.MOST_QUIET_HOURS,
        rest_days=hours.MOST_REST_DAYS,
        name_digits=names.DIGITS,
        name_letters=names.LONGEST,
        link_days=challenges.LINK_LASTS.days,
        leave_earned_days=player.EARNED_IN.days,
        standstill_days=player.MOST.days,
        old_address_days=player.OLD_ASKS.days,
        rating_sure=round(book.SURE),
        rated_often=book.OFTEN,
        losses=book.LOSSES,
    )


def bot_levels(key: str) -> tuple[Any, ...]:
    """The levels of a game's bots, by its key, the weakest first; none where it has no bots."""
    game = newest(key)
    return levels.levels(game) if game is not None else ()


def is_judged(key: str) -> bool:
    """Whether what decided a match of a game can be told, by its key."""
    game = newest(key)
    return game is not None and can_analyse(game)
