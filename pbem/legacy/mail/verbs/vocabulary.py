"""What players may type in other languages: for verbs, for what stands behind them, for games.

Every language is understood always, and English first: a word that is an English verb, or that
means another thing in a language before, keeps its meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from typing import Final

from pbem.games import AnyGame
from pbem.games import ours as our_games
from pbem.legacy.mail.lines import MARKER
from pbem.legacy.mail.phrases.lists import spoken
from pbem.legacy.mail.phrases.patterns import patterns
from pbem.legacy.mail.verbs.agreeing import COLOURS
from pbem.legacy.mail.verbs.verb import Verb
from pbem.legacy.mail.verbs.verb_table import BY_WORD

OWN_NAME: Final = "English"
"""A language's name for itself."""

IN_ENGLISH: Final = "the English name of this language"
"""A catalogue says it in English, so that `lang german` is understood."""

TELLTALES: Final = (
    "the|a|is|are|it|do|and|with|would|like|please|you|your|my|me|this|have|how|what|can|could|want|"
    "hello|hi"
)
"""Small words by which a language is known, between strokes."""

NEVER_AGAIN: Final = "never again"
"""What stops all invitations, as every invitation says."""

PHRASES: Final = (
    "yes", "on", "off", "next", "with", "with words", "against", "and",
    "add", "remove", "list", "a draw", "play", NEVER_AGAIN, "please", "thanks",
    "open", "private", "unrated", "reliable", "rating", "everything", "spoken", "address",
    "glyphs", "all", "fair play",
    "as", "colour", *COLOURS,
)  # fmt: skip
"""Words around and behind verbs that have a translation."""

HEADERS: Final = "from|to|cc|bcc|subject|date|sent|reply-to"
"""What the lines of a header block begin with, between strokes."""

CALENDAR: Final = (
    "from", "until", "to", "today", "tomorrow", "day", "days", "week", "weeks", "hours",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
"""Words of days and times; short as they are in some languages, they count in such orders only."""

CONDITIONS: Final = ("if", "then", "any", "drawn", "clear", "i resign yes")
"""Words between the moves of a conditional order."""

VALUES: Final = (
    "house", "at", "o'clock", "minutes", "reminders", "news", "english",
    "time", "fast", "medium", "slow", "colours", "seats", "starter", "random", "given",
    "none", "vacant", "leave", "easy", "strong",
)  # fmt: skip
"""Words for what is wished for, and for the options of a match."""

_IN: Final = re.compile(r"^(?:(?:please|bitte|in|auf)\s+)+", re.IGNORECASE)
"""What stands before the name of a language that is wanted."""

_WORD: Final = re.compile(r"\w+")
_SHORT: Final = 2
_APART: Final = "~"
_NO_WORD: Final = "q"
"""A letter of which no game has a word."""
TYPED: Final = (*PHRASES, *CALENDAR, *CONDITIONS, *VALUES)
"""All that stands behind verbs and has a translation, each once."""

_COURTESIES: Final = ("please", "thanks")
_THANKS: Final = (
    "pls", "thank you", "thank you very much", "thank you so much", "thanks a lot", "many thanks",
)  # fmt: skip

_VERBS: Final = ("plant", "protest", "chop", "stay", "add")
_ENDS: Final = ("s", "ing")
"""Verbs of games, and how they end in a sentence: `he plants`, `planting`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tongue:
    """One language's words, as its catalogue has them: several for each of ours.

    `code` and `name` are the language's own, `english_name` is what it is called in English;
    `games` has the words of each game by its key; `marker` is the line that replies are written
    above; by its `telltales` a language is known; `headers` are the fields of mails.
    """

    code: str = "en"
    name: str = OWN_NAME
    english_name: str = OWN_NAME
    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    games: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    marker: str = MARKER
    telltales: tuple[str, ...] = tuple(TELLTALES.split("|"))
    headers: str = HEADERS


@dataclass(frozen=True, slots=True)
class Glossary:
    """Words with the English ones that they stand for."""

    meanings: Mapping[str, str]
    firsts: frozenset[str]
    pattern: re.Pattern[str] | None
    parted: re.Pattern[str] | None = None

    @classmethod
    def of(
        cls, known: Iterable[tuple[str, str]], parted: re.Pattern[str] | None = None
    ) -> Glossary:
        """From pairs of ours and theirs; the first meaning of a word counts.

        One of theirs that ends in `~` is another word before a number: `Stein 7` is no rock.
        `parted` finds verbs that are none of ours with the last word of their clause.
        """
        pairs = list(known)
        meanings: dict[str, str] = {}
        apart = {theirs.rstrip(_APART).casefold() for _, theirs in pairs if _APART in theirs}
        for ours, said in pairs:
            theirs = said.rstrip(_APART)
            meanings.setdefault(theirs.casefold(), ours)
            meanings.setdefault(theirs.lower(), ours)
        meanings = {theirs: ours for theirs, ours in meanings.items() if theirs != ours}
        firsts = frozenset(_WORD.findall(theirs)[0] for theirs in meanings)
        pattern = re.compile(_any_of(meanings, apart), re.IGNORECASE) if meanings else None
        if parted is not None:
            firsts |= {one.partition(" ")[0] for one in spoken().parted}
        return cls(meanings, firsts, pattern, parted)

    def english(self, text: str) -> str:
        """The text with every word that is known said in English."""
        # Nearly every line has none, which a set tells in a fifth of the time.
        if self.pattern is None or self.firsts.isdisjoint(_WORD.findall(text.lower())):
            return text
        if self.parted is not None:
            text = self.parted.sub(_as_long, text)
        return self.pattern.sub(lambda found: self._meaning(found[0]), text)

    def english_start(self, text: str) -> str:
        """The text with only its first words said in English."""
        found = self.pattern.match(text) if self.pattern is not None else None
        return text if found is None else self._meaning(found[0]) + text[found.end() :]

    def around(self, text: str, start: int, end: int) -> tuple[str, str]:
        """What stands in a text before and after a part of `english(text)`."""
        shift, first, last = 0, start, end
        said = text if self.parted is None else self.parted.sub(_as_long, text)
        for found in self.pattern.finditer(said) if self.pattern is not None else ():
            meaning = self._meaning(found[0])
            more = len(found[0]) - len(meaning)
            at = found.start() + shift + len(meaning)
            first += more if at <= start else 0
            last += more if at <= end else 0
            shift -= more
        return text[:first], text[last:]

    def _meaning(self, word: str) -> str:
        return self.meanings.get(word.casefold()) or self.meanings.get(word.lower(), word)


def _as_long(found: re.Match[str]) -> str:
    """What stands for a verb that is another one with the end of its clause."""
    return _NO_WORD * len(found[0])


_NO_WORDS: Final = Glossary({}, frozenset(), None)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of all languages, ready to be looked for.

    `verbs` has every verb by each of its names; `verb` finds one at the start of a line; `please`
    finds a courtesy at its end; `markers` are the lines that replies are written above;
    `single_words` are the verbs of one word, `first_words` what any verb begins with;
    `languages` are the codes of all, by code and by name, `language_names` what says alone on a
    line that one is wanted (`Deutsch!`); `telling` has the code of the language that alone has a
    word; `usual` is the first name of every verb; `said` has all words for each of `TYPED`;
    `headers` are the fields of mails in small letters.
    """

    verbs: Mapping[str, Verb]
    verb: re.Pattern[str]
    please: re.Pattern[str]
    ok_thanks: re.Pattern[str]
    move: re.Pattern[str]
    never_again: frozenset[str]
    phrases: Glossary
    calendar: Glossary
    conditions: Glossary
    games: Mapping[str, Glossary]
    markers: tuple[str, ...]
    single_words: tuple[str, ...]
    first_words: frozenset[str]
    languages: Mapping[str, str]
    language_names: frozenset[str]
    telling: Mapping[str, str]
    usual: frozenset[str]
    said: Mapping[str, frozenset[str]]
    headers: frozenset[str] = frozenset(HEADERS.split("|"))

    def language_of(self, text: str, least: int = 2) -> str | None:
        """The code of the language that a text is written in; None if that is not plain.

        So many words at least must be of it, and more than of any other.
        """
        words = set(_WORD.findall(text.lower()))
        told = Counter(self.telling[word] for word in words if word in self.telling)
        (first, most), (_, next_most) = [*told.most_common(2), ("", 0), ("", 0)][:2]
        return first if most >= least and most > next_most else None

    def language_named(self, line: str) -> str | None:
        """The language that a line asks for by its name alone (`Deutsch!`, `in English, pls`)."""
        name = self.please.sub("", _IN.sub("", line)).strip(" .!")
        return name if name.casefold() in self.language_names else None

    def near(self, word: str, cutoff: float) -> list[str]:
        """The verbs that somebody who typed this may have meant, the likeliest first."""
        # No two words are so much alike if one is that much longer.
        least = cutoff / (2 - cutoff) * len(word)
        most = len(word) * len(word) / least if least else 0
        words = tuple(known for known in self.single_words if least <= len(known) <= most)
        return list(near_words(word, words, 3, cutoff))

    def verb_of(self, typed: str) -> Verb:
        """The verb that `verb` has found, by what was typed."""
        return self.verbs[" ".join(typed.casefold().split())]

    def answers(self, word: str) -> bool:
        """Whether a word answers a question; people also begin sentences with it."""
        verb = self.verbs.get(word)
        return verb is not None and verb.name in ("yes", "accept", "decline")

    def means(self, text: str, phrase: str) -> bool:
        """Whether a text is a word for one of `TYPED`; one word may be said for several."""
        return " ".join(text.casefold().split()) in self.said[phrase]

    def as_verb(self, text: str) -> str:
        """A text that begins with a verb (`set width 60`), with its usual name."""
        found = self.verb.match(text)
        return text if found is None else self.verb_of(found[1]).name + text[found.end() :]

    def conditional(self, line: str) -> str:
        """A line with the words of conditional orders said in English."""
        return self.conditions.english(self.as_verb(line))

    def game_text(self, game: AnyGame | None, text: str) -> str:
        """A text of a game with the words of other languages said as its grammar has them."""
        if game is None:
            return text
        return self.games.get(game.key, _NO_WORDS).english(text)

    def words_of(self, game: AnyGame) -> dict[str, str]:
        """Every word that a game's grammar has in any language, with the one of the game's own."""
        foreign = self.games.get(game.key, _NO_WORDS).meanings
        return {**foreign, **{word: word for word in game.keywords}}

    def around(self, game: AnyGame, text: str, start: int, end: int) -> tuple[str, str]:
        """What was typed before and after a part of `game_text(text)`."""
        return self.games.get(game.key, _NO_WORDS).around(text, start, end)

    def speaks(self, game: AnyGame | None, line: str) -> bool:
        """Whether a line has a word of the game's grammar, in any language."""
        if game is None:
            return False
        if game.words.search(line.casefold()):
            return True
        said = self.game_text(game, line)
        return said != line and game.words.search(said.casefold()) is not None


@lru_cache(maxsize=4_000)
def near_words(word: str, known: tuple[str, ...], most: int, cutoff: float) -> tuple[str, ...]:
    """The known words that somebody who typed this may have meant; a letter says many twice."""
    return tuple(get_close_matches(word, known, n=most, cutoff=cutoff))


def vocabulary(
    tongues: Iterable[Tongue] = (), games: Iterable[AnyGame] | None = None
) -> Vocabulary:
    """The vocabulary of English and some more languages, and of some games: else of all of ours."""
    spoken = [Tongue(), *tongues]
    verbs = dict(BY_WORD)
    for tongue in spoken:
        for name, words in tongue.verbs.items():
            for word in words:
                verbs.setdefault(word.casefold(), BY_WORD[name])
    said = {phrase: [phrase] for phrase in TYPED}
    for tongue in spoken:
        for phrase, words in tongue.phrases.items():
            said[phrase] += words
    courtesies = [*(word for phrase in _COURTESIES for word in said[phrase]), *_THANKS]
    return Vocabulary(
        verbs=verbs,
        verb=re.compile(rf"!?\s?({_choice(verbs)})(?![\w@'])", re.IGNORECASE),
        please=re.compile(
            rf"(?:(?<![\s,.!])[\s,.!]+)?\b(?:{_choice(courtesies)})[\s.!]*$", re.IGNORECASE
        ),
        ok_thanks=re.compile(
            rf"ok(?:ay)?\W+(?:{_choice([*said['thanks'], 'thank you', 'thx', 'cheers'])})\W*",
            re.IGNORECASE,
        ),
        move=re.compile(rf"(?:mv|{_choice(said['play'])})\b[\s:]*", re.IGNORECASE),
        never_again=frozenset(word.casefold() for word in said[NEVER_AGAIN]),
        phrases=Glossary.of((ours, theirs) for ours in PHRASES for theirs in said[ours]),
        conditions=Glossary.of(
            (ours, theirs) for ours in (*CONDITIONS, "and") for theirs in said[ours]
        ),
        calendar=Glossary.of((ours, theirs) for ours in said for theirs in said[ours]),
        games=_games(spoken, our_games() if games is None else games),
        markers=tuple(dict.fromkeys(tongue.marker for tongue in spoken)),
        single_words=tuple(word for word in verbs if " " not in word),
        languages={
            word.casefold(): tongue.code
            for tongue in spoken
            for word in (tongue.code, tongue.name, tongue.english_name)
        },
        language_names=frozenset(
            word.casefold() for tongue in spoken for word in (tongue.name, tongue.english_name)
        ),
        telling=_telling(spoken),
        usual=frozenset(
            [
                *(verb.name for verb in BY_WORD.values()),
                *(known[0].casefold() for one in spoken for known in one.verbs.values()),
            ]
        ),
        said={
            phrase: frozenset(word.casefold() for word in theirs) for phrase, theirs in said.items()
        },
        first_words=frozenset(word.partition(" ")[0] for word in verbs),
        headers=frozenset(
            word for tongue in spoken for word in tongue.headers.casefold().split("|")
        ),
    )


def _telling(tongues: Iterable[Tongue]) -> dict[str, str]:
    """Every word that is of one language only, of those that stand anywhere but in games."""
    found: dict[str, set[str]] = {}
    for tongue in tongues:
        typed = chain(*tongue.verbs.values(), *tongue.phrases.values())
        if tongue.code == "en":
            typed = chain(BY_WORD, TYPED)
        # Those that are typed are short at times for no other reason (`do` is a Thursday).
        longer = (word for word in typed if len(word) > _SHORT and _WORD.fullmatch(word))
        for word in (*tongue.telltales, *longer):
            found.setdefault(word.lower(), set()).add(tongue.code)
    return {word: min(codes) for word, codes in found.items() if len(codes) == 1}


def _games(tongues: Iterable[Tongue], games: Iterable[AnyGame]) -> dict[str, Glossary]:
    pairs: dict[str, list[tuple[str, str]]] = {
        game.key: [(word, word + end) for word in game.keywords if word in _VERBS for end in _ENDS]
        for game in games
    }
    for tongue in tongues:
        for game, words in tongue.games.items():
            pairs.setdefault(game, []).extend(
                (ours, theirs) for ours, listed in words.items() for theirs in listed
            )
    return {game: Glossary.of(found, patterns().parted) for game, found in pairs.items()}


def _choice(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _any_of(words: Iterable[str], apart: Collection[str] = ()) -> str:
    ends = rf"|(?:{_choice(apart)})(?!\w| \d)" if apart else ""
    return rf"(?<!\w)(?:(?:{_choice(one for one in words if one not in apart)})(?!\w){ends})"


ENGLISH: Final = vocabulary()
