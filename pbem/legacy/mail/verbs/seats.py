"""The verbs by which a match is begun, joined and watched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbem.legacy.mail.verbs.agreeing import Accept, accept
from pbem.legacy.mail.verbs.own import RenewAddress
from pbem.legacy.mail.verbs.verb import Order, Verb, bare
from pbem.names import MatchId

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewGame(Order):
    """A challenge: the game as typed, names or addresses of the others, options as typed.

    `seats` is how many play in all where seats are open (0: as few as the game allows), else None.
    `links` is how many seats are for whoever has a link. A `lesson` teaches the game.
    With `anybody` it is the next who looks for such a match.
    """

    game: str
    opponents: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seats: int | None = None
    private: bool = False
    unrated: bool = False
    links: int = 0
    lesson: bool = False
    anybody: bool = False


@dataclass(frozen=True, slots=True)
class ListOpen(Order):
    """The seats that anybody may take."""


@dataclass(frozen=True, slots=True)
class ShowLink(Order):
    """The link of an invitation that is to be passed on."""


@dataclass(frozen=True, slots=True)
class CloseLink(Order):
    """Nobody shall take the seat by the link any more."""


@dataclass(frozen=True, slots=True)
class Join(Order):
    """Take an open seat, or that of a link by its token; the rest is as in `Accept`."""

    match: MatchId
    words: str = ""
    colour: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Watch(Order):
    """Be told of every move of a match of others; of which, the line may say otherwise."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Unwatch(Order):
    """Be told no more."""

    match: MatchId | None = None


# --- how the rest of a line is read ---------------------------------------------------------------


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


SEATED: Final = (Accept, Join)
"""Orders that take a seat."""


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="new", also=("challenge",), order=new,
         examples=("new logger with bob@example.org", "new logger with Bob, Cleo tree_limit=20",
                   "new logger with bot", "new address")),
    Verb(name="learn", also=("teach me",), order=learn, examples=("learn logger",)),
    Verb(name="open", order=bare(ListOpen()), examples=("open", "new logger open")),
    Verb(name="link", order=link, examples=("link", "link off", "new logger link"),
         needs_match=True),
    Verb(name="join", order=join, examples=("join K7QX2",)),
    Verb(name="watch", also=("observe",), order=match_named(Watch), examples=("watch K7QX2",)),
    Verb(name="unwatch", order=match_named(Unwatch), examples=("unwatch", "unwatch K7QX2")),
)  # fmt: skip
