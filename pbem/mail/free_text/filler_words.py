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
_CLAUSE: Final = re.compile(r"[,;:()\[\]\"\n]|\s-+\s|^-+\s|\s-+$")
_GREETED: Final = 3
"""Words of a greeting with a name: `Hi Bob`, `Hello dear Bob`."""

_SIGNED: Final = 2
"""Words of a name below or after a move."""


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


def leads_in(text: str) -> bool:
    """Whether what stands before a move in its sentence announces it, greets, or is nothing."""
    clauses = [_words(clause) for clause in _CLAUSE.split(patterns().wish.sub("i'll", text))]
    return all(_announces(words) or _greets(words) for words in clauses)


def _announces(words: list[str]) -> bool:
    announcing, *_ = _usual(spoken())
    return announcing.issuperset(words) and spoken().asking.isdisjoint(words[:1])


def _greets(words: list[str]) -> bool:
    return (
        words[0] in spoken().greetings
        and len(words) <= _GREETED
        and not any(_doubts(word) for word in words)
    )


def is_courtesy(text: str) -> bool:
    """Whether what stands after a move in its sentence is thanks, wishes, a name, or nothing."""
    rest = patterns().partings.sub("", text)
    clauses = [clause for clause in _CLAUSE.split(rest) if _words(clause)]
    if not clauses:
        return True
    *others, last = clauses
    return all(spoken().courtesies.issuperset(_words(clause)) for clause in others) and (
        spoken().courtesies.issuperset(_words(last)) or _signs(last, glued=last is text)
    )


def _signs(clause: str, *, glued: bool) -> bool:
    """Whether a clause of its own is a name: `..., Ann`."""
    found = clause.split()
    return (
        not glued
        and len(found) <= _SIGNED
        and all(word[0].isupper() and word.isalpha() and not _doubts(word) for word in found)
    )


def _doubts(word: str) -> bool:
    return word.casefold() in spoken().doubts


def is_doubtful(text: str) -> bool:
    """Whether other sentences take a move back or speak of another one."""
    return any(
        _doubts(word) or word.endswith("n't") for word in _words(patterns().partings.sub("", text))
    )
