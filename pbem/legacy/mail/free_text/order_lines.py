"""From typed lines to orders: what a letter asks for, line by line.

A platform order stands at the start of a line. What is left over is offered to the game in blocks,
if it has a word of the game's grammar; the rest is comment. A game's own words win over every verb
but `help`, `board` and `resign`; `!` before a verb always means the platform's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Final

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.legacy.mail.free_text.courtesies import is_courtesy, is_greeting
from pbem.legacy.mail.free_text.friendly import begins_plainly
from pbem.legacy.mail.free_text.labels import LABEL, Guard, Labels, labelled, prefix, shown_of
from pbem.legacy.mail.free_text.message_text import (
    acts,
    end_of_said,
    is_farewell,
    is_machine_made,
    is_to_us,
)
from pbem.legacy.mail.free_text.near_moves import asks, is_slip, strangers
from pbem.legacy.mail.free_text.near_verbs import NearVerbs, first_word
from pbem.legacy.mail.free_text.retractions import takes_back_below
from pbem.legacy.mail.free_text.sentences import ONE_WORD, apart, before_end, paragraphs
from pbem.legacy.mail.free_text.typed_orders import Piece, Reading, TypedOrder
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.reply_text import is_sign_off
from pbem.legacy.mail.verbs.if_lines import joined, speaks
from pbem.legacy.mail.verbs.playing import DropConditions, HalfIf, If, Move, SaidIf, Standing, Why
from pbem.legacy.mail.verbs.talking import Note, Say
from pbem.legacy.mail.verbs.verb import Order, Verb
from pbem.legacy.mail.verbs.verb_orders import ordered
from pbem.legacy.mail.verbs.vocabulary import CONDITIONS, ENGLISH, Vocabulary, near_words
from pbem.names import MatchId

_WHOLE: Final = ("resign", "offer draw", "undo", "claim", "accept", "decline", "delete me")
"""Verbs that are read as a sentence of their own only (MAIL 1)."""

_PLANS: Final = ("if", "queue")
"""Verbs of decisions in advance."""
_CONDITIONS: Final = frozenset(" ".join((*_PLANS, *CONDITIONS, "and", "premove")).split())
_INITIAL: Final = re.compile(r"[A-Za-z]\.|[/-] ?[A-Za-z]")
"""An initial as it is signed, which no size or piece is written like."""

_SIGN: Final = 3
"""Letters of a sign of a game, or of an initial, at most."""
_NEAR: Final = 0.75
_SLIPS: Final = 60
"""Lines of a letter in which slips are looked for."""

_CUT: Final = 12
"""Lines below a text that are kept to be shown as cut."""


def _unknown(_: MatchId) -> None:
    """The game of a match of which nothing is known."""


def _no_move(_: str) -> bool:
    """Where no position is known no line is a whole move."""
    return False


def read_orders(
    lines: Sequence[str],
    game: AnyGame | None,
    game_of: Callable[[MatchId], AnyGame | None] = _unknown,
    words: Vocabulary = ENGLISH,
    *,
    slips: bool = True,
    is_move: Callable[[str], bool] = _no_move,
    labels: Labels = tuple,
) -> Reading:
    """The orders in typed lines, which are normalised (plain dashes, quotes and spaces).

    `game` is the game of the match that the letter belongs to, if any: its words are looked for.
    `game_of` tells that of a match which a line names (`K7QX2 e1`). `words` are those of all
    languages; moves are in the words of the game's own grammar then, and `typed` is as it was.
    `slips`: lines that are but for a slip orders of the game are offered to it as well, and what is
    nearly a verb is noted. `is_move` says of a line in the game's words whether it is a whole move:
    no text goes on in such a line. `labels` are the matches that a line may be labelled for.
    """
    reader = _Reader(game, game_of, words, _SLIPS if slips else 0, is_move, labels)
    whole = list(paragraphs(before_end(lines, game, words)))
    for paragraph in whole:
        reader.read(paragraph)
    return replace(reader.reading(), lines=tuple(chain.from_iterable(whole)))


def is_order(line: str, game: AnyGame | None, words: Vocabulary = ENGLISH) -> bool:
    """Whether a line alone is an order or a move; such a line is not lightly taken for a quote."""
    reading = read_orders([line], game, words=words, slips=False)
    return bool(reading.orders)


class _Reader:
    """Collects the orders of a letter paragraph by paragraph."""

    def __init__(  # noqa: PLR0917 - as its only caller has them
        self,
        game: AnyGame | None,
        game_of: Callable[[MatchId], AnyGame | None],
        words: Vocabulary,
        slips: int,
        is_move: Callable[[str], bool],
        labels: Labels,
    ) -> None:
        self._labels = labels
        self._words = words
        self._slips = slips
        self._plans = tuple(word for word, verb in words.verbs.items() if verb.name in _PLANS)
        self._begin_plans: dict[str, bool] = {}
        self._home = self._game = game
        self._game_of = game_of
        self._orders: list[TypedOrder] = []
        self._comments: list[list[str]] = []
        self._near = NearVerbs(words, tells=slips > 0)
        self._is_move = is_move
        self._pieces: list[Piece] = []
        self._paragraph = 0
        self._cut: list[str] | None = None
        """The lines below the text that was read last, as long as there is nothing else."""

    def reading(self) -> Reading:
        self._end_text()
        return Reading(
            orders=tuple(self._orders),
            paragraphs=tuple(map(tuple, self._comments)),
            near_misses=tuple(self._near.found),
            pieces=tuple(self._pieces),
        )

    def read(self, paragraph: list[str]) -> None:
        paragraph = joined(paragraph, self._words.conditional)
        if any(map(ONE_WORD.match, paragraph)):
            paragraph = apart(paragraph, self._is_whole)
        self._paragraph += 1
        begin = 0
        while begin < len(paragraph):
            begin = self._read(paragraph, begin)

    def _read(self, paragraph: list[str], begin: int) -> int:
        """Read on from a line, to the end of the paragraph or of a text in it; where that is."""
        block: list[str] = []
        guard = Guard()
        self._game = self._home
        self._comments.append([])
        for number in range(begin, len(paragraph)):
            line = paragraph[number]
            if self._cut is not None and is_machine_made(paragraph, number, self._words):
                self._comment(line)  # a mail program's, and nothing in it is typed
                continue
            here, rest = self._guard(line)
            if here != Guard():
                self._end_block(block, guard)
            if here.match is not None:
                self._game = self._game_of(here.match) or self._home
            verb, arguments = self._greeted(rest)
            text = verb is not None and verb.takes_paragraph
            end = number + 1
            if verb is not None and verb.takes_paragraph:
                end = self._end_of_text(paragraph, number)
                arguments = "\n".join([arguments, *paragraph[number + 1 : end]]).strip()
            here, arguments = shown_of(verb, here, arguments)
            order = self._order(verb, arguments, rest)
            torn = verb is not None and verb.name in _WHOLE and self._is_torn(paragraph, number)
            if order is None or torn:
                guard = here if here != Guard() else guard
                self._read_text(rest, block, guard)
                continue
            self._end_block(block, guard)
            typed = "\n".join(paragraph[number:end])
            self._end_text()
            self._orders.append(TypedOrder(order=order, typed=typed, **asdict(here)))
            self._game = self._home if guard.match is None else self._game
            if text:
                self._cut = []
                return end
        self._end_block(block, guard)
        return len(paragraph)

    def _read_text(self, line: str, block: list[str], guard: Guard) -> None:
        """A line that is no platform order: of the game, a comment, or a label for those below."""
        if not line:
            return
        if self._is_of_game(line, block):
            self._end_text()
            return
        # What is read as one turn stands together: words between two moves part them.
        self._end_block(block, guard)
        self._comment(line)
        self._pieces.append(Piece((line,), None, guard.match, self._paragraph))

    def _ordered(self, verb: Verb, arguments: str) -> Order | None:
        return ordered(verb, arguments, self._game, self._words)

    def _order(self, verb: Verb | None, arguments: str, line: str) -> Order | None:
        """What a line orders; a sentence that only begins like an order is none."""
        if verb is None:
            return self._standing(line)
        order = self._ordered(verb, arguments)
        polite = verb.name in _WHOLE and is_courtesy(arguments)
        polite = polite and spoken().sorry.isdisjoint(arguments.split()[1:2])  # `my apologies`
        if order is None and (polite or begins_plainly(verb, line, self._words)):
            order = self._ordered(verb, "")  # `resign, well played!`
        noted = isinstance(order, Note) and arguments.split()[:1] and self._is_noted(arguments)
        asked = isinstance(order, Why) and asks(line, arguments, self._game, self._words)
        if noted or asked or (isinstance(order, If | HalfIf) and self._is_said(line, order)):
            return None
        if isinstance(order, Say):
            if is_to_us(line) or takes_back_below(order.text):
                return None
            if self._is_plan(order.text.partition("\n")[0]):
                return SaidIf()
        return order

    def _is_noted(self, text: str) -> bool:
        """Whether a text behind `note` is a sentence to somebody with a move in it."""
        first = text.split(maxsplit=1)[0].casefold()
        return first in spoken().noted and self._words.speaks(self._game, text)

    def _guard(self, line: str) -> tuple[Guard, str]:
        """What a line names, or is labelled with, before its order, and the rest of it."""
        here, rest = prefix(line)
        said = here == Guard() and LABEL.fullmatch(line)
        found = labelled(said, self._labels) if said else None
        return (here, rest) if found is None else (Guard(match=found[0]), found[1])

    def _is_torn(self, paragraph: list[str], number: int) -> bool:
        """Whether a line is but a part of a sentence: `I will not / resign / yet`."""
        above, below = paragraph[max(0, number - 1) : number], paragraph[number + 1 : number + 2]
        open_above = any(one[-1:].isalpha() and self._is_prose(one) for one in above)
        return open_above or any(one[:1].islower() and self._is_prose(one) for one in below)

    def _is_prose(self, line: str) -> bool:
        """Whether a line is no order, no move and no courtesy."""
        said = prefix(line)[1]
        verb, arguments = self._verb(said)
        ordered = verb is not None and self._ordered(verb, arguments) is not None
        polite = is_farewell(line) or is_greeting([line], self._words)
        return not (ordered or polite or self._words.speaks(self._game, line))

    def _end_of_text(self, paragraph: list[str], number: int) -> int:
        """Where what a line says, or notes, ends (MAIL 1)."""
        other = (at for at in range(number + 1, len(paragraph)) if self._is_other(paragraph[at]))
        last = next(other, len(paragraph))
        return end_of_said(paragraph, number, last, self._words, self._labels)

    def _is_whole(self, text: str) -> bool:
        return self._is_move(self._words.game_text(self._game, text))

    def _is_other(self, line: str) -> bool:
        """Whether a line below a text is an order of its own, or a whole move."""
        here, said = self._guard(line)
        if here.match is not None or self._is_plan(line):
            return True
        if self._is_whole(said):
            return True
        verb, arguments = self._verb(said)
        if verb is None or self._ordered(verb, arguments) is None:
            return False
        known = self._game is not None and not strangers(arguments, self._game, self._words)
        moves = known and self._words.speaks(self._game, arguments)
        return acts(first_word(said), verb, arguments, moves=moves)

    def _end_text(self) -> None:
        """Nothing more can belong to the text that was read last."""
        if self._cut:
            self._orders[-1] = replace(self._orders[-1], cut=tuple(self._cut[:_CUT]))
        self._cut = None

    def _comment(self, line: str) -> None:
        self._comments[-1].append(line)
        if self._cut is not None and not is_farewell(line):
            self._cut.append(line)

    def _is_plan(self, line: str) -> bool:
        """Whether a line is a decision in advance, whole or not, or nearly one."""
        line = prefix(line)[1]
        verb, arguments = self._verb(line)
        if verb is None or verb.name not in _PLANS:
            return self._standing(line) is not None or self._is_nearly_plan(line)
        match self._ordered(verb, arguments):
            case If() as order if verb.name == "if":
                return not self._is_said(line, order)
            case If() | HalfIf():
                return self._is_nearly_plan(line)
            case DropConditions():
                return True
            case _:
                return False

    def _is_nearly_plan(self, line: str) -> bool:
        """Whether a line begins nearly as a decision in advance does, and names moves above all."""
        first = first_word(line)
        if first not in self._begin_plans:
            self._begin_plans[first] = bool(near_words(first, self._plans, 1, _NEAR))
        if self._game is None or not self._begin_plans[first]:
            return False
        said = self._words.game_text(self._game, self._words.conditions.english(line)).casefold()
        others = set(strangers(said, self._game, self._words)) - _CONDITIONS - {first}
        return len(others) < sum(1 for _ in self._game.words.finditer(said))

    def _is_said(self, line: str, order: If | HalfIf) -> bool:
        """Whether a line that begins with `if` is a sentence, and no order after all."""
        said = isinstance(order, If) and not speaks(order.branch, self._game)
        # Our own mails say `If: Ann goes from e3 to e2`, and no line of theirs is an order.
        told = isinstance(order, HalfIf) and ":" in line
        return said or told or line.endswith("?")

    def _standing(self, line: str) -> Standing | None:
        """A decision in advance, where the game has them; a bad one is refused later, in words."""
        if self._game is None:
            return None
        text = self._words.game_text(self._game, line)
        try:
            found = self._game.standing(text) is not None
        except Rejection:
            found = True
        return Standing(text) if found else None

    def _greeted(self, line: str) -> tuple[Verb | None, str]:
        """The verb of a line, which a greeting may stand before (`Hi Bob, board`)."""
        greeting = patterns().greeting.match(line)
        verb, arguments = self._verb(line)
        if verb is not None or greeting is None:
            return verb, arguments
        verb, arguments = self._verb(line[greeting.end() :])
        plain = verb is not None and not (verb.takes_paragraph or verb.moves)
        return (verb, arguments) if plain else (None, "")

    def _verb(self, line: str) -> tuple[Verb | None, str]:
        if line.strip(" .!").casefold() in self._words.never_again:
            return self._words.verbs["invitations"], "off"
        if (language := self._words.language_named(line)) is not None:
            return self._words.verbs["lang"], language
        found = self._words.verb.match(line)
        if found is None or self._words.ok_thanks.fullmatch(line):
            return None, ""
        verb = self._words.verb_of(found[1])
        mine = verb.over_game or (self._game and self._game.away) or line.startswith("!")
        if not mine and self._words.speaks(self._game, found[1]):
            return None, ""
        rest = line[found.end() :].strip()
        return verb, rest if verb.takes_paragraph else rest.strip(" .!:,;?")

    def _is_of_game(self, line: str, block: list[str]) -> bool:
        """Whether a line that is no platform order is game text; else it is a comment."""
        explicit = self._words.move.match(line)
        if explicit is not None and self._game is not None:
            block.append(line[explicit.end() :])
            return True
        if block and (is_sign_off(line) or _INITIAL.fullmatch(line)):
            return False  # courtesy beats notation, and completes no turn
        if self._is_nearly_plan(line):
            self._near.plan(line)
        elif self._near.order(line, self._game):
            pass
        elif (
            self._words.speaks(self._game, line)
            or (block and self._goes_on(line))
            or self._is_slip(line)
        ):
            block.append(line)
            return True
        else:
            self._near.comment(line)
        return False

    def _goes_on(self, line: str) -> bool:
        """Whether a line below a turn has nothing but words of the game: `turned` below `2 L23`."""
        if self._game is None:
            return False
        said = re.findall(r"[^\W\d_]+", line.casefold())
        known = self._words.words_of(self._game)
        return bool(said) and all(len(word) > _SIGN and word in known for word in said)

    def _is_slip(self, line: str) -> bool:
        """Whether a line is an order of the game but for a slip; a long letter is not searched."""
        self._slips -= 1
        return (
            self._game is not None and self._slips >= 0 and is_slip(line, self._game, self._words)
        )

    def _end_block(self, block: list[str], guard: Guard) -> None:
        if block:
            text = "\n".join(block)
            move = Move(self._words.game_text(self._game, text))
            typed = TypedOrder(order=move, typed=text, **asdict(guard))
            self._orders.append(typed)
            self._pieces.append(Piece(tuple(block), typed, guard.match, self._paragraph))
            block.clear()
