"""How the rest of a line behind a verb of seats becomes an order: `new`, `join` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pbem.games import ours
from pbem.mail.verbs.orders import (
    Accept,
    AnswerDraw,
    CloseLink,
    Decline,
    Join,
    NewGame,
    Order,
    RenewAddress,
    ShowLink,
)
from pbem.names import MatchId

# --- new matches ---------------------------------------------------------------------------------

_NEW: Final = re.compile(
    r"(?P<game>[\w-]+(?: +[\w-]+)*?)\s+"
    r"(?:(?:with|against|vs\.?)\s+(?P<rest>\S.*)"
    r"|(?P<open>(?:open|any|(?:(?:by|per|via)\s+)?link)\b.*))",
    re.IGNORECASE,
)
_AT_THE_END: Final = re.compile(
    r"(?:^|(?<![\s,;])[\s,;]+)(?:and\s+)?"
    r"(?:(?P<open>open)(?:\s+(?:for\s+)?(?P<seats>[1-9]))?"
    r"|(?:(?:by|per|via)\s+)?link(?:\s+(?P<links>[1-9]))?|(?P<private>private)|(?P<unrated>unrated))$",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"\b(reliable|rating)\s+([0-9]{1,4}(?:-[0-9]{1,4})?)\s?%?", re.IGNORECASE
)
"""Whom an open seat is for: "reliable 90 %", "rating 1400-1700"."""
_OPTION: Final = re.compile(r"(?<![a-z_])([a-z_]+)\s?=\s?([\w/-]+)", re.IGNORECASE)
_GAME_WORDS: Final = re.compile(
    r"^(?:an?\s+)?(?:(?:game|match)\s+)?(?:of\s+)?(?!game$|match$)|(?<=\w\w)\s+(?:game|match)$",
    re.IGNORECASE,
)
"""What people write around the name of a game: "new game of logger with Bob"."""
_A_BOT: Final = re.compile(
    r"\b(?:an?|the|ein|einem|einen|dem|den)\s+(?=(?:bot|link)\b)", re.IGNORECASE
)
_TO_PLAY: Final = re.compile(r"^(?:how\s+)?to\s+play\s+", re.IGNORECASE)
_LONGEST_GAME: Final = 3
_TEACHER: Final = "bot easy"
_IN_A_LESSON: Final = (("starter", "given"), ("time", "none"))
"""Whoever learns begins, and has all the time."""

_AROUND_NAMES: Final = " .!<>\"'"
_BETWEEN_NAMES: Final = re.compile(r"(?:(?<!\s)\s+)?(?:[,;&]|\band\b)\s*", re.IGNORECASE)


def new(rest: str) -> Order | None:
    """`GAME with A, B open 4 private option=value`, where `with A, B` or `open` may be missing.

    Beside `private` it may say `unrated`. In place of `open` it may be `link`. Or `address`, which
    asks for a fresh one.
    """
    words = rest.casefold().split()
    if words in (["address"], ["address", "yes"]):
        return RenewAddress()
    found = _NEW.fullmatch(rest)
    if found is None:
        return None
    rest = found["rest"] or found["open"]
    rest = _ASKED.sub(r"\1=\2 ", rest)
    options = tuple((name.casefold(), value.casefold()) for name, value in _OPTION.findall(rest))
    names = _A_BOT.sub("", _OPTION.sub("", rest)).strip(" ,;()[]")
    seats, private, unrated, links = None, False, False, 0
    anybody = found["open"] is not None and names.casefold().startswith("any")
    if anybody:  # where others are named it could be somebody's name
        names, seats = names[len("any") :].strip(), 0
    while (last := _AT_THE_END.search(names)) is not None:
        names = names[: last.start()]
        if last["open"]:
            seats = int(last["seats"] or 0)
        elif last["private"]:
            private = True
        elif last["unrated"]:
            unrated = True
        else:
            links += int(last["links"] or 1)
    opponents = tuple(
        name for typed in _BETWEEN_NAMES.split(names) if (name := typed.strip(_AROUND_NAMES))
    )
    if not opponents and seats is None and not links:
        return None
    game = _GAME_WORDS.sub("", found["game"].strip())
    return NewGame(game, opponents, options, seats, private, unrated, links, anybody=anybody)


def learn(rest: str) -> Order | None:
    """`GAME`, `to play GAME`, or nothing: a match that teaches it, against the easiest bot."""
    game = _TO_PLAY.sub("", rest)
    if len(game.split()) > _LONGEST_GAME:
        return None
    return NewGame(game, (_TEACHER,), _IN_A_LESSON, lesson=True)


# --- seats ---------------------------------------------------------------------------------------

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


SEATED: Final = (Accept, Join)
"""Orders that take a seat."""


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


_MATCH: Final = re.compile(
    r"(?P<match>(?=[a-z]*[0-9])[a-z0-9]{5})(?:\s+(?P<rest>\S.*))?", re.IGNORECASE
)


_LINK: Final = re.compile(
    r"<?(?:https?://[^\s/]{1,200}/join/)?"
    r"(?P<token>(?P<match>(?=[a-z]*[0-9])[a-z0-9]{5})(?:\.[a-z0-9]{1,30}){3})[>.,]?"
    r"(?:\s+(?P<rest>\S.*))?",
    re.IGNORECASE,
)
"""The token of a link's page, or all of its address."""


def match_named(build: Callable[[MatchId | None], Order]) -> Callable[[str], Order | None]:
    """`K7QX2`, or nothing where the line or the mail says which match is meant."""

    def order(rest: str) -> Order | None:
        if not rest:
            return build(None)
        found = _MATCH.fullmatch(rest)
        return build(MatchId(rest.upper())) if found and found["rest"] is None else None

    return order


def join(rest: str) -> Order | None:
    """`K7QX2`, `K7QX2 blue`, `K7QX2 with words of mine`; without a match, as `accept`.

    In place of the match it may be a link to one of its seats.
    """
    link = _LINK.fullmatch(rest)
    found = link or _MATCH.fullmatch(rest)
    if found is None:
        return accept(rest)
    taken = accept(found["rest"] or "")
    if not isinstance(taken, Accept):
        return None
    token = link["token"].casefold() if link is not None else ""
    return Join(MatchId(found["match"].upper()), taken.words, taken.colour, token)


def link(rest: str) -> Order | None:
    """Nothing, or `off`."""
    words = rest.casefold()
    if words not in ("", "off"):
        return None
    return CloseLink() if words else ShowLink()


def decline(rest: str) -> Order | None:
    """Nothing, or what says that a draw is meant."""
    if rest.casefold() in A_DRAW:
        return AnswerDraw(accept=False)
    return None if rest else Decline()
