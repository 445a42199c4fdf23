"""Whether a move is what its game reads in a whole clause of a letter, and in no part of one.

A clause is a line, a sentence, or several of them together. It may lose the pleasantries of one
closed list at its ends, and no other word: a word that nobody knows may make another move of it.
What stands directly above or below it in few words may belong to it just as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.mail.free_text.courtesies import END, words_of
from pbem.mail.free_text.message_text import begins_signature, is_contact
from pbem.mail.phrases.lists import Phrases, spoken
from pbem.mail.reply_text import begins_notice, is_sign_off

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.mail.free_text.readings import Readings
    from pbem.mail.verbs.vocabulary import Vocabulary

_LONGEST, _SENTENCES, _TOGETHER = 4000, 60, 6
"""Characters and sentences of a block that are looked at, and how many are read together."""

_FEW: Final = 4
"""Words of a sentence beside a move that may say something of it, whatever they are."""

_FACES: Final = re.compile("[\U0001f600-\U0001f64f\U0001f389\U0001f340\U0001f44d\U0001f44b☺\ufe0f]")
_EDGES: Final = " \t.,!:;\"'“”„‚‘’«»()[]<>…"
_SIGNS: Final = re.compile(r"[^\w\s.,!?:;\"'“”„‚‘’«»()\[\]<>…*_~|=/#•-]")
_MARKUP: Final = re.compile(r"(\*\*|\*|__|_|`)(?=\S)(.*\S)\1")

_PLEASANTRIES: Final = frozenset(
    tuple(one.split())
    for one in (
        *"please pls plz thanks thx ty cheers ok okay so now then well gg gl hf i i'll bitte danke".split(),
        *"also gut dann nun ich merci gracias bedankt graag - – — • :) ;) :-) ;-)".split(),
        "thank you", "thanks a lot", "many thanks", "thank you very much", "my move", "my move is",
        "my turn", "here is my move", "here's my move", "i play", "i'll play", "i will", "i will play",
        "good luck", "your turn", "your move", "have fun", "good game",
        "mein zug", "mein zug ist", "mein zug:", "ich spiele", "ich ziehe", "hier mein zug",
        "hier ist mein zug", "vielen dank", "danke schön", "viel glück", "viel spaß", "du bist dran",
        "s'il te plaît", "s'il vous plaît", "mon coup", "je joue", "por favor", "mi jugada", "juego",
        "alsjeblieft", "mijn zet", "ik speel",
    )
)  # fmt: skip
"""What may be lost at the ends of a clause, in small letters and without signs."""

_GREETINGS: Final = frozenset(
    "hi hello hey hallo dear liebe lieber moin servus salut bonjour hola ciao thanks danke".split()
)
"""Words behind which a name may be lost as well."""

_ALL: Final = frozenset(("all", "everyone", "there", "both", "zusammen", "alle"))

_CHANGING: Final = frozenset(
    "side face upside flip flipped turned reversed inverted hidden underside instead rather swapped"
    " seite rückseite umgedreht gewendet andersherum verdeckt stattdessen".split()
)
"""Words that may make another move of the one beside which they stand, in any sentence."""


_TURNING: Final = frozenset(
    "it this over turn move stop from out two zwei sorry think held waiting go play".split()
)
"""Words of courtesy that say something of a move where few words stand beside it."""


class _Sentence(NamedTuple):
    start: int
    end: int


def is_whole(
    notation: str,
    above: Sequence[str],
    block: Sequence[str],
    below: Sequence[str],
    tried: Readings,
    words: Vocabulary,
    names: Callable[[], frozenset[str]],
) -> bool:
    """Whether a clause of the lines of a block is this move, and nothing beside it may change it.

    `above` and `below` are the lines around the block, `notation` is the move in canonical form.
    """
    text = "\n".join(block)[:_LONGEST]
    found = list(_sentences(text))[:_SENTENCES]
    known = words.words_of(tried.game)
    for most in range(min(len(found), _TOGETHER), 0, -1):
        for first in range(len(found) - most + 1):
            start, end = found[first].start, found[first + most - 1].end
            if not _reads(text[start:end], notation, tried, words, names()):
                continue
            over = [*above, *(text[one.start : one.end] for one in found[:first])]
            under = [*(text[one.start : one.end] for one in found[first + most :]), *below]
            beside = _Beside(known, names(), tried.game)
            return beside.allows(_last(over), above=True) and beside.allows(
                _first(under), above=False
            )
    return False


def _first(lines: Sequence[str]) -> str:
    """The first sentence of lines, or nothing."""
    text = next((line for line in lines if line.strip()), "").strip()
    return text if is_sign_off(text) else END.split(text)[0]


def _last(lines: Sequence[str]) -> str:
    """The last sentence of lines, or nothing."""
    text = next((line for line in reversed(lines) if line.strip()), "").strip()
    return END.split(text)[-1]


def _sentences(text: str) -> Iterator[_Sentence]:
    at = 0
    for line in text.split("\n"):
        cuts = [0, *(found.start() for found in END.finditer(line)), len(line)]
        for start, end in zip(cuts, cuts[1:], strict=False):
            if line[start:end].strip():
                yield _Sentence(at + start, at + end)
        at += len(line) + 1


def _reads(
    clause: str, notation: str, tried: Readings, words: Vocabulary, names: frozenset[str]
) -> bool:
    """Whether a clause reads as a move, with or without the pleasantries at its ends."""

    def reads(text: str) -> bool:
        bare = _MARKUP.sub(r"\2", text).strip()
        texts = (text, bare, bare.strip(_EDGES), bare.rstrip(" .!,"))
        return any(
            tried.move(words.game_text(tried.game, one)) == notation
            for one in dict.fromkeys(texts)
            if one
        )

    if reads(clause):
        return True
    known = words.words_of(tried.game)
    typed = _FACES.sub(" ", clause).split(" ")
    typed = [one for one in re.split(r"(?<=\S)[ \t]+|(?=\n)", " ".join(typed).strip()) if one]
    for first in _cuts(typed, known, names):
        for last in _cuts(typed[::-1], known, names, reverse=True):
            if first + last < len(typed) and reads(" ".join(typed[first : len(typed) - last])):
                return True
    return False


_LONGEST_PHRASE: Final = max(map(len, _PLEASANTRIES))
_CUTS: Final = 8


def _cuts(
    typed: Sequence[str],
    known: dict[str, str],
    names: frozenset[str],
    *,
    reverse: bool = False,
) -> list[int]:
    """How many words may be lost at a beginning, or an end where it is read backwards."""
    bare = [one.strip().strip(_EDGES).casefold().replace("’", "'") or one.strip() for one in typed]
    found = [0]
    for at in found:
        for size in range(1, _LONGEST_PHRASE + 1):
            part = tuple(bare[at : at + size])
            said = part[::-1] if reverse else part
            single = len(said) == 1 and said[0] in known
            if len(said) == size and _is_pleasant(said, names) and not single:
                if at + size not in found and len(found) < _CUTS:
                    found.append(at + size)
    return found


def _is_pleasant(said: tuple[str, ...], names: frozenset[str]) -> bool:
    if said in _PLEASANTRIES:
        return True
    greets = said[:1] and said[0] in _GREETINGS
    return bool(greets) and all(one in names or one in _ALL for one in said[1:])


class _Beside(NamedTuple):
    """By what a sentence directly beside a move is judged."""

    known: dict[str, str]
    names: frozenset[str]
    game: AnyGame

    def allows(self, text: str, *, above: bool) -> bool:
        """Whether a sentence beside a move says nothing of it in few words."""
        text = _FACES.sub(" ", text)
        if _SIGNS.search(text) is not None:
            return False
        if not above and (begins_signature(text) or begins_notice(text) or is_contact(text)):
            return True
        found = words_of(text)
        if not found:
            return not any(map(str.isalnum, text))
        said = _kind(spoken()) | self.names
        strange = [one for one in found if one not in said or self._is_game(one)]
        if not above and is_sign_off(text) and not any(map(self._is_game, found)):
            return True
        if len(found) <= _FEW:
            return not strange or self._is_pleasant(text)
        return _CHANGING.isdisjoint(found)

    def _is_pleasant(self, text: str) -> bool:
        typed = text.split()
        return len(typed) in _cuts(typed, self.known, self.names)

    def _is_game(self, word: str) -> bool:
        letters = {one.casefold() for one in self.game.letters}
        return word not in self.names and (word in self.known or word in letters)


@lru_cache(maxsize=2)
def _kind(said: Phrases) -> frozenset[str]:
    """The words of which courtesy is made."""
    found = (
        said.courtesies
        | said.greetings
        | said.only_greeting
        | said.closing
        | said.salutations
        | said.salutations_of_day
        | said.everybody
        | said.sign_offs
    )
    return frozenset(one for one in found - said.doubts - _TURNING if len(one) > 1)
