"""The rules core: pure games, each a folder of the same files, and the registry of them.

Nothing here knows of matches, mail, time or storage; no game imports another. A game of ours has a
folder (`rules.py`, `notation.py`, `board.py`, `__init__.py` with `GAME`), its rulebook in
docs/games/, its words in templates/games/, and its line in `_FOLDERS`; games of others are found
where they are installed (packages.py). An edition that has matches never changes its behaviour: a
changed rule is a new record beside the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pbem.games.game import Game
from pbem.games.packages import Package, packages
from pbem.games.still import still

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

AnyGame = Game[Any, Any]
"""A game whose position and moves the caller does not look into."""

Opener = Callable[[Package], AnyGame]
"""Loads a game of others. Whatever it raises means that there is none."""

_FOLDERS: Final = {
    "logger-1": "logger",
    "looney_ludo-1": "looney_ludo",
    "logan_stones-1": "logan_stones",
    "landrush-1": "landrush",
}
"""The folder of each ruleset, called like its game's key, in the order in which they are listed."""


OURS: Final = frozenset(_FOLDERS)
"""The rulesets of the games of the house; of all others rules may be away, or fail."""

_KEYS: Final = frozenset(_FOLDERS.values())
"""The keys of the games of the house, which no package may bring an edition of."""


class NoGame(Exception):  # noqa: N818 - what was found
    """What a package names is no record of its ruleset."""


def loaded(package: Package) -> AnyGame:
    """The game of a package, imported here. Raises NoGame, and whatever the package does."""
    module, _, name = package.target.partition(":")
    game: Any = import_module(module)
    for part in filter(None, name.split(".")):
        game = getattr(game, part)
    if not isinstance(game, Game):
        raise NoGame(f"{package.target} is no Game, but a {type(game).__name__}")
    if game.ruleset != package.ruleset:
        raise NoGame(f"{package.target} is {game.ruleset}, and not {package.ruleset}")
    return game


class Games(dict[str, AnyGame]):
    """Each is loaded when somebody asks for it: a command that plays none waits for none.

    It lists what can be played. Of a ruleset that it does not list it has what is needed to show a
    match that stands still.
    """

    def __init__(self) -> None:
        """Nothing is loaded; games of others will be loaded here, unless somebody says how.

        `faults` are what came of those that could not be loaded; `runs_others`: whether positions
        of games of others are here what their rules know.
        """
        super().__init__()
        self._open: Opener = loaded
        self.runs_others = True
        self.faults: dict[str, Exception] = {}
        self._added: set[str] = set()

    @contextmanager
    def including(self, game: AnyGame) -> Iterator[None]:
        """Let a game be played meanwhile that no installed package brings, as its tests do."""
        if self.get(game.ruleset) is game:
            yield
            return
        self[game.ruleset] = game
        self._added.add(game.ruleset)
        try:
            yield
        finally:
            del self[game.ruleset]
            self._added.discard(game.ruleset)

    def open_with(self, opener: Opener | None) -> None:
        """Let games of others be loaded so from now on, also those that are here already.

        Without one they are loaded here, as at first.
        """
        self._open, self.runs_others = opener or loaded, opener is None
        for name in [name for name in dict.keys(self) if name not in _FOLDERS]:
            del self[name]
        self.faults.clear()

    def __missing__(self, ruleset: str) -> AnyGame:
        game = self[ruleset] = self._found(ruleset)
        return game

    def _found(self, ruleset: str) -> AnyGame:
        if ruleset in _FOLDERS:
            game: AnyGame = import_module(f"{__name__}.{_FOLDERS[ruleset]}").GAME
            return game
        package = packages().get(ruleset)
        if package is not None and package.key in _KEYS:
            self.faults[ruleset] = NoGame(f"{package.key} is a game of pbem's own")
        elif package is not None:
            try:
                return self._open(package)
            except Exception as fault:  # noqa: BLE001 - whatever somebody else's module raises
                self.faults[ruleset] = fault
        return still(ruleset)

    def _listed(self) -> Iterator[str]:
        yield from _FOLDERS
        brought = dict.fromkeys((*packages(), *sorted(self._added)))
        yield from (name for name in brought if name not in _FOLDERS and not self[name].away)

    def __contains__(self, ruleset: object) -> bool:
        if ruleset in _FOLDERS:
            return True
        if not isinstance(ruleset, str):
            return False
        is_there = ruleset in self._added or ruleset in packages()
        return is_there and not self[ruleset].away

    def __iter__(self) -> Iterator[str]:
        return self._listed()

    def __len__(self) -> int:
        return len([*self._listed()])

    def get(self, ruleset: str, default: Any = None) -> Any:
        """The game, loaded if need be, where it can be played."""
        return self[ruleset] if ruleset in self else default  # noqa: SIM401 - this is `get`

    def keys(self) -> dict_keys[str, Any]:
        """All rulesets that can be played, in the order in which they are listed."""
        return dict.fromkeys(self._listed()).keys()

    def values(self) -> dict_values[str, AnyGame]:
        """All games, in the order in which they are listed."""
        return {name: self[name] for name in self._listed()}.values()

    def items(self) -> dict_items[str, AnyGame]:
        """All rulesets and their games, in the same order."""
        return {name: self[name] for name in self._listed()}.items()


GAMES: Final = Games()
"""Every ruleset by name, as in `logger-1`."""


def editions_of(game: AnyGame) -> tuple[str, ...]:
    """The rulesets of all editions of a game."""
    return tuple(name for name in GAMES if name.rpartition("-")[0] == game.key)


def newest(key: str) -> AnyGame | None:
    """The newest edition of a game by its key, as in `logger`; new matches are played by it."""
    editions = [game for game in GAMES.values() if game.key == key]
    return max(editions, key=lambda game: game.edition, default=None)


def ours() -> Iterator[AnyGame]:
    """The games of the house alone."""
    return (GAMES[name] for name in _FOLDERS)


def is_ours(game: AnyGame) -> bool:
    """Whether a game is one of the house."""
    return game.ruleset in _FOLDERS
