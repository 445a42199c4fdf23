"""What an account says of a held move, as it stands at the end of the letter that held it.

What goes out with a held move, words or an offer, is looked at after all other lines of a letter
(`moves_first`), and so knows what has become of the move.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from pbem.matches.events import MovePlayed

if TYPE_CHECKING:
    from pbem.names import MatchId
    from pbem.notices.replies import OrderResult
    from pbem.transaction.transaction import Transaction


def settled(txn: Transaction) -> tuple[OrderResult, ...]:
    """The results of a letter's lines: none says that a move waits which a later line settled."""
    return tuple(_settled(result, txn) for result in txn.results)


def _settled(result: OrderResult, txn: Transaction) -> OrderResult:
    match = txn.opened.get(cast("MatchId", result.facts.get("match")))
    if result.outcome != "held" or match is None:
        return result
    seat = match.now.seat_of(txn.sender)
    if seat in match.now.held:
        return result
    moves = (event for event in match.events if isinstance(event, MovePlayed))
    played = any(move.seat == seat for move in moves)
    return replace(result, outcome="played" if played else "held_undone")
