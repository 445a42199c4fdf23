"""What a letter lacks that draws are bound to: its writer is told, once a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.matches.binding import draws_at_the_start
from pbem.matches.match import Match, Status, StepKind
from pbem.notices.replies import LetterUnbound

if TYPE_CHECKING:
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def tell_unbound(txn: Transaction, context: LetterContext, name: MatchId) -> None:
    """Say what is not sure of the sender's first letter to a match, where something is drawn.

    That of who was asked is the acceptance. The challenger's came before the commitment, and who
    took a seat over has written none, so that theirs is the first with a move.
    """
    lacks, match = context.unsure, txn.match(name)
    if lacks and draws_at_the_start(match) and _is_first(txn, match):
        txn.answer(LetterUnbound(match=name, lacks=lacks))


def _is_first(txn: Transaction, match: Match) -> bool:
    before = txn.found(match.id)
    if before is not None and before.match.status is Status.CHALLENGE:
        return True
    if txn.sender in (player for player, _, _ in match.accepted[1:]):
        return False
    seat = match.seat_of(txn.sender)
    moves = (step for step in match.steps if step.kind is StepKind.MOVE and not step.forced)
    return sum(step.seat == seat for step in moves) + (seat in match.held) == 1
