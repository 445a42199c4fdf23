"""Orders to give up, and to make it final at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.matches import commands
from pbem.matches.checks import require_seat
from pbem.matches.match import Status
from pbem.notices.news import ResignationKept
from pbem.notices.replies import QuestionAsked
from pbem.orders.playing import decline
from pbem.orders.reply_context import ask_again
from pbem.orders.which_match import match_of
from pbem.store.people import questions
from pbem.transaction.question_kinds import QUESTIONS_LIVE
from pbem.transaction.resignation_timers import finish_resignation, resign_until
from pbem.transaction.window_timers import vacate_until

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.matches.match import Match
    from pbem.store.people.questions import Question
    from pbem.transaction.transaction import Taking


def resign(taking: Taking, typed: TypedOrder, *, sure: bool) -> None:
    """Give up, which is held; before the start there is only a seat to give up.

    A `yes` beside it counts at a keyboard alone: with mail, whoever knows the address can type it.
    """
    match = taking.match(match_of(taking, typed))
    until = resign_until(taking)
    if match.status is Status.CHALLENGE:
        decline(taking, typed)
    elif until is not None:
        _hold(taking, typed, match, until)
    elif sure:
        leaves = vacate_until(taking)
        taking.decide(match.id, commands.Resign(player=taking.sender, vacate_until=leaves))
        _resigned(taking, typed, match)
    else:
        _ask(taking, typed, match)


def _hold(taking: Taking, typed: TypedOrder, before: Match, until: datetime) -> None:
    """Whoever has said so before is told again until when it can be taken back."""
    after = taking.decide(before.id, commands.Resign(player=taking.sender, until=until))
    seat = require_seat(taking.sender, after)
    held = after.resigning[seat]
    if seat in before.resigning:
        again = ResignationKept(match=after.id, seat=seat, until=held.until.isoformat())
        taking.answer(again)
        ask_again(taking)
    taking.done(typed.typed, "resignation_held", {"until": held.until.isoformat()})


def _ask(taking: Taking, typed: TypedOrder, match: Match) -> None:
    require_seat(taking.sender, match)
    questions.ask(
        taking.conn,
        f"{taking.cause}:resign",
        player=taking.sender,
        kind="resign",
        facts={"match": match.id, "ply": match.ply, "version": match.version},
        expires_at=taking.now + QUESTIONS_LIVE,
    )
    taking.answer(QuestionAsked(question="resign", match=match.id))
    taking.done(typed.typed, "shown")


def resign_for_good(taking: Taking, typed: TypedOrder, question: Question) -> None:
    """The `yes` to the receipt of a resignation that is held. Raises Rejection."""
    _resigned(taking, typed, finish_resignation(taking, question.facts))


def _resigned(taking: Taking, typed: TypedOrder, match: Match) -> None:
    taking.done(typed.typed, "resigned", {"label": f"{match.game.title} {match.id}"})
