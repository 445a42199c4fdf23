"""What to say of a text that is no move: of the one move in it, or of a word that was mistyped."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pbem.errors import Rejection
from pbem.mail.move_spans import Span, find_move, narrowest
from pbem.mail.near_moves import Mended, mended, strangers

if TYPE_CHECKING:
    from pbem.games.game import Seat
    from pbem.mail.vocabulary import Vocabulary
    from pbem.matches.match import Match

UNREAD: Final = ("unreadable", "order_empty")
"""The codes of every game for a text whose words are not its grammar's."""

_OPEN: Final = ("_missing", "_incomplete", "_needed")
"""How the codes of every game end for an order that is not whole."""

_A_SENTENCE: Final = 2
"""Words that are no game's, from which on a piece of text is a sentence."""

SENTENCES: Final = re.compile(r"[\n.!?;]+")
"""The ends of sentences and lines."""

_ALONE: Final = 2
"""Words of a text in which one word may be the whole move."""

_SHOWN: Final = 80
"""Characters of an order that is shown without its slips."""


def is_part(match: Match, text: str, span: Span, words: Vocabulary) -> bool:
    """Whether words of the game stand around a move that are not those of a sentence."""
    pieces = SENTENCES.split(f"{text[: span.start]}\n{text[span.end :]}")
    return any(
        match.game.words.search(piece.casefold())
        and len(strangers(piece, match.game, words)) < _A_SENTENCE
        for piece in pieces
    )


def is_whole(match: Match, seat: Seat, text: str) -> bool:
    """Whether a text is a whole move and nothing else, legal or not."""
    return _Tried(match, seat).is_whole(text)


def nearly(match: Match, seat: Seat, text: str, words: Vocabulary) -> str | None:
    """The one move that a text is but for mistyped words; PLAY 2: it is asked about, not played."""
    tried = _Tried(match, seat)
    for one in mended(text, match.game, words):
        span = _only(one.text, match, lambda part: tried.rejection(part) is None)
        if span is not None and _has_slip(one, span):
            return tried.notation(span.reads_as)
    return None


def is_faulty(match: Match, seat: Seat, text: str, words: Vocabulary) -> bool:
    """Whether a text has exactly one whole move, which is not legal or has a slip."""
    tried = _Tried(match, seat)
    texts = (text, *(one.text for one in mended(text, match.game, words)))
    return any(_only(one, match, tried.is_whole) is not None for one in texts)


def plainer(
    match: Match, seat: Seat, text: str, rejection: Rejection, words: Vocabulary
) -> Rejection:
    """Why a text is no legal move, said of the only move in it and not of the words around it.

    `unslipped` among the facts is that move without its slips, where it has some.
    """
    if rejection.code not in UNREAD:
        return rejection
    tried = _Tried(match, seat)
    for one in mended(text, match.game, words):
        span = _only(one.text, match, tried.is_whole)
        if span is None or not _has_slip(one, span):
            continue
        found = tried.rejection(span.reads_as)
        if found is None:
            return Rejection("near_move", move=tried.notation(span.reads_as))
        shown = {"unslipped": span.reads_as} if len(span.reads_as) <= _SHOWN else {}
        return Rejection(found.code, **{**found.facts, **shown})
    for is_order in (tried.is_whole, tried.is_begun):
        span = _only(text, match, is_order)
        if span is not None and not is_part(match, text, span, words):
            return tried.rejection(span.reads_as) or rejection
    return tried.rejection(narrowest(text, match.game.words)) or rejection


def _has_slip(one: Mended, span: Span) -> bool:
    """Whether a mistyped word is in a move; a word alone in a sentence is no move (`protester`)."""
    alone = len(span.text.split()) == 1 and len(one.text.split()) > _ALONE
    return not alone and any(word in span.text.casefold() for word in one.words)


def _only(text: str, match: Match, is_order: Callable[[str], bool]) -> Span | None:
    """The only part of a text that is an order, good or bad; it reads as it stands."""
    found = find_move(text, lambda part: part if is_order(part) else None, match.game.words)
    return found.spans[0] if len(found.spans) == 1 else None


class _Tried:
    """Reads every part of a text once."""

    def __init__(self, match: Match, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self._known: dict[str, str | Rejection] = {}

    def _read(self, text: str) -> str | Rejection:
        if text not in self._known:
            game, position = self._match.game, self._match.position
            try:
                read: str | Rejection = game.notation(game.parse(text, position, self._seat))
            except Rejection as rejection:
                read = rejection
            self._known[text] = read
        return self._known[text]

    def notation(self, text: str) -> str:
        """A legal move in its canonical form."""
        return str(self._read(text))

    def rejection(self, text: str) -> Rejection | None:
        """Why a text is no legal move."""
        read = self._read(text)
        return read if isinstance(read, Rejection) else None

    def is_begun(self, text: str) -> bool:
        """Whether a text is a move or a part of one."""
        found = self.rejection(text)
        return found is None or found.code not in UNREAD

    def is_whole(self, text: str) -> bool:
        """Whether a text is a whole move, legal or not."""
        found = self.rejection(text)
        return self.is_begun(text) and (found is None or not found.code.endswith(_OPEN))
