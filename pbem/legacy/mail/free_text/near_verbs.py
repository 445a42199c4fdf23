"""Words at the start of lines that are nearly verbs: told of, and never carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.legacy.mail.free_text.courtesies import begins_sentences, is_usual
from pbem.legacy.mail.free_text.message_text import is_named
from pbem.legacy.mail.verbs.verb_orders import ordered

if TYPE_CHECKING:
    from pbem.games import AnyGame
    from pbem.legacy.mail.verbs.vocabulary import Vocabulary

_NEAR: Final = 0.75
_SURE: Final = 0.8
_FEW_WORDS: Final = 3

_LOOKS: Final = 1_000
"""Words of a letter that are compared with every verb."""


class NearMiss(NamedTuple):
    """A word at the start of a line that is no order, and the verbs that may be meant."""

    word: str
    near: tuple[str, ...]
    line: str


class NearVerbs:
    """Collects the near misses of one letter in `found`; `tells`: it is asked for them."""

    def __init__(self, words: Vocabulary, *, tells: bool) -> None:
        """Nothing has been compared yet."""
        self._words = words
        self._tells = tells
        self._looks = _LOOKS
        self.found: list[NearMiss] = []

    def _near(self, word: str, cutoff: float) -> tuple[str, ...]:
        """The verbs that a word may be meant for; a long letter is not searched to its end."""
        self._looks -= 1
        return tuple(self._words.near(word, cutoff)) if self._looks >= 0 else ()

    def plan(self, line: str) -> None:
        """Note a line that is nearly a decision in advance."""
        word = first_word(line)
        self.found.append(NearMiss(word, self._near(word, _NEAR), line))

    def order(self, line: str, game: AnyGame | None) -> bool:
        """Whether a line with a word of the game is nearly an order (`remnid 5h`); it is noted."""
        words, first = line.split(), first_word(line)
        if not 1 < len(words) <= _FEW_WORDS or first in self._words.verbs or game is None:
            return False
        if not self._words.speaks(game, line) or self._words.speaks(game, first):
            return False
        if first in self._words.words_of(game):
            return False
        rest = " ".join(words[1:]).strip(" .!:,;?")
        verbs = self._words.verbs
        near = [word for word in self._near(first, _SURE) if verbs[word].takes]
        meant = tuple(word for word in near if ordered(verbs[word], rest, game, self._words))
        if meant:
            self.found.append(NearMiss(first, meant, line))
        return bool(meant)

    def comment(self, line: str) -> None:
        """Note a short comment that is nearly an order."""
        if not self._tells:
            return
        words = line.casefold().strip(" .!?").split()
        if not words or len(words) > _FEW_WORDS or self._words.ok_thanks.fullmatch(line):
            return
        if len(words) > 1 and is_named(line):
            return
        whole = " ".join(words)
        word = whole if whole in self._words.verbs else words[0].strip(",;:") or words[0]
        if word in self._words.verbs and (word != "if" or len(words) == 1):
            self.found.append(NearMiss(word, (word,), line))
        elif len(words) > 1 and line.endswith("?"):
            return  # a question to somebody is none to us: `What is Logger?`
        elif not (is_usual(word) or begins_sentences(word)) and (near := self._near(word, _NEAR)):
            self.found.append(NearMiss(word, near, line))


def first_word(line: str) -> str:
    """The first word of a line, without the signs around it."""
    return line.split(maxsplit=1)[0].casefold().strip(",:;!") if line else ""
