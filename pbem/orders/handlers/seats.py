"""Orders about seats before the start: new matches, taking a seat, leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.mail.verbs import orders
from pbem.orders.handlers.challenges import new_match, rematch, rematch_asked
from pbem.orders.handlers.open_seats import join, take_seat
from pbem.orders.which_match import match_of

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def new_game(txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.NewGame) -> None:
    """Begin a match, with invitations or open seats."""
    with txn.conn.begin_nested():  # refused at the second opponent, the first is not new
        new_match(txn, typed, order)


def play_again(
    txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.Rematch
) -> None:
    """Play the same match with the same people again."""
    with txn.conn.begin_nested():
        _rematch(txn, context, typed)


def join_match(
    txn: Transaction, context: LetterContext, typed: TypedOrder, order: orders.Join
) -> None:
    """Take an open seat."""
    join(txn, context, typed, order.match, order.words, colour=order.colour)


def _rematch(txn: Transaction, context: LetterContext, typed: TypedOrder) -> None:
    """Ask the others again; whoever is asked already says so that they want it, too."""
    name = match_of(context, typed)
    asked = rematch_asked(txn, name)
    if asked is None:
        rematch(txn, txn.match(name))
        txn.done(typed.typed, "rematch")
    elif txn.sender in txn.match(asked).waiting_for:
        take_seat(txn, context, typed, asked, "")
    else:
        raise Rejection("rematch_asked", match=asked)
