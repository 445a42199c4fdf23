"""The registry of games.

A game is a set of pure functions that do not depend on matches, emails, time or storage. No game
imports another one. Each of pbem's own games has a folder of modules with the same names
(`rules.py`, `notation.py`, `board.py`, ...), a rulebook in docs/games, templates in
templates/games, and an entry in `OURS`. Other games come from installed packages (packages.py).

An edition is a version of a game's rules. Its name, such as `logger-1`, is called a ruleset. An
edition that has been played never changes. A changed rule needs another `Game` with the next
edition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from pbem.games.game import Game
from pbem.games.missing import make_missing_game
from pbem.games.packages import Package, list_packages

AnyGame = Game[Any, Any]  # type of a game for code that does not look into its positions and moves

# The rulesets of pbem's own games, in the order in which games are listed everywhere.
OURS: Final = ("logger-1", "looney_ludo-1", "logan_stones-1", "landrush-1")

# The keys of these games, by ruleset. A key is the name of the game's folder. Packages may not
# provide editions of these games.
_KEYS: Final = {ruleset: ruleset.rpartition("-")[0] for ruleset in OURS}


class GameError(Exception):
    """Error in a package that provides a game.

    There are three cases: The entry point of the package is not a `Game`. The `Game` has another
    ruleset than the name of the entry point. The package uses the key of one of pbem's own games.
    """


def load_game(package: Package) -> AnyGame:
    """Import and return the game of a package.

    Raises:
        GameError: The entry point is not a `Game`, or that `Game` has another ruleset than
            `package.ruleset`.
        Exception: The import of the package fails, with an exception of any type.
    """
    module, _, name = package.target.partition(":")
    game: Any = import_module(module)
    for part in filter(None, name.split(".")):
        game = getattr(game, part)
    if not isinstance(game, Game):
        raise GameError(f"{package.target} is no Game, but a {type(game).__name__}")
    if game.ruleset != package.ruleset:
        raise GameError(f"{package.target} is {game.ruleset}, not {package.ruleset}")
    return game


class Games(Mapping[str, AnyGame]):
    """A mapping from ruleset to game that imports each game at its first use.

    Iteration and `in` cover only installed games. `GAMES[ruleset]` also works for any other ruleset
    and then returns a placeholder with `is_missing` set. If a package cannot be loaded,
    `faults[ruleset]` is the exception that says why.
    """

    def __init__(self) -> None:
        self.faults: dict[str, Exception] = {}
        self._loaded: dict[str, AnyGame] = {}
        self._included: set[str] = set()

    @contextmanager
    def including(self, game: AnyGame) -> Iterator[None]:
        """Add a game that is not installed, for the duration of a `with` block."""
        if self.get(game.ruleset) is game:
            yield
            return
        self._loaded[game.ruleset] = game
        self._included.add(game.ruleset)
        try:
            yield
        finally:
            del self._loaded[game.ruleset]
            self._included.discard(game.ruleset)

    def __getitem__(self, ruleset: str) -> AnyGame:
        if ruleset not in self._loaded:
            self._loaded[ruleset] = self._load(ruleset)
        return self._loaded[ruleset]

    def _load(self, ruleset: str) -> AnyGame:
        if ruleset in OURS:
            game: AnyGame = import_module(f"{__name__}.{_KEYS[ruleset]}").GAME
            return game
        package = list_packages().get(ruleset)
        if package is not None and package.key in _KEYS.values():
            self.faults[ruleset] = GameError(f"{package.key} is a game of pbem's own")
        elif package is not None:
            try:
                return load_game(package)
            except Exception as fault:  # noqa: BLE001 - packages may raise anything
                self.faults[ruleset] = fault
        return make_missing_game(ruleset)

    def explain_fault(self, ruleset: str) -> str:
        """Return why the package of a ruleset cannot be loaded; an empty string if it can."""
        fault = self.faults.get(ruleset) if self[ruleset].is_missing else None
        return "" if fault is None else f"{type(fault).__name__}: {fault}"

    def __iter__(self) -> Iterator[str]:
        rulesets = dict.fromkeys((*OURS, *list_packages(), *sorted(self._included)))
        return (ruleset for ruleset in rulesets if ruleset in self)

    def __contains__(self, ruleset: object) -> bool:
        if ruleset in OURS:
            return True
        is_brought = ruleset in self._included or ruleset in list_packages()
        return is_brought and not self[str(ruleset)].is_missing

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, ruleset: str, default: Any = None) -> Any:
        """Return the game of the ruleset, or `default` if that game is not installed."""
        return self[ruleset] if ruleset in self else default  # noqa: SIM401 - this is `get`


GAMES: Final = Games()  # registry of games by ruleset, such as `logger-1`


def list_editions(game: AnyGame) -> tuple[str, ...]:
    """Return the rulesets of all known editions of the game, as in `logger-1`, `logger-2`."""
    rulesets = dict.fromkeys((*GAMES, *list_packages()))
    return tuple(name for name in rulesets if name.rpartition("-")[0] == game.key)


def list_games() -> list[AnyGame]:
    """Return the installed games, each in its newest edition, in the order of GAMES."""
    editions = sorted(GAMES.values(), key=lambda game: game.edition)
    newest = {game.key: game for game in editions}
    return [newest[key] for key in dict.fromkeys(game.key for game in GAMES.values())]


def find_newest(key: str) -> AnyGame | None:
    """Return the newest installed edition of the game with this key; None if there is none."""
    return next((game for game in list_games() if game.key == key), None)
