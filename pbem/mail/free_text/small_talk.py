"""Which lines of a letter only greet, and which look like an order gone wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from pbem.games import GAMES
from pbem.mail.phrases.lists import Listed, Phrases, spoken, words_in
from pbem.mail.verbs.vocabulary import Vocabulary

_SURE: Final = 0.8
_SHORT: Final = 4
_ASKED_FOR: Final = (
    "resign", "board", "undo", "offer draw", "stop", "help", "rules", "history", "games",
    "settings", "away", "rematch", "accept", "decline",
)  # fmt: skip
"""Verbs that people speak of in sentences when they want them."""

_LINES, _LONGEST = 40, 400
"""Lines of a letter, and their characters, in which it is looked for what somebody wants."""


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


def mentioned(lines: Sequence[str], words: Vocabulary) -> tuple[str, ...]:
    """The orders for what a text without any wants, the surest first.

    They are told, so that `can you show me the board?` is not answered with the whole help.
    """
    typed = {word for line in lines for word in re.findall(r"\w+", line.casefold())}
    said = {words.verbs[word].name for word in typed if word in words.verbs}
    return tuple(dict.fromkeys((*wanted(lines), *(one for one in _ASKED_FOR if one in said))))


def wanted(lines: Sequence[str]) -> tuple[str, ...]:
    """The orders for what lines ask for in words: `please give up my match` wants `resign`."""
    said = [words_in(line[:_LONGEST]) for line in lines[:_LINES]]
    orders = _asked_for(spoken())
    return tuple(one for one, listed in orders.items() if any(map(listed.stand_in, said)))


@lru_cache(maxsize=2)
def _asked_for(said: Phrases) -> dict[str, Listed]:
    """The phrases by the order that does what they ask for."""
    found: dict[str, list[str]] = {}
    for one in said.asked_for:
        order, _, phrase = one.partition(": ")
        found.setdefault(order, []).append(phrase)
    return {order: Listed.of(phrases) for order, phrases in found.items()}


def game_named(lines: Sequence[str]) -> str:
    """The first game whose name stands in what somebody typed whom nobody here knows, or none.

    Only its key goes on: nothing of the text.
    """
    text = " ".join(re.findall(r"[^\W_]+", " ".join(lines).casefold()))
    found = {text.find(game.title.casefold()): game.key for game in GAMES.values()}
    return min(((at, key) for at, key in found.items() if at >= 0), default=(0, ""))[1]
