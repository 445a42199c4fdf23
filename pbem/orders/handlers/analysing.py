"""The order that has a match that is over looked at: what decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail.verbs import orders
from pbem.notices.replies import AnalysisShown
from pbem.orders.context import match_of
from pbem.orders.order_table import carries_out
from pbem.orders.powers import Power
from pbem.transaction.analyses import ask, require_analysable

if TYPE_CHECKING:
    from pbem.mail.free_text import TypedOrder
    from pbem.orders.context import LetterContext
    from pbem.transaction.transaction import Transaction


@carries_out(orders.ShowAnalysis, Power.READ, in_match=True, of_seat=True)
def show_analysis(
    txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.ShowAnalysis
) -> None:
    """Send the analysis of a match, or let it be made. Raises Rejection for whom there is none."""
    match = txn.match(match_of(context, typed))
    require_analysable(match, txn.sender)
    if ask(txn.conn, match, txn.sender, txn.now):
        txn.answer(AnalysisShown(match=match.id))
        txn.done(typed.typed, "shown")
    else:
        txn.done(typed.typed, "analysis_begun")
