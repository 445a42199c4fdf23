"""Orders about seats before the start: new matches, taking a seat, leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.verbs import orders
from pbem.orders.challenges import new_match, rematch, rematch_asked
from pbem.orders.open_seats import accept, join
from pbem.orders.playing import decline
from pbem.orders.which_match import match_of

if TYPE_CHECKING:
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def about_seats(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Carry out an order about seats. Raises Rejection."""
    match typed.order:
        case orders.NewGame():
            with txn.conn.begin_nested():  # refused at the second opponent, the first is not new
                new_match(txn, typed, typed.order)
        case orders.Rematch():
            with txn.conn.begin_nested():
                _rematch(txn, context, typed)
        case orders.Join(name, words, colour):
            join(txn, context, typed, name, words, colour=colour)
        case orders.Accept(words, colour):
            accept(txn, context, typed, match_of(context, typed), words, colour=colour)
        case orders.Decline():
            decline(txn, context, typed)
        case _:
            raise TypeError(f"{typed.order} is not about seats")


def _rematch(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Ask the others again; whoever is asked already says so that they want it, too."""
    name = match_of(context, typed)
    asked = rematch_asked(txn, name)
    if asked is None:
        rematch(txn, txn.match(name))
        txn.done(typed.typed, "rematch")
    elif txn.sender in txn.match(asked).waiting_for:
        accept(txn, context, typed, asked, "")
    else:
        raise Rejection("rematch_asked", match=asked)
