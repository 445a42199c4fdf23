"""Which part of a game's rules is about what somebody asked, by the words that both have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]{3,}")

_ENDINGS: Final = "densr"
"""What plurals and cases end with, in the languages that we write."""

_STEM: Final = 4
"""Letters that are left of a word at least; shorter ones mean nothing, but names in capitals."""


def passage(rules: str, elsewhere: str, asked: Sequence[str]) -> str:
    """The paragraph that says most of what was asked; empty where none speaks of it.

    A word says the more the fewer paragraphs have it, and twice as much if the rules of other
    games, `elsewhere`, do without it: it is one of this game's own.
    """
    parts = [part.strip("\n") for part in re.split(r"\n[ ]*\n", rules)]
    said = [_stems(part) for part in parts]
    common, found = _stems(elsewhere), [0] * len(parts)
    for stem in dict.fromkeys(map(_stem, asked)):
        having = [at for at, stems in enumerate(said) if stem in stems]
        weight = (1 if stem in common else 2) * len(parts)
        for at in having if len(having) <= len(parts) // 3 else ():
            found[at] += weight // len(having)
    best = max(found, default=0)
    return parts[found.index(best)] if best else ""


def _stems(text: str) -> set[str]:
    words = _WORD.findall(text)
    return {_stem(word.casefold()) for word in words if len(word) >= _STEM or word.isupper()}


def _stem(word: str) -> str:
    """A word without what changes at its end: one letter or two."""
    for _ in range(2):
        if len(word) > _STEM and word[-1] in _ENDINGS:
            word = word[:-1]
    return word
