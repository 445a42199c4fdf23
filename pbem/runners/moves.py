"""Which move a letter holds: exactly one reading, or a question; never a choice between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.errors import Facts, Rejection
from pbem.mail import orders
from pbem.mail.asides import A_GREETING, is_private
from pbem.mail.carriers import is_doubtful
from pbem.mail.move_spans import Span, find_move, find_said
from pbem.mail.order_lines import Reading, TypedOrder
from pbem.notices.replies import QuestionAsked
from pbem.runners.intent import MoveAsked
from pbem.runners.misreadings import SENTENCES, is_faulty, is_part, is_whole, nearly, plainer
from pbem.runners.which_match import match_of
from pbem.store import questions

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.mail.vocabulary import Vocabulary
    from pbem.matches.match import Match
    from pbem.names import MatchId
    from pbem.runners.letter_context import LetterContext
    from pbem.runners.taking import Taking

QUESTIONS_LIVE: Final = timedelta(days=14)

_BLOCKS: Final = 3
"""Blocks that are searched for a move at most: each takes hundreds of readings."""

_SHORT: Final = 120
"""Characters of a text that may take a move back."""

_A_DOUBT: Final = 4
"""Words around a second move that may mean it instead of the first; more tell of it."""

_SIGNS: Final = " .,;:*_()[]{}<>|/-!"
_OPENED: Final = " ,;:*_([{<|/-"
"""What stands around a move, or what is left of a list."""


@dataclass(slots=True)
class Findings:
    """What comes to light beside the moves of a letter, as `Orders` has it."""

    comment: str | None = None
    withheld: tuple[str, ...] = ()
    overlooked: tuple[str, ...] = ()
    asked: tuple[MoveAsked, ...] = ()


def one_move(
    context: LetterContext, typed: Sequence[TypedOrder], findings: Findings
) -> list[TypedOrder]:
    """The orders with at most one move a match; see `settle_moves`."""
    places = {
        place: match_of(context, order)
        for place, order in enumerate(typed)
        if isinstance(order.order, orders.Move)
    }
    return settle_moves(context, typed, places, findings)


def settle_moves(
    context: LetterContext,
    typed: Sequence[TypedOrder],
    match_of: dict[int, MatchId],
    findings: Findings,
) -> list[TypedOrder]:
    """Leave at most one move a match, as the one span of text that reads as a move.

    `match_of` has the match of each move, by its place in `typed`. Raises Rejection
    `two_moves_in_mail` where different moves are written; a move that only may be meant is to be
    asked about, and its order is gone from the result.
    """
    blocks: dict[MatchId, list[TypedOrder]] = {}
    for place, match in match_of.items():
        blocks.setdefault(match, []).append(typed[place])
    kept = {id(order) for order in typed if not isinstance(order.order, orders.Move)}
    said: dict[int, TypedOrder] = {}
    for match, found in blocks.items():
        first, one = _one_of(context, context.match(match), found, findings)
        if one is not None:
            kept.add(id(first))
            said[id(first)] = one
    return [said.get(id(order), order) for order in typed if id(order) in kept]


def _one_of(
    context: LetterContext, match: Match, moves: Sequence[TypedOrder], findings: Findings
) -> tuple[TypedOrder, TypedOrder | None]:
    """The block that holds the move, and its order as it is to be carried out."""
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return moves[0], moves[0]
    readable: dict[str, TypedOrder] = {}
    for order in moves:
        notation = _notation(match, _text(order), seat)
        if notation is not None:
            readable.setdefault(notation, order)
    if len(readable) > 1:
        raise Rejection("two_moves_in_mail", candidates=list(readable))
    if readable:
        [(notation, whole)] = readable.items()
        others = [order for order in moves if _notation(match, _text(order), seat) is None]
        for order in others[:_BLOCKS]:
            _require_no_doubt(match, _text(order)[:_SHORT], seat, notation)
        findings.overlooked += tuple(order.typed for order in others)
        return whole, whole
    if (spaced := _double_spaced(match, moves, seat)) is not None:
        return moves[0], spaced
    likely = _likeliest(match, moves, seat, context.house.words)
    findings.overlooked += tuple(order.typed for order in moves if order is not likely)
    return likely, _in_a_sentence(context, match, likely, seat, findings)


def _likeliest(
    match: Match, moves: Sequence[TypedOrder], seat: Seat, words: Vocabulary
) -> TypedOrder:
    """Of several blocks that are no move the one that holds one, or a faulty one.

    Raises Rejection `two_moves_in_mail` where several hold different ones.
    """
    if not 1 < len(moves) <= _BLOCKS:
        return moves[0]
    held: dict[str, TypedOrder] = {}
    for order in moves:
        found = find_move(_text(order), lambda span: _notation(match, span, seat), match.game.words)
        for span in found.spans:
            held.setdefault(span.reads_as, order)
    if len(held) > 1:
        raise Rejection("two_moves_in_mail", candidates=list(held))
    faulty = (order for order in moves if is_faulty(match, seat, _text(order), words))
    return next(iter(held.values()), None) or next(faulty, moves[0])


def _double_spaced(match: Match, moves: Sequence[TypedOrder], seat: Seat) -> TypedOrder | None:
    """The move that several blocks are together: some mailers set every line apart."""
    first, *others = moves
    guards = {(order.match, order.ply, order.back) for order in moves}
    text = "\n".join(map(_text, moves))
    if not others or len(guards) > 1 or _notation(match, text, seat) is None:
        return None
    typed = "\n".join(order.typed for order in moves)
    return replace(first, order=orders.Move(text), typed=typed)


def _require_no_doubt(match: Match, text: str, seat: Seat, notation: str) -> None:
    """A few words with another move (`no, e2 plant d1`) may take the first one back.

    Raises Rejection `two_moves_in_mail`.
    """
    found = find_move(text, lambda span: _notation(match, span, seat), match.game.words)
    for span in found.spans:
        rest = f"{text[: span.start]} {text[span.end :]}"
        if span.reads_as != notation and is_doubtful(rest) and len(rest.split()) <= _A_DOUBT:
            raise Rejection("two_moves_in_mail", candidates=[notation, span.reads_as])


def _in_a_sentence(
    context: LetterContext, match: Match, order: TypedOrder, seat: Seat, findings: Findings
) -> TypedOrder | None:
    """A move inside other words: played if it is certain, asked about if it only may be meant."""
    text = _text(order)
    found = find_move(text, lambda span: _notation(match, span, seat), match.game.words)
    if len(found.spans) > 1:
        raise Rejection("two_moves_in_mail", candidates=[span.reads_as for span in found.spans])
    slipped = None if found.certain else nearly(match, seat, text, context.house.words)
    if slipped is not None:
        findings.asked += (_question(match, slipped, slipped, near=True),)
        return None
    if not found.spans:
        return with_misreading(context, match, order, text)  # it is refused with the game's words
    [span] = found.spans
    if found.certain:
        _pass_on(context.house.words, match, order.typed, span, findings)
        return replace(order, order=orders.Move(_playable(match, span, seat)))
    if is_part(match, text, span, context.house.words) or is_whole(match, seat, text):
        # A part of a faulty move is another move: the game says what is wrong.
        return with_misreading(context, match, order, text)
    findings.asked += (_question(match, _playable(match, span, seat), span.reads_as),)
    return None


def with_misreading(
    context: LetterContext, match: Match, order: TypedOrder, text: str
) -> TypedOrder:
    """The order of a text that may be no legal move, with what to say of it then."""
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return order
    try:
        match.game.parse(text, match.position, seat)
    except Rejection as rejection:
        said = plainer(match, seat, text, rejection, context.house.words)
        return replace(order, misread=said) if said is not rejection else order
    return order


def _pass_on(words: Vocabulary, match: Match, typed: str, span: Span, findings: Findings) -> None:
    """Let what stands around a certain move go with it, but for the words that announce it."""
    if findings.comment is None:
        return
    before, after = words.around(match.game, typed, span.start, span.end)
    ends = [found.end() for found in SENTENCES.finditer(before)]
    said = [_bare(before[: ends[-1]] if ends else ""), _bare(after)]
    if any(is_private(piece, words) for piece in SENTENCES.split(typed)):
        findings.withheld += tuple(filter(None, said))
    elif findings.comment or any(len(text.split()) > A_GREETING for text in said):
        findings.comment = " ".join(filter(None, [said[0], findings.comment, said[1]]))


def _bare(text: str) -> str:
    return " ".join(text.split()).lstrip(_SIGNS).rstrip(_OPENED)


def said_move(context: LetterContext, reading: Reading) -> Reading | None:
    """A certain move in what looks like comment; some games know moves by whole lines only."""
    if context.home is None:
        return None
    match = context.match(context.home)
    seat = match.seat_of(context.sender)
    if seat is None or seat not in match.to_act:
        return None
    typed = "\n\n".join("\n".join(paragraph) for paragraph in reading.paragraphs if paragraph)
    text = context.house.words.game_text(match.game, typed)
    found = find_said(text, lambda span: _notation(match, span, seat), match.game.words)
    if not found.certain:
        return None
    [span] = found.spans
    rest = context.house.words.around(match.game, typed, span.start, span.end)
    move = orders.Move(_playable(match, span, seat))
    order = TypedOrder(order=move, typed=span.text)
    comments = tuple(line for part in rest for line in part.split("\n") if line.strip())
    if any(is_private(line, context.house.words) for line in reading.comments):
        comments = ()  # what is left of a private line beside its move does not look like one
    return replace(reading, orders=(order,), paragraphs=(comments,), near_misses=())


def _playable(match: Match, span: Span, seat: Seat) -> str:
    """The span as it is played: in canonical words where small words had to be left out."""
    return span.text if _notation(match, span.text, seat) is not None else span.reads_as


def _question(match: Match, text: str, notation: str, *, near: bool = False) -> MoveAsked:
    return MoveAsked(
        match=match.id,
        text=text,
        notation=notation,
        ply=match.ply,
        version=match.version,
        near=near,
    )


def ask_about_move(taking: Taking, move: MoveAsked) -> None:
    """Ask whether a move is meant; `yes` plays it on the board that it was read on."""
    facts: Facts = {
        "match": move.match,
        "lines": [move.text],
        "ply": move.ply,
        "version": move.version,
    }
    questions.ask(
        taking.conn,
        f"{taking.cause}:move",
        player=taking.sender,
        kind="letter",
        facts=facts,
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    told: Facts = {"notation": move.notation, "near": move.near}
    taking.answer(QuestionAsked(question="move", match=move.match, facts=told))


def _text(order: TypedOrder) -> str:
    return cast("orders.Move", order.order).text


def _notation(match: Match, text: str, seat: Seat) -> str | None:
    try:
        return match.game.notation(match.game.parse(text, match.position, seat))
    except Rejection:
        return None
