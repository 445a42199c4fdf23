"""Which lines around a move are for the others, and which look like an order gone wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from pbem.mail.vocabulary import Vocabulary, near_words

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

_LOOKS: Final = 500
"""Lines that are looked at; far fewer fit into what is passed on, and the rest is kept from all."""

_NEAR: Final = 0.75
_SURE: Final = 0.8
_SHORT: Final = 4
_GREETINGS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        hi hello hey dear thanks thank thx you a lot many very much good morning evening day luck
        cheers regards best bye greetings welcome all everybody everyone folks
        hallo moin servus liebe lieber danke dank vielen schön dir euch guten gute tag morgen abend
        zusammen alle allerseits ihr
        grüße gruß grüßen tschüss tschüs mit freundlichen freundliche herzliche herzlichen
        lieben viele kind warm sincerely yours with
        """,
    )
)

GREETING: Final = re.compile(
    r"(?i:hi|hello|hey|hallo|moin|servus|dear|liebe[rs]?|good \w+|guten \w+)"
    r"(?: (?:all|alle|zusammen|[A-Z][\w-]*)){0,2}\s*[,!.:]\s*(?=\w)"
)
"""A greeting before something else on its line; its comma tells it from a sentence."""

_PLAIN: Final = frozenset(
    re.findall(
        r"\w+",
        """
        all always anyway anyways day fails fall false mind minute must none nope nose not noted
        notice queen remain remains smart star stare stars started starting starts state stopped
        stopping way ways went when
        action actions art calls caution creation dirty dry fills location ordinary prove remote
        remove removed statement step steps stops sum top
        beginnen einer gewinnen nutzen orte stellen warten
        abend alles als dann denn dir erinnerst erinnert gute noten notfalls stark starke statt wann
        """,
    )
)
"""Words that begin sentences, though they are nearly private orders: `not` is nearly `note`."""

_ASKED_FOR: Final = (
    "resign", "board", "undo", "offer draw", "stop", "help", "rules", "history", "games",
    "settings", "away", "rematch", "accept", "decline",
)  # fmt: skip
"""Verbs that people speak of in sentences when they want them."""

_LABELS: Final = ("ps", "btw", "fyi")
"""Words before a colon that make no order of a line."""

_FIRST: Final = re.compile(r"\W*(\w+)")
_LABEL: Final = re.compile(r"\W*+\w[\w'-]*+\s?:(?:\s|\w\w|$)")
"""A word and a colon (`not: he is weak`), but no smiley."""


class Aside(NamedTuple):
    """What a letter says around its move: for the others, and lines that they do not get."""

    text: str = ""
    withheld: tuple[str, ...] = ()


def aside_of(paragraphs: Iterable[Iterable[str]], words: Vocabulary) -> Aside:
    """What was written around a move, for the others: no greeting alone, nobody's addresses."""
    kept: list[str] = []
    withheld: list[str] = []
    looks = _LOOKS
    for paragraph in paragraphs:
        private = False
        for line in paragraph:
            # What looks like an order for oneself may run on to the end of its paragraph.
            looks -= 1
            private = private or looks < 0 or is_private(line, words)
            if private or _is_no_remark(line, words):
                withheld.append(line)
            else:
                kept.append(line)
    text = " ".join(kept)[:COMMENT] if any(_is_long(line) for line in kept) else ""
    return Aside(text, tuple(line for line in withheld if _is_long(line)))


def _is_long(line: str) -> bool:
    return len(line.split()) > A_GREETING


def _is_no_remark(line: str, words: Vocabulary) -> bool:
    """Whether a line has an address, or begins like an order and is no longer than one."""
    if "@" in line or "://" in line:
        return True
    verb = words.verbs.get(_first(line))
    return verb is not None and len(line.split()) <= verb.longest + 1


def is_private(line: str, words: Vocabulary) -> bool:
    """Whether a line may be meant for its writer alone (`not: he is weak`, `iff a5 then e3`).

    A remark that is taken for one is only not passed on, which harms less than a secret told.
    """
    first = _first(line)
    if _LABEL.match(line) is not None:
        return first not in _LABELS
    if first in _PLAIN:
        return False
    # No two words are so much alike if one is that much longer.
    least, most = len(first) * _NEAR / (2 - _NEAR), len(first) * (2 - _NEAR) / _NEAR
    secret = tuple(
        word
        for word, verb in words.verbs.items()
        if verb.name in _PRIVATE and least <= len(word) <= most
    )
    return bool(near_words(first, secret, 1, _NEAR))


def begins_sentences(word: str) -> bool:
    """Whether a word that is nearly an order is a word of its own: `not` is nearly `note`."""
    return word in _PLAIN


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
    found = [re.findall(r"[\w'@/-]+|\?", line) for line in lines]
    typed = [word for line in found for word in line]
    if not typed or max(map(len, found)) > _SHORT or typed[0].casefold() not in _GREETINGS:
        return False
    names = [word for word in typed if word.casefold() not in _GREETINGS]
    known = all(word.istitle() and word.casefold() not in words.verbs for word in names)
    return known and len(names) < _SHORT


def mentioned(lines: Iterable[str], words: Vocabulary) -> tuple[str, ...]:
    """The verbs that a text without orders speaks of, in the order of `_ASKED_FOR`.

    They are told, so that `can you show me the board?` is not answered with the whole help.
    """
    typed = {word for line in lines for word in re.findall(r"\w+", line.casefold())}
    said = {words.verbs[word].name for word in typed if word in words.verbs}
    return tuple(verb for verb in _ASKED_FOR if verb in said)
