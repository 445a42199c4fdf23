"""The table of verbs, which feeds the grammar, the help mail, the footers and the tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbem.games.game import Ply
from pbem.mail.orders import (
    Accept,
    AddAddress,
    Addresses,
    AnswerDraw,
    Block,
    Comments,
    Decline,
    Help,
    Invitations,
    ListGames,
    NewGame,
    OfferDraw,
    Order,
    Rematch,
    RemoveAddress,
    Rename,
    Resign,
    Say,
    ShowBoard,
    ShowHistory,
    ShowRecord,
    ShowRules,
    Try,
    Unblock,
    Verify,
    Why,
    Yes,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Verb:
    """One row: the verb, its other names, and how the rest of the line becomes an order.

    `order` gets the rest as typed and returns None where the line is none after all ("yes, I think
    so"). `examples` are shown in help and tested to be read; the words that explain a verb stand in
    templates/orders/. `takes_paragraph`: the rest runs on to the next blank line.
    """

    name: str
    also: tuple[str, ...] = ()
    order: Callable[[str], Order | None]
    examples: tuple[str, ...]
    needs_match: bool = False
    takes_paragraph: bool = False
    over_game: bool = False


def _bare(order: Order) -> Callable[[str], Order | None]:
    """An order that takes nothing: with more on its line it is a sentence and no order."""

    def build(rest: str) -> Order | None:
        return None if rest else order

    return build


def _resign(rest: str) -> Order | None:
    words = rest.casefold()
    return Resign(sure=words == "yes") if words in ("", "yes") else None


_NEW: Final = re.compile(
    r"(?P<game>[\w -]+?)\s+(?:with|against|vs\.?)\s+(?P<rest>.+)", re.IGNORECASE
)
_OPTION: Final = re.compile(r"([a-z_]+)\s?=\s?([\w-]+)", re.IGNORECASE)
_GAME_WORDS: Final = re.compile(
    r"^(?:an?\s+)?(?:(?:game|match)\s+)?(?:of\s+)?(?!game$|match$)|(?<=\w\w)\s+(?:game|match)$",
    re.IGNORECASE,
)
"""What people write around the name of a game: "new game of logger with Bob"."""
_AROUND_NAMES: Final = " .!<>\"'"
_BETWEEN_NAMES: Final = re.compile(r"\s*(?:[,;&]|\band\b)\s*", re.IGNORECASE)


def _new(rest: str) -> Order | None:
    found = _NEW.fullmatch(rest)
    if found is None:
        return None
    options = tuple(
        (name.casefold(), value.casefold()) for name, value in _OPTION.findall(found["rest"])
    )
    names = _OPTION.sub("", found["rest"]).strip(" ,;()[]")
    opponents = tuple(
        name for typed in _BETWEEN_NAMES.split(names) if (name := typed.strip(_AROUND_NAMES))
    )
    if not opponents:
        return None
    return NewGame(_GAME_WORDS.sub("", found["game"].strip()), opponents, options)


def _board(rest: str) -> Order | None:
    number = rest.removeprefix("#").strip()
    if not number:
        return ShowBoard(None)
    if number.isascii() and number.isdigit() and len(number) < 6:  # noqa: PLR2004 - plies have few digits
        return ShowBoard(Ply(int(number)))
    return None


def _games(rest: str) -> Order | None:
    words = rest.casefold()
    return ListGames(boards=words == "next") if words in ("", "next") else None


def _comments(rest: str) -> Order | None:
    words = rest.casefold()
    return Comments(shown=words == "on") if words in ("on", "off") else None


def _invitations(rest: str) -> Order | None:
    words = rest.casefold()
    return Invitations(welcome=words == "on") if words in ("on", "off") else None


_TOPIC: Final = re.compile(r"[\w/-]+(?: [\w/-]+){0,2}")


def _topic(build: Callable[[str | None], Order]) -> Callable[[str], Order | None]:
    """At most three words: more is a sentence ("rules are rules, my friend")."""

    def order(rest: str) -> Order | None:
        if not rest:
            return build(None)
        return build(rest.casefold()) if _TOPIC.fullmatch(rest) else None

    return order


def _text(build: Callable[[str], Order]) -> Callable[[str], Order | None]:
    """An order that takes any text; an empty one is refused later, with a sentence."""

    def order(rest: str) -> Order | None:
        return build(rest)

    return order


_WORDS: Final = re.compile(
    r"(?:with words?\s+)?[\"'](?P<words>[^\"']{1,200})[\"']|with words?\s+(?P<bare>.{1,200})",
    re.IGNORECASE,
)


def _accept(rest: str) -> Order | None:
    """`accept`, `accept "my words"`; anything else is a sentence ("accept my apologies")."""
    if not rest:
        return Accept("")
    if rest.casefold() in A_DRAW:
        return AnswerDraw(accept=True)
    found = _WORDS.fullmatch(rest)
    return Accept(found["words"] or found["bare"]) if found else None


def _decline(rest: str) -> Order | None:
    if rest.casefold() in A_DRAW:
        return AnswerDraw(accept=False)
    return None if rest else Decline()


def _address(rest: str) -> Order | None:
    verb, _, address = rest.partition(" ")
    address = address.strip(" <>")
    if verb.casefold() in ("", "list") and not address:
        return Addresses()
    if verb.casefold() == "add" and address:
        return AddAddress(address)
    if verb.casefold() != "remove" or not address:
        return None
    which, _, yes = address.partition(" ")
    sure = yes.strip().casefold() == "yes"
    return RemoveAddress(which.strip("<>") if sure else address, sure=sure)


A_DRAW: Final = ("draw", "a draw", "the draw")

VERBS: Final = (
    Verb(name="try", also=("preview",), order=_text(Try), examples=("try {move}",),
         needs_match=True),
    Verb(name="board", also=("show",), order=_board, examples=("board", "board 12"),
         needs_match=True, over_game=True),
    Verb(name="why", order=_text(Why), examples=("why {move}",), needs_match=True),
    Verb(name="history", also=("moves",), order=_bare(ShowHistory()), examples=("history",),
         needs_match=True),
    Verb(name="say", also=("chat", "press"), order=_text(Say),
         examples=("say Well played!",), needs_match=True, takes_paragraph=True),
    Verb(name="resign", also=("concede",), order=_resign, examples=("resign yes",),
         needs_match=True, over_game=True),
    Verb(name="yes", also=("ok",), order=_bare(Yes()), examples=("yes",)),
    Verb(name="record", also=("export",), order=_bare(ShowRecord()), examples=("record",),
         needs_match=True),
    Verb(name="verify", order=_bare(Verify()), examples=("verify",), needs_match=True),
    Verb(name="rematch", order=_bare(Rematch()), examples=("rematch",), needs_match=True),
    Verb(name="offer draw", also=("draw",), order=_bare(OfferDraw()), examples=("offer draw",),
         needs_match=True),
    Verb(name="accept", also=("join",), order=_accept,
         examples=("accept", 'accept "any words of mine"'), needs_match=True),
    Verb(name="decline", also=("withdraw", "no", "no thanks"), order=_decline,
         examples=("decline",), needs_match=True),
    Verb(name="new", also=("challenge",), order=_new,
         examples=("new logger with bob@example.org", "new logger with Bob, Cleo tree_limit=20")),
    Verb(name="games", also=("status",), order=_games, examples=("games", "games next")),
    Verb(name="rules", order=_topic(ShowRules), examples=("rules", "rules logger")),
    Verb(name="help", order=_topic(Help), examples=("help", "help say"), over_game=True),
    Verb(name="name", order=_text(Rename), examples=("name Ann",)),
    Verb(name="address", also=("addresses",), order=_address,
         examples=("address list", "address add ann@work.example",
                   "address remove ann@work.example")),
    Verb(name="comments", order=_comments, examples=("comments off",)),
    Verb(name="start", order=_bare(ListGames(boards=True)), examples=("start",)),
    Verb(name="block", order=_text(Block), examples=("block bob@example.org",)),
    Verb(name="unblock", order=_text(Unblock), examples=("unblock bob@example.org",)),
    Verb(name="invitations", order=_invitations, examples=("invitations off",)),
)  # fmt: skip
"""Every platform order, in the order of the help mail."""

BY_WORD: Final = {word: verb for verb in VERBS for word in (verb.name, *verb.also)}
"""Every verb by each of its names."""
