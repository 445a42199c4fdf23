"""What `yes` does: each kind of question is answered in its own way."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.mail import orders
from pbem.mail.order_lines import TypedOrder, read_orders
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.names import MatchId
from pbem.runners.answers import TAKEBACK, open_questions
from pbem.runners.carry_out import carry_out, one_move
from pbem.runners.forgetting import forget
from pbem.runners.held import as_of, held_lines
from pbem.runners.people import remove_address
from pbem.runners.renewing import renew_address
from pbem.runners.takebacks import answer_takeback
from pbem.runners.taking import Taking
from pbem.runners.which_match import game_of
from pbem.store import questions


def refuse(taking: Taking, typed: TypedOrder, rejection: Rejection) -> None:
    """Account for an order that was refused, in its match."""
    taking.refuse(typed.typed, rejection, typed.match or taking.home)


def _yes_to_invitation(taking: Taking, typed: TypedOrder) -> None:
    """An invitation asks as well, and people answer it with yes."""
    if taking.home is None or taking.match(taking.home).status is not Status.CHALLENGE:
        raise Rejection("nothing_to_confirm")
    carry_out(taking, replace(typed, order=orders.Accept("")))


def say_yes(taking: Taking, typed: TypedOrder, game: AnyGame | None) -> None:
    """The answer to the question of the mail that is replied to, or else to the newest."""
    asked = open_questions(taking)
    if not asked:
        _yes_to_invitation(taking, typed)
        return
    question = asked[0]
    questions.answer(taking.conn, question.key, taking.now)
    if question.kind == "remove_address":
        remove_address(taking, typed, str(question.facts["address"]))
        return
    if question.kind == "delete_me":
        forget(taking, taking.sender, by="player")
        return
    if question.kind == "new_address":
        renew_address(taking, typed)
        return
    if question.kind == TAKEBACK:
        answer_takeback(taking, typed, MatchId(str(question.facts["match"])), accept=True)
        return
    if question.kind == "resign":
        match = MatchId(str(question.facts["match"]))
        taking.decide(match, commands.Resign(player=taking.sender))
        taking.done(typed.typed, "resigned")
        return
    held = read_orders(
        held_lines(question.facts), game, partial(game_of, taking), taking.house.words
    )
    for order in one_move(taking, held.orders):
        if isinstance(order.order, orders.Yes):
            continue
        try:
            carry_out(taking, as_of(taking, order, question.facts))
        except Rejection as rejection:
            refuse(taking, order, rejection)  # what was held is quoted, and not the yes
            return
