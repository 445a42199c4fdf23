"""Words that take a move back in the letter that has it, or put it off: then it is asked about.

Unlike a second move these can be known by words alone. Most count only as a clause of their own
(`No, wait`): the same words stand in sentences that take nothing back (`I had to wait`). Between
the words of a phrase `…` stands for a few others: `take … back`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from pbem.mail.phrases.lists import Phrases, spoken
from pbem.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.mail.verbs.vocabulary import Vocabulary

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PART: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\*?|…")
_SENTENCE: Final = re.compile(r"[.!?…;\n。！？]+")
_CLAUSE: Final = re.compile(r"[.!?…;\n。！？,:、，：()\[\]{}\"]+|(?<!\S)[-*~>]+(?!\S)")

_AGAINST: Final = ("undo", "stop", "resign")
"""Verbs that are against a move, wherever they stand."""

_WAITING: Final = 3
"""Words of a clause that tells somebody to wait."""

_BETWEEN: Final = 4
"""Words for which `…` stands at most."""

_Said: TypeAlias = tuple[str, ...]
"""A clause or a phrase in its words."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """Phrases in their words, by the first of each; one that ends in `*` is a beginning."""

    by_first: dict[str, tuple[_Said, ...]]
    beginnings: tuple[_Said, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Listed:
        by_first: dict[str, tuple[_Said, ...]] = {}
        beginnings: list[_Said] = []
        for text in texts:
            phrase = tuple(_PART.findall(text.casefold()))
            if phrase and phrase[0].endswith("*"):
                beginnings.append(phrase)
            elif phrase:
                by_first[phrase[0]] = (*by_first.get(phrase[0], ()), phrase)
        return cls(by_first, tuple(beginnings))

    def stand_in(self, said: _Said) -> bool:
        """Whether one of the phrases stands somewhere in the words."""
        return any(
            _end(phrase, said, at) is not None
            for at, word in enumerate(said)
            for phrase in (*self.by_first.get(word, ()), *self.beginnings)
        )

    def are(self, said: _Said) -> bool:
        """Whether the words are one of the phrases, and no other."""
        phrases = (*self.by_first.get(said[0], ()), *self.beginnings) if said else ()
        return any(_end(phrase, said, 0) == len(said) for phrase in phrases)


def _end(phrase: _Said, said: _Said, at: int) -> int | None:
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
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))


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


def has_second_thoughts(line: str, words: Vocabulary) -> bool:
    """Whether an answer to a held move doubts it: has a `no`, a `wait`, an `undo` in it."""
    said = _words(line)
    undo = (word for word, verb in words.verbs.items() if verb.name in _AGAINST)
    doubts = spoken().doubts
    return (
        takes_back([line])
        or not set(undo).isdisjoint(said)
        or any(word in doubts or word.endswith("n't") for word in said)
    )


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
    lead = spoken().lead
    bare = tuple(word for word in sentence if word not in lead)
    return not_yet or listed.no.are(bare) or listed.inside.stand_in(sentence)


def _is_alone(clause: _Said, listed: _Retractions, said: Phrases) -> bool:
    lead = said.lead | said.no_alone
    while clause and not listed.alone.are(clause) and (clause[0] in lead or clause[-1] in lead):
        clause = clause[1:] if clause[0] in lead else clause[:-1]
    waits = bool(clause) and clause[0] in said.wait and len(clause) <= _WAITING
    return listed.alone.are(clause) or (waits and said.waited_for.isdisjoint(clause))
