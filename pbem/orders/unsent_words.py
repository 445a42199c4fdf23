"""Words around a move that go to nobody: once a match their writer is shown how to send them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.mail.free_text.message_text import is_contact, is_farewell
from pbem.mail.free_text.small_talk import is_greeting
from pbem.names import is_bot
from pbem.notices.replies import SayOffered
from pbem.store.people import rates

if TYPE_CHECKING:
    from pbem.mail.free_text.order_lines import Piece, TypedOrder
    from pbem.mail.verbs.vocabulary import Vocabulary
    from pbem.names import MatchId
    from pbem.orders.letter_context import LetterContext
    from pbem.transaction.transaction import Transaction

LINES: Final = 3
"""Lines that are offered at most."""

_LONGEST: Final = 200
"""Characters of one: all of it has to go into a link."""

_A_GREETING: Final = 3
"""Words of a line that says no more than `Hi Bob` or `Cheers, Ann`."""

_FOR_EVER: Final = timedelta(days=3650)


def unheard(pieces: Sequence[Piece], move: TypedOrder, words: Vocabulary) -> tuple[str, ...]:
    """The lines above a move, and those of its paragraph, that may be for the others (PLAY 2)."""
    at = next((number for number, piece in enumerate(pieces) if piece.order is move), -1)
    if at < 0:
        return ()
    near = (
        piece
        for number, piece in enumerate(pieces)
        if piece.order is None and (number < at or piece.paragraph == pieces[at].paragraph)
    )
    found = [line for piece in near for line in piece.lines if _is_remark(line, words)]
    return tuple(found[:LINES])


def _is_remark(line: str, words: Vocabulary) -> bool:
    """Whether a line may be for the others; none with an address, a number or a page's name."""
    if not len(line.split()) > _A_GREETING or len(line) > _LONGEST:
        return False
    if any(sign.isdigit() for sign in line) or is_contact(line):
        return False
    first = line.split(maxsplit=1)[0].casefold().strip(".,:;!?")
    return not (first in words.verbs or is_farewell(line) or is_greeting([line], words))


def offer_say(txn: Transaction, context: LetterContext, name: MatchId) -> None:
    """Offer to say what stood around a move that was understood: once a match, to each player."""
    lines = context.unheard.get(name, ())
    match = txn.match(name)
    if not lines or all(is_bot(other) for other in match.others(txn.sender)):
        return
    bucket = f"unheard:{txn.sender}:{name}"
    if rates.take(txn.conn, bucket, now=txn.now, capacity=1, per=_FOR_EVER):
        txn.answer(SayOffered(match=name, lines=lines))
