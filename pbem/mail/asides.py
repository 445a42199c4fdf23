"""Which lines around a move are for the others, and which look like an order gone wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from pbem.mail.vocabulary import Vocabulary

COMMENT: Final = 500
"""Characters of what is passed on."""

A_GREETING: Final = 3
"""Words of a line that says no more than `Hi Bob` or `Cheers, Ann`."""

_PRIVATE: Final = (
    "if",
    "queue",
    "note",
    "remind",
    "away",
    "stop",
    "start",
    "mute",
    "unmute",
    "takeover",
)
"""Orders of which the others must not hear: what is nearly one is kept from them, too."""

_NEAR: Final = 0.75
_SURE: Final = 0.8
_SHORT: Final = 4
_GREETINGS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        hi hello hey dear thanks thank thx you a lot many very much good morning evening day luck
        cheers regards best bye greetings welcome
        hallo moin servus liebe lieber danke dank vielen schön dir euch guten gute tag morgen abend
        grüße gruß tschüss tschüs
        """,
    )
)

_FIRST: Final = re.compile(r"\W*(\w+)")
_LABEL: Final = re.compile(r"\W*[\w'-]+\s?:(?:\s|\w\w|$)")
"""A word and a colon (`not: he is weak`), but no smiley."""


def comment_of(paragraphs: Iterable[Iterable[str]], words: Vocabulary) -> str:
    """What was written around a move, for the others: no greeting alone, nobody's addresses."""
    remarks = [line for paragraph in paragraphs for line in _remarks(paragraph, words)]
    kept = [line for line in remarks if "@" not in line and "://" not in line]
    return " ".join(kept)[:COMMENT] if any(len(line.split()) > A_GREETING for line in kept) else ""


def _remarks(paragraph: Iterable[str], words: Vocabulary) -> Iterator[str]:
    """The lines of a paragraph that do not look like an order, which may run on to its end."""
    for line in paragraph:
        if is_private(line, words):
            return
        if _first(line) not in words.verbs:
            yield line


def is_private(line: str, words: Vocabulary) -> bool:
    """Whether a line may be meant for its writer alone (`not: he is weak`, `iff a5 then e3`).

    A remark that is taken for one is only not passed on, which harms less than a secret told.
    """
    secret = [word for word, verb in words.verbs.items() if verb.name in _PRIVATE]
    label = _LABEL.match(line) is not None
    return label or bool(get_close_matches(_first(line), secret, n=1, cutoff=_NEAR))


def _first(line: str) -> str:
    found = _FIRST.match(line)
    return found[1].casefold() if found is not None else ""


# --- chatter, and what is none --------------------------------------------------------------------


def is_meant(word: str, near: Sequence[str], line: str, words: Vocabulary) -> bool:
    """Whether a line that is nearly an order is likely one, and not a word to the others."""
    if line.endswith("?") or answers(word, words):
        return False
    return word in near or bool(get_close_matches(word, near, n=1, cutoff=_SURE))


def answers(word: str, words: Vocabulary) -> bool:
    """Whether a word answers a question; people also begin sentences with it."""
    verb = words.verbs.get(word)
    return verb is not None and verb.name in ("yes", "accept", "decline")


def is_greeting(lines: Iterable[str], words: Vocabulary) -> bool:
    """Whether a letter says no more than `Hi Bob` or `Thanks!`: PLAY 2, no order and no error."""
    typed = [word for line in lines for word in re.findall(r"[\w'@/-]+|\?", line)]
    if not typed or len(typed) > _SHORT or typed[0].casefold() not in _GREETINGS:
        return False
    names = [word for word in typed if word.casefold() not in _GREETINGS]
    return all(word.istitle() and word.casefold() not in words.verbs for word in names)
