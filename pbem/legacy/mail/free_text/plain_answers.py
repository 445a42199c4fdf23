"""What friendly words without any verb of ours answer: a yes, or a no, to what somebody asked for.

A draw and a takeback are agreed to by nothing but a yes; behind one to an invitation other
sentences may stand. A no needs no more than a clause of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import Final

from pbem.legacy.mail.free_text.courtesies import END, is_courtesy, is_small_talk
from pbem.legacy.mail.free_text.message_text import without_office
from pbem.legacy.mail.free_text.retractions import takes_back
from pbem.legacy.mail.phrases.lists import Listed, Phrases, Said, spoken, words_in
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.verbs.agreeing import COLOURS, Accept, Decline
from pbem.legacy.mail.verbs.vocabulary import Vocabulary

CLAUSES: Final = re.compile(r"[,.!;:()]+|\s-\s")

_CONSENT: Final = 10
"""Words of a friendly yes at most."""

_TOLD: Final = 8
"""Words of a sentence that tells something, at least."""

_SO: Final = frozenset(["so"])
"""Words that make another sentence of a no: `Nein, so was!`"""

_ASSENT: Final = "\N{CHECK MARK}"
"""Stands for a phrase that agrees."""


def plain_answer(
    lines: Sequence[str],
    words: Vocabulary,
    names: Collection[str],
    *,
    beside: bool = False,
    granting: bool = False,
    colours: bool = False,
) -> Accept | Decline | None:
    """What friendly words without any verb of ours say to an invitation (MAIL 3), or None.

    Sentences of small talk count for nothing. A yes is at most ten words, one of them of assent,
    and all others of thanks, greeting, politeness, or of the `names` that are known there; a no is
    a clause of its own. `beside`: other sentences may stand behind such a yes, if they neither
    deny nor doubt (`Ja, gerne! Dann zeig ich dir mal, wie man pflanzt.`). `granting`: it may say
    what somebody may take back (`Klar, nimm ihn zurück.`). `colours`: it may name one that its
    writer wants (`Gerne, ich nehme Schwarz!`).
    """
    said = spoken()
    asks = any("?" in line for line in lines)
    lines = without_office([line for line in lines if line.strip()])
    told = [one for line in lines for one in END.split(line) if not _is_chat(one, names)]
    colour = colour_in(told, words) if colours else ""
    if colour:
        told = [part for one in told for part in CLAUSES.split(one) if not _names(part, words)]
    phrases = granted(said) if granting else accepted(said)
    if not asks and _agrees(told, words, names, phrases):
        return Accept("", colour)
    if not asks and beside and _agrees(told[:1], words, names, phrases):
        return None if any(map(_is_against, told[1:])) else Accept("", colour)
    clauses = [words_in(clause) for one in told for clause in CLAUSES.split(one) if "?" not in one]
    declines = declined(said).are if asks else declined(said).stand_in
    no = [one for one in clauses if declines(one) or _says_no(one, said, names)]
    depends = any(not said.conditional.isdisjoint(one) for one in clauses)
    begins = bool(no) and no[0] == next(filter(None, clauses)) and said.assent.isdisjoint(no[0])
    # Behind a no, assent is another answer only where a clause begins with it.
    agrees = any(map(_begins_agreeing, clauses)) if begins else agrees_in(told)
    return Decline() if no and not depends and not agrees else None


def colour_in(lines: Iterable[str], words: Vocabulary) -> str:
    """The only colour that lines name, "" if they name none or several."""
    named = {one for line in lines for one in _named(line, words)}
    return named.pop() if len(named) == 1 else ""


def _named(text: str, words: Vocabulary) -> set[str]:
    return set(COLOURS).intersection(words_in(words.phrases.english(text)))


def _names(clause: str, words: Vocabulary) -> bool:
    """Whether a clause says no more than which colour its writer wants (`black for me`)."""
    found = set(words_in(patterns().partings.sub(" ", clause)))
    said = spoken()
    polite = (
        said.small_words | said.announcing | said.agreeing | said.lead | said.assent | said.glad
    )
    rest = [one for one in found - polite if not _named(one, words)]
    return bool(_named(clause, words)) and not rest


def _begins_agreeing(clause: Said) -> bool:
    """Whether a clause agrees in its first words (`ach komm, doch: ja`, no `next time, gladly`)."""
    said = spoken()
    lead = said.lead - said.assent
    rest = tuple(dropwhile(lambda word: word in lead, clause))
    return accepted(said).are(rest) or not said.assent.isdisjoint(rest[:1])


def _agrees(
    told: Iterable[str], words: Vocabulary, names: Collection[str], phrases: Listed
) -> bool:
    """Whether sentences are a friendly yes, and nothing else."""
    said = spoken()
    clauses = [words_in(clause) for one in told for clause in CLAUSES.split(one)]
    if sum(map(len, clauses)) > _CONSENT:
        return False
    left = [word for clause in clauses for word in _without(clause, phrases)]
    yes = next(word for word, verb in words.verbs.items() if verb.name == "yes")
    kind = _polite(said) | {yes, _ASSENT}
    agrees = _ASSENT in left or any(word in said.assent for word in left)
    return agrees and all(word in kind or word in names for word in left)


def _is_against(sentence: str) -> bool:
    """Whether a sentence behind a yes may mean another thing; what has been counts for nothing.

    A long one that denies tells of something else (`I haven't held a pencil for years`).
    """
    said = spoken()
    found = words_in(patterns().partings.sub(" ", sentence))
    doubts = said.doubts - said.mild | said.doubts.intersection(found[:1])
    denied = doubts | said.unsure | said.denying | said.no_at_start
    denies = not denied.isdisjoint(found) or any(word.endswith("n't") for word in found)
    depends = not said.conditional.isdisjoint(found)
    supposes = not (doubts - said.denying).isdisjoint(found)
    if denies and (depends or supposes or len(found) < _TOLD):
        return True
    choice = patterns().alternatives.search(sentence) or patterns().refusing.search(sentence)
    declines = any(declined(said).stand_in(words_in(one)) for one in CLAUSES.split(sentence))
    return choice is not None or declines or takes_back([sentence])


def agreed_to(
    lines: Sequence[str], words: Vocabulary, names: Collection[str], *, draw: bool
) -> Accept | Decline | None:
    """What friendly words say to a draw, or to a takeback: a draw is agreed to by name only.

    A no is one where nothing else denies or doubts.
    """
    answer = plain_answer(lines, words, {*names, *spoken().drawing}, granting=not draw)
    said = {word for line in lines for word in words_in(line)}
    if isinstance(answer, Accept):
        return answer if not draw or not spoken().drawing.isdisjoint(said) else None
    if any(declined(spoken()).stand_in(words_in(line)) for line in lines):
        return answer
    # `No, I have nothing against it` is none.
    denied = (spoken().unsure | spoken().denying) & (said - spoken().no_at_start)
    return answer if not denied else None


def _is_chat(sentence: str, names: Collection[str]) -> bool:
    found = words_in(patterns().partings.sub(" ", sentence))
    answers = spoken().assent | spoken().no_at_start | spoken().sorry
    plain = answers.isdisjoint(found) and patterns().alternatives.search(sentence) is None
    courteous = not found or is_courtesy(sentence, names)
    return plain and (courteous or is_small_talk(sentence, names))


def says_no(line: str, names: Collection[str]) -> bool:
    """Whether a sentence of a line is nothing but a no, and none of its others agrees."""
    said = spoken()
    sentences = [words_in(one) for one in END.split(line) if one.strip()]
    agrees = any(not said.assent.isdisjoint(one) for one in sentences)
    return not agrees and any(_says_no(one, said, names) for one in sentences)


def agrees_in(lines: Iterable[str]) -> bool:
    """Whether lines have words of assent, whatever else they say.

    What agrees in one word is a clause of its own (`In!`, no `ask me again in August`).
    """
    said = spoken()
    clauses = [words_in(clause) for line in lines for clause in CLAUSES.split(line)]
    return any(
        not said.assent.isdisjoint(one)
        or accepted(said).are(one)
        or _accepted_at_length(said).stand_in(one)
        for one in clauses
    )


def _without(clause: Said, phrases: Listed) -> Said:
    """The words of a clause, one sign of assent for those that are such a phrase."""
    if len(clause) > _CONSENT:
        return clause  # it is no consent, and every part of it would be looked at
    for size in range(len(clause), 0, -1):
        for at in range(len(clause) - size + 1):
            if phrases.are(clause[at : at + size]):
                return (*clause[:at], _ASSENT, *_without(clause[at + size :], phrases))
    return clause


def _says_no(clause: Said, said: Phrases, names: Collection[str]) -> bool:
    """Whether a clause is nothing but a no, with what is polite around it."""
    polite = (said.only_greeting | said.closing | said.courtesies | said.lead | said.sorry) - _SO
    rest = [word for word in clause if word not in names]
    left = [word for word in rest if word not in said.no_at_start]
    return len(left) < len(rest) and polite.issuperset(left)


@lru_cache(maxsize=2)
def _polite(said: Phrases) -> frozenset[str]:
    known = said.assent | said.glad | said.only_greeting | said.closing | said.courtesies
    return (known | said.salutations | said.agreeing | said.lead) - said.doubts


@lru_cache(maxsize=2)
def accepted(said: Phrases) -> Listed:
    """What agrees to an invitation without a word of assent."""
    return Listed.of(said.accepting)


@lru_cache(maxsize=2)
def _accepted_at_length(said: Phrases) -> Listed:
    return Listed.of(one for one in said.accepting if " " in one)


@lru_cache(maxsize=2)
def granted(said: Phrases) -> Listed:
    """What lets somebody take a move back, and what agrees."""
    return Listed.of((*said.accepting, *said.granting))


@lru_cache(maxsize=2)
def declined(said: Phrases) -> Listed:
    """What wants nothing of what was asked."""
    return Listed.of(said.declining)
