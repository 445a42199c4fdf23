"""Sentences that tell of something else than the turn: what they name, doubt or deny is not of it.

Only a sentence of its own may be one, which no line joins with the turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.legacy.mail.free_text.courtesies import (
    CLAUSE,
    announcing,
    courteous,
    game_named,
    is_said,
    words_of,
)
from pbem.legacy.mail.free_text.sentences import Sentence, asked_in
from pbem.legacy.mail.phrases.lists import Phrases, languages, spoken, words_in
from pbem.legacy.mail.phrases.patterns import patterns

if TYPE_CHECKING:
    from pbem.games import AnyGame

_WEAK: Final = ("n't", "'d")
"""How words end that deny or suppose."""

_FEW: Final = 3
"""Unknown words of a sentence that is hardly about a place of the board, at least."""

_STORY: Final = 5
"""Unknown words of a sentence that tells a story, at least."""

_TITLE: Final = 3
"""Words with which a sentence begins that names a game there: `In Looney Ludo`."""

_LONG: Final = 10
"""Words of a sentence that denies a turn, at most: a longer one tells of something."""


def is_weak(text: str) -> bool:
    """Whether a sentence asks, denies, supposes or puts off: it counts in the turn's own."""
    said = patterns().partings.sub("", patterns().wish.sub(" ", text))
    doubts, unsure = spoken().doubts, spoken().unsure
    return "?" in said or any(
        word in doubts or word in unsure or word.endswith(_WEAK) for word in words_of(said)
    )


def undescribed(text: str) -> str:
    """A text without verbs that are other ones, and without the piece by which a place is told.

    `Heute pass ich auf die Kinder auf`, `Large on c6, right above my medium`.
    """
    said = patterns().parted.sub(" ", text)
    return said if is_weak(said) else patterns().describing.sub(" ", said)


def playing(game: AnyGame) -> frozenset[str]:
    """The words of moving, and of a game."""
    return spoken().playing.union(game.keywords)


def is_judged(found: Collection[str]) -> bool:
    """Whether words judge a turn, or report one."""
    return not spoken().judging.isdisjoint(found) or not spoken().reports.isdisjoint(found)


def is_reported(found: Collection[str]) -> bool:
    """Whether words report a turn, or say how one is made."""
    return not spoken().reports.isdisjoint(found) or not spoken().modifiers.isdisjoint(found)


def is_story(sentence: Sentence, names: Collection[str], moving: Collection[str]) -> bool:
    """Whether it tells at length of something that is not the game, and judges nothing.

    `moving` are the words of moving, and of the game.
    """
    found = words_of(sentence.text)
    near = sum(one in moving for one in found)
    doubted = "?" in sentence.text or is_judged(found)
    return not sentence.own and not doubted and _unknown(found, names) >= max(_STORY, 4 * near)


def is_elsewhere(sentence: Sentence, names: Collection[str]) -> bool:
    """Whether a place that it names is hardly one of the board (`My knees hate the A4`).

    It asks nothing, and judges and supposes nothing if it is short.
    """
    found = [one for one in words_of(sentence.text) if len(one) > 1 and one.isalpha()]
    supposing = (spoken().doubts - spoken().denying) | spoken().judging
    supposes = not supposing.isdisjoint(found)
    apart = not sentence.own and "?" not in sentence.text
    return apart and _unknown(found, names) >= (2 * _STORY if supposes else _FEW)


def is_bare_no(sentence: Sentence, *, answers: bool) -> bool:
    """Whether it is a no above the turn, and no more: what it takes back would stand above it.

    `Oh no, completely forgot!`, `¿No?`. None where it `answers` something.
    """
    if answers or sentence.own or not sentence.above:
        return False
    said = spoken()
    found = set(words_in(patterns().partings.sub(" ", sentence.text)))
    no = said.no_alone | said.no_at_start
    return not no.isdisjoint(found) and found <= no | said.lead


def asks_on(before: Sentence | None, sentence: Sentence) -> bool:
    """Whether it goes on above a turn with what somebody else is asked, and leaves no choice.

    `Bob, are you asleep? Or is this a trap?`
    """
    if before is None or not (before.above and sentence.above):
        return False
    said, both = spoken(), (before, sentence)
    against = said.own | said.judging | said.telling | said.conditional | said.turns
    asked = all("?" in one.text and against.isdisjoint(words_of(one.text)) for one in both)
    other = not said.of_others.isdisjoint(words_of(before.text))
    return asked and other and not (before.own or sentence.own)


def is_of_game(sentence: Sentence, here: str) -> bool:
    """Whether a sentence begins with the name of another game than `here`, and points at nothing.

    `Im Logger mache ich morgen weiter`, no `That was meant for Logger`.
    """
    found = words_of(sentence.text)
    beginning = game_named([" ".join(found[:_TITLE])])
    pointing = spoken().pointing | spoken().turns | spoken().modifiers
    return beginning not in ("", here) and pointing.isdisjoint(found) and "?" not in sentence.text


def leads_to_turn(sentence: Sentence, names: Collection[str]) -> bool:
    """Whether what stands before a turn in its sentence begins it: `Super, dann gehe ich nach`.

    Right before it stands more than a word of praise or dismay, which may be for another move.
    """
    if not sentence.own or sentence.behind or "?" in sentence.text:
        return False
    clauses = [words_of(one) for one in CLAUSE.split(sentence.text)]
    known, last = announcing(spoken()), clauses[-1]
    begins = not last or not known.isdisjoint(last)
    return begins and all(
        clause[0] not in spoken().asking
        and all(one in known or one in spoken().leading or one in names for one in clause)
        for clause in filter(None, clauses)
    )


def puts_off_turn(sentence: Sentence) -> bool:
    """Whether it denies the turn, asks what one may do with it, or goes on with a number.

    `Bitte den Zug noch nicht machen`, `Can I decide that tomorrow?`, `S goes north three times`.
    """
    said, words = spoken(), words_of(sentence.text)
    found = set(words)
    denies = not said.denying.isdisjoint(found) or any(one.endswith("n't") for one in found)
    mine = not (said.own - said.turns).isdisjoint(found)
    asks = mine and not said.pointing.isdisjoint(words_of(asked_in(sentence.text)))
    counts = sentence.behind and not _numbers(said).isdisjoint(found)
    denies = denies and len(words) <= _LONG and said.of_others.isdisjoint(found)
    return asks or counts or (denies and not said.turns.isdisjoint(found))


@lru_cache(maxsize=2)
def _numbers(said: Phrases) -> frozenset[str]:
    return frozenset(word for line in said.numbers for word in line.partition(":")[2].split())


def takes_no_time(sentence: Sentence, names: Collection[str]) -> bool:
    """Whether a story need not hold up a turn: nothing in it doubts, chooses, asks or plays.

    Which words do is a matter of its language: others have the same ones for other things.
    """
    found = words_of(sentence.text)
    said = _language_of(found)
    doubting = said.doubts | said.playing | said.alternatives | said.conditional
    apart = not sentence.own and "?" not in sentence.text
    return apart and _unknown(found, names) >= _STORY and doubting.isdisjoint(found)


def _unknown(found: Iterable[str], names: Collection[str]) -> int:
    return sum(not is_said(one, names) for one in found)


def _language_of(found: Iterable[str]) -> Phrases:
    """The language that has most of the words."""
    words = list(found)
    return max(languages(), key=lambda said: sum(one in _common(said) for one in words))


@lru_cache(maxsize=16)
def _common(said: Phrases) -> frozenset[str]:
    return said.everyday | courteous(said) | said.telling | said.doubts | said.own | said.of_others
