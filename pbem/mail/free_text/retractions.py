"""Words that take a move back in the letter that has it, or put it off: then it is asked about.

Unlike a second move these can be known by words alone. Most count only as a clause of their own
(`No, wait`): the same words stand in sentences that take nothing back (`I had to wait`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from pbem.mail.phrases.lists import Phrases, spoken
from pbem.mail.phrases.patterns import patterns

_WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_SENTENCE: Final = re.compile(r"[.!?…;\n。！？]+")
_CLAUSE: Final = re.compile(r"[.!?…;\n。！？,:、，：()\[\]{}\"]+|(?<!\S)[-*~>]+(?!\S)")

_WAITING: Final = 3
"""Words of a clause that tells somebody to wait."""

_Said: TypeAlias = tuple[str, ...]
"""A clause or a phrase in its words."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """Phrases in their words, and how many the longest of them has."""

    phrases: frozenset[_Said]
    most: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Listed:
        phrases = frozenset(phrase for one in texts if (phrase := _words(one)))
        return cls(phrases, max(map(len, phrases), default=0))

    def stand_in(self, said: _Said) -> bool:
        """Whether one of the phrases stands somewhere in the words."""
        return any(
            said[first : first + length] in self.phrases
            for first in range(len(said))
            for length in range(1, min(self.most, len(said) - first) + 1)
        )


@dataclass(frozen=True, slots=True)
class _Retractions:
    """What takes a move back alone, or inside a sentence, what puts it off, what says no alone."""

    alone: _Listed
    inside: _Listed
    later: _Listed
    no: _Listed


@lru_cache(maxsize=2)
def _retractions(said: Phrases) -> _Retractions:
    lists = (said.takes_back_alone, said.takes_back, said.later, said.no_alone)
    return _Retractions(*map(_Listed.of, lists))


def _words(text: str) -> _Said:
    return tuple(_WORD.findall(text.casefold()))


def takes_back(lines: Iterable[str]) -> bool:
    """Whether lines take back what a letter says: as a clause of their own, or in plain words."""
    said = spoken()
    listed = _retractions(said)
    return any(
        any(_is_alone(_words(part), listed, said) for part in _parts(line))
        or any(_denies(_words(sentence), listed) for sentence in _SENTENCE.split(line))
        or (not line.isascii() and any(one in line for one in said.takes_back_anywhere))
        for line in lines
    )


def _parts(line: str) -> list[str]:
    """The sentences of a line and their clauses."""
    return [*_SENTENCE.split(line), *_CLAUSE.split(line)]


def is_for_later(text: str) -> bool:
    """Whether what stands around a move in its sentence puts it off."""
    said = spoken()
    text = patterns().partings.sub("", text)
    anywhere = () if text.isascii() else said.later_anywhere
    later = _retractions(said).later
    return later.stand_in(_words(text)) or any(one in text for one in anywhere)


def _denies(sentence: _Said, listed: _Retractions) -> bool:
    start = sentence[1:] if sentence[:1] == ("please",) else sentence
    not_yet = (start[:1] == ("don't",) or start[:2] == ("do", "not")) and "yet" in start
    return not_yet or sentence in listed.no.phrases or listed.inside.stand_in(sentence)


def _is_alone(clause: _Said, listed: _Retractions, said: Phrases) -> bool:
    alone, lead = listed.alone.phrases, said.lead | said.no_alone
    while clause and clause not in alone and (clause[0] in lead or clause[-1] in lead):
        clause = clause[1:] if clause[0] in lead else clause[:-1]
    waits = bool(clause) and clause[0] in said.wait and len(clause) <= _WAITING
    return clause in alone or (waits and said.waited_for.isdisjoint(clause))
