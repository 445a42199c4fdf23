"""Orders to give up, and to make it final at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail.verbs import orders
from pbem.matches import commands
from pbem.matches.checks import require_seat
from pbem.matches.match import Status
from pbem.notices.news import ResignationKept
from pbem.notices.replies import QuestionAsked
from pbem.orders.handlers.playing import decline
from pbem.orders.reply_context import ask_again
from pbem.orders.which_match import match_of
from pbem.store.people import questions
from pbem.transaction.question_kinds import QUESTIONS_LIVE
from pbem.transaction.resignation_timers import finish_resignation, resign_until

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.mail.free_text import TypedOrder
    from pbem.matches.match import Match
    from pbem.orders.letter_context import LetterContext
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Transaction


def resign(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Resign
) -> None:
    """Give up, which is held; before the start there is only a seat to give up.

    A `yes` beside it counts at a keyboard alone: with mail, whoever knows the address can type it.
    """
    match = txn.match(match_of(context, typed))
    until = resign_until(txn)
    if match.status is Status.CHALLENGE:
        decline(txn, context, typed)
    elif until is not None:
        _hold(txn, context, typed, match, until)
    elif order.sure:
        txn.decide(match.id, commands.Resign(player=txn.sender))
        _resigned(txn, typed, match)
    else:
        _ask(txn, typed, match)


def _hold(
    txn: Transaction, context: LetterContext, typed: TypedOrder, before: Match, until: datetime
) -> None:
    """Whoever has said so before is told again until when it can be taken back."""
    after = txn.decide(before.id, commands.Resign(player=txn.sender, until=until))
    seat = require_seat(txn.sender, after)
    held = after.resigning[seat]
    if seat in before.resigning:
        again = ResignationKept(match=after.id, seat=seat, until=held.until.isoformat())
        txn.answer(again)
        ask_again(txn, context)
    txn.done(typed.typed, "resignation_held", {"until": held.until.isoformat()})


def _ask(txn: Transaction, typed: TypedOrder, match: Match) -> None:
    require_seat(txn.sender, match)
    questions.ask(
        txn.conn,
        f"{txn.cause}:resign",
        player=txn.sender,
        kind="resign",
        facts={"match": match.id, "ply": match.ply, "version": match.version},
        expires_at=txn.now + QUESTIONS_LIVE,
    )
    txn.answer(QuestionAsked(question="resign", match=match.id))
    txn.done(typed.typed, "shown")


def resign_for_good(txn: Transaction, typed: TypedOrder, question: Question) -> None:
    """The `yes` to the receipt of a resignation that is held. Raises Rejection."""
    _resigned(txn, typed, finish_resignation(txn, question.facts))


def _resigned(txn: Transaction, typed: TypedOrder, match: Match) -> None:
    txn.done(typed.typed, "resigned", {"label": f"{match.game.title} {match.id}"})
