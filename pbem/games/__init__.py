"""The rules core: pure games, each a folder of the same files, and the registry of them.

Nothing here knows of matches, mail, time or storage; no game imports another. To add one, write its
folder (`rules.py`, `notation.py`, `board.py`, `__init__.py` with `GAME`), its rulebook in
docs/games/, its words in templates/games/, and its line in `GAMES`. An edition that has matches
never changes its behaviour: a changed rule is a new record beside the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from pbem.games.game import Game

AnyGame = Game[Any, Any]
"""A game whose position and moves the caller does not look into."""

_FOLDERS: Final = {
    "logger-1": "logger",
    "looney_ludo-1": "looney_ludo",
    "logan_stones-1": "logan_stones",
    "landrush-1": "landrush",
}
"""Where the rules of each ruleset stand, in the order in which games are listed."""


@cache
def _game(folder: str) -> AnyGame:
    game: AnyGame = import_module(f"{__name__}.{folder}").GAME
    return game


class _Games(Mapping[str, AnyGame]):
    """Each is loaded when somebody asks for it: a command that plays none waits for none."""

    def __getitem__(self, ruleset: str) -> AnyGame:
        return _game(_FOLDERS[ruleset])

    def __iter__(self) -> Iterator[str]:
        return iter(_FOLDERS)

    def __len__(self) -> int:
        return len(_FOLDERS)


GAMES: Final[Mapping[str, AnyGame]] = _Games()
"""Every ruleset by name, as in `logger-1`."""


def editions_of(game: AnyGame) -> tuple[str, ...]:
    """The rulesets of all editions of a game."""
    return tuple(name for name, other in GAMES.items() if other.key == game.key)


def newest(key: str) -> AnyGame | None:
    """The newest edition of a game by its key, as in `logger`; new matches are played by it."""
    editions = [game for game in GAMES.values() if game.key == key]
    return max(editions, key=lambda game: game.edition, default=None)
