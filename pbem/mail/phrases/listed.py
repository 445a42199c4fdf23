"""Phrases that are looked for in the words of a text: one after another, or with a few between.

Between the words of a phrase `…` stands for a few others (`take … back`); a word that ends in `*`
is the beginning of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PART: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\*?|…")

_BETWEEN: Final = 4
"""Words for which `…` stands at most."""

_LETTERS: Final = 3
"""Letters of the beginning of a word that tell most others apart; each has as many."""

Said: TypeAlias = tuple[str, ...]
"""A clause or a phrase in its words, in small letters."""


def words_in(text: str) -> Said:
    """The words of a text as phrases are compared with them."""
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))


@dataclass(frozen=True, slots=True)
class Listed:
    """Phrases in their words, by the first of each.

    `beginnings` are those whose first word is a beginning, by its first letters.
    """

    by_first: dict[str, tuple[Said, ...]]
    beginnings: dict[str, tuple[Said, ...]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Listed:
        """The phrases, each as it is written."""
        by_first: dict[str, tuple[Said, ...]] = {}
        beginnings: dict[str, tuple[Said, ...]] = {}
        for text in texts:
            phrase = tuple(_PART.findall(text.casefold()))
            if phrase and phrase[0].endswith("*"):
                key = phrase[0].rstrip("*")[:_LETTERS]
                beginnings[key] = (*beginnings.get(key, ()), phrase)
            elif phrase:
                by_first[phrase[0]] = (*by_first.get(phrase[0], ()), phrase)
        return cls(by_first, beginnings)

    def stand_in(self, said: Said) -> bool:
        """Whether one of the phrases stands somewhere in the words."""
        return any(
            _end(phrase, said, at) is not None
            for at, word in enumerate(said)
            for phrase in self._at(word)
        )

    def are(self, said: Said) -> bool:
        """Whether the words are one of the phrases, and no other."""
        phrases = self._at(said[0]) if said else ()
        return any(_end(phrase, said, 0) == len(said) for phrase in phrases)

    def _at(self, word: str) -> tuple[Said, ...]:
        """The phrases that may begin with a word."""
        return self.by_first.get(word, ()) + self.beginnings.get(word[:_LETTERS], ())


def _end(phrase: Said, said: Said, at: int) -> int | None:
    """Where a phrase ends that begins at a word; None where it does not stand there."""
    skips = 0
    for part in phrase:
        if part == "…":
            skips = _BETWEEN
            continue
        most = min(len(said), at + skips + 1)
        found = next((n for n in range(at, most) if _is(part, said[n])), None)
        if found is None:
            return None
        at, skips = found + 1, 0
    return at


def _is(part: str, word: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else word == part
