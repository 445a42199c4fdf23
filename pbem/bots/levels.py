"""The levels of bots: what each is called, which games it knows, and how it picks a move.

A bot is given the whole position and may use of it what its seat knows, and nothing else. `random`
asks for the legal moves, which no game makes depend on what is hidden from the seat to act;
`greedy` looks at the board, and knows games without secrets only. A test holds both to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from pbem.bots.by_score import best_by_score, landrush_scores, logger_scores
from pbem.bots.looney_ludo import greedy_move
from pbem.bots.random_legal import random_move
from pbem.games import AnyGame
from pbem.games.chance import uniform

Choose: TypeAlias = Callable[[int], int]
"""A number from 0 to n - 1: the only chance that a bot has."""

Pick: TypeAlias = Callable[[AnyGame, Any, Choose], Any]
"""From a position to a legal move of the seat to act."""

_GREEDY: Final[Mapping[str, Pick]] = {
    "looney_ludo": lambda _, position, choose: greedy_move(position, choose),
    "logger": lambda game, position, choose: best_by_score(game, position, choose, logger_scores),
    "landrush": lambda game, position, choose: best_by_score(
        game, position, choose, landrush_scores
    ),
}


def _greedy(game: AnyGame, position: Any, choose: Choose) -> Any:
    return _GREEDY[game.key](game, position, choose)


BOTS: Final[Mapping[str, Pick]] = {"random": random_move, "greedy": _greedy}
"""Every level by name, the weakest first."""


def levels(game: AnyGame) -> tuple[str, ...]:
    """The levels that know a game, the weakest first."""
    return tuple(level for level in BOTS if level != "greedy" or game.key in _GREEDY)


def level_unasked(game: AnyGame) -> str:
    """The level that plays where none is named: the best that knows the game."""
    return levels(game)[-1]


def seeded(seed: str) -> Choose:
    """Numbers that are the same for the same seed, each equally likely."""
    source = _blocks(seed.encode())
    return lambda size: uniform(source, size)


def _blocks(seed: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from hashlib.sha256(b"pbem bot 1\0%d\0%s" % (counter, seed)).digest()
        counter += 1
