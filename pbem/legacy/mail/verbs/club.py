"""The verbs about the club: its matches, players, bots, tournaments, and how it is all done."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbem.legacy.mail.verbs.own import ChooseWish
from pbem.legacy.mail.verbs.verb import FEW, Order, Verb, bare, name

# --- orders --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListGames(Order):
    """My matches; with the boards that wait for me."""

    boards: bool


@dataclass(frozen=True, slots=True)
class ShowCalendar(Order):
    """My deadlines, as a file for a calendar."""


@dataclass(frozen=True, slots=True)
class ShowBots(Order):
    """The programs that one can play against, and how good each is."""


@dataclass(frozen=True, slots=True)
class ShowRatings(Order):
    """Who is how good at a game, as typed, or with none where I stand in each."""

    game: str


@dataclass(frozen=True, slots=True)
class ShowStatistics(Order):
    """What has come of the matches of a game, as typed, or with none of each."""

    game: str


@dataclass(frozen=True, slots=True)
class ShowProfile(Order):
    """What everybody may know of a player, or with no name all about me."""

    player: str


@dataclass(frozen=True, slots=True)
class ShowTournaments(Order):
    """Which tournaments are there, and which am I in?"""


@dataclass(frozen=True, slots=True)
class Enter(Order):
    """I play in a tournament, by its name; with no name: which are there?"""

    tournament: str


@dataclass(frozen=True, slots=True)
class Withdraw(Order):
    """I play in it no more; with no name I am asked which."""

    tournament: str


@dataclass(frozen=True, slots=True)
class ShowStandings(Order):
    """How a tournament stands; with no name those that I am in."""

    tournament: str


@dataclass(frozen=True, slots=True)
class ShowPage(Order):
    """The address of the page of my boards."""


@dataclass(frozen=True, slots=True)
class ShowRules(Order):
    """A game in brief."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Help(Order):
    """The orders, or one of them."""

    topic: str | None


# --- how the rest of a line is read ---------------------------------------------------------------


def games(rest: str) -> Order | None:
    """`games`, `games next`."""
    words = rest.casefold()
    return ListGames(boards=words == "next") if words in ("", "next") else None


def profile(rest: str) -> Order | None:
    """Somebody's name, or nothing; `on` and `off` say whether others may see one's own."""
    words = rest.casefold()
    if words in ("on", "off", "yes", "no"):
        return ChooseWish("profile", words)
    return ShowProfile(rest) if len(rest.split()) <= FEW else None


NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{1,29}", re.IGNORECASE)
"""What a tournament is called."""


def tournament(build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """A name, in any case, or none: with more on its line it is a sentence and no order."""

    def read(rest: str) -> Order | None:
        called = rest.strip().rstrip(".!").casefold()
        return build(called) if not called or NAME.fullmatch(called) else None

    return read


_TOPIC: Final = re.compile(
    r"[\w/-]+(?: [\w/-]+){0,2}|\[?[a-z]{2}-[0-9]{1,2}\.[0-9]{1,2}[a-z]?\]?", re.IGNORECASE
)


def topic(build: Callable[[str | None], Order]) -> Callable[[str], Order | None]:
    """At most three words, or the number of a rule, as it stands in refusals (`[LG-2.9]`).

    More is a sentence ("rules are rules, my friend").
    """

    def order(rest: str) -> Order | None:
        if not rest:
            return build(None)
        return build(rest.casefold()) if _TOPIC.fullmatch(rest) else None

    return order


# --- verbs ----------------------------------------------------------------------------------------


VERBS: Final = (
    Verb(name="games", also=("status",), order=games, examples=("games", "games next")),
    Verb(name="calendar", also=("deadlines",), order=bare(ShowCalendar()), examples=("calendar",)),
    Verb(name="bots", also=("robots",), order=bare(ShowBots()), examples=("bots",)),
    Verb(name="ratings", also=("ranking",), order=name(ShowRatings),
         examples=("ratings", "ratings logger")),
    Verb(name="stats", also=("statistics",), order=name(ShowStatistics),
         examples=("stats", "stats logger")),
    Verb(name="profile", behind="name", order=profile,
         examples=("profile", "profile Bob", "profile off")),
    Verb(name="tournaments", order=bare(ShowTournaments()), examples=("tournaments",)),
    Verb(name="enter", behind="name", order=tournament(Enter), examples=("enter spring-league",)),
    Verb(name="withdraw", behind="name", order=tournament(Withdraw),
         examples=("withdraw spring-league",)),
    Verb(name="standings", behind="name", order=tournament(ShowStandings),
         examples=("standings", "standings spring-league")),
    Verb(name="page", also=("my page",), order=bare(ShowPage()), examples=("page",)),
    Verb(name="rules", order=topic(ShowRules), examples=("rules", "rules logger")),
    Verb(name="help", order=topic(Help), examples=("help", "help say"), over_game=True),
)  # fmt: skip
