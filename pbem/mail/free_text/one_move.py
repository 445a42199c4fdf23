"""Which move a letter holds: exactly one reading, or a question; never a choice between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pbem.errors import Rejection
from pbem.mail.free_text.alternatives import choices
from pbem.mail.free_text.filler_words import after_no
from pbem.mail.free_text.misreadings import (
    is_faulty,
    is_list,
    is_part,
    nearly,
    plainer,
    together,
    verbs_first,
)
from pbem.mail.free_text.move_spans import Found, find_move
from pbem.mail.free_text.near_moves import listed
from pbem.mail.free_text.remarks import unheard
from pbem.mail.free_text.retractions import is_for_later, takes_back
from pbem.mail.free_text.rival_moves import rivals
from pbem.mail.lines import letters
from pbem.mail.verbs import orders

if TYPE_CHECKING:
    from pbem.mail.free_text.readings import Readings
    from pbem.mail.free_text.typed_orders import Piece, TypedOrder
    from pbem.mail.verbs.vocabulary import Vocabulary

_BLOCKS: Final = 3
"""Blocks that are searched for a move at most: each takes hundreds of readings."""

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
    asked first whether `asked` is meant. `overlooked` are lines with words of the game beside the
    move, `unheard` those that only `say` would have sent.
    """

    block: TypedOrder
    order: TypedOrder | None
    asked: MoveMeant | None = None
    overlooked: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()


def move_said(
    moves: Sequence[TypedOrder],
    pieces: Sequence[Piece],
    tried: Readings | None,
    words: Vocabulary,
    *,
    asked_before: str | None = None,
) -> MoveSaid:
    """What the moves of a letter in one match are together, as the one text that reads as a move.

    `pieces` is all that the letter says there. `tried` reads for who has written; None if they are
    not to move. `asked_before` is the move that the mail asked about which is answered.
    """
    if tried is None:
        block = moves[0]
        return MoveSaid(block=block, order=block, unheard=unheard(pieces, block, words))
    board = _Board(tried, words, asked_before)
    one: TypedOrder | None
    try:
        block, one = board.one_of(moves)
        one = board.unless_doubtful(block, one, pieces)
    except Rejection as rejection:
        block, one = moves[0], replace(moves[0], refused=rejection)
    return MoveSaid(
        block=block,
        order=one,
        asked=board.asked,
        overlooked=board.overlooked,
        unheard=unheard(pieces, block, words),
    )


@dataclass(slots=True)
class _Board:
    """How texts read for who is to move, and what comes to light beside the move."""

    tried: Readings
    words: Vocabulary
    asked_before: str | None = None
    asked: MoveMeant | None = None
    overlooked: tuple[str, ...] = ()

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
            others = [order for order in moves if self.tried.move(_text(order)) is None]
            self.overlooked += tuple(order.typed for order in others)
            if after_no(_text(whole)) is not None:
                return whole, self._in_a_sentence(whole)  # `no, L` may be a corner, or an answer
            return whole, whole
        if (spaced := self._double_spaced(moves)) is not None:
            return moves[0], spaced
        likely = self._likeliest(moves)
        self.overlooked += tuple(order.typed for order in moves if order is not likely)
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
        """`M n and S e` is a path of three steps, or two pieces go: ask."""
        one, other = self.tried.move(text), self.tried.move(listed(text))
        if one is not None and other is not None and one != other:
            raise _two_moves([one, other])

    def _likeliest(self, moves: Sequence[TypedOrder]) -> TypedOrder:
        """Of several blocks that are no move the one that holds one, or a faulty one.

        Raises Rejection `two_moves_in_mail` where several hold different ones.
        """
        if not 1 < len(moves) <= _BLOCKS:
            return moves[0]
        held: dict[str, TypedOrder] = {}
        for order in moves:
            for span in self._found(_text(order)).spans:
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
        if not others or len(guards) > 1 or self.tried.move(text) is None:
            return None
        typed = "\n".join(order.typed for order in moves)
        return replace(first, order=orders.Move(text), typed=typed)

    def _found(self, text: str) -> Found:
        return find_move(text, self.tried.move, self.tried.game.words)

    def _found_without_choice(self, text: str) -> Found:
        """What is found in a text. Raises Rejection `two_moves_in_mail` where it says `or`."""
        found = self._found(text)
        if not found.certain and (several := choices(text, self.tried)):
            raise _two_moves(several)
        return found

    def _in_another_order(self, text: str) -> str | None:
        """The one move that a text is as a list, or with its verbs in front."""
        whole = together(self.tried, text, self.words)
        return whole or verbs_first(self.tried, text, self.words)

    def _in_a_sentence(self, order: TypedOrder) -> TypedOrder | None:
        """A move inside other words: played if it is certain, else asked about."""
        rest = after_no(_text(order))
        if rest is None:
            return self._in_words(order)
        one = self._in_words(replace(order, order=orders.Move(rest)))
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
            return replace(order, order=orders.Move(text.partition("\n")[0]))  # said again
        found = self._found_without_choice(text)
        if not found.certain and (whole := self._in_another_order(text)) is not None:
            self.ask(whole, whole)
            return None
        slipped = None if found.certain else nearly(self.tried, text, self.words)
        if slipped is not None:
            self.ask(slipped, slipped, near=True)
            return None
        if len(found.spans) > 1:
            if is_list(text, found.spans):
                return with_misreading(order, text, self.tried, self.words)
            raise _two_moves([span.reads_as for span in found.spans])
        if not found.certain and not self.tried.is_whole(text):
            self._require_one(text)
        if not found.spans:
            return with_misreading(
                order, text, self.tried, self.words
            )  # refused with the game's words
        [span] = found.spans
        playable = span.text if self.tried.move(span.text) is not None else span.reads_as
        around = f"{text[: span.start]} {text[span.end :]}"
        parted = is_part(self.tried, text, span, self.words)
        if found.certain and not parted and not is_for_later(around):
            self._require_one_way(span.text)
            return replace(order, order=orders.Move(playable))
        if parted or self.tried.is_whole(text):
            # A part of a faulty move is another move: the game says what is wrong.
            return with_misreading(order, text, self.tried, self.words)
        self.ask(playable, span.reads_as)
        return None

    def _require_one(self, text: str) -> None:
        """Raise Rejection `two_moves_in_mail` where a text has more moves than a search finds."""
        found = rivals(text.split("\n"), "", "", self.tried, self.words)
        legal = [rival.move for rival in found.moves if rival.legal]
        if len(legal) > 1:
            raise _two_moves(legal)

    def unless_doubtful(
        self, block: TypedOrder, one: TypedOrder | None, pieces: Sequence[Piece]
    ) -> TypedOrder | None:
        """The order that is to be played, unless the rest of the letter has another reading.

        MAIL 1: two readings are a question, always. Raises Rejection `two_moves_in_mail`.
        """
        meant = self._meant(one)
        if meant is None:
            return one
        text, notation = meant
        rest = [piece for piece in pieces if not _is_within(piece, block, one)]
        lines = [line for piece in rest for line in piece.lines]
        found = rivals(lines, notation, text, self.tried, self.words)
        if found.moves:
            if one is None:
                self.asked = None
            raise _two_moves([notation, *(rival.move[:_NAMED] for rival in found.moves)])
        if one is not None and (found.unclear or self._is_taken_back(block, lines, pieces)):
            self.ask(text, notation)
            return None
        return one

    def _meant(self, one: TypedOrder | None) -> tuple[str, str] | None:
        """The text and the canonical form of the move that would be played or asked about."""
        if one is None:
            return None if self.asked is None else (self.asked.text, self.asked.notation)
        notation = self.tried.move(_text(one))
        return None if notation is None else (_text(one), notation)

    def _is_taken_back(
        self, block: TypedOrder, lines: Sequence[str], pieces: Sequence[Piece]
    ) -> bool:
        """Whether the rest of a letter takes its move back, or the line above it puts it off."""
        if takes_back(lines):
            return True
        at = next((n for n, piece in enumerate(pieces) if piece.order is block), 0)
        label = pieces[at - 1].lines[-1] if at > 0 and pieces[at - 1].order is None else ""
        return label.endswith((":", "：")) and is_for_later(label)

    def ask(self, text: str, notation: str, *, near: bool = False) -> None:
        """Have it asked whether a move is meant."""
        self.asked = MoveMeant(text, notation, near)


def _is_within(piece: Piece, block: TypedOrder, one: TypedOrder | None) -> bool:
    """Whether a piece is the block of the move, or one of those that are the move together."""
    if piece.order is None:
        return False
    spaced = one is not None and one.typed != block.typed and piece.order.typed in one.typed
    return piece.order is block or spaced


def _two_moves(candidates: Sequence[str] | Mapping[str, object]) -> Rejection:
    """MAIL 1: it is never chosen between two."""
    return Rejection("two_moves_in_mail", candidates=list(dict.fromkeys(candidates))[:_CANDIDATES])


def with_misreading(order: TypedOrder, text: str, tried: Readings, words: Vocabulary) -> TypedOrder:
    """The order of a text that may be no legal move, with what to say of it then."""
    rejection = tried.rejection(text)
    if rejection is None:
        return order
    said = plainer(tried, text, rejection, words)
    return replace(order, misread=said) if said is not rejection else order


def _text(order: TypedOrder) -> str:
    return cast("orders.Move", order.order).text
