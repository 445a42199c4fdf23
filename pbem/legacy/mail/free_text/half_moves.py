"""The legal moves that a text is a part of, or shares most of its words with: to choose from.

Only words are compared: no move is better than another. And what a letter adds to a part of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.courtesies import is_filler, is_please, unaccounted

if TYPE_CHECKING:
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[^\W\d_]+-?\d+|\d+|[^\W\d_]+")

_SHOWN: Final = 3
"""Moves that are offered at most."""

_WORDS, _LOOKED_AT = 40, 2_000
"""Words of a text, and legal moves, that are compared at most."""


def alike(text: str, legal: Iterable[str], keywords: Iterable[str]) -> list[str]:
    """The legal moves that have most of the words of a text of their game, in their order.

    All that have the most of them, the shortest first: what is missing in the text is to be chosen.
    """
    known = {word.casefold() for word in keywords}
    typed = _WORD.findall(text.casefold())
    moves = [(move, _WORD.findall(move.casefold())) for move in legal][:_LOOKED_AT]
    in_any = {word for _, found in moves for word in found}
    said = [
        one
        for word in typed[:_WORDS]
        if (one := _as_written(word, in_any, known)) in in_any or any(map(str.isdigit, word))
    ]
    shared = [
        (sum((Counter(said) & Counter(found)).values()), found, move) for move, found in moves
    ]
    most = max((count for count, *_ in shared), default=0)
    if 2 * most <= len(said):
        return []
    best = [(len(found), move) for count, found, move in shared if count == most]
    return [move for _, move in sorted(best, key=lambda one: one[0])[:_SHOWN]]


def _as_written(word: str, written: set[str], known: set[str]) -> str:
    """A word as moves have it: sizes and directions are written with their first letter."""
    return word[0] if word in known and word not in written else word


def without_courtesy(lines: Sequence[str], names: Collection[str], words: Vocabulary) -> str | None:
    """The one sentence of lines that says more than courtesy, without the small words in it."""
    # A word that is written large may be a name, or in German the first of a sentence (`Klein`).
    said = list(unaccounted(lines, names)) or [line for line in lines if line.strip()][:1]
    if len(said) != 1:
        return None
    typed = words.please.sub("", said[0]).strip(" .!,").split()
    return " ".join(one for one in typed if not is_filler(one) and not is_please(one)) or None
