"""Positions and ways to play that the tests of Landrush share."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.position import Move
from tests.games.driver import Driver
from tests.games.landrush.random_turns import uniform

EXAMPLE = GAME.load("Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3")
"""LR-9.4"""

RED = "a1 S  b1 S  c1 S  d3 M  d4 M  d5 M  d6 M  f1 S  g1 M  a8 L  b8 L  a9 L  b9 L  a10 S"
LAST = GAME.load(f"Red {RED}; Yellow e7 M f7 M e8 M f8 L h6 S; coin Suns 5")
"""LR-10.5"""

DRIVER = Driver(GAME)


def start(seats: int, **options: str) -> Position:
    """A new game; seat 1 starts unless the options say something else."""
    position: Position = DRIVER.start(seats, **{"starter": "given", **options})
    return position


def choose(rng: random.Random) -> Callable[[int], int]:
    return lambda size: int(rng.random() * size)


def ply(position: Position, rng: random.Random) -> Move | ChanceResult | None:
    """A random ply, None once the game is over."""
    turn = GAME.turn(position)
    if isinstance(turn, GameOver):
        return None
    if isinstance(turn, Chance):
        return ChanceResult(sample(turn.draw, iter(lambda: rng.randrange(256), -1)))
    return uniform(position, choose(rng))


def walk(
    seats: int, rng: random.Random, **options: str
) -> Iterator[tuple[Position, Move | ChanceResult, Position]]:
    """A random game: before, ply, after."""
    position = GAME.initial_position(seats, GAME.normalise_options(options))
    while (move := ply(position, rng)) is not None:
        following = GAME.play(position, move)
        yield position, move, following
        position = following
