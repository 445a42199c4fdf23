"""Courtesy, as every language has it: what says nothing of a turn or an order.

Words and names, and whole lines that only greet; also which line looks like an order gone wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from pbem.games import GAMES
from pbem.legacy.mail.free_text.message_text import begins_signature, is_contact
from pbem.legacy.mail.phrases.lists import Phrases, languages, spoken
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.reply_text import begins_notice, is_sign_off
from pbem.legacy.mail.verbs.vocabulary import Vocabulary

END: Final = re.compile(r"(?<=[.!?…。！？])(?=\s|$|[\u3040-\u9fff])")
"""The end of a sentence."""

CLAUSE: Final = re.compile(r"[,;:()\[\]\"…]+|(?<!\S)[-*~>|/+]+(?!\S)|[.!?](?=[.!?\s]|$)")
WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.? ?){1,4}")

_TYPED: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")

_NAMED: Final = re.compile(r"[^\W\d_]+\.?|[^\W\d_]{2,}(?:[-'’][^\W\d_]{2,})+")
"""A word of a name; one with a hyphen has no initials, as sizes have."""

_FIRST: Final = 6
"""Words of a sentence among which one may agree to what was asked."""

_NAMES: Final = 3
"""Words of a line that is no more than a name."""

_SENTENCE: Final = 4
"""Words of a sentence of everyday talk, at least."""

_LONG, _LONG_ONES = 4, 3
"""Letters of an everyday word that says something, and how many such make up for a strange one."""

_REMEMBERED: Final = 4096
"""Sentences of a letter, each of which is looked at by several: as many as a long one has."""

_STRANGE: Final = 3
"""Strange words that they make up for at most."""


def is_courtesy(text: str, names: Collection[str] = ()) -> bool:
    """Whether a text is nothing but thanks, wishes, greetings and names."""
    return all(is_said(clause, names) for clause in CLAUSE.split(plain(text)))


def is_small_talk(
    text: str, names: Collection[str] = (), known: Collection[str] = frozenset()
) -> bool:
    """Whether a sentence has but everyday words of one language (`It rains here in Husum`).

    None of them takes anything back or chooses. Names of places may stand among them, and of every
    four words one that no list has and that is not among `known`, that denies, or points.
    """
    if "?" in text or patterns().alternatives.search(text) is not None:
        return False
    if len(WORD.findall(text)) < _SENTENCE:
        return False  # `Back on Friday` puts off
    typed = WORD.findall(patterns().partings.sub(" ", text))
    usual = _long(WORD.findall(text)) - _long(typed)
    return any(_is_everyday(typed, usual, names, known, said) for said in languages())


def _long(typed: Iterable[str]) -> int:
    return sum(len(word) >= _LONG for word in typed)


def _is_everyday(
    typed: Sequence[str],
    usual: int,
    names: Collection[str],
    known: Collection[str],
    said: Phrases,
) -> bool:
    """Whether words are everyday ones of a language, beside so many long ones that are."""
    everyday, weighty, stems = _weights(said)
    strange, long = 0, usual
    for at, word in enumerate(typed):
        small = word.casefold().replace("’", "'").removesuffix("'s")
        if at and (small in said.denying or small.endswith("n't")):
            strange += 1
            continue
        if small in weighty or small.startswith(stems):
            return False
        if any(sign.isdigit() for sign in word) and not word.isdecimal():
            return False
        if small not in everyday and small in known:
            return False
        free = small in everyday or small in names or (at and word[:1].isupper())
        points = small in said.pointing and not "".join(typed[at + 1 : at + 2])[:1].isupper()
        counts = word.isdecimal() and "".join(typed[at + 1 : at + 2]).casefold() in everyday
        strange += points or not (free or counts or _is_after(typed, at, said.whence))
        long += bool(free) and not points and len(small) >= _LONG
    return strange <= min(long // _LONG_ONES, _STRANGE)


def _is_after(typed: Sequence[str], at: int, whence: Collection[str]) -> bool:
    return typed[at][:1].isupper() and at > 0 and typed[at - 1].casefold() in whence


@lru_cache(maxsize=16)
def _weights(said: Phrases) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """The words of a language that change nothing, those that may, and how such begin."""
    change = said.doubts | said.unsure | said.reports | said.modifiers | said.telling
    texts = (said.takes_back, said.takes_back_alone, said.later, said.replacing)
    told = {word for phrases in texts for phrase in phrases for word in phrase.casefold().split()}
    everyday = (said.everyday | (courteous(said) - announcing(said))) - change
    stems = tuple(word.rstrip("*") for word in told if word.endswith("*"))
    everyday |= said.pointing
    return everyday, (change | ((told | said.judging) - everyday)) - said.mild, stems


def unaccounted(lines: Iterable[str], names: Collection[str] = ()) -> Iterator[str]:
    """The sentences of lines that say more than courtesy, down to where their writer signs."""
    for line in lines:
        for sentence in END.split(line):
            told = is_sign_off(sentence) or begins_notice(sentence) or is_contact(sentence)
            if sentence.strip() and not told and not is_courtesy(sentence, names):
                yield sentence.strip()
        if begins_signature(line):
            return


def is_said(clause: str, names: Collection[str], *, above: bool = False) -> bool:
    """Whether a clause is nothing but courtesy, or what announces a turn.

    `above`: it stands before the turn in its sentence, where `nice` speaks of the turn.
    """
    found = words_of(clause)
    if not found:
        return True
    said = announcing(spoken()) if above else courteous(spoken())
    if above and found[0] in spoken().asking:
        return False
    rest = [word for word in found if word not in said and word not in names]
    if not rest:
        return True
    hello = spoken().greetings | spoken().salutations
    if found[0] in hello and len(found) <= _NAMES:
        rest = [word for word in rest if word not in hello and word not in spoken().everybody]
        return all(one[:1].isupper() for one in clause.split() if one.casefold() in rest)
    return not above and _is_name(clause, found)


@lru_cache(maxsize=_REMEMBERED)
def plain(text: str) -> str:
    """A text without wishes for the next time, and with a plain word for what one would like."""
    return patterns().partings.sub("", patterns().wish.sub(" i'll ", text))


def _is_name(clause: str, found: Sequence[str]) -> bool:
    """Whether a clause is a name, as it is signed: `Ann`, `your Ann Miller`."""
    typed = clause.split()
    if _INITIALS.fullmatch(clause.strip()) and clause.strip()[:1].isupper() and len(found) > 1:
        return True
    return (
        len(found) <= _NAMES
        and all(word[:1].isupper() and _NAMED.fullmatch(word) is not None for word in typed)
        and not any(word in spoken().doubts for word in found)
    )


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, as the lists have them."""
    return [found.replace("’", "'") for found in WORD.findall(text.casefold())]


@lru_cache(maxsize=2)
def announcing(said: Phrases) -> frozenset[str]:
    """Every word that may stand before a turn and says that it is one."""
    return (said.small_words | said.announcing) - said.doubts


@lru_cache(maxsize=2)
def courteous(said: Phrases) -> frozenset[str]:
    """Every word of which no sequence says more than courtesy, or announces a turn."""
    return (
        said.small_words
        | said.announcing
        | said.courtesies
        | said.greetings
        | said.only_greeting
        | said.closing
        | said.salutations
        | said.salutations_of_day
        | said.everybody
        | said.sign_offs
    ) - said.doubts


def after_no(text: str) -> str | None:
    """What stands behind a `no` that answers a question (`no, e4 L`); None where there is none."""
    found = patterns().no_before_answer.match(text)
    return text[found.end() :] if found is not None else None


def says_yes(text: str) -> bool:
    """Whether a sentence agrees in its first words (`and yes to the draw`, no `certainly not`)."""
    typed = text.casefold().split()[:_FIRST]
    pairs = zip(typed, [*typed[1:], ""], strict=False)  # an empty text has no pair
    return any(
        not spoken().assent.isdisjoint(words_of(one))
        and (not one[-1:].isalpha() or then.strip(".!") not in spoken().denying)
        for one, then in pairs
    )


def without_no(text: str) -> str:
    """What is behind a no to what somebody asked for (`No no, touch move`): a move says so."""
    found = WORD.match(text.strip())
    while found is not None and found[0].casefold() in spoken().no_at_start:
        text = text.strip()[found.end() :].lstrip(" ,.!-:")
        found = WORD.match(text)
    return text


def _typed(text: str) -> list[str]:
    return [found[0].replace("’", "'") for found in _TYPED.finditer(text.casefold())]


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


def is_please(token: str) -> bool:
    """Whether a word asks kindly, and may stand anywhere in a turn (`7 on J21, please, turned`)."""
    return token.casefold().strip(",.;:!") in spoken().please


def _doubts(word: str) -> bool:
    return word.casefold() in spoken().doubts


def is_doubtful(text: str) -> bool:
    """Whether other sentences take a move back or speak of another one."""
    return any(
        _doubts(word) or word.endswith("n't") for word in _typed(patterns().partings.sub("", text))
    )


_SURE: Final = 0.8
_SHORT: Final = 4


def begins_sentences(word: str) -> bool:
    """Whether a word that is nearly an order is a word of its own: `not` is nearly `note`."""
    return word in spoken().sentence_starts


# --- chatter, and what is none --------------------------------------------------------------------


def is_meant(word: str, near: Sequence[str], line: str, words: Vocabulary) -> bool:
    """Whether a line that is nearly an order is likely one, and not a word to the others."""
    if line.endswith("?") or words.answers(word):
        return False
    return word in near or bool(get_close_matches(word, near, n=1, cutoff=_SURE))


def is_greeting(lines: Iterable[str], words: Vocabulary) -> bool:
    """Whether a letter says no more than `Hi Bob` or `Thanks!`: PLAY 2, no order and no error."""
    found = [re.findall(r"[\w'@/-]+|\?", line) for line in lines]
    typed = [word for line in found for word in line]
    greetings = spoken().only_greeting
    if not typed or max(map(len, found)) > _SHORT or typed[0].casefold() not in greetings:
        return False
    names = [word for word in typed if word.casefold() not in greetings]
    known = all(word.istitle() and word.casefold() not in words.verbs for word in names)
    return known and len(names) < _SHORT


def game_named(lines: Sequence[str]) -> str:
    """The first game whose name stands in what somebody typed whom nobody here knows, or none.

    Only its key goes on: nothing of the text.
    """
    text = " ".join(re.findall(r"[^\W_]+", " ".join(lines).casefold()))
    found = {text.find(game.title.casefold()): game.key for game in GAMES.values()}
    return min(((at, key) for at, key in found.items() if at >= 0), default=(0, ""))[1]
