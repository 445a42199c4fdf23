"""The rules core: pure games, each a folder of the same files, and the registry of them.

Nothing here knows of matches, mail, time or storage; no game imports another. To add one, write its
folder (`rules.py`, `notation.py`, `board.py`, `__init__.py` with `GAME`), its rulebook in
docs/games/, its words in templates/games/, and its line in `GAMES`. An edition that has matches
never changes its behaviour: a changed rule is a new record beside the old one.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from pbem.games.game import Game
from pbem.games.landrush import GAME as LANDRUSH
from pbem.games.logan_stones import GAME as LOGAN_STONES
from pbem.games.logger import GAME as LOGGER
from pbem.games.looney_ludo import GAME as LOONEY_LUDO

AnyGame = Game[Any, Any]
"""A game whose position and moves the caller does not look into."""

_ALL: tuple[AnyGame, ...] = (LOGGER, LOONEY_LUDO, LOGAN_STONES, LANDRUSH)

GAMES: MappingProxyType[str, AnyGame] = MappingProxyType({game.ruleset: game for game in _ALL})
"""Every ruleset by name, as in `logger-1`."""


def editions_of(game: AnyGame) -> tuple[str, ...]:
    """The rulesets of all editions of a game."""
    return tuple(name for name, other in GAMES.items() if other.key == game.key)


def newest(key: str) -> AnyGame | None:
    """The newest edition of a game by its key, as in `logger`; new matches are played by it."""
    editions = [game for game in GAMES.values() if game.key == key]
    return max(editions, key=lambda game: game.edition, default=None)
