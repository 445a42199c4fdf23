"""What the words around a move make of it, in the languages that people write.

A word that is in no list makes a move doubtful, and then the player is asked; so the lists need not
be complete, and hold nothing that could deny a move or speak of another one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pbem.mail.phrases.lists import Phrases, spoken
from pbem.mail.phrases.patterns import patterns

_WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


def after_no(text: str) -> str | None:
    """What stands behind a `no` that answers a question (`no, e4 L`); None where there is none."""
    found = patterns().no_before_answer.match(text)
    return text[found.end() :] if found is not None else None


def _words(text: str) -> list[str]:
    return [found[0].replace("’", "'") for found in _WORD.finditer(text.casefold())]


@lru_cache(maxsize=2)
def _usual(said: Phrases) -> tuple[frozenset[str], ...]:
    """All words around moves, first those that announce one."""
    announcing = said.small_words | said.announcing
    return announcing, said.courtesies, said.greetings, said.doubts


def is_usual(word: str) -> bool:
    """Whether people put a word around their moves; it is no mistyped word of a game."""
    return any(word in words for words in _usual(spoken()))


def is_filler(token: str) -> bool:
    """Whether a word, or a dash of its own, may be left out between the words of a move."""
    return token.strip("-") == "" or token.casefold().strip(",.;:") in spoken().small_words


def _doubts(word: str) -> bool:
    return word.casefold() in spoken().doubts


def is_doubtful(text: str) -> bool:
    """Whether other sentences take a move back or speak of another one."""
    return any(
        _doubts(word) or word.endswith("n't") for word in _words(patterns().partings.sub("", text))
    )
