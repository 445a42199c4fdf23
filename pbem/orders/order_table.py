"""What each order needs, and who carries it out: a row for each kind of order (MAIL 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from pbem.errors import Rejection
from pbem.mail.authentication import Proof
from pbem.mail.verbs import orders, own_orders
from pbem.mail.verbs.orders import Decline
from pbem.orders.handlers import (
    accepting,
    conditions,
    people,
    playing,
    resigning,
    seats,
    second_thoughts,
    showing,
    wishes,
)
from pbem.orders.handlers.accepting import accept_or_decline
from pbem.orders.handlers.people import renew_address
from pbem.orders.handlers.resigning import resign
from pbem.orders.powers import GRANTS, Power, is_anybodys, require

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.mail.verbs.orders import Order
    from pbem.orders.context import LetterContext
    from pbem.transaction.transaction import Transaction


# --- order table ---------------------------------------------------------------------------------

_O = TypeVar("_O", bound="Order")
_Handler: TypeAlias = "Callable[[Transaction, LetterContext, TypedOrder, _O], None]"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of order.

    power: what the letter's proof must grant. handler: carries it out and accounts for it; raises
    Rejection, and then it has changed nothing. asks: what is done instead where the proof grants
    everything but what cannot be taken back. of_match: it means something in each match, so that
    a letter to several seats says it in each; all others are carried out once. of_seat: what it
    does, and is told of it, concerns its writer's seat in that match and no more.
    """

    power: Power
    handler: _Handler[Any]
    asks: _Handler[Any] | None = None
    of_match: bool = False
    of_seat: bool = False


def _row(
    order: type[_O],
    power: Power,
    handler: _Handler[_O],
    asks: _Handler[_O] | None = None,
    *,
    of_seat: bool = False,
) -> tuple[type[Order], Row]:
    """A row whose handlers take that very kind of order."""
    return cast("type[Order]", order), Row(power, handler, asks, of_seat=of_seat)


def _here(order: type[_O], power: Power, handler: _Handler[_O]) -> tuple[type[Order], Row]:
    """A row of an order that means something in each match."""
    return cast("type[Order]", order), Row(power, handler, of_match=True, of_seat=True)


def _nothing_to_confirm(
    _: Transaction, __: LetterContext, ___: TypedOrder, ____: orders.Yes
) -> None:
    raise Rejection("nothing_to_confirm")


READ, WISHES, TALK = Power.READ, Power.WISHES, Power.TALK
MOVE, BIND, IRREVOCABLE = Power.MOVE, Power.BIND, Power.IRREVOCABLE

TABLE: Final[Mapping[type[Order], Row]] = dict((
    # What is played.
    _here(orders.Move, MOVE, playing.play),
    _here(orders.Try, READ, playing.try_move),
    _here(orders.Why, READ, playing.tell_why),
    _here(orders.Undo, MOVE, second_thoughts.undo),
    # What may be a thief's move is held whatever they write.
    _here(orders.Now, BIND, second_thoughts.play_now),
    # A condition is played at once, and may resign.
    _here(own_orders.If, BIND, conditions.give_condition),
    _here(own_orders.HalfIf, READ, conditions.refuse_half_a_condition),
    _here(own_orders.SaidIf, READ, conditions.refuse_a_said_condition),
    _here(own_orders.DropConditions, MOVE, conditions.drop_conditions),
    _here(orders.Standing, BIND, accepting.give_standing_order),
    _here(orders.OfferDraw, BIND, accepting.offer_draw),
    _here(orders.AnswerDraw, BIND, accepting.answer_draw),
    _here(orders.Claim, BIND, accepting.claim),
    _here(orders.Resign, IRREVOCABLE, resign),  # it is held instead of being asked about
    # Who plays.
    _row(orders.NewGame, BIND, seats.new_game),
    _row(orders.Rematch, BIND, seats.play_again),
    _row(orders.Accept, BIND, accept_or_decline, of_seat=True),
    _row(orders.Decline, BIND, accept_or_decline, of_seat=True),
    _row(orders.Join, BIND, seats.join_match),
    _row(orders.Watch, WISHES, seats.watch),
    _row(orders.Unwatch, WISHES, seats.unwatch),
    # What is said, and noted.
    _here(orders.Say, TALK, playing.say),
    _here(own_orders.Note, TALK, conditions.note),
    _here(own_orders.Mute, WISHES, conditions.mute),
    _here(own_orders.Unmute, WISHES, conditions.unmute),
    # What is shown.
    _row(orders.ListGames, READ, showing.list_matches),
    _row(orders.ShowCalendar, READ, showing.show_calendar),
    _row(orders.ListOpen, READ, showing.list_open_seats),
    _here(orders.ShowBoard, READ, showing.show_board),
    _here(orders.ShowChanges, READ, showing.show_changes),
    _here(orders.ShowHistory, READ, showing.show_history),
    _here(orders.ShowRecord, READ, showing.show_record),
    _here(orders.ShowReplay, READ, showing.show_replay),
    _here(orders.ShowGif, READ, showing.show_gif),
    _here(orders.Verify, READ, showing.verify_match),
    _row(orders.ShowRules, READ, showing.show_rules, of_seat=True),
    _row(orders.Help, READ, showing.help_out, of_seat=True),
    _here(own_orders.ShowConditions, READ, showing.show_conditions),
    _here(own_orders.ShowMessages, READ, showing.show_messages),
    # What a `yes` answers has a power of its own: `say_yes` asks for that.
    _row(orders.Yes, READ, _nothing_to_confirm, of_seat=True),
    # One's own mails and times.
    _row(own_orders.ChooseWish, WISHES, wishes.choose_wish),
    _row(own_orders.StartMails, WISHES, wishes.start_mails),
    _row(own_orders.ShowSettings, READ, wishes.show_settings),
    _row(own_orders.TestMail, WISHES, wishes.ask_what_is_seen),
    _row(own_orders.LooksBad, WISHES, wishes.note_bad_looks),
    _row(own_orders.RestDays, WISHES, wishes.choose_rest_days),
    _row(own_orders.QuietHours, WISHES, wishes.choose_quiet_hours),
    _row(own_orders.Away, WISHES, wishes.go_away),
    _row(own_orders.Back, WISHES, wishes.come_back),
    # Oneself and others.
    _row(orders.Rename, WISHES, people.rename),
    _row(orders.Block, WISHES, people.block),
    _row(orders.Unblock, WISHES, people.unblock),
    _row(orders.Invitations, WISHES, people.choose_invitations),
    _row(orders.Addresses, READ, people.show_addresses),
    _row(orders.MyData, READ, people.show_data),
    _row(orders.AddAddress, IRREVOCABLE, people.add_address, resigning.ask_to_add_address),
    _row(
        orders.RemoveAddress, IRREVOCABLE, people.remove_address, resigning.ask_to_remove_address
    ),
    _row(orders.RenewAddress, IRREVOCABLE, renew_address, resigning.ask_to_renew_address),
    _row(orders.DeleteMe, IRREVOCABLE, people.delete_sender, resigning.ask_to_delete),
))  # fmt: skip
"""Every order stands here once, whatever it is typed as."""


# --- carry out -----------------------------------------------------------------------------------
# Carry out one order of a letter: from what was typed to commands, questions and answers.


def carry_out(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Carry out one order and account for it. Raises Rejection, and then it has changed nothing.

    Whatever a letter orders comes through here, and needs its power (MAIL 3), which the letter's
    proof must grant.
    """
    row = TABLE[type(typed.order)]
    if not (context.proof is Proof.NEWCOMER and is_anybodys(typed.order)):
        require(context, row.power)
    asked_first = row.asks is not None and row.power not in GRANTS[context.proof]
    handler = row.asks if asked_first and row.asks is not None else row.handler
    told = len(txn.results)
    handler(txn, context, typed, typed.order)
    if row.of_seat:
        mark_of_seat(txn, told)


def binds(order: Order) -> bool:
    """Whether an order binds its writer at once, or ends something: what is asked first does not.

    Such a one is asked about where its letter may take it back (MAIL 1).
    """
    row = TABLE[type(order)]
    binding = row.power in (Power.BIND, Power.IRREVOCABLE)
    return binding and row.asks is None and not isinstance(order, Decline)


def mark_of_seat(txn: Transaction, told: int) -> None:
    """Note that what was accounted for after the first `told` results concerns one seat alone."""
    txn.results[told:] = [replace(result, of_seat=True) for result in txn.results[told:]]
