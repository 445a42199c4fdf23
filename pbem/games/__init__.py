"""The rules core: pure games, each a folder of the same files, and the registry of them.

Nothing here knows of matches, mail, time or storage; no game imports another. To add one, write its
folder (`rules.py`, `notation.py`, `board.py`, `__init__.py` with `GAME`), its rulebook in
docs/games/, its words in templates/games/, and its line in `_FOLDERS`. An edition that has matches
never changes its behaviour: a changed rule is a new record beside the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pbem.games.game import Game

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

AnyGame = Game[Any, Any]
"""A game whose position and moves the caller does not look into."""

_FOLDERS: Final = {
    "logger-1": "logger",
    "looney_ludo-1": "looney_ludo",
    "logan_stones-1": "logan_stones",
    "landrush-1": "landrush",
}
"""The folder of each ruleset, called like its game's key, in the order in which they are listed."""


class _Games(dict[str, AnyGame]):
    """Each is loaded when somebody asks for it: a command that plays none waits for none."""

    def __missing__(self, ruleset: str) -> AnyGame:
        game: AnyGame = import_module(f"{__name__}.{_FOLDERS[ruleset]}").GAME
        self[ruleset] = game
        return game

    def __contains__(self, ruleset: object) -> bool:
        return ruleset in _FOLDERS

    def __iter__(self) -> Iterator[str]:
        return iter(_FOLDERS)

    def __len__(self) -> int:
        return len(_FOLDERS)

    def get(self, ruleset: str, default: Any = None) -> Any:
        """The game, loaded if need be; a dict's own would only know what is."""
        return self[ruleset] if ruleset in _FOLDERS else default

    def keys(self) -> dict_keys[str, Any]:
        """All rulesets, loaded or not, in the order in which they are listed."""
        return _FOLDERS.keys()

    def values(self) -> dict_values[str, AnyGame]:
        """All games, in the order in which they are listed."""
        return {name: self[name] for name in _FOLDERS}.values()

    def items(self) -> dict_items[str, AnyGame]:
        """All rulesets and their games, in the same order."""
        return {name: self[name] for name in _FOLDERS}.items()


GAMES: Final[Mapping[str, AnyGame]] = _Games()
"""Every ruleset by name, as in `logger-1`."""


def editions_of(game: AnyGame) -> tuple[str, ...]:
    """The rulesets of all editions of a game."""
    return tuple(name for name, folder in _FOLDERS.items() if folder == game.key)


def newest(key: str) -> AnyGame | None:
    """The newest edition of a game by its key, as in `logger`; new matches are played by it."""
    editions = [game for game in GAMES.values() if game.key == key]
    return max(editions, key=lambda game: game.edition, default=None)
