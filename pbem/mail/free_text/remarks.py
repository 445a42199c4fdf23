"""Words around a move that may be for the others, though only `say` sends words (PLAY 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pbem.mail.free_text.message_text import is_contact, is_farewell
from pbem.mail.free_text.small_talk import is_greeting

if TYPE_CHECKING:
    from pbem.mail.free_text.typed_orders import Piece, TypedOrder
    from pbem.mail.verbs.vocabulary import Vocabulary

_LINES: Final = 3
"""Lines that are offered at most."""

_LONGEST: Final = 200
"""Characters of one: all of it has to go into a link."""

_A_GREETING: Final = 3
"""Words of a line that says no more than `Hi Bob` or `Cheers, Ann`."""


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
    return tuple(found[:_LINES])


def _is_remark(line: str, words: Vocabulary) -> bool:
    """Whether a line may be for the others; none with an address, a number or a page's name."""
    if not len(line.split()) > _A_GREETING or len(line) > _LONGEST:
        return False
    if any(sign.isdigit() for sign in line) or is_contact(line):
        return False
    first = line.split(maxsplit=1)[0].casefold().strip(".,:;!?")
    return not (first in words.verbs or is_farewell(line) or is_greeting([line], words))
