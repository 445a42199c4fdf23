"""From typed lines to orders: one table of verbs feeds the grammar, the help mail and the tests.

A platform order stands at the start of a line. What is left over is offered to the game in blocks,
if it has a word of the game's grammar; the rest is comment. A game's own words win over every verb
but `help`, `board` and `resign`; `!` before a verb always means the platform's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeAlias

from pbem.games import AnyGame
from pbem.games.game import Ply
from pbem.names import MatchId

# --- the orders --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """A block of game text; `explicit` where a verb said that it is one."""

    text: str
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """Show the board as it would be."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up; `sure` where `yes` was typed with it."""

    sure: bool


@dataclass(frozen=True, slots=True)
class Yes:
    """The answer to a question."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take part; `words` enter the draws of the start."""

    words: str


@dataclass(frozen=True, slots=True)
class Decline:
    """Not this match."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A challenge: the game as typed, names or addresses of the others, options as typed."""

    game: str
    opponents: tuple[str, ...]
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rematch:
    """The same game with the same players."""


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """A draw by agreement."""


@dataclass(frozen=True, slots=True)
class Say:
    """A message to the others in the match."""

    text: str


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """The board, now or after a ply."""

    ply: Ply | None


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """The list of plies."""


@dataclass(frozen=True, slots=True)
class ShowRecord:
    """The whole match as text."""


@dataclass(frozen=True, slots=True)
class Verify:
    """Check chain and draws."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """My matches; with the boards that wait for me."""

    boards: bool


@dataclass(frozen=True, slots=True)
class ShowRules:
    """A game in brief."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Help:
    """The orders, or one of them."""

    topic: str | None


@dataclass(frozen=True, slots=True)
class Rename:
    """Call me so."""

    name: str


@dataclass(frozen=True, slots=True)
class Block:
    """No invitations from somebody."""

    player: str


@dataclass(frozen=True, slots=True)
class Unblock:
    """Invitations from somebody again."""

    player: str


@dataclass(frozen=True, slots=True)
class Invitations:
    """Whether invitations are welcome at all."""

    welcome: bool


Order: TypeAlias = (
    Move
    | Try
    | Resign
    | Yes
    | Accept
    | Decline
    | NewGame
    | Rematch
    | OfferDraw
    | Say
    | ShowBoard
    | ShowHistory
    | ShowRecord
    | Verify
    | ListGames
    | ShowRules
    | Help
    | Rename
    | Block
    | Unblock
    | Invitations
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedOrder:
    """An order as somebody typed it; `match` and `ply` where the line names them (`K7QX2#12`)."""

    order: Order
    typed: str
    match: MatchId | None = None
    ply: Ply | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a letter says: its orders in order, its comments, and words that are nearly verbs."""

    orders: tuple[TypedOrder, ...]
    comments: tuple[str, ...]
    near_misses: tuple[tuple[str, tuple[str, ...]], ...]


# --- the table ---------------------------------------------------------------------------------


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
        name.strip(" <>\"'") for name in _BETWEEN_NAMES.split(names) if name.strip(" <>\"'")
    )
    if not opponents:
        return None
    return NewGame(found["game"].strip(), opponents, options)


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
    found = _WORDS.fullmatch(rest)
    return Accept(found["words"] or found["bare"]) if found else None


VERBS: Final = (
    Verb(name="try", also=("preview",), order=_text(Try), examples=("try {move}",),
         needs_match=True),
    Verb(name="board", also=("show",), order=_board, examples=("board", "board 12"),
         needs_match=True, over_game=True),
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
    Verb(name="accept", also=("join",), order=_accept, examples=("accept", 'accept "any words of mine"'),
         needs_match=True),
    Verb(name="decline", also=("withdraw", "no", "no thanks"), order=_bare(Decline()), examples=("decline",),
         needs_match=True),
    Verb(name="new", also=("challenge",), order=_new,
         examples=("new logger with bob@example.org", "new logger with Bob, Cleo tree_limit=20")),
    Verb(name="games", also=("status",), order=_games, examples=("games", "games next")),
    Verb(name="rules", order=_topic(ShowRules), examples=("rules", "rules logger")),
    Verb(name="help", order=_topic(Help), examples=("help", "help say"), over_game=True),
    Verb(name="name", order=_text(Rename), examples=("name Ann",)),
    Verb(name="block", order=_text(Block), examples=("block bob@example.org",)),
    Verb(name="unblock", order=_text(Unblock), examples=("unblock bob@example.org",)),
    Verb(name="invitations", order=_invitations, examples=("invitations off",)),
)  # fmt: skip
"""Every platform order, in the order of the help mail."""

_BY_WORD: Final = {word: verb for verb in VERBS for word in (verb.name, *verb.also)}
_NEVER_AGAIN: Final = re.compile(r"never again", re.IGNORECASE)
_MOVE: Final = re.compile(r"(?:mv|play)\b[\s:]*", re.IGNORECASE)
# A match's name always has a digit, so that no English word of five letters is one.
_PREFIX: Final = re.compile(
    r"(?:(?P<match>(?=[a-z]*[0-9])[a-z0-9]{5})(?:#(?P<ply>[0-9]{1,5}))?|#(?P<only>[0-9]{1,5}))"
    r"[:,]?(?:\s+|$)",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"!?\s?(" + "|".join(sorted(map(re.escape, _BY_WORD), key=len, reverse=True)) + r")(?![\w@'])",
    re.IGNORECASE,
)
_END: Final = re.compile(r"end|signoff", re.IGNORECASE)
_NEAR: Final = 0.75
_FEW_WORDS: Final = 3


def read_orders(lines: Sequence[str], game: AnyGame | None) -> Reading:
    """The orders in typed lines, which are normalised (plain dashes, quotes and spaces).

    `game` is the game of the match that the letter belongs to, if any: its words are looked for.
    """
    reader = _Reader(game)
    for paragraph in _paragraphs(_before_end(lines, game)):
        reader.read(paragraph)
    return reader.reading()


def is_order(line: str, game: AnyGame | None) -> bool:
    """Whether a line alone is an order or a move; such a line is not lightly taken for a quote."""
    reading = read_orders([line], game)
    return bool(reading.orders)


def _before_end(lines: Sequence[str], game: AnyGame | None) -> Iterator[str]:
    for line in lines:
        if _END.fullmatch(line.strip(" .!")) and not _speaks(game, line):
            return
        yield line


def _paragraphs(lines: Iterator[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _speaks(game: AnyGame | None, line: str) -> bool:
    """Whether a line has a word of the game's grammar."""
    return game is not None and game.words.search(line.casefold()) is not None


class _Reader:
    """Collects the orders of a letter paragraph by paragraph."""

    def __init__(self, game: AnyGame | None) -> None:
        self._game = game
        self._orders: list[TypedOrder] = []
        self._comments: list[str] = []
        self._near: list[tuple[str, tuple[str, ...]]] = []

    def reading(self) -> Reading:
        return Reading(
            orders=tuple(self._orders),
            comments=tuple(self._comments),
            near_misses=tuple(self._near),
        )

    def read(self, paragraph: list[str]) -> None:
        block: list[str] = []
        guard: tuple[MatchId | None, Ply | None] = (None, None)
        for number, line in enumerate(paragraph):
            match, ply, rest = _prefix(line)
            verb, arguments = self._verb(rest)
            if verb is not None and verb.takes_paragraph:
                arguments = "\n".join([arguments, *paragraph[number + 1 :]]).strip()
            order = verb.order(arguments) if verb is not None else None
            if order is None:
                if match is not None or ply is not None:
                    guard = (match, ply)
                self._line(rest, block)
                continue
            self._end_block(block, guard)
            self._orders.append(TypedOrder(order=order, typed=line, match=match, ply=ply))
            if verb is not None and verb.takes_paragraph:
                return
        self._end_block(block, guard)

    def _verb(self, line: str) -> tuple[Verb | None, str]:
        if _NEVER_AGAIN.fullmatch(line.strip(" .!")):
            return _BY_WORD["invitations"], "off"
        found = _VERB.match(line)
        if found is None:
            return None, ""
        verb = _BY_WORD[" ".join(found[1].casefold().split())]
        if not (verb.over_game or line.startswith("!")) and _speaks(self._game, found[1]):
            return None, ""
        rest = line[found.end() :].strip()
        return verb, rest if verb.takes_paragraph else rest.strip(" .!:,;?")

    def _line(self, line: str, block: list[str]) -> None:
        """A line that is no platform order: game text, a near miss, or a comment."""
        explicit = _MOVE.match(line)
        if explicit is not None and self._game is not None:
            block.append(line[explicit.end() :])
        elif _speaks(self._game, line):
            block.append(line)
        else:
            self._comments.append(line)
            self._near_miss(line)

    def _near_miss(self, line: str) -> None:
        words = line.casefold().strip(" .!?").split()
        if words and len(words) <= _FEW_WORDS:
            near = get_close_matches(words[0], list(_BY_WORD), n=3, cutoff=_NEAR)
            if near:
                self._near.append((words[0], tuple(near)))

    def _end_block(self, block: list[str], guard: tuple[MatchId | None, Ply | None]) -> None:
        if block:
            text = "\n".join(block)
            self._orders.append(
                TypedOrder(order=Move(text), typed=text, match=guard[0], ply=guard[1])
            )
            block.clear()


def _prefix(line: str) -> tuple[MatchId | None, Ply | None, str]:
    found = _PREFIX.match(line)
    if found is None:
        return None, None, line
    ply = found["ply"] or found["only"]
    return (
        MatchId(found["match"].upper()) if found["match"] else None,
        Ply(int(ply)) if ply else None,
        line[found.end() :],
    )
