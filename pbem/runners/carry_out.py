"""Carry out one order of a letter: from what was typed to commands, questions and answers."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Rejection
from pbem.mail import orders
from pbem.mail.order_lines import TypedOrder
from pbem.matches import commands
from pbem.matches.match import Status
from pbem.runners.agreements import answer_draw, give_standing_order, is_playing, offer_draw
from pbem.runners.answers import drop_question
from pbem.runners.challenges import challenge, rematch
from pbem.runners.moves import settle_moves
from pbem.runners.people import about_people
from pbem.runners.playing import decline, play, resign, say, tell_why, try_move
from pbem.runners.remarks import mute, note
from pbem.runners.showing import show
from pbem.runners.taking import Taking
from pbem.runners.which_match import match_of
from pbem.runners.windows import about_window
from pbem.runners.wishing import about_wishes


def carry_out(taking: Taking, typed: TypedOrder) -> None:  # noqa: C901, PLR0912, PLR0915 - a case an order
    """Carry out one order and account for it. Raises Rejection, and then it has changed nothing."""
    actor, match = taking.sender, typed.match or taking.home
    match typed.order:
        case orders.Move(text):
            play(taking, typed, text)
        case orders.Try(text):
            try_move(taking, typed, text)
        case orders.Undo() | orders.Now():
            about_window(taking, typed)
        case orders.Resign(sure):
            resign(taking, typed, sure=sure)
        case orders.Decline() if typed.match is None and drop_question(taking):
            taking.done(typed.typed, "dropped")
        case orders.Accept() | orders.Decline() if is_playing(taking, match_of(taking, typed)):
            accept = isinstance(typed.order, orders.Accept)
            answer_draw(taking, typed, match_of(taking, typed), accept=accept)
        case orders.Accept(words):
            taking.decide(match_of(taking, typed), commands.Accept(player=actor, words=words))
            taking.done(typed.typed, "accepted")
        case orders.Decline():
            decline(taking, typed)
        case orders.OfferDraw():
            offer_draw(taking, typed, match_of(taking, typed))
        case orders.AnswerDraw(accept):
            answer_draw(taking, typed, match_of(taking, typed), accept=accept)
        case orders.Standing(text):
            give_standing_order(taking, typed, match_of(taking, typed), text)
        case orders.Say(text):
            say(taking, typed, text)
        case orders.Note(text) if text:
            note(taking, typed, text)
        case orders.Mute() | orders.Unmute():
            mute(taking, typed)
        case orders.NewGame():
            _new_game(taking, typed, typed.order)
        case orders.Rematch():
            rematch(taking, taking.match(match_of(taking, typed)))
            taking.done(typed.typed, "rematch")
        case (
            orders.Rename()
            | orders.Block()
            | orders.Unblock()
            | orders.Invitations()
            | orders.Comments()
            | orders.Addresses()
            | orders.AddAddress()
            | orders.RemoveAddress()
            | orders.RenewAddress()
        ):
            about_people(taking, typed)
        case orders.ChooseWish() | orders.StartMails() | orders.ShowSettings():
            about_wishes(taking, typed)
        case orders.Why(text):
            tell_why(taking, typed, text)
        case orders.Yes():
            raise Rejection("nothing_to_confirm")
        case _:
            show(taking, typed, match)
            taking.done(typed.typed, "shown")


def _new_game(taking: Taking, typed: TypedOrder, order: orders.NewGame) -> None:
    name = challenge(taking, order)
    begun = taking.match(name).status is Status.RUNNING
    taking.done(typed.typed, "begun" if begun else "challenged")


def one_move(taking: Taking, typed: Sequence[TypedOrder]) -> list[TypedOrder]:
    """The orders with at most one move a match; see `settle_moves`."""
    places = {
        place: match_of(taking, order)
        for place, order in enumerate(typed)
        if isinstance(order.order, orders.Move)
    }
    return settle_moves(taking, typed, places)
