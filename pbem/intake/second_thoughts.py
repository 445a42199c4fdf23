"""Second thoughts about a move that is held: it does not go out before its player says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail.free_text import has_second_thoughts
from pbem.mail.verbs import orders, wish_orders
from pbem.matches.second_thoughts.correction_window import HeldMove
from pbem.orders.handlers.move_questions import ask_about_held
from pbem.orders.powers import GRANTS, Power

if TYPE_CHECKING:
    from pbem.intake.intent import Intent
    from pbem.mail.free_text import TypedOrder
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def asks_about_held(txn: Transaction, context: LetterContext, intent: Intent) -> bool:
    """Whether an answer to a held move's receipt doubts it: then it waits, and is asked about.

    `Stop!` there is no wish for fewer mails. What an order says plainly, it does.
    """
    held = _held(txn, context)
    if held is None or intent.orders.asked:
        return False
    if any(not _says_nothing(one) for one in intent.orders.todo):
        return False
    doubts = [line for line in intent.rest.lines if has_second_thoughts(line, context.house.words)]
    if doubts:
        ask_about_held(txn, context, held, doubts)
    return bool(doubts)


def _says_nothing(typed: TypedOrder) -> bool:
    """Whether an order is none here: `stop!`, or words of the game that are no move (`warte`)."""
    if isinstance(typed.order, orders.Move):
        return typed.read is None and typed.refused is None
    return isinstance(typed.order, wish_orders.ChooseWish)


def _held(txn: Transaction, context: LetterContext) -> HeldMove | None:
    """The move that the writer holds in the match that is answered."""
    if context.home is None or Power.MOVE not in GRANTS[context.proof]:
        return None
    loaded = context.found(context.home)
    if loaded is None:
        return None
    match = loaded.match
    seat = match.seat_of(txn.sender)
    return match.held.get(seat) if seat is not None else None
