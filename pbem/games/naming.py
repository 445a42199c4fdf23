"""Lookup of a game by a name that a player or operator typed."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame, find_newest, list_games

MIN_ABBREVIATION: Final = 3  # letters of an abbreviation; too many words begin with the same two
_SIMILARITY: Final = 0.6  # ratio of difflib from which two names count as similar

_LETTERS: Final = re.compile(r"[^\W_]+")


def find_game(typed: str) -> AnyGame:
    """Return the newest edition of the game that the typed text names or abbreviates.

    `Looney Ludo`, `looney-ludo`, `looney_ludo`, `looneyludo`, `ludo` and `loon` all name the
    same game, unless an abbreviation also fits another game. A ruleset such as `looney_ludo-1`
    works, too.

    Raises:
        Rejection: `no_such_game`, with all titles and similar titles, if no game or several games
            fit.
    """
    text = _fold(typed)
    for game in GAMES.values():
        if text in (_fold(game.key), _fold(game.title), _fold(game.ruleset)):
            return find_newest(game.key) or game
    fitting = [game for game in list_games() if _abbreviates(text, game)]
    if len(fitting) == 1:
        return fitting[0]
    raise Rejection("no_such_game", game=typed, games=list_titles(), near=find_near_titles(typed))


def list_titles() -> list[str]:
    """Return the titles of all installed games, sorted."""
    return sorted(game.title for game in list_games())


def find_near_titles(typed: str) -> list[str]:
    """Return the titles that start with or resemble the typed text.

    A title is also returned if a word in it starts with or resembles the text.
    """
    text = _fold(typed)
    names = {_fold(title): title for title in list_titles()}
    for title in list_titles():
        for word in _LETTERS.findall(title.casefold()):
            names.setdefault(word, title)
    titles = [title for name, title in names.items() if text and name.startswith(text)]
    similar = get_close_matches(text, names, n=2, cutoff=_SIMILARITY)
    return list(dict.fromkeys([*titles, *(names[name] for name in similar)]))


def _fold(text: str) -> str:
    """Return the letters and digits of a text, case-folded, without other characters."""
    return "".join(_LETTERS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _abbreviates(text: str, game: AnyGame) -> bool:
    """Return whether the text abbreviates the game's title by at least MIN_ABBREVIATION letters.

    An abbreviation is the beginning of the title. It may also begin at a later word of the title,
    as in `ludo` for Looney Ludo.
    """
    words = _LETTERS.findall(game.title.casefold())
    ends = ("".join(words[number:]) for number in range(len(words)))
    return len(text) >= MIN_ABBREVIATION and any(end.startswith(text) for end in ends)
