"""Whether a move is what its game reads in a whole clause of a letter, and in no part of one.

A clause is a line, a sentence, or several of them together. It may lose the pleasantries of one
closed list at its ends, and no other word: a word that nobody knows may make another move of it.
What stands directly above or below it in few words may belong to it just as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.mail.free_text.courtesies import END, words_of
from pbem.legacy.mail.free_text.message_text import begins_signature, is_contact
from pbem.legacy.mail.free_text.move_spans import unwrapped
from pbem.legacy.mail.free_text.near_moves import apart, listed
from pbem.legacy.mail.phrases.lists import Phrases, spoken
from pbem.legacy.mail.reply_text import begins_notice, is_sign_off

if TYPE_CHECKING:
    from pbem.legacy.mail.free_text.readings import Readings
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_LONGEST, _SENTENCES, _TOGETHER = 4000, 60, 6
"""Characters and sentences of a block that are looked at, and how many are read together."""

_READ: Final = 600
"""Texts that are read as moves at most."""

_NEAR, _FAR = 4, 3
"""Words of a sentence that may say something of a move right beside it, or a blank line away."""

_FACES: Final = re.compile(
    "[\U0001f600-\U0001f64f\U0001f389\U0001f340\U0001f44d\U0001f44b\U0001f3b2☺\ufe0f]"
)
_AFTER_NAMES: Final = (",", "!", ":", ".")
_EDGES: Final = " \t.,!¡:;\"'“”„‚‘’«»()[]<>…"
_QUOTES: Final = ("'", '"', "“", "„", "‘", "«", "(", "[", "<")
_SIGNS: Final = re.compile(r"[^\w\s¡¿！。、？，.,!?:;\"'“”„‚‘’«»()\[\]<>…*_~|=/#•-]")
_MARKUP: Final = re.compile(r"(\*\*|\*|__|_|`)(?=\S)(.*\S)\1")

_PLEASANTRIES: Final = frozenset(
    tuple(one.split())
    for one in (
        "please", "pls", "plz", "thanks", "thx", "ty", "cheers", "ok", "okay", "so", "now", "then",
        "well", "gg", "gl", "hf", "i", "i'll", "thank you", "thanks a lot", "many thanks", "great",
        "thank you very much", "my move", "my move is", "my next move is", "my turn", "my reply is",
        "here is my move", "here's my move", "i play", "i'll play", "i will", "i will play",
        "i'd like to play", "i would like to play", "i'll take", "i take", "i'd like to",
        "i would like to", "i'll go with", "good luck", "your turn", "your move", "have fun",
        "good game", "see you", "bye", "again", "once more", "and once more",
        "bitte", "danke", "also", "gut", "dann", "nun", "ich", "mein zug", "mein zug ist", "super",
        "ich spiele", "ich ziehe", "ich nehme", "ich möchte", "hier mein zug", "hier ist mein zug",
        "vielen dank", "danke schön", "viel glück", "viel spaß", "du bist dran",
        "merci", "s'il te plaît", "s'il vous plaît", "mon coup", "je joue", "bonne chance",
        "gracias", "por favor", "mi jugada", "juego", "suerte", "bedankt", "graag", "alsjeblieft",
        "mijn zet", "ik speel", "gioco", "grazie", "ciao", "jogo", "boa sorte",
        "-", "–", "—", "•", ":)", ";)", ":-)", ";-)",
    )
)  # fmt: skip
"""What may be lost at the ends of a clause, in small letters and without signs."""

_GREETINGS: Final = frozenset(
    (
        *("hi", "hello", "hey", "hallo", "dear", "liebe", "lieber", "moin", "servus", "salut"),
        *("bonjour", "hola", "ciao", "hej", "thanks", "danke"),
    )
)
"""Words behind which a name may be lost as well."""

_ALL: Final = frozenset(("all", "everyone", "there", "both", "zusammen", "alle"))

_CHANGING: Final = frozenset(
    (
        *("side", "face", "upside", "flip", "flipped", "turned", "reversed", "inverted", "hidden"),
        *("underside", "instead", "rather", "swapped", "seite", "rückseite", "umgedreht"),
        *("gewendet", "andersherum", "verdeckt", "stattdessen", "rotated", "backwards", "knight"),
        *("bishop", "rook", "queen", "king", "pawn", "springer", "läufer", "turm", "dame", "könig"),
        *("bauer", "cavalier", "fou", "tour", "caballo", "alfil", "torre", "paard", "toren"),
    )
)
"""Words that may make another move of the one beside which they stand, in any sentence."""


_TURNING: Final = frozenset(
    (
        *("it", "this", "over", "turn", "move", "stop", "from", "out", "two", "zwei", "sorry"),
        *("think", "held", "waiting", "go", "play"),
    )
)
"""Words of courtesy that say something of a move where few words stand beside it."""


class _Sentence(NamedTuple):
    start: int
    end: int


def is_whole(
    notation: str,
    around: tuple[Sequence[str], Sequence[str], Sequence[str]],
    tried: Readings,
    words: Vocabulary,
    names: frozenset[str],
) -> bool:
    """Whether a clause of a block of lines is this move, and nothing beside it may change it.

    `around` has the lines above the block, its own, and those below.
    """
    above, block, below = around
    text = unwrapped("\n".join(block)[:_LONGEST])
    found = list(_sentences(text))[:_SENTENCES]
    reader = _Reader(notation, tried, words, names)
    for most in range(min(len(found), _TOGETHER), 0, -1):
        for first in range(len(found) - most + 1):
            start, end = found[first].start, found[first + most - 1].end
            if not reader.reads(text[start:end]):
                continue
            over = [*above, *(text[one.start : one.end] for one in found[:first])]
            under = [*(text[one.start : one.end] for one in found[first + most :]), *below]
            return reader.allows(_last(over), far=_is_apart(over[::-1])) and reader.allows(
                _first(under), far=_is_apart(under), below=True
            )
    return False


def _is_apart(lines: Sequence[str]) -> bool:
    """Whether a blank line comes first."""
    return bool(lines) and not lines[0].strip()


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
        for start, end in pairwise(cuts):
            if line[start:end].strip():
                yield _Sentence(at + start, at + end)
        at += len(line) + 1


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
    free = [_is_free(one, known) and (reverse or one[-1:] in _AFTER_NAMES) for one in typed]
    bare = [one.strip().strip(_EDGES).casefold().replace("’", "'") or one.strip() for one in typed]
    found = [0]
    for at in found:
        for size in range(1, _LONGEST_PHRASE + 1):
            part = tuple(bare[at : at + size])
            said = part[::-1] if reverse else part
            single = len(said) == 1 and said[0] in known
            pleasant = (
                len(said) == size
                and not single
                and _is_pleasant(said, names, free=any(free[at : at + size]))
            )
            if pleasant and at + size not in found and len(found) < _CUTS:
                found.append(at + size)
    return found


def _is_free(word: str, known: dict[str, str]) -> bool:
    """Whether a word is written like a name, and is none of the game's."""
    bare = word.strip(_EDGES)
    small = bare.casefold()
    strange = small not in known and small not in _CHANGING and small not in _TURNING
    return len(bare) > 1 and bare.isalpha() and bare.istitle() and strange


def _is_pleasant(said: tuple[str, ...], names: frozenset[str], *, free: bool) -> bool:
    if said in _PLEASANTRIES:
        return True
    greets = said[:1] and said[0] in _GREETINGS
    return bool(greets) and all(one in names or one in _ALL or free for one in said[1:2])


class _Reader:
    """Reads clauses as one move, a bounded number of them, and judges what stands beside it."""

    def __init__(
        self, notation: str, tried: Readings, words: Vocabulary, names: frozenset[str]
    ) -> None:
        self.notation = notation
        self.tried = tried
        self.words = words
        self.names = names
        self.game = tried.game
        self.known = words.words_of(tried.game)
        self.left = _READ

    def reads(self, clause: str) -> bool:
        """Whether a clause reads as the move, with or without the pleasantries at its ends."""
        if self._is_move(clause):
            return True
        text = _FACES.sub(" ", clause).strip()
        typed = [one for one in re.split(r"[ \t]+", text) if one]
        for first in _cuts(typed, self.known, self.names):
            for last in _cuts(typed[::-1], self.known, self.names, reverse=True):
                rest = " ".join(typed[first : len(typed) - last])
                if first + last < len(typed) and self._is_move(rest):
                    return True
        return False

    def _is_move(self, text: str) -> bool:
        bare = _MARKUP.sub(r"\2", text).strip()
        bare = bare.strip(_EDGES) if bare[:1] in _QUOTES else bare
        said = self.words.game_text(self.game, bare)
        texts = (self.words.game_text(self.game, text), said, said.rstrip(" .!,"), apart(said))
        for one in dict.fromkeys((*texts, listed(said.rstrip(" .!,")))):
            self.left -= 1
            if one and self.left > 0 and self.tried.move(one) == self.notation:
                return True
        return False

    def allows(self, text: str, *, far: bool, below: bool = False) -> bool:
        """Whether a sentence beside the move says nothing of it in few words."""
        text = _FACES.sub(" ", text)
        if _SIGNS.search(text) is not None:
            return False
        if below and (begins_signature(text) or begins_notice(text) or is_contact(text)):
            return True
        found = words_of(text)
        if not found:
            return not any(map(str.isalnum, text))
        if below and is_sign_off(text) and not any(map(self._is_game, found)):
            return True
        if far and not any(one.isascii() for one in text if one.isalnum()):
            return True  # of a script in which no game has words
        if len(found) > (_FAR if far else _NEAR):
            return _CHANGING.isdisjoint(found) or self.reads(text)
        said = _kind(spoken()) | self.names
        strange = [one for one in found if one not in said or self._is_game(one)]
        typed = re.findall(r"[^\s,.!:;]+", text)
        signed = typed if below and far else typed[1:]
        named = [one.casefold() for one in signed if _is_free(one, self.known)]
        greets = found[0] in said or (below and far)
        if not strange or (greets and set(strange) <= set(named) and len(strange) <= 2):  # noqa: PLR2004
            return True
        return self._is_pleasant(text) or self.reads(text)

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
