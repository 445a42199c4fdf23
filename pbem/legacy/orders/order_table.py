"""What each order needs, and who carries it out: a row for each kind of order (MAIL 3).

Handlers write their rows themselves, by `carries_out`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from pbem.errors import Rejection
from pbem.legacy.mail.authentication import Proof
from pbem.legacy.mail.verbs.agreeing import Decline, Yes
from pbem.legacy.orders.powers import GRANTS, Power, is_anybodys, require

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text import TypedOrder
    from pbem.legacy.mail.verbs.verb import Order
    from pbem.legacy.orders.context import LetterContext
    from pbem.legacy.transaction.transaction import Transaction


# --- order table ---------------------------------------------------------------------------------

_O = TypeVar("_O", bound="Order")
_Handler: TypeAlias = "Callable[[Transaction, LetterContext, TypedOrder, _O], None]"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of order.

    power: what the letter's proof must grant. handler: carries it out and accounts for it; raises
    Rejection, and then it has changed nothing. of_match: it means something in each match, so that
    a letter to several seats says it in each; all others are carried out once. of_seat: what it
    does, and is told of it, concerns its writer's seat in that match and no more.
    """

    power: Power
    handler: _Handler[Any]
    of_match: bool = False
    of_seat: bool = False


TABLE: Final[dict[type[Order], Row]] = {}
"""Every order stands here once, whatever it is typed as: each handler says which it carries out."""

_ASKS: Final[dict[type[Order], _Handler[Any]]] = {}
"""What is done first with an order where the proof grants all but what cannot be taken back."""


def carries_out(
    order: type[_O], power: Power, *, in_match: bool = False, of_seat: bool = False
) -> Callable[[_Handler[_O]], _Handler[_O]]:
    """Have such orders carried out by what is decorated; `in_match`: `of_match` and `of_seat`."""

    def note(handler: _Handler[_O]) -> _Handler[_O]:
        row = Row(power, handler, of_match=in_match, of_seat=in_match or of_seat)
        TABLE[order] = row
        return handler

    return note


def asks_before(order: type[_O]) -> Callable[[_Handler[_O]], _Handler[_O]]:
    """Have what is decorated ask before such an order is carried out."""

    def note(handler: _Handler[_O]) -> _Handler[_O]:
        _ASKS[order] = handler
        return handler

    return note


@carries_out(Yes, Power.READ, of_seat=True)
def _nothing_to_confirm(_: Transaction, __: LetterContext, ___: TypedOrder, ____: Order) -> None:
    """What a `yes` answers has a power of its own: `say_yes` asks for that."""
    raise Rejection("nothing_to_confirm")


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
    asks = None if row.power in GRANTS[context.proof] else _ASKS.get(type(typed.order))
    told = len(txn.results)
    (asks or row.handler)(txn, context, typed, typed.order)
    if row.of_seat:
        mark_of_seat(txn, told)


def binds(order: Order) -> bool:
    """Whether an order binds its writer at once, or ends something: what is asked first does not.

    Such a one is asked about where its letter may take it back (MAIL 1).
    """
    row = TABLE[type(order)]
    binding = row.power in (Power.BIND, Power.IRREVOCABLE)
    return binding and type(order) not in _ASKS and not isinstance(order, Decline)


def mark_of_seat(txn: Transaction, told: int) -> None:
    """Note that what was accounted for after the first `told` results concerns one seat alone."""
    txn.results[told:] = [replace(result, of_seat=True) for result in txn.results[told:]]
