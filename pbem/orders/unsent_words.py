"""Words around a move that go to nobody: once a match their writer is shown how to send them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.names import is_bot
from pbem.notices.replies import SayOffered
from pbem.store.people import rates

if TYPE_CHECKING:
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction

_FOR_EVER: Final = timedelta(days=3650)


def offer_say(txn: Transaction, context: LetterContext, name: MatchId) -> None:
    """Offer to say what stood around a move that was understood: once a match, to each player."""
    lines = context.unheard.get(name, ())
    match = txn.match(name)
    if not lines or all(is_bot(other) for other in match.others(txn.sender)):
        return
    bucket = f"unheard:{txn.sender}:{name}"
    if rates.take(txn.conn, bucket, now=txn.now, capacity=1, per=_FOR_EVER):
        txn.answer(SayOffered(match=name, lines=lines))
