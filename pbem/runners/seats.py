"""Orders about seats before the start: new matches, taking a seat, leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail import orders
from pbem.runners.challenges import new_match, rematch
from pbem.runners.open_seats import accept, join
from pbem.runners.playing import decline
from pbem.runners.which_match import match_of

if TYPE_CHECKING:
    from pbem.mail.order_lines import TypedOrder
    from pbem.runners.taking import Taking


def about_seats(taking: Taking, typed: TypedOrder) -> None:
    """Carry out an order about seats. Raises Rejection."""
    match typed.order:
        case orders.NewGame():
            new_match(taking, typed, typed.order)
        case orders.Rematch():
            rematch(taking, taking.match(match_of(taking, typed)))
            taking.done(typed.typed, "rematch")
        case orders.Join(name, words):
            join(taking, typed, name, words)
        case orders.Accept(words):
            accept(taking, typed, match_of(taking, typed), words)
        case orders.Decline():
            decline(taking, typed)
        case _:
            raise TypeError(f"{typed.order} is not about seats")
