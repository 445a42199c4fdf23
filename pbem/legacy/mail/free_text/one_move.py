"""Which move a letter holds: exactly one reading, or a question; never a choice between two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pbem.errors import Rejection
from pbem.games.usual import UNREAD
from pbem.legacy.mail.free_text.accounting import Beside
from pbem.legacy.mail.free_text.composed import composed, names_numbers
from pbem.legacy.mail.free_text.courtesies import after_no
from pbem.legacy.mail.free_text.message_text import begins_signature
from pbem.legacy.mail.free_text.move_spans import Found, Span, find_move
from pbem.legacy.mail.free_text.near_moves import (
    apart,
    in_another_order,
    is_faulty,
    is_list,
    is_part,
    listed,
    nearly,
    with_misreading,
)
from pbem.legacy.mail.free_text.retractions import keeps
from pbem.legacy.mail.free_text.rival_moves import choices, rivals
from pbem.legacy.mail.free_text.sentences import NOTHING, Unread
from pbem.legacy.mail.free_text.typed_orders import above, below
from pbem.legacy.mail.free_text.whole_clauses import is_whole
from pbem.legacy.mail.lines import letters
from pbem.legacy.mail.reply_text import is_sign_off
from pbem.legacy.mail.verbs.playing import Move

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.free_text.typed_orders import Piece, TypedOrder
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_BLOCKS: Final = 3
"""Blocks that are searched for a move at most: each takes hundreds of readings."""
_NAMED_BY: Final = re.compile(r"[^\W_]+")
_INITIAL: Final = re.compile(r"(?<![\w.])[A-Z]\.(?!\w)")
"""An initial, as it is signed: in prose no piece is written like it."""

_PIECE: Final = re.compile(r"(?<=\w)[ \t,]+(?=[A-Z][ \t])")
"""What stands before a sign that may be another piece, or a direction: `M n S e`."""

_CANDIDATES: Final = 5
"""Moves of a letter that are named at most."""

_NAMED: Final = 120
"""Characters of one that is named as it was typed."""


class MoveMeant(NamedTuple):
    """A move that only may be meant: its text, its canonical form, and whether it has slips."""

    text: str
    notation: str
    near: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveSaid:
    """What a letter says of the move of one match: an order, or a question.

    `block` is the order as it was typed that holds the move, `order` what is to be carried out: it
    is refused as `two_moves_in_mail` where different moves are written, and None where it has to be
    asked first whether `asked` is meant. `unread` is what nothing accounts for beside the move.
    """

    block: TypedOrder
    order: TypedOrder | None
    asked: MoveMeant | None = None
    unread: Unread = NOTHING


def move_said(
    moves: Sequence[TypedOrder],
    pieces: Sequence[Piece],
    tried: Readings | None,
    words: Vocabulary,
    *,
    names: Callable[[], frozenset[str]] = frozenset,
    elsewhere: Callable[[], frozenset[str]] = frozenset,
    asked_before: str | None = None,
    replaces: bool = False,
) -> MoveSaid:
    """What the moves of a letter in one match are together, as the one text that reads as a move.

    `pieces` is all that the letter says there, `tried` reads for who has written; None if they are
    not to move. `names` tells the words of the names of those who play, `asked_before` the move
    that was asked about, an empty one where something else is; `replaces`: one of theirs is held.
    """
    if tried is None:
        return MoveSaid(block=moves[0], order=moves[0])
    board = _Board(tried, words, names, elsewhere, asked_before, replaces)
    kept = replaces and any(keeps(line) for piece in pieces for line in piece.lines)
    if kept and not any(board.found(_text(order)).spans for order in moves[:_BLOCKS]):
        return MoveSaid(block=moves[0], order=None)  # it tells of others, and has none
    one: TypedOrder | None
    try:
        block, one = board.one_of(moves)
        asked = board.asked
        told = board.told(one, pieces)
        if board.asked is not asked:
            one = None  # it tells of a turn that has to be asked about
        one = board.whole(block, told or board.accounted(block, one, pieces), pieces)
    except Rejection as rejection:
        block, one = moves[0], replace(moves[0], refused=rejection)
    return MoveSaid(block=block, order=one, asked=board.asked, unread=board.unread)


@dataclass(slots=True)
class _Board:
    """How texts read for who is to move, and what comes to light beside the move.

    `around` is what the block of the move holds above and below it, as it was typed, `inside` what
    is unread between the words of a turn that is told in prose.
    """

    tried: Readings
    words: Vocabulary
    names: Callable[[], frozenset[str]] = frozenset
    elsewhere: Callable[[], frozenset[str]] = frozenset
    asked_before: str | None = None
    replaces: bool = False
    asked: MoveMeant | None = None
    around: tuple[str, str] = ("", "")
    unread: Unread = NOTHING
    inside: Unread = NOTHING

    def one_of(self, moves: Sequence[TypedOrder]) -> tuple[TypedOrder, TypedOrder | None]:
        """The block that holds the move, and its order; Raises Rejection `two_moves_in_mail`."""
        readable: dict[str, TypedOrder] = {}
        for order in moves:
            notation = self.tried.move(_text(order))
            if notation is not None:
                readable.setdefault(notation, order)
        if len(readable) > 1:
            raise _two_moves(readable)
        if readable:
            [whole] = readable.values()
            self._require_no_echo(_text(whole))
            self._require_one_way(_text(whole))
            answers = after_no(_text(whole)) is not None  # `no, L` may be a corner, or an answer
            return whole, self._in_a_sentence(whole) if answers else whole
        if (spaced := self._double_spaced(moves)) is not None:
            return moves[0], spaced
        likely = self._likeliest(moves)
        return likely, self._in_a_sentence(likely)

    def _require_no_echo(self, text: str) -> None:
        """Lines that say the same are one move said again, or a turn of several steps: ask."""
        lines = text.split("\n")
        if (
            len(lines) > 1
            and len(set(map(letters, lines))) == 1
            and (one := self.tried.move(lines[0]))
        ):
            raise _two_moves([one, str(self.tried.move(text))])

    def _require_one_way(self, text: str) -> None:
        """`M n and S e` may be one path or two, `small: S e` a path or a label: ask."""
        one = self.tried.move(text)
        for other in map(self.tried.move, (listed(text), *text.split(":", 1)[1:])):
            if one is not None and other is not None and one != other:
                raise _two_moves([one, other])
        for found in _PIECE.finditer(text) if one is not None else ():
            two = f"{text[: found.start()]}; {text[found.end() :]}"
            if self.tried.is_whole(two) and (other := self.tried.move(two)) != one:
                raise _two_moves([str(one), other or two])

    def _likeliest(self, moves: Sequence[TypedOrder]) -> TypedOrder:
        """Of several blocks that are no move the one that holds one, or a faulty one.

        Raises Rejection `two_moves_in_mail` where several hold different ones.
        """
        if not 1 < len(moves) <= _BLOCKS:
            return moves[0]
        held: dict[str, TypedOrder] = {}
        for order in moves:
            for span in self.found(_text(order)).spans:
                held.setdefault(span.reads_as, order)
        if len(held) > 1:
            raise _two_moves(held)
        faulty = (order for order in moves if is_faulty(self.tried, _text(order), self.words))
        return next(iter(held.values()), None) or next(faulty, moves[0])

    def _double_spaced(self, moves: Sequence[TypedOrder]) -> TypedOrder | None:
        """The move that several blocks are together: some mailers set every line apart."""
        first, *others = moves
        guards = {(order.match, order.ply, order.back) for order in moves}
        text = "\n".join(map(_text, moves))
        ends = any(is_sign_off(_text(one)) for one in others)  # `LG` is no Large
        if not others or ends or len(guards) > 1 or self.tried.move(text) is None:
            return None
        typed = "\n".join(order.typed for order in moves)
        return replace(first, order=Move(text), typed=typed)

    def found(self, text: str) -> Found:
        return find_move(text, self.tried.move, self.tried.game.words)

    def _in_a_sentence(self, order: TypedOrder) -> TypedOrder | None:
        """A move inside other words: played if it is certain, else asked about."""
        rest = after_no(_text(order))
        if rest is None:
            return self._in_words(order)
        one = self._in_words(replace(order, order=Move(rest)))
        notation = self.tried.move(_text(one)) if one is not None else None
        if one is None or notation is None:
            return one
        if self.asked_before not in (None, notation) and self.tried.move(rest) is not None:
            return one  # the answer to our question: no, but this
        self.ask(_text(one), notation)
        return None

    def _in_words(self, order: TypedOrder) -> TypedOrder | None:
        text = _text(order)
        said = {self.tried.move(line) for line in text.split("\n")}
        if len(said) == 1 and None not in said:
            return replace(order, order=Move(text.partition("\n")[0]))  # said again
        found = self.found(text)
        span = found.spans[0] if len(found.spans) == 1 else None
        if span is not None and self._leaves_nothing(order, span, whole=found.whole):
            self._require_one_way(span.text)
            return self._played(order, span)
        spaced = apart(text)  # `n 21` is how some phones write it
        if several := choices(spaced, self.tried):
            raise _two_moves(several)
        if spaced != text and not found.whole and self.found(spaced).whole:
            one = replace(order, order=Move(spaced), typed=apart(order.typed))
            return (told := self._in_words(one)) and replace(told, typed=order.typed)
        return self._in_prose(order, text, found, span)

    def _in_prose(
        self, order: TypedOrder, text: str, found: Found, span: Span | None
    ) -> TypedOrder | None:
        """A move among words that are not accounted for: told, asked about, or none."""
        if self.tried.is_named(text):
            return with_misreading(order, text, self.tried, self.words)
        if (spaced := apart(text)) != text and (one := composed(spaced, self.tried, self.words)):
            return self._told(order, spaced, one.notation, *one.places, *one.numbers)
        whole = in_another_order(self.tried, text, self.words)
        if whole not in (None, span and span.reads_as):
            return self._told(order, text, str(whole), whole)
        if not names_numbers(text) and (slipped := nearly(self.tried, text, self.words)):
            self.ask(slipped, slipped, near=True)
            return None
        if span is None:
            return self._none_of(order, text, found)
        made = composed(text, self.tried, self.words) if not found.whole else None
        refused = self.tried.rejection(text)
        if made is not None and refused is not None and refused.code in UNREAD:
            return self._told(order, text, made.notation, *made.places, *made.numbers)
        if is_part(self.tried, text, span, self.words) or self.tried.is_whole(text):
            # A part of a faulty move is another move: the game says what is wrong.
            return with_misreading(order, text, self.tried, self.words)
        self._require_one(text)
        if found.whole:
            return self._played(order, span)
        self._require_all(order, span)
        self.ask(_playable(self.tried, span), span.reads_as)
        return None

    def _beside_of(self, notation: str, typed: str) -> Beside:
        replaces, answers = self.replaces or bool(self.asked_before), self.asked_before == ""
        who = self.names, self.elsewhere
        return Beside(self.tried, self.words, notation, typed, *who, replaces, answers)

    def _leaves_nothing(self, order: TypedOrder, span: Span, *, whole: bool) -> bool:
        """Whether all words around a move in its block are accounted for, or of other sentences."""
        before, after = self.words.around(self.tried.game, order.typed, span.start, span.end)
        beside = self._beside_of(span.reads_as, span.text)
        return beside.is_apart(before, after) or (whole and beside.unread(before, after) == NOTHING)

    def _played(self, order: TypedOrder, span: Span) -> TypedOrder:
        self.around = self.words.around(self.tried.game, order.typed, span.start, span.end)
        return replace(order, order=Move(_playable(self.tried, span)))

    def _told(
        self, order: TypedOrder, text: str, notation: str, *named: str | None
    ) -> TypedOrder | None:
        """The order of a text that tells of a turn in prose, unless what else it says stops it."""
        words = {one for name in named if name for one in _NAMED_BY.findall(name.casefold())}
        told = self._beside_of(notation, text).told(text, frozenset(words))
        self.unread = self.inside = told.as_typed(text, order.typed)
        if self.inside.strong:
            self.ask(notation, notation)
            return None
        return replace(order, order=Move(notation))

    def _none_of(self, order: TypedOrder, text: str, found: Found) -> TypedOrder:
        """What is to be said of a text that holds no move, or several."""
        if len(found.spans) > 1 and not is_list(text, found.spans):
            raise _two_moves([span.reads_as for span in found.spans])
        if not found.spans and not self.tried.is_whole(text):
            self._require_one(text)
        return with_misreading(order, text, self.tried, self.words)

    def _require_one(self, text: str) -> None:
        """Raise Rejection `two_moves_in_mail` where a text has more moves than a search finds."""
        found = rivals(text.split("\n"), "", "", self.tried, self.words)
        legal = [rival.move for rival in found.moves if rival.legal]
        if len(legal) > 1:
            raise _two_moves(legal)

    def _require_all(self, order: TypedOrder, span: Span) -> None:
        """Raise Rejection `move_unread` where a place beside a move may be what it leaves out."""
        said = set(_NAMED_BY.findall(span.text.casefold()))
        if said.issuperset(_NAMED_BY.findall(span.reads_as.casefold())):
            return
        around = self.words.around(self.tried.game, order.typed, span.start, span.end)
        beside = self._beside_of(span.reads_as, span.text)
        unread = [one.strip() for one in around if beside.names_a_place(one, own=True)]
        if unread:
            raise Rejection("move_unread", move=span.reads_as, unread=unread)

    def told(self, one: TypedOrder | None, pieces: Sequence[Piece]) -> TypedOrder | None:
        """The move that a letter without notation tells of, if it is its writer's beyond doubt."""
        if self._meant(one) is not None or one is None or one.refused is not None:
            return None
        lines = [line for piece in pieces for line in piece.lines]
        whole = "\n".join(takewhile(lambda line: not begins_signature(line), lines))
        for text in dict.fromkeys(_INITIAL.sub(" ", said) for said in (whole, _text(one))):
            refused = self.tried.rejection(self.words.game_text(self.tried.game, text))
            if refused is None or refused.code not in UNREAD:
                continue  # it is notation, and the game says what is wrong with it
            if found := composed(text, self.tried, self.words):
                return self._told(one, text, found.notation, *found.places, *found.numbers)
        return None

    def accounted(
        self, block: TypedOrder, one: TypedOrder | None, pieces: Sequence[Piece]
    ) -> TypedOrder | None:
        """The order that is to be played, unless what else the letter says stops it (MAIL 1).

        Raises Rejection `two_moves_in_mail`: two readings are a question, always.
        """
        meant = self._meant(one)
        if meant is None:
            return one
        before, after = self._beside(block, one, pieces)
        text, notation = meant
        beside = self._beside_of(notation, text)
        found = beside.others(before, after)
        if found.moves:
            self.asked = None
            raise _two_moves([notation, *(rival.move[:_NAMED] for rival in found.moves)])
        self.unread = beside.unread(before, after).with_more(self.inside)
        if self.unread.part:
            self.asked = None
            raise Rejection("move_unread", move=notation, unread=list(self.unread.quoted))
        synonym = notation.isalpha() and notation not in _text(block).casefold()
        doubt = self.unread.strong or (self.unread.chat and synonym)
        if one is not None and (found.unclear or doubt):
            self.ask(text, notation)
            return None
        return one

    def whole(
        self, block: TypedOrder, one: TypedOrder | None, pieces: Sequence[Piece]
    ) -> TypedOrder | None:
        """The order if a whole clause of the letter is its move; else it is asked about (MAIL 1).

        However a move was found: nothing is played from a part of its sentence.
        """
        notation = None if one is None or one.refused else self.tried.move(_text(one))
        if one is None or notation is None:
            return one
        at = [n for n, piece in enumerate(pieces) if _is_within(piece, block, one)]
        first, last = (at[0], at[-1] + 1) if at else (len(pieces), len(pieces))
        here = _lines(pieces[first:last]) or _text(block).split("\n")
        if (rest := after_no("\n".join(here))) is not None:
            here = rest.split("\n")  # what a no before a move means is looked at elsewhere
        paragraph = pieces[first].paragraph if at else 0
        over, under = above(pieces[:first], paragraph), below(pieces[last:], paragraph)
        around = over.split("\n")[:-1], here, under.split("\n")[1:]
        if is_whole(notation, around, self.tried, self.words, self.names()):
            return one
        self.ask(notation, notation)
        return None

    def _meant(self, one: TypedOrder | None) -> tuple[str, str] | None:
        """The text and the canonical form of the move that would be played or asked about."""
        if one is None:
            return None if self.asked is None else (self.asked.text, self.asked.notation)
        notation = self.tried.move(_text(one))
        return None if notation is None else (_text(one), notation)

    def _beside(
        self, block: TypedOrder, one: TypedOrder | None, pieces: Sequence[Piece]
    ) -> tuple[str, str]:
        """What the letter says above the move and below it."""
        at = [n for n, piece in enumerate(pieces) if _is_within(piece, block, one)]
        first, last = (at[0], at[-1]) if at else (len(pieces), len(pieces))
        over, under = self.around if one is not None else ("", "")
        here = pieces[first].paragraph if at else 0
        return (
            f"{above(pieces[:first], here)}{over}",
            f"{under}{below(pieces[last + 1 :], here)}",
        )

    def ask(self, text: str, notation: str, *, near: bool = False) -> None:
        """Have it asked whether a move is meant."""
        self.asked = MoveMeant(text, notation, near)


def _is_within(piece: Piece, block: TypedOrder, one: TypedOrder | None) -> bool:
    """Whether a piece is the block of the move, or one of those that are the move together."""
    if piece.order is None:
        return False
    spaced = one is not None and one.typed != block.typed and piece.order.typed in one.typed
    return piece.order is block or spaced


def _lines(pieces: Sequence[Piece]) -> list[str]:
    return [line for piece in pieces for line in piece.lines]


def _two_moves(candidates: Sequence[str] | Mapping[str, object]) -> Rejection:
    """MAIL 1: it is never chosen between two."""
    return Rejection("two_moves_in_mail", candidates=list(dict.fromkeys(candidates))[:_CANDIDATES])


def _playable(tried: Readings, span: Span) -> str:
    """The text of a span that reads as a move when it stands alone."""
    return span.text if tried.move(span.text) is not None else span.reads_as


def _text(order: TypedOrder) -> str:
    return cast("Move", order.order).text
