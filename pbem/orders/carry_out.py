"""Carry out one order of a letter: from what was typed to commands, questions and answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.mail.proof import Proof
from pbem.mail.verbs.orders import Decline
from pbem.orders.order_table import TABLE
from pbem.orders.powers import GRANTS, Power, is_anybodys, require

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.mail.verbs.orders import Order
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


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
