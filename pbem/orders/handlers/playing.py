"""Orders to play, to ask about a move, to refuse an invitation and to talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pbem.errors import Rejection
from pbem.mail.addresses import without_tags
from pbem.mail.free_text import TypedOrder
from pbem.mail.proof import Proof
from pbem.mail.verbs import orders
from pbem.matches import commands
from pbem.matches.match import Status, StepKind
from pbem.names import is_bot
from pbem.notices.personal import WhyTold
from pbem.notices.replies import (
    MovePreviewed,
)
from pbem.orders.handlers.correction_window import cut_of, hold_move, is_late, say_with_held
from pbem.orders.handlers.move_questions import ask_about_move
from pbem.orders.handlers.unbound_letters import tell_unbound
from pbem.orders.letter_context import LetterContext
from pbem.orders.letter_orders import MoveAsked
from pbem.orders.reply_context import require_fresh, require_same_line
from pbem.orders.which_match import match_of
from pbem.transaction.newcomer_quota import require_hearer
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.matches.match import Match
    from pbem.names import MatchId

MESSAGE: Final = 4_000
"""Characters of a message; it goes to everybody in the match."""


def play(txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Move) -> None:
    """Play a move, or hold it while it may be undone, unless it is meant for another board."""
    text = order.text
    match = match_of(context, typed)
    if typed.ply is None:
        require_fresh(context, txn.match(match))
    else:
        require_same_line(txn.match(match), typed.ply, typed.back)
    if typed.refused is not None:
        raise typed.refused
    if typed.unread and not txn.house.settings.matches.doubt_minutes:
        ask_about_move(txn, context, _asked(typed, txn.match(match)))
        return
    play = commands.Play(
        player=txn.sender, text=text, ply=typed.ply, letter=context.digest, read=typed.read
    )
    try:
        _play(txn, context, typed, match, play)
    except Rejection as rejection:
        raise typed.plainer(rejection) from rejection
    tell_unbound(txn, context, match)


def _asked(typed: TypedOrder, match: Match) -> MoveAsked:
    """A move beside which stands more than was read, where such moves do not wait."""
    text = typed.order.text if isinstance(typed.order, orders.Move) else ""
    notation = typed.read.notation if typed.read is not None else text
    return MoveAsked(
        match=match.id,
        text=text,
        notation=notation,
        ply=match.ply,
        version=match.version,
        unread=typed.unread,
    )


def _play(
    txn: Transaction, context: LetterContext, typed: TypedOrder, match: MatchId, play: commands.Play
) -> None:
    waits = context.window or typed.unread
    if waits and (context.proof is Proof.MAIL or not is_late(txn, match)):
        hold_move(txn, context, typed, match, play)
        return
    played = txn.decide(match, play)
    notation = next(
        step.text
        for step in reversed(played.steps)
        if step.kind is StepKind.MOVE and not step.forced
    )
    game = txn.match(match).game.key
    txn.done(typed.typed, "played", {"notation": notation, "game": game})


def _parsed(typed: TypedOrder, match: Match, text: str, seat: Seat) -> Any:
    """The move that a text is; only the match's game knows its type."""
    try:
        return match.game.parse(text, match.position, seat)
    except Rejection as rejection:
        raise typed.plainer(rejection) from rejection


def try_move(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Try
) -> None:
    """Show the board after a move. It is read as the move would be, and refused as it would be."""
    name, text = match_of(context, typed), order.text
    match = txn.match(name)
    if not text:
        raise Rejection("text_missing", verb="try")
    if match.status is Status.ENDED:
        raise Rejection("game_over")
    seat = match.seat_of(txn.sender)
    if seat is None:
        raise Rejection("match_not_started")
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    move = _parsed(typed, match, text, seat)
    match.game.tried(match.position, move, seat)
    notation = match.game.notation(move)
    txn.answer(MovePreviewed(match=name, seat=seat, ply=match.ply, notation=notation))
    txn.done(typed.typed, "shown")


def tell_why(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Why
) -> None:
    """Say whether a move is legal; a refusal says why not, as the move itself would get it."""
    name, text = match_of(context, typed), order.text
    match = txn.match(name)
    if not text:
        raise Rejection("text_missing", verb="why")
    seat = match.seat_of(txn.sender)
    if match.status is not Status.RUNNING or seat is None:
        raise Rejection("game_over" if match.status is Status.ENDED else "match_not_started")
    if seat not in match.to_act:
        raise Rejection("not_your_turn", seats=list(match.to_act))
    move = _parsed(typed, match, text, seat)
    match.game.tried(match.position, move, seat)
    notation = match.game.notation(move)
    txn.answer(WhyTold(match=name, typed=text, notation=notation))
    txn.done(typed.typed, "shown")


def decline(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Refuse an invitation, or withdraw one's own."""
    match = match_of(context, typed)
    before = txn.match(match)
    txn.decide(match, commands.Decline(player=txn.sender))
    own, joined = before.challenger == txn.actor, txn.sender not in before.invited
    txn.done(typed.typed, "withdrawn" if own else "seat_left" if joined else "declined")


def say(txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Say) -> None:
    """Say something to the others; no token of anybody goes with it."""
    text = order.text
    match = match_of(context, typed)
    if not text:
        raise Rejection("text_missing", verb="say")
    if len(text) > MESSAGE:
        raise Rejection("text_too_long", most=MESSAGE)
    text = without_tags(txn.house.keys, text)
    if txn.match(match).status is Status.CHALLENGE:
        require_hearer(txn, txn.match(match).others(txn.sender))
    if say_with_held(txn, typed, match, text):
        return
    said = txn.decide(match, commands.Say(player=txn.sender, text=txn.seal(text)))
    readers = (*said.others(txn.sender), *said.watchers)
    heard = any(not is_bot(reader) for reader in readers)
    txn.done(typed.typed, "said" if heard else "said_to_nobody", cut_of(typed))
