"""Positions and ways to play that the tests of Landrush share."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver, Seat
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.position import Move
from tests.games.landrush.random_turns import uniform

EXAMPLE = GAME.load("Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3")
"""LR-9.4"""

RED = "a1 S  b1 S  c1 S  d3 M  d4 M  d5 M  d6 M  f1 S  g1 M  a8 L  b8 L  a9 L  b9 L  a10 S"
LAST = GAME.load(f"Red {RED}; Yellow e7 M f7 M e8 M f8 L h6 S; coin Suns 5")
"""LR-10.5"""


def start(seats: int, **options: str) -> Position:
    """A new game; seat 1 starts unless the options say something else."""
    return GAME.initial_position(seats, GAME.normalise_options({"starter": "given", **options}))


def order(position: Position, typed: str) -> tuple[str, Position]:
    """What was typed as canonical text, and the position after it."""
    move = GAME.parse(typed, position, Seat(position.to_act))
    return GAME.notation(move), GAME.play(position, move)


def after(position: Position, *orders: str) -> Position:
    """The position after orders; one that begins with * is what chance says."""
    for typed in orders:
        if typed.startswith("* "):
            position = GAME.play(position, GAME.read_chance(typed[2:], position))
        else:
            position = order(position, typed)[1]
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
