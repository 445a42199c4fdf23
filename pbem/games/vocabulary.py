"""The words of a game's moves: what people write for them, and how other languages say them.

A grammar knows one word for each thing. A vocabulary has the others: synonyms (`fell` for `chop`),
words that say nothing (`my`), and the words of other languages. What was typed is first written in
the grammar's own words, and then read as a whole. A word that neither the vocabulary nor the
grammar knows stays, so that the grammar refuses it.

The same tables say a move to readers of another language: `stay; plant b1` is `bleibe; pflanze b1`
for Germans, and what they copy from an email is read back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import Final

Words = Mapping[str, str]
"""Words of a grammar with what stands for each, between strokes: `{"chop": "fell|chop down"}`.

Alternatives may have several words. Those of the empty word are left out.
"""

# Cyrillic and Greek letters that look like Latin ones.
_LOOK_ALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406"
    "\u03bf\u03b1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7",
    "abekmopctyxsiABEKMHOPCTXSIoaABEHIKMNOPTX",
)

_NOTHING: Final = re.compile("(?!)")


def plain(text: str) -> str:
    """Return a text in NFKC, with Latin letters for those that look like them and plain digits."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in text)


class Vocabulary:
    """What people write for the words of a grammar.

    Args:
        synonyms: The words of English, and those that say nothing.
        languages: The words of other languages by code. The first alternative of each word is the
            one that readers of the language see; if it is empty, they see the word itself.
        letters: The letters of notation that a language writes otherwise, by code.
        lettered: Finds such letters as its second group, which is its end.
    """

    def __init__(
        self,
        synonyms: Words | None = None,
        languages: Mapping[str, Words] | None = None,
        *,
        letters: Mapping[str, Mapping[str, str]] | None = None,
        lettered: re.Pattern[str] = _NOTHING,
    ) -> None:
        """Take the tables; they are compiled when they are first needed."""
        self._synonyms = synonyms or {}
        self._languages = languages or {}
        self._letters = letters or {}
        self._lettered = lettered
        self._shown: dict[str, tuple[re.Pattern[str], dict[str, str], dict[int, str]]] = {}

    @cached_property
    def _typed(self) -> tuple[re.Pattern[str], dict[str, str]]:
        found = {
            alternative: word
            for words in (*self._languages.values(), self._synonyms)
            for word, alternatives in words.items()
            for alternative in filter(None, alternatives.split("|"))
        }
        return _compile(found), found

    def normalise(self, text: str) -> str:
        """Return what was typed in the words of the grammar."""
        pattern, words = self._typed
        text = plain(text)
        # Ignoring case, `re` takes some rare letters for ASCII ones; such words stay.
        normal = pattern.sub(lambda found: words.get(_fold(found[0]), found[0]), text)
        return normal if normal.strip(" .,;:!") else text  # words that say nothing are no move

    def say(self, notation: str, language: str) -> str:
        """Return canonical notation in the words of a language; `normalise` takes it back."""
        if language not in self._languages:
            return notation
        pattern, shown, letters = self._list_shown(language)
        notation = self._lettered.sub(
            lambda found: found[0][: -len(found[2])] + found[2].translate(letters), notation
        )

        def say(found: re.Match[str]) -> str:
            word = shown[_fold(found[0])]
            return word.capitalize() if found[0][0].isupper() else word

        return pattern.sub(say, notation)

    def _list_shown(self, language: str) -> tuple[re.Pattern[str], dict[str, str], dict[int, str]]:
        if language not in self._shown:
            words = self._languages[language].items()
            firsts = {_fold(word): alternatives.partition("|")[0] for word, alternatives in words}
            shown = {word: first for word, first in firsts.items() if word and first}
            letters = str.maketrans(dict(self._letters.get(language, {})))
            self._shown[language] = _compile(shown), shown, letters
        return self._shown[language]


NO_VOCABULARY: Final = Vocabulary()


def _fold(text: str) -> str:
    return " ".join(text.lower().split())


def _compile(words: Mapping[str, str]) -> re.Pattern[str]:
    """Return a pattern that matches whole words, of several the longest."""
    ordered = sorted(words, key=len, reverse=True)
    alternatives = "|".join(r"\s+".join(map(re.escape, word.split())) for word in ordered)
    return re.compile(rf"(?<![^\W_])(?:{alternatives or '(?!)'})(?![^\W_])", re.IGNORECASE)
