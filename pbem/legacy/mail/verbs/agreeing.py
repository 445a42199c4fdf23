"""The verbs about what those at a table agree on: seats, draws, time, and the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbem.games import ours
from pbem.legacy.mail.verbs.verb import Order, Verb, bare

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resign(Order):
    """Give up; `sure` where `yes` was typed with it."""

    sure: bool


@dataclass(frozen=True, slots=True)
class Yes(Order):
    """The answer to a question."""


@dataclass(frozen=True, slots=True)
class Rematch(Order):
    """The same game with the same players."""


@dataclass(frozen=True, slots=True)
class OfferDraw(Order):
    """A draw by agreement."""


@dataclass(frozen=True, slots=True)
class AnswerDraw(Order):
    """Accept or decline a draw."""

    accept: bool


@dataclass(frozen=True, slots=True)
class Accept(Order):
    """Take part; `words` enter the draws of the start, `colour` is the one that is wanted."""

    words: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Decline(Order):
    """Not this match."""


@dataclass(frozen=True, slots=True)
class Claim(Order):
    """Wait no longer for who is late."""


@dataclass(frozen=True, slots=True)
class GiveTime(Order):
    """More time for another player; `player` as typed, empty where there is but one."""

    player: str
    hours: int


@dataclass(frozen=True, slots=True)
class Pause(Order):
    """Let all clocks stand, for so many days, or as many as is usual."""

    days: int | None = None


@dataclass(frozen=True, slots=True)
class Resume(Order):
    """Let the clocks run again."""


# --- how the rest of a line is read ---------------------------------------------------------------


def resign(rest: str) -> Order | None:
    """`resign`, and `yes` with it."""
    words = rest.casefold()
    return Resign(sure=words == "yes") if words in ("", "yes") else None


A_DRAW: Final = ("draw", "a draw", "the draw")


_WORDS: Final = re.compile(
    r"(?:with words?\s+)?[\"'](?P<words>[^\"']{1,200})[\"']|with words?\s+(?P<bare>.{1,200})",
    re.IGNORECASE,
)


COLOURS: Final = tuple(
    dict.fromkeys(
        name.casefold()
        for game in ours()
        if game.colours is not None
        for name in game.colours.names
    )
)
"""The colours of our games, by their English names; others are named behind `colour`."""


_COLOUR: Final = re.compile(
    r"(?:(?:as|colou?r)(?:\s*=\s*|\s+)(?P<any>\w{1,20})"
    rf"|(?:(?:in|with|the)\s+)?(?P<known>{'|'.join(COLOURS)}))(?:[\s,;]+(?P<rest>\S.*))?",
    re.IGNORECASE,
)


_LEADING: Final = re.compile(
    rf"(?:as|in|the|colou?r|(?=[a-z]*[0-9])[a-z0-9]{{5}}|{'|'.join(COLOURS)})[\s,;=]+(?=\S)",
    re.IGNORECASE,
)
"""What may stand in `accept` and `join` before a word of ours."""


def begun_in(english: Callable[[str], str], text: str) -> str:
    """What follows `accept` or `join`, with the words said in English that begin it.

    `english` says so the first words of a text. What comes behind them is the writer's own.
    """
    text, said = english(text), ""
    while (led := _LEADING.match(text)) is not None:
        said, text = said + led[0], english(text[led.end() :])
    return said + text


def accept(rest: str) -> Order | None:
    """`accept`, `accept blue`, `accept "my words"`, `accept as blue with words of mine`.

    Anything else is a sentence ("accept my apologies").
    """
    if not rest:
        return Accept("")
    if rest.casefold() in A_DRAW:
        return AnswerDraw(accept=True)
    colour = ""
    if (wanted := _COLOUR.fullmatch(rest)) is not None:
        colour, rest = (wanted["any"] or wanted["known"]).casefold(), wanted["rest"] or ""
    if not rest:
        return Accept("", colour)
    found = _WORDS.fullmatch(rest)
    return Accept(found["words"] or found["bare"], colour) if found else None


def decline(rest: str) -> Order | None:
    """Nothing, or what says that a draw is meant."""
    if rest.casefold() in A_DRAW:
        return AnswerDraw(accept=False)
    return None if rest else Decline()


_DAYS: Final = r"d|days?|tage?n?"


_SPAN: Final = (
    r"(?P<number>\d{1,3}|a|an|one|another|einen?|eine)\s?"
    rf"(?P<unit>{_DAYS}|h|hours?|hrs?|std|stunden?|w|weeks?|wochen?)"
)


_GIFT: Final = re.compile(
    rf"(?:(?P<name>\S+(?: \S+){{0,2}}?) )?{_SPAN}(?: (?:more|mehr))?(?: (?:to|an) (?P<to>\S.*))?",
    re.IGNORECASE,
)
"""`Bob 3d`, `3 days to Bob`, `Bob drei Tage`: whom, and how long."""


_PAUSE: Final = re.compile(rf"(?:(?:for|of|f\u00fcr|von) )?{_SPAN}", re.IGNORECASE)


_HOURS: Final = {"h": 1, "s": 1, "d": 24, "t": 24, "w": 7 * 24}
"""Hours of a unit, by its first letter."""


def _hours(found: re.Match[str]) -> int:
    number = int(found["number"]) if found["number"].isdigit() else 1
    return number * _HOURS[found["unit"][0].casefold()]


def give(rest: str) -> Order | None:
    """Whom and how long; anything else is a sentence (`give me a moment`)."""
    found = _GIFT.fullmatch(rest)
    if found is None or (found["name"] and found["to"]):
        return None
    return GiveTime(found["name"] or found["to"] or "", _hours(found))


def pause(rest: str) -> Order | None:
    """Nothing, or how many days."""
    if not rest:
        return Pause()
    found = _PAUSE.fullmatch(rest)
    return Pause(_hours(found) // _HOURS["d"]) if found is not None else None


# --- verbs ----------------------------------------------------------------------------------------


# These two stand apart, since the help mail has them before what shows a match.
ENDING: Final = (
    Verb(name="resign", also=("concede", "i resign", "i give up"), order=resign,
         examples=("resign",), needs_match=True, over_game=True),
    Verb(name="yes", also=("ok",), order=bare(Yes()), examples=("yes",)),
)  # fmt: skip


VERBS: Final = (
    Verb(name="rematch", order=bare(Rematch()), examples=("rematch",), needs_match=True),
    Verb(name="offer draw", also=("draw", "offer a draw", "i offer a draw"),
         order=bare(OfferDraw()), examples=("offer draw",), needs_match=True),
    Verb(name="accept", behind="words", also=("i accept",), order=accept,
         examples=("accept", 'accept "any words of mine"'), needs_match=True),
    Verb(name="decline", also=("leave", "no", "no thanks"), order=decline,
         examples=("decline",), needs_match=True),
    Verb(name="claim", order=bare(Claim()), examples=("claim",), needs_match=True),
    Verb(name="give", order=give, examples=("give Bob 3 days", "give Bob 12 hours"),
         needs_match=True),
    Verb(name="pause", order=pause, examples=("pause", "pause 10 days"), needs_match=True),
    Verb(name="resume", also=("unpause",), order=bare(Resume()), examples=("resume",),
         needs_match=True),
)  # fmt: skip
