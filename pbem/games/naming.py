"""Which game somebody means by what they typed."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from typing import Final

from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame, newest

SHORTEST: Final = 3
"""Letters of an abbreviation at least."""

_NEAR: Final = 0.6

_LETTERS: Final = re.compile(r"[^\W_]+")


def game_named(typed: str) -> AnyGame:
    """The newest edition of a game by its name, however that is written, or an abbreviation of it.

    `Looney Ludo`, `looney-ludo`, `looney_ludo`, `looneyludo`, `ludo`, and `loon`, as long as only
    one game begins so or has a word that does; a ruleset (`logger-1`) names its game.
    Raises Rejection `no_such_game` with all titles, and with those that are nearly what was typed.
    """
    wanted = _squeezed(typed)
    for game in GAMES.values():
        if wanted in (_squeezed(game.key), _squeezed(game.title), _squeezed(game.ruleset)):
            return newest(game.key) or game
    meant = {game.key for game in GAMES.values() if _abbreviates(wanted, game)}
    if len(meant) == 1 and (found := newest(meant.pop())) is not None:
        return found
    raise Rejection("no_such_game", game=typed, games=titles(), near=near_titles(typed))


def titles() -> list[str]:
    """The titles of all games."""
    return sorted({game.title for game in GAMES.values()})


def near_titles(typed: str) -> list[str]:
    """The titles that somebody may have meant: by all of it, or by one of their words."""
    wanted = _squeezed(typed)
    names = {_squeezed(title): title for title in titles()}
    for title in titles():
        for word in _LETTERS.findall(title.casefold()):
            names.setdefault(word, title)
    begun = [title for name, title in names.items() if wanted and name.startswith(wanted)]
    close = get_close_matches(wanted, names, n=2, cutoff=_NEAR)
    return list(dict.fromkeys([*begun, *(names[name] for name in close)]))


def _squeezed(text: str) -> str:
    """Only letters and digits, all small."""
    return "".join(_LETTERS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _abbreviates(wanted: str, game: AnyGame) -> bool:
    """Whether the name of a game, or one of its words to the end of it, begins so."""
    words = _LETTERS.findall(game.title.casefold())
    ends = ("".join(words[number:]) for number in range(len(words)))
    return len(wanted) >= SHORTEST and any(end.startswith(wanted) for end in ends)
