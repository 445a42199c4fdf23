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
    from pbem.transaction.transaction import Taking


def about_seats(taking: Taking, typed: TypedOrder) -> None:
    """Carry out an order about seats. Raises Rejection."""
    match typed.order:
        case orders.NewGame():
            with taking.conn.begin_nested():  # refused at the second opponent, the first is not new
                new_match(taking, typed, typed.order)
        case orders.Rematch():
            with taking.conn.begin_nested():
                _rematch(taking, typed)
        case orders.Join(name, words, colour):
            join(taking, typed, name, words, colour)
        case orders.Accept(words, colour):
            accept(taking, typed, match_of(taking, typed), words, colour)
        case orders.Decline():
            decline(taking, typed)
        case _:
            raise TypeError(f"{typed.order} is not about seats")


def _rematch(taking: Taking, typed: TypedOrder) -> None:
    """Ask the others again; whoever is asked already says so that they want it, too."""
    name = match_of(taking, typed)
    asked = rematch_asked(taking, name)
    if asked is None:
        rematch(taking, taking.match(name))
        taking.done(typed.typed, "rematch")
    elif taking.sender in taking.match(asked).waiting_for:
        accept(taking, typed, asked, "")
    else:
        raise Rejection("rematch_asked", match=asked)
