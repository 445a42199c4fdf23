"""Words that take a move back in the letter that has it, or put it off: then it is asked about.

Unlike a second move these can be known by words alone. Most count only as a clause of their own
(`No, wait`): the same words stand in sentences that take nothing back (`I had to wait`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.phrases.lists import Listed, Phrases, Said, spoken, words_in
from pbem.legacy.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_SENTENCE: Final = re.compile(r"[.!?…;\n。！？]+")
_CLAUSE: Final = re.compile(r"[.!?…;\n。！？,:、，：()\[\]{}\"]+|(?<!\S)[-*~>]+(?!\S)")

_AGAINST: Final = ("undo", "stop", "resign")
"""Verbs that are against a move, wherever they stand."""

_WAITING: Final = 3
"""Words of a clause that tells somebody to wait."""


@dataclass(frozen=True, slots=True)
class _Retractions:
    """What takes a move back alone, or in a sentence, puts it off, says no alone, or keeps it.

    `kept` keeps it as the last clause: behind it somebody may think again.
    """

    alone: Listed
    inside: Listed
    later: Listed
    no: Listed
    keeping: Listed
    kept: Listed


@lru_cache(maxsize=2)
def _retractions(said: Phrases) -> _Retractions:
    off = (said.takes_back_alone, said.takes_back, said.later, said.no_alone)
    return _Retractions(*map(Listed.of, (*off, said.keeping, said.keeping_alone)))


def takes_back(lines: Iterable[str]) -> bool:
    """Whether lines take back what a letter says: as a clause of their own, or in plain words."""
    said = spoken()
    listed = _retractions(said)
    return any(
        any(_is_alone(words_in(part), listed, said) for part in _parts(line))
        or any(_denies(words_in(sentence), listed) for sentence in _SENTENCE.split(line))
        or (not line.isascii() and any(one in line for one in said.takes_back_anywhere))
        for line in lines
    )


def breaks_off(text: str) -> bool:
    """Whether a clause of a text is nothing but second thoughts (`No, wait, I'll see`)."""
    said = spoken()
    listed = _retractions(said)
    return any(_is_alone(words_in(part), listed, said) for part in _parts(text))


def keeps(line: str) -> bool:
    """Whether a line says that a move stays as it is (`Please don't undo it`)."""
    listed = _retractions(spoken())
    *_, last = ((), *filter(None, map(words_in, _CLAUSE.split(line))))
    return listed.keeping.stand_in(words_in(line)) or listed.kept.are(last)


def takes_back_below(text: str) -> bool:
    """Whether a line below the first takes back what is said (`Actually no, don't send that`)."""
    return takes_back(line for line in text.split("\n")[1:] if " " in line)


def _parts(line: str) -> list[str]:
    """The sentences of a line and their clauses."""
    return [*_SENTENCE.split(line), *_CLAUSE.split(line)]


def has_second_thoughts(line: str, words: Vocabulary) -> bool:
    """Whether an answer to a held move doubts it: takes it back, or speaks of `undo`."""
    if keeps(line):
        return False
    if takes_back([line]):
        return True
    said = words_in(line)
    undo = {word for word, verb in words.verbs.items() if verb.name in _AGAINST}
    denied = any(word in spoken().unsure or word.endswith("n't") for word in said)
    return not denied and not undo.isdisjoint(said)


def is_for_later(text: str) -> bool:
    """Whether what stands around a move in its sentence puts it off."""
    said = spoken()
    text = patterns().partings.sub("", text)
    anywhere = () if text.isascii() else said.later_anywhere
    later = _retractions(said).later
    return later.stand_in(words_in(text)) or any(one in text for one in anywhere)


def _denies(sentence: Said, listed: _Retractions) -> bool:
    start = sentence[1:] if sentence[:1] == ("please",) else sentence
    not_yet = (start[:1] == ("don't",) or start[:2] == ("do", "not")) and "yet" in start
    lead = spoken().lead
    bare = tuple(word for word in sentence if word not in lead)
    return not_yet or listed.no.are(bare) or listed.inside.stand_in(sentence)


def _is_alone(clause: Said, listed: _Retractions, said: Phrases) -> bool:
    lead = said.lead | said.no_alone
    while clause and not listed.alone.are(clause) and (clause[0] in lead or clause[-1] in lead):
        clause = clause[1:] if clause[0] in lead else clause[:-1]
    waits = bool(clause) and clause[0] in said.wait and len(clause) <= _WAITING
    return listed.alone.are(clause) or (waits and said.waited_for.isdisjoint(clause))
