"""Takebacks by mail: a question to each of the others, and what their answers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.verbs import orders
from pbem.matches import commands
from pbem.names import MatchId, is_bot
from pbem.orders.reply_context import open_questions
from pbem.store.people import questions
from pbem.transaction.question_kinds import QUESTIONS_LIVE, TAKEBACK

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def ask_takeback(txn: Transaction, typed: TypedOrder, name: MatchId) -> None:
    """Ask everybody who still plays; bots agree at once. Raises Rejection."""
    match = txn.decide(name, commands.Undo(player=txn.sender))
    request = match.takeback
    if request is None:
        raise Rejection("nothing_to_undo")
    others = [match.player_at(seat) for seat in match.playing if seat != request.seat]
    for player in others:
        if is_bot(player):
            match = txn.decide(name, commands.AnswerTakeback(player=player, accept=True))
            continue
        questions.ask(
            txn.conn,
            # The part before the last colon is the cause of the mail that asks it.
            f"{txn.cause}:takeback-{name}-{player}",
            player=player,
            kind=TAKEBACK,
            facts={"match": name, "ply": match.ply, "version": request.version},
            expires_at=txn.now + QUESTIONS_LIVE,
        )
    txn.done(typed.typed, "takeback_asked" if match.takeback else "takeback_granted")


def answer_takeback(txn: Transaction, typed: TypedOrder, match: MatchId, *, accept: bool) -> None:
    """Agree to the takeback that was asked for, or not. Raises Rejection."""
    txn.decide(match, commands.AnswerTakeback(player=txn.sender, accept=accept))
    txn.done(typed.typed, "takeback_accepted" if accept else "takeback_declined")


def takeback_meant(txn: Transaction, context: LetterContext, typed: TypedOrder) -> MatchId | None:
    """The match whose takeback an `accept` or `decline` answers, if it answers one.

    It does in a reply to the mail that asks; elsewhere unless a draw is offered as well.
    """
    if isinstance(typed.order, orders.Accept) and typed.order.words:
        return None
    asked = open_questions(context) if typed.match is None else []
    if asked:
        match = MatchId(str(asked[0].facts.get("match")))
        return match if asked[0].kind == TAKEBACK else None
    name = typed.match or context.home
    if name is None or txn.found(name) is None:
        return None
    match_now = txn.match(name)
    return name if _waits_for(match_now, txn) and match_now.offer is None else None


def _waits_for(match: Match, txn: Transaction) -> bool:
    request, seat = match.takeback, match.seat_of(txn.sender)
    if request is None or seat is None or seat in match.left:
        return False
    return seat != request.seat
