"""Which move a letter holds: exactly one reading, or a question; never a choice between two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from pbem.errors import Rejection
from pbem.intake.misreadings import (
    is_faulty,
    is_list,
    is_part,
    nearly,
    plainer,
    readings_of,
    together,
)
from pbem.mail.free_text.filler_words import after_no
from pbem.mail.free_text.move_spans import Found, find_move, find_said
from pbem.mail.free_text.near_moves import listed
from pbem.mail.free_text.order_lines import Piece, Reading, TypedOrder
from pbem.mail.free_text.retractions import is_for_later, takes_back
from pbem.mail.free_text.rival_moves import rivals
from pbem.mail.lines import letters
from pbem.mail.verbs import orders
from pbem.matches.commands import ReadMove
from pbem.orders.letter_orders import MoveAsked
from pbem.orders.reply_context import open_questions
from pbem.orders.unsent_words import unheard
from pbem.orders.which_match import match_of

if TYPE_CHECKING:
    from pbem.mail.free_text.readings import Readings
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.matches.match import Match
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext


_BLOCKS: Final = 3
"""Blocks that are searched for a move at most: each takes hundreds of readings."""

_CANDIDATES: Final = 5
"""Moves of a letter that are named at most."""

_NAMED: Final = 120
"""Characters of one that is named as it was typed."""

_LINES: Final = 200
"""Lines below what is said in which moves are looked for."""


@dataclass(slots=True)
class Findings:
    """What comes to light beside the moves of a letter, as `Orders` has it."""

    overlooked: tuple[str, ...] = ()
    asked: tuple[MoveAsked, ...] = ()
    unheard: dict[MatchId, tuple[str, ...]] = field(default_factory=dict)


def one_move(context: LetterContext, reading: Reading, findings: Findings) -> list[TypedOrder]:
    """The orders with at most one move a match, as the one span of text that reads as a move.

    A move that only may be meant is to be asked about, and its order is gone from the result. Where
    different moves are written, the first of them is refused as `two_moves_in_mail`.
    """
    blocks: dict[MatchId, list[TypedOrder]] = {}
    for order in reading.orders:
        if isinstance(order.order, orders.Move):
            blocks.setdefault(match_of(context, order), []).append(order)
    said: dict[int, TypedOrder | None] = {}
    for match, moves in blocks.items():
        said |= dict.fromkeys(map(id, moves))
        board = context.match(match)
        lines = [one.typed for one in reading.orders if isinstance(one.order, orders.Decline)]
        pieces = [*_pieces(reading, match, context), Piece(tuple(lines), None, None)]
        first, one = _one_of(context, board, moves, pieces, findings)
        said[id(first)] = one
        findings.unheard[match] = unheard(pieces, first, context.house.words)
    found = (said.get(id(order), order) for order in reading.orders)
    return [order for order in found if order is not None]


def _pieces(reading: Reading, match: MatchId, context: LetterContext) -> list[Piece]:
    """What stands in a letter about a match: what names none is about the one that it answers."""
    home = context.home
    return [piece for piece in reading.pieces if (piece.match or home or match) == match]


def _one_of(
    context: LetterContext,
    match: Match,
    moves: Sequence[TypedOrder],
    pieces: Sequence[Piece],
    findings: Findings,
) -> tuple[TypedOrder, TypedOrder | None]:
    """The block that holds the move, and its order as it is to be carried out."""
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return moves[0], moves[0]
    tried = readings_of(match, seat)
    board = _Board(match, tried, context.house.words, findings, _move_asked(context, tried))
    try:
        first, one = board.one_of(moves)
        return first, board.as_read(board.unless_doubtful(first, one, pieces))
    except Rejection as rejection:
        return moves[0], replace(moves[0], refused=rejection)


def _move_asked(context: LetterContext, tried: Readings) -> str | None:
    """The move that the answered mail asks about, if it does."""
    open_ones = open_questions(context) if context.answered is not None else []
    lines = open_ones[0].facts.get("lines") if open_ones else None
    return tried.move(str(lines[0])) if isinstance(lines, list | tuple) and lines else None


@dataclass(slots=True)
class _Board:
    """A match whose mover has written, and how texts read there."""

    match: Match
    tried: Readings
    words: Vocabulary
    findings: Findings
    asked: str | None = None
    """The move that the mail asked about which is answered."""

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
            self.findings.overlooked += tuple(order.typed for order in others)
            if after_no(_text(whole)) is not None:
                return whole, self._in_a_sentence(whole)  # `no, L` may be a corner, or an answer
            return whole, whole
        if (spaced := self._double_spaced(moves)) is not None:
            return moves[0], spaced
        likely = self._likeliest(moves)
        self.findings.overlooked += tuple(order.typed for order in moves if order is not likely)
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
        return find_move(text, self.tried.move, self.match.game.words)

    def _in_a_sentence(self, order: TypedOrder) -> TypedOrder | None:
        """A move inside other words: played if it is certain, else asked about."""
        rest = after_no(_text(order))
        if rest is None:
            return self._in_words(order)
        one = self._in_words(replace(order, order=orders.Move(rest)))
        notation = self.tried.move(_text(one)) if one is not None else None
        if one is None or notation is None:
            return one
        if self.asked is not None and notation != self.asked and self.tried.move(rest) is not None:
            return one  # the answer to our question: no, but this
        self.ask(_text(one), notation)
        return None

    def _in_words(self, order: TypedOrder) -> TypedOrder | None:
        text = _text(order)
        said = {self.tried.move(line) for line in text.split("\n")}
        if len(said) == 1 and None not in said:
            return replace(order, order=orders.Move(text.partition("\n")[0]))  # said again
        found = self._found(text)
        if not found.certain and (whole := together(self.tried, text, self.words)) is not None:
            self.ask(whole, whole)
            return None
        slipped = None if found.certain else nearly(self.tried, text, self.words)
        if slipped is not None:
            self.ask(slipped, slipped, near=True)
            return None
        if len(found.spans) > 1:
            if is_list(text, found.spans):
                return _misread(order, text, self.tried, self.words)
            raise _two_moves([span.reads_as for span in found.spans])
        if not found.certain and not self.tried.is_whole(text):
            self._require_one(text)
        if not found.spans:
            return _misread(order, text, self.tried, self.words)  # refused with the game's words
        [span] = found.spans
        playable = span.text if self.tried.move(span.text) is not None else span.reads_as
        around = f"{text[: span.start]} {text[span.end :]}"
        parted = is_part(self.tried, text, span, self.words)
        if found.certain and not parted and not is_for_later(around):
            self._require_one_way(span.text)
            return replace(order, order=orders.Move(playable))
        if parted or self.tried.is_whole(text):
            # A part of a faulty move is another move: the game says what is wrong.
            return _misread(order, text, self.tried, self.words)
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
                self.findings.asked = self.findings.asked[:-1]
            raise _two_moves([notation, *(rival.move[:_NAMED] for rival in found.moves)])
        if one is not None and (found.unclear or self._is_taken_back(block, lines, pieces)):
            self.ask(text, notation)
            return None
        return one

    def as_read(self, one: TypedOrder | None) -> TypedOrder | None:
        """The order with the move that its text is, so that nobody reads it again."""
        if one is None or (notation := self.tried.move(text := _text(one))) is None:
            return one
        move, version = self.tried.value(text), self.match.version
        return replace(one, read=ReadMove(text, self.tried.seat, move, notation, version))

    def _meant(self, one: TypedOrder | None) -> tuple[str, str] | None:
        """The text and the canonical form of the move that would be played or asked about."""
        if one is None:
            asked = self.findings.asked[-1]
            return asked.text, asked.notation
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
        asked = MoveAsked(
            match=self.match.id,
            text=text,
            notation=notation,
            ply=self.match.ply,
            version=self.match.version,
            near=near,
        )
        self.findings.asked += (asked,)


def _is_within(piece: Piece, block: TypedOrder, one: TypedOrder | None) -> bool:
    """Whether a piece is the block of the move, or one of those that are the move together."""
    if piece.order is None:
        return False
    spaced = one is not None and one.typed != block.typed and piece.order.typed in one.typed
    return piece.order is block or spaced


def _two_moves(candidates: Sequence[str] | Mapping[str, object]) -> Rejection:
    """MAIL 1: it is never chosen between two."""
    return Rejection("two_moves_in_mail", candidates=list(dict.fromkeys(candidates))[:_CANDIDATES])


def _misread(order: TypedOrder, text: str, tried: Readings, words: Vocabulary) -> TypedOrder:
    rejection = tried.rejection(text)
    if rejection is None:
        return order
    said = plainer(tried, text, rejection, words)
    return replace(order, misread=said) if said is not rejection else order


def whole_moves(context: LetterContext) -> Callable[[str], bool]:
    """What says whether a line is a whole move, legal or not, in the match that is answered."""
    match = context.match(context.home) if context.home is not None else None
    seat = match.seat_of(context.sender) if match is not None else None
    if match is None or seat is None or seat not in match.to_act:
        return lambda _: False
    tried, words = readings_of(match, seat), match.game.words

    def is_move(line: str) -> bool:
        if len(line) > _NAMED or tried.count > _LINES or words.search(line.casefold()) is None:
            return False
        return tried.is_whole(line)

    return is_move


def with_misreading(
    context: LetterContext, match: Match, order: TypedOrder, text: str
) -> TypedOrder:
    """The order of a text that may be no legal move, with what to say of it then."""
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return order
    return _misread(order, text, readings_of(match, seat), context.house.words)


def said_move(context: LetterContext, reading: Reading) -> Reading | None:
    """A certain move in what looks like comment; some games know moves by whole lines only."""
    if context.home is None:
        return None
    match = context.match(context.home)
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return None
    tried, words = readings_of(match, seat), context.house.words
    typed = "\n\n".join("\n".join(paragraph) for paragraph in reading.paragraphs if paragraph)
    text = words.game_text(match.game, typed)
    found = find_said(text, tried.move, match.game.words)
    if not found.certain:
        return None
    [span] = found.spans
    rest = words.around(match.game, typed, span.start, span.end)
    if is_for_later(" ".join(rest)):
        return None
    playable = span.text if tried.move(span.text) is not None else span.reads_as
    order = TypedOrder(order=orders.Move(playable), typed=span.text)
    above = _pieces_of(rest[0], 0)
    below = [_pieces_of(part, number) for number, part in enumerate(rest[1].split("\n\n"))]
    pieces = (*above, Piece((span.text,), order, None), *chain.from_iterable(below))
    comments = tuple(line for piece in pieces if piece.order is None for line in piece.lines)
    return replace(reading, orders=(order,), paragraphs=(comments,), near_misses=(), pieces=pieces)


def _pieces_of(text: str, paragraph: int) -> list[Piece]:
    lines = (line for line in text.split("\n") if line.strip())
    return [Piece((line,), None, None, paragraph) for line in lines]


def _text(order: TypedOrder) -> str:
    return cast("orders.Move", order.order).text
