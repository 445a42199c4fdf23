"""Moves outside of orders: in what looks like comment, in a line below a text, alone in a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.accounting import Beside
from pbem.legacy.mail.free_text.move_spans import find_move
from pbem.legacy.mail.free_text.typed_orders import Piece, Reading, TypedOrder
from pbem.legacy.mail.verbs.playing import Move

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_LONGEST: Final = 120
"""Characters of a line that may be a whole move."""

_LINES: Final = 200
"""Lines below what is said in which moves are looked for."""


def said_move(
    reading: Reading, tried: Readings, words: Vocabulary, names: Callable[[], frozenset[str]]
) -> Reading | None:
    """A move in what looks like comment; some games know moves by whole lines only.

    Nothing is asked about then: its own sentence holds nothing but courtesy.
    """
    game = tried.game
    typed = "\n\n".join("\n".join(paragraph) for paragraph in reading.paragraphs if paragraph)
    text = words.game_text(game, typed)
    found = find_move(text, tried.move, game.words)
    if not found.whole:
        return None
    [span] = found.spans
    rest = words.around(game, typed, span.start, span.end)
    if not Beside(tried, words, span.reads_as, span.text, names).is_plain(*rest):
        return None
    order = TypedOrder(order=Move(text), typed=typed)
    piece = Piece(tuple(typed.split("\n")), order, None)
    return replace(reading, orders=(order,), paragraphs=(), near_misses=(), pieces=(piece,))


def whole_moves(tried: Readings) -> Callable[[str], bool]:
    """What says whether a line is a whole move, legal or not."""

    def is_move(line: str) -> bool:
        if len(line) > _LONGEST or tried.count > _LINES:
            return False
        return tried.game.words.search(line.casefold()) is not None and tried.is_whole(line)

    return is_move


def only_move(text: str, tried: Readings) -> str | None:
    """The one legal move that a text is or has in it, as it is read; None if that is open."""
    if tried.move(text) is not None:
        return text
    found = find_move(text, tried.move, tried.game.words)
    return found.spans[0].reads_as if len(found.spans) == 1 else None
