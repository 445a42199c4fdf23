"""Which game a player or an operator means by what they typed."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame, find_newest

SHORTEST: Final = 3  # letters of an abbreviation; two begin too many words
_SIMILARITY: Final = 0.6  # from which difflib takes two names for nearly the same

_LETTERS: Final = re.compile(r"[^\W_]+")


def find_game(typed: str) -> AnyGame:
    """Return the newest edition of the game that a text names, or abbreviates.

    `Looney Ludo`, `looney-ludo`, `looney_ludo`, `looneyludo`, `ludo` and `loon` are the same game,
    as long as only one game begins so or has a word that does. So is a ruleset, `looney_ludo-1`.

    Raises:
        Rejection: `no_such_game`, with all titles and those that are nearly what was typed.
    """
    wanted = _fold(typed)
    for game in GAMES.values():
        if wanted in (_fold(game.key), _fold(game.title), _fold(game.ruleset)):
            return find_newest(game.key) or game
    keys = {game.key for game in GAMES.values() if _abbreviates(wanted, game)}
    if len(keys) == 1 and (found := find_newest(keys.pop())) is not None:
        return found
    raise Rejection("no_such_game", game=typed, games=list_titles(), near=find_near_titles(typed))


def list_titles() -> list[str]:
    """Return the titles of all games."""
    return sorted({game.title for game in GAMES.values()})


def find_near_titles(typed: str) -> list[str]:
    """Return the titles that a player may have meant, by all of the text or by a word of it."""
    wanted = _fold(typed)
    names = {_fold(title): title for title in list_titles()}
    for title in list_titles():
        for word in _LETTERS.findall(title.casefold()):
            names.setdefault(word, title)
    begun = [title for name, title in names.items() if wanted and name.startswith(wanted)]
    similar = get_close_matches(wanted, names, n=2, cutoff=_SIMILARITY)
    return list(dict.fromkeys([*begun, *(names[name] for name in similar)]))


def _fold(text: str) -> str:
    """Return only letters and digits, in lower case."""
    return "".join(_LETTERS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _abbreviates(wanted: str, game: AnyGame) -> bool:
    """Return whether the title of a game, or its end from one of its words on, begins so."""
    words = _LETTERS.findall(game.title.casefold())
    ends = ("".join(words[number:]) for number in range(len(words)))
    return len(wanted) >= SHORTEST and any(end.startswith(wanted) for end in ends)
