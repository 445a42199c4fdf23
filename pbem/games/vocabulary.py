"""Synonyms and translations of the words of a game's moves.

A grammar has one word for each meaning. A vocabulary adds synonyms (`fell` for `chop`), filler
words (`my`), and the words of other languages. `normalise` replaces all of these in a player's text
by words of the grammar, which can then parse the text. Unknown words stay in place, so that the
grammar rejects them.

`say` uses the same tables to write a move in another language. For example, `stay; plant b1` is
`bleibe; pflanze b1` in German. Players can copy such a text from an email into a reply.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from typing import Final

# A mapping from each word of a grammar to its alternatives, as in `{"chop": "fell|chop down"}`. The
# alternatives of the empty word are filler words.
Words = Mapping[str, str]

# Cyrillic and Greek letters that look like Latin ones.
_LOOK_ALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406"
    "\u03bf\u03b1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7",
    "abekmopctyxsiABEKMHOPCTXSIoaABEHIKMNOPTX",
)

_NOTHING: Final = re.compile("(?!)")


def latinise(text: str) -> str:
    """Return a text in NFKC form, with digits and letters that look Latin replaced by ASCII."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in text)


class Vocabulary:
    """The synonyms and translations of the words of a grammar.

    Args:
        synonyms: English synonyms and filler words, as `Words` describes them.
        languages: The words of other languages, by language code. Emails use the first
            alternative of each word, or the English word if that alternative is empty.
        letters: For each language code, the letters of notation that the language replaces, with
            their replacements, as in `{"de": {"e": "o"}}` (o for Ost, east).
        lettered: A pattern that finds the places in a notation with such letters. Its second group
            has the letters, and must be the end of the match. The text before it does not change.
    """

    def __init__(
        self,
        synonyms: Words | None = None,
        languages: Mapping[str, Words] | None = None,
        *,
        letters: Mapping[str, Mapping[str, str]] | None = None,
        lettered: re.Pattern[str] = _NOTHING,
    ) -> None:
        """Store the tables, from which patterns are compiled when they are first needed."""
        self._synonyms = synonyms or {}
        self._languages = languages or {}
        self._letters = letters or {}
        self._lettered = lettered
        self._shown: dict[str, tuple[re.Pattern[str], dict[str, str], dict[int, str]]] = {}

    @cached_property
    def _typed(self) -> tuple[re.Pattern[str], dict[str, str]]:
        table = {
            alternative: word
            for words in (*self._languages.values(), self._synonyms)
            for word, alternatives in words.items()
            for alternative in filter(None, alternatives.split("|"))
        }
        return _compile(table), table

    def normalise(self, text: str) -> str:
        """Return the text with synonyms and translations replaced by the words of the grammar.

        A text that has only filler words keeps them.
        """
        pattern, words = self._typed
        text = latinise(text)
        # With IGNORECASE, `re` matches some rare letters as ASCII ones; such words stay.
        normal = pattern.sub(lambda parsed: words.get(_fold(parsed[0]), parsed[0]), text)
        return normal if normal.strip(" .,;:!") else text  # filler words alone are no move

    def say(self, notation: str, language: str) -> str:
        """Return canonical notation in the words of the language. `normalise` reverses this.

        The notation is unchanged if the vocabulary has no words of the language.
        """
        if language not in self._languages:
            return notation
        pattern, words, letters = self._list_words(language)
        notation = self._lettered.sub(
            lambda parsed: parsed[0][: -len(parsed[2])] + parsed[2].translate(letters), notation
        )

        def say(parsed: re.Match[str]) -> str:
            word = words[_fold(parsed[0])]
            return word.capitalize() if parsed[0][0].isupper() else word

        return pattern.sub(say, notation)

    def _list_words(self, language: str) -> tuple[re.Pattern[str], dict[str, str], dict[int, str]]:
        if language not in self._shown:
            words = self._languages[language].items()
            firsts = {_fold(word): alternatives.partition("|")[0] for word, alternatives in words}
            translations = {word: first for word, first in firsts.items() if word and first}
            letters = str.maketrans(dict(self._letters.get(language, {})))
            self._shown[language] = _compile(translations), translations, letters
        return self._shown[language]


NO_VOCABULARY: Final = Vocabulary()


def _fold(text: str) -> str:
    return " ".join(text.lower().split())


def _compile(words: Mapping[str, str]) -> re.Pattern[str]:
    """Return a pattern that matches any key of `words` as a whole word, the longest key first."""
    ordered = sorted(words, key=len, reverse=True)
    alternatives = "|".join(r"\s+".join(map(re.escape, word.split())) for word in ordered)
    return re.compile(rf"(?<![^\W_])(?:{alternatives or '(?!)'})(?![^\W_])", re.IGNORECASE)
