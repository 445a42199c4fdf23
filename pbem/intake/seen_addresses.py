"""Letters to an address that others have seen: they read, and what else they say is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Rejection
from pbem.intake.doubts import ask_about_rest
from pbem.intake.no_order import refuse_letter
from pbem.intake.safe_words import is_plain
from pbem.mail.proof import Proof
from pbem.mail.verbs import orders
from pbem.orders.carry_out import carry_out
from pbem.orders.confirmations import refuse
from pbem.orders.order_table import TABLE
from pbem.orders.powers import Power, may_wait

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.intake.intent import Became, Intent
    from pbem.mail.free_text import TypedOrder
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def take_seen(txn: Transaction, context: LetterContext, intent: Intent) -> Became:
    """Show what a letter asks for in words of ours, ask about the rest, and quote nothing of it.

    Whoever has seen the address might write to its player through us.
    """
    todo = intent.orders.todo if intent.orders.rejection is None else ()
    reads = [typed for typed in todo if _reads(txn, typed)]
    rest = [typed for typed in todo if not _reads(txn, typed)]
    for typed in reads:
        try:
            carry_out(txn, context, typed)
        except Rejection as rejection:
            refuse(txn, context, typed, rejection)
    if _asks(txn, context, rest):
        return "doubted"
    if rest or not reads:
        refuse_letter(txn, context, Rejection("address_seen"))
    return "done"


def _reads(txn: Transaction, typed: TypedOrder) -> bool:
    reads = TABLE[type(typed.order)].power is Power.READ and not isinstance(typed.order, orders.Yes)
    return reads and is_plain(typed.typed, txn.house.words)


def _asks(txn: Transaction, context: LetterContext, rest: Sequence[TypedOrder]) -> bool:
    """Whether the player is asked about it: not for ever, and only about what can wait."""
    if context.proof is not Proof.OLD_ADDRESS or not any(may_wait(one.order) for one in rest):
        return False
    return ask_about_rest(txn, context, rest)
