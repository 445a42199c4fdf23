"""Which move a letter holds: exactly one reading, or a question; never a choice between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from pbem.errors import Facts, Rejection
from pbem.mail import orders
from pbem.mail.asides import A_GREETING, is_private
from pbem.mail.carriers import is_doubtful
from pbem.mail.move_spans import Span, find_move, find_said
from pbem.mail.order_lines import Reading, TypedOrder
from pbem.notices.replies import QuestionAsked
from pbem.runners.misreadings import SENTENCES, is_faulty, is_part, is_whole, nearly
from pbem.store import questions

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.mail.vocabulary import Vocabulary
    from pbem.matches.match import Match
    from pbem.names import MatchId
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


def settle_moves(
    taking: Taking, typed: Sequence[TypedOrder], match_of: dict[int, MatchId]
) -> list[TypedOrder]:
    """Leave at most one move a match, as the one span of text that reads as a move.

    `match_of` has the match of each move, by its place in `typed`. Raises Rejection
    `two_moves_in_mail` where different moves are written; a move that only may be meant is asked
    about, and its order is gone from the result.
    """
    blocks: dict[MatchId, list[TypedOrder]] = {}
    for place, match in match_of.items():
        blocks.setdefault(match, []).append(typed[place])
    kept = {id(order) for order in typed if not isinstance(order.order, orders.Move)}
    said: dict[int, TypedOrder] = {}
    for match, found in blocks.items():
        first, one = _one_of(taking, taking.match(match), found)
        if one is not None:
            kept.add(id(first))
            said[id(first)] = one
    return [said.get(id(order), order) for order in typed if id(order) in kept]


def _one_of(
    taking: Taking, match: Match, moves: Sequence[TypedOrder]
) -> tuple[TypedOrder, TypedOrder | None]:
    """The block that holds the move, and its order as it is to be carried out."""
    seat = match.seat_of(taking.sender)
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
        taking.overlooked += tuple(order.typed for order in others)
        return whole, whole
    if (spaced := _double_spaced(match, moves, seat)) is not None:
        return moves[0], spaced
    likely = _likeliest(match, moves, seat, taking.house.words)
    taking.overlooked += tuple(order.typed for order in moves if order is not likely)
    return likely, _in_a_sentence(taking, match, likely, seat)


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
    taking: Taking, match: Match, order: TypedOrder, seat: Seat
) -> TypedOrder | None:
    """A move inside other words: played if it is certain, asked about if it only may be meant."""
    text = _text(order)
    found = find_move(text, lambda span: _notation(match, span, seat), match.game.words)
    if len(found.spans) > 1:
        raise Rejection("two_moves_in_mail", candidates=[span.reads_as for span in found.spans])
    slipped = None if found.certain else nearly(match, seat, text, taking.house.words)
    if slipped is not None:
        _ask(taking, match, slipped, slipped, near=True)
        return None
    if not found.spans:
        return order  # it is refused with the game's own words
    [span] = found.spans
    if found.certain:
        _pass_on(taking, match, order.typed, span)
        return replace(order, order=orders.Move(_playable(match, span, seat)))
    if is_part(match, text, span, taking.house.words) or is_whole(match, seat, text):
        return order  # a part of a faulty move is another move: the game says what is wrong
    _ask(taking, match, _playable(match, span, seat), span.reads_as)
    return None


def _pass_on(taking: Taking, match: Match, typed: str, span: Span) -> None:
    """Let what stands around a certain move go with it, but for the words that announce it."""
    if taking.comment is None:
        return
    words = taking.house.words
    before, after = words.around(match.game, typed, span.start, span.end)
    ends = [found.end() for found in SENTENCES.finditer(before)]
    said = [_bare(before[: ends[-1]] if ends else ""), _bare(after)]
    if any(is_private(piece, words) for piece in SENTENCES.split(typed)):
        taking.withheld += tuple(filter(None, said))
    elif taking.comment or any(len(text.split()) > A_GREETING for text in said):
        taking.comment = " ".join(filter(None, [said[0], taking.comment, said[1]]))


def _bare(text: str) -> str:
    return " ".join(text.split()).lstrip(_SIGNS).rstrip(_OPENED)


def said_move(taking: Taking, reading: Reading) -> Reading | None:
    """A certain move in what looks like comment; some games know moves by whole lines only."""
    if taking.home is None:
        return None
    match = taking.match(taking.home)
    seat = match.seat_of(taking.sender)
    if seat is None or seat not in match.to_act:
        return None
    typed = "\n\n".join("\n".join(paragraph) for paragraph in reading.paragraphs if paragraph)
    text = taking.house.words.game_text(match.game, typed)
    found = find_said(text, lambda span: _notation(match, span, seat), match.game.words)
    if not found.certain:
        return None
    [span] = found.spans
    rest = taking.house.words.around(match.game, typed, span.start, span.end)
    move = orders.Move(_playable(match, span, seat))
    order = TypedOrder(order=move, typed=span.text)
    comments = tuple(line for part in rest for line in part.split("\n") if line.strip())
    if any(is_private(line, taking.house.words) for line in reading.comments):
        comments = ()  # what is left of a private line beside its move does not look like one
    return replace(reading, orders=(order,), paragraphs=(comments,), near_misses=())


def _playable(match: Match, span: Span, seat: Seat) -> str:
    """The span as it is played: in canonical words where small words had to be left out."""
    return span.text if _notation(match, span.text, seat) is not None else span.reads_as


def _ask(taking: Taking, match: Match, text: str, notation: str, *, near: bool = False) -> None:
    facts: Facts = {"match": match.id, "lines": [text], "ply": match.ply, "version": match.version}
    questions.ask(
        taking.conn,
        f"{taking.cause}:move",
        player=taking.sender,
        kind="letter",
        facts=facts,
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    told: Facts = {"notation": notation, "near": near}
    asked = QuestionAsked(question="move", match=match.id, facts=told)
    taking.answer(asked)


def _text(order: TypedOrder) -> str:
    return cast("orders.Move", order.order).text


def _notation(match: Match, text: str, seat: Seat) -> str | None:
    try:
        return match.game.notation(match.game.parse(text, match.position, seat))
    except Rejection:
        return None
