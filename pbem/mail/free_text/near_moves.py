"""Words of a game that were mistyped: what a text would be without the slip, never to be played."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from pbem.games import AnyGame
from pbem.mail.free_text.courtesies import is_filler, is_usual
from pbem.mail.phrases.lists import patterns
from pbem.mail.verbs.vocabulary import Vocabulary, near_words

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_LETTERS: Final = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_APART: Final = re.compile(r"(?<!\w)([a-z])(?:[ \t]+|-)([0-9]{1,2})(?!\w)", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s+)?[/|]\s*")
_NEAR: Final = 0.75
_MOST: Final = 5
_ALONE: Final = 3
"""Slips that are looked at together, and each for itself; a text with more is prose."""

_SHORT: Final = 3
"""Letters of a word that may be part of a move, as in `medim nws`."""

_FEW: Final = 8
"""Words of a line that may be an order with a slip."""

_TWO: Final = 2

LONGEST: Final = 300
"""Characters of a text in which slips are looked for."""


class Mended(NamedTuple):
    """A text without its slips, and the words that stand there instead of them."""

    text: str
    words: tuple[str, ...]


def mended(text: str, game: AnyGame, words: Vocabulary) -> Iterator[Mended]:
    """The text with every word that is nearly one of the game's as that one; then each alone.

    Before them, what stands apart or together by a slip (`e 3/plant d 3`) as it should.
    """
    if len(text) > LONGEST:
        return
    together = apart(_BETWEEN.sub("; ", text.replace("&", " and ")))
    if together != text:
        yield Mended(together, ("",))  # every part of it may be meant
    known = words.words_of(game)
    slips = [
        (found, known[near])
        for found in _WORD.finditer(text)
        if (word := found[0].casefold()) not in known
        and not is_usual(word)
        and (near := _near(word, known))
    ]
    if not 0 < len(slips) <= _MOST:
        return
    yield _with(text, slips)
    if 1 < len(slips) <= _ALONE:
        for slip in slips:
            yield _with(text, [slip])


def apart(text: str) -> str:
    """A text whose places are written together: phones put a blank into `n 21`."""
    return _APART.sub(r"\1\2", text) if len(text) <= LONGEST else text


def is_slip(line: str, game: AnyGame, words: Vocabulary) -> bool:
    """Whether a line is nearly an order of the game: `swpa red blue`, `Large wst, I win!`.

    The line, or a clause of it, has no other word.
    """
    typed = line.split()
    if len(typed) == 1 and line[0].isupper():  # a name, as it may be signed
        return False
    whole = mended(line, game, words) if len(typed) <= _FEW else ()
    if any(_is_order(one.text, game, words) for one in whole):
        return True
    if len(line) > LONGEST:
        return False
    clauses = [clause.strip() for clause in patterns().clauses.split(line)]
    several = (clause for clause in clauses if _TWO <= len(clause.split()) <= _FEW)
    return any(
        any(
            _is_order(one.text, game, words) and not strangers(one.text, game, words)
            for one in mended(clause, game, words)
        )
        for clause in several
    )


def _is_order(text: str, game: AnyGame, words: Vocabulary) -> bool:
    others = strangers(text, game, words)
    if len(others) > 1 or any(len(word) > _SHORT for word in others):
        return False
    return game.words.search(words.game_text(game, text).casefold()) is not None


def strangers(text: str, game: AnyGame, words: Vocabulary) -> list[str]:
    """The words of a text that no order of the game has; an order has one or none, if mistyped."""
    known = words.words_of(game)
    return [
        word
        for word in _LETTERS.findall(text.casefold())
        if word not in known and (len(word) >= _SHORT or is_usual(word))
    ]


def unknown_word(text: str, named: str, game: AnyGame, words: Vocabulary) -> str:
    """Which word of a text keeps it from being an order: one mistyped, or else what a game names.

    Where that is a word that people put around any order, it is the first that is none.
    """
    if len(text) > LONGEST:
        return named
    known = words.words_of(game)
    others = [
        found[0]
        for found in _WORD.finditer(text)
        if (word := found[0].casefold()) not in known and not is_usual(word)
    ]
    slips = (word for word in others if _near(word.casefold(), known) is not None)
    return next(slips, others[0] if others and is_filler(named) else named)


def game_words(text: str, game: AnyGame, words: Vocabulary) -> set[str]:
    """The words of a game in a text that people do not say anyway, mistyped ones too."""
    known = words.words_of(game)
    typed = {word for word in _WORD.findall(text.casefold()[:LONGEST]) if not is_usual(word)}
    return {word for word in typed if word in known or _near(word, known) is not None}


def speaks_of(line: str, game: AnyGame, words: Vocabulary) -> bool:
    """Whether a line, or a clause of it, has more words of a game, or nearly, than others."""
    line = line[:LONGEST]
    for part in (line, *patterns().clauses.split(line)):
        own = game_words(part, game, words)
        others = {word for word in strangers(part, game, words) if not is_usual(word)}
        if len(own) >= _TWO and len(own) > len(others - own):
            return True
    return False


def listed(text: str, joint: str = "; ") -> str:
    """A text whose commas and words for `and` are all written in one way, as between clauses."""
    return patterns().joints.sub(joint, text) if len(text) <= LONGEST else text


def _near(word: str, known: Collection[str]) -> str | None:
    """The known word that somebody who typed this may have meant."""
    # Of three letters two in the wrong order are already much.
    letters = sorted(word)
    turned = [one for one in known if len(one) == len(word) and sorted(one) == letters]
    return next(iter(turned or near_words(word, tuple(known), 1, _NEAR)), None)


def _with(text: str, slips: list[tuple[re.Match[str], str]]) -> Mended:
    for found, word in reversed(slips):
        text = f"{text[: found.start()]}{word}{text[found.end() :]}"
    return Mended(text, tuple(word for _, word in slips))
