"""From typed lines to orders: what a letter asks for, line by line.

A platform order stands at the start of a line. What is left over is offered to the game in blocks,
if it has a word of the game's grammar; the rest is comment. A game's own words win over every verb
but `help`, `board` and `resign`; `!` before a verb always means the platform's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Ply
from pbem.mail.orders import Help, Move, Order, ShowRules, Standing
from pbem.mail.verbs import BY_WORD, Verb
from pbem.names import MatchId


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


_NEVER_AGAIN: Final = re.compile(r"never again", re.IGNORECASE)
_MOVE: Final = re.compile(r"(?:mv|play)\b[\s:]*", re.IGNORECASE)
# A match's name always has a digit, so that no English word of five letters is one.
_PREFIX: Final = re.compile(
    r"(?:(?P<match>(?=[a-z]*[0-9])[a-z0-9]{5})(?:#(?P<ply>[0-9]{1,5}))?|#(?P<only>[0-9]{1,5}))"
    r"[:,]?(?:\s+|$)",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"!?\s?(" + "|".join(sorted(map(re.escape, BY_WORD), key=len, reverse=True)) + r")(?![\w@'])",
    re.IGNORECASE,
)
_PLEASE: Final = re.compile(r"[\s,.!]*\b(?:please|pls|thanks|thank you)[\s.!]*$", re.IGNORECASE)
_OK_THANKS: Final = re.compile(r"ok(?:ay)?\W+(?:thanks|thank you|thx|cheers)\W*", re.IGNORECASE)
_ONE_WORD: Final = tuple(word for word in BY_WORD if " " not in word)
_END: Final = re.compile(r"end|signoff", re.IGNORECASE)
_NEAR: Final = 0.75
_FEW_WORDS: Final = 3


def _unknown(_: MatchId) -> None:
    """The game of a match of which nothing is known."""


def read_orders(
    lines: Sequence[str],
    game: AnyGame | None,
    game_of: Callable[[MatchId], AnyGame | None] = _unknown,
) -> Reading:
    """The orders in typed lines, which are normalised (plain dashes, quotes and spaces).

    `game` is the game of the match that the letter belongs to, if any: its words are looked for.
    `game_of` tells that of a match which a line names (`K7QX2 e1`).
    """
    reader = _Reader(game, game_of)
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
            paragraph.append(_unquoted(line.strip()))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _unquoted(line: str) -> str:
    """Our mails show what to type in quotes, and people copy it with them."""
    whole = line.startswith('"') and line.endswith('"') and line.count('"') == 2  # noqa: PLR2004 - a pair
    return line[1:-1].strip() if whole else line


def _speaks(game: AnyGame | None, line: str) -> bool:
    """Whether a line has a word of the game's grammar."""
    return game is not None and game.words.search(line.casefold()) is not None


class _Reader:
    """Collects the orders of a letter paragraph by paragraph."""

    def __init__(self, game: AnyGame | None, game_of: Callable[[MatchId], AnyGame | None]) -> None:
        self._home = self._game = game
        self._game_of = game_of
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
        self._game = self._home
        for number, line in enumerate(paragraph):
            match, ply, rest = _prefix(line)
            if match is not None or ply is not None:
                self._end_block(block, guard)
            if match is not None:
                self._game = self._game_of(match) or self._home
            verb, arguments = self._verb(rest)
            if verb is not None and verb.takes_paragraph:
                arguments = "\n".join([arguments, *paragraph[number + 1 :]]).strip()
            order = _ordered(verb, arguments) if verb is not None else self._standing(rest)
            if order is None:
                if match is not None or ply is not None:
                    guard = (match, ply)
                self._line(rest, block)
                continue
            self._end_block(block, guard)
            if verb is not None and verb.takes_paragraph:
                line = "\n".join(paragraph[number:])  # noqa: PLW2901 - all that it takes
            self._orders.append(TypedOrder(order=order, typed=line, match=match, ply=ply))
            if verb is not None and verb.takes_paragraph:
                return
        self._end_block(block, guard)

    def _standing(self, line: str) -> Standing | None:
        """A decision in advance, where the game has them; a bad one is refused later, in words."""
        try:
            found = self._game is not None and self._game.standing(line) is not None
        except Rejection:
            found = True
        return Standing(line) if found else None

    def _verb(self, line: str) -> tuple[Verb | None, str]:
        if _NEVER_AGAIN.fullmatch(line.strip(" .!")):
            return BY_WORD["invitations"], "off"
        found = _VERB.match(line)
        if found is None or _OK_THANKS.fullmatch(line):
            return None, ""
        verb = BY_WORD[" ".join(found[1].casefold().split())]
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
        if not words or len(words) > _FEW_WORDS or _OK_THANKS.fullmatch(line):
            return
        if words[0] in BY_WORD:
            self._near.append((words[0], (words[0],)))
        elif near := get_close_matches(words[0], _ONE_WORD, n=3, cutoff=_NEAR):
            self._near.append((words[0], tuple(near)))

    def _end_block(self, block: list[str], guard: tuple[MatchId | None, Ply | None]) -> None:
        if block:
            text = "\n".join(block)
            self._orders.append(
                TypedOrder(order=Move(text), typed=text, match=guard[0], ply=guard[1])
            )
            block.clear()


def _ordered(verb: Verb, arguments: str) -> Order | None:
    """The order of a verb; where it would be none, or one on a topic, courtesy is left out."""
    order = verb.order(arguments)
    if verb.takes_paragraph or not (order is None or isinstance(order, Help | ShowRules)):
        return order
    return verb.order(_PLEASE.sub("", arguments))


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
