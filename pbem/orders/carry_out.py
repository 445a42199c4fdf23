"""Carry out one order of a letter: from what was typed to commands, questions and answers."""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.mail.free_text.order_lines import TypedOrder
from pbem.mail.verbs import orders, private_orders
from pbem.mail.verbs.wish_orders import AboutHours, AboutWishes
from pbem.orders.absence import about_hours
from pbem.orders.accepting import accept_or_decline
from pbem.orders.conditions import PLANS, about_plans
from pbem.orders.correction_window import about_window
from pbem.orders.draw_offers import answer_draw, claim, give_standing_order, offer_draw
from pbem.orders.irrevocable import ask_first
from pbem.orders.letter_context import LetterContext
from pbem.orders.people import about_people
from pbem.orders.playing import play, tell_why, try_move
from pbem.orders.powers import is_asked_first, require_for
from pbem.orders.resigning import resign
from pbem.orders.seats import about_seats
from pbem.orders.showing import show
from pbem.orders.table_talk import about_talk, note
from pbem.orders.takeovers import take_over
from pbem.orders.watching import about_watching
from pbem.orders.which_match import match_of
from pbem.orders.wishes import about_wishes
from pbem.transaction.transaction import Transaction

_ASKED_FIRST: Final = (
    orders.AddAddress, orders.RemoveAddress, orders.RenewAddress, orders.DeleteMe,
)  # fmt: skip
"""Orders that nothing can take back; a resignation is held instead."""


def carry_out(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:  # noqa: C901, PLR0912, PLR0915 - a case an order
    """Carry out one order and account for it. Raises Rejection, and then it has changed nothing.

    Whatever a letter orders comes through here, and needs its power (MAIL 3), which
    the letter's proof must grant.
    """
    require_for(context, typed.order)
    match = typed.match or context.home
    match typed.order:
        case orders.Move(text):
            play(txn, context, typed, text)
        case orders.Try(text):
            try_move(txn, context, typed, text)
        case orders.Takeover():
            take_over(txn, context, typed, typed.order)
        case orders.Undo() | orders.Now():
            about_window(txn, context, typed)
        case order if isinstance(order, _ASKED_FIRST) and is_asked_first(context, order):
            ask_first(txn, typed)
        case orders.Resign(sure):
            resign(txn, context, typed, sure=sure)
        case orders.Accept() | orders.Decline():
            accept_or_decline(txn, context, typed, typed.order)
        case orders.Join() | orders.NewGame() | orders.Rematch():
            about_seats(txn, context, typed)
        case orders.Watch() | orders.Unwatch():
            about_watching(txn, context, typed)
        case orders.OfferDraw():
            offer_draw(txn, typed, match_of(context, typed))
        case orders.AnswerDraw(agrees):
            answer_draw(txn, typed, match_of(context, typed), accept=agrees)
        case orders.Claim():
            claim(txn, typed, match_of(context, typed))
        case orders.Standing(text):
            give_standing_order(txn, typed, match_of(context, typed), text)
        case order if isinstance(order, PLANS):
            about_plans(txn, context, typed)
        case orders.Say() | private_orders.Mute() | private_orders.Unmute():
            about_talk(txn, context, typed)
        case private_orders.Note(text) if text:
            note(txn, context, typed, text)
        case order if isinstance(order, orders.AboutPeople):
            about_people(txn, typed)
        case order if isinstance(order, AboutWishes):
            about_wishes(txn, context, typed)
        case order if isinstance(order, AboutHours):
            about_hours(txn, typed)
        case orders.Why(text):
            tell_why(txn, context, typed, text)
        case orders.Yes():
            raise Rejection("nothing_to_confirm")
        case _:
            show(txn, context, typed, match)
            txn.done(typed.typed, "shown")
