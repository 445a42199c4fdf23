"""Letters that may be somebody else's: nothing is done, and their supposed writer is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.intake.doubtful_orders import doubted_lines
from pbem.intake.held_letters import hold, shown
from pbem.mail.free_text import Reading
from pbem.matches.match import Status
from pbem.notices.personal import SenderDoubted
from pbem.notices.replies import BoardShown, OrderResult
from pbem.orders.powers import is_seen
from pbem.transaction.question_kinds import DOUBTED
from pbem.transaction.rate_limits import asks_about_doubts, hints

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.intake.doubtful_orders import Kept
    from pbem.intake.sender import Known
    from pbem.mail.free_text import TypedOrder
    from pbem.notices.notice import Notice
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction


def ask_if_theirs(txn: Transaction, context: LetterContext, sender: Known, kept: Kept) -> bool:
    """Hold what a letter said, and ask whether it was them; False if enough was asked today.

    Whoever wrote it hears nothing: the question goes to the registered address, or to a further one
    of the player's where the letter is in that one's name.
    """
    if sender.player.banned or not _may_be_asked(txn, sender):
        return False
    txn.thread.in_reply_to = (
        None  # the letter is not known to be theirs: nothing of it goes into headers
    )
    asked = SenderDoubted(
        match=context.home,
        orders="",
        lines=shown(kept.shown),
        suspended=sender.player.suspended,
        more=kept.more,
        seen=is_seen(sender.proof),
    )
    hold(txn, kept.held, context.home, DOUBTED, asked, *_board(context), address=sender.asked_at)
    return True


def ask_about_rest(txn: Transaction, context: LetterContext, orders: Sequence[TypedOrder]) -> bool:
    """Hold those orders of a letter for which it proves too little, and ask; False as above."""
    if not asks_about_doubts(txn):
        return False
    reading = Reading(orders=tuple(orders), paragraphs=(), near_misses=())
    kept = doubted_lines(context, reading)
    asked = SenderDoubted(
        match=context.home,
        orders="",
        lines=shown(kept.shown),
        more=kept.more,
        seen=is_seen(context.proof),
    )
    hold(txn, kept.held, context.home, DOUBTED, asked, *_board(context))
    for typed in orders if not is_seen(context.proof) else ():
        txn.results.append(OrderResult(typed=typed.typed, status="refused", outcome="doubted"))
    return True


def _may_be_asked(txn: Transaction, sender: Known) -> bool:
    if sender.player.confirmed:
        return asks_about_doubts(txn)
    return hints(txn, txn.sender, known=False)


def _board(context: LetterContext) -> Iterator[Notice]:
    """The board of the match, for somebody who plays in it and may have wanted to move."""
    match = context.match(context.home) if context.home is not None else None
    if match is not None and match.status is Status.RUNNING and context.sender in match.players:
        yield BoardShown(match=match.id, ply=match.ply)
