"""Positions and ways to play that the tests of Landrush share."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.position import Move
from tests.games.driver import Driver

EXAMPLE = GAME.load("Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3")
"""LR-9.4"""

SAME_SIZES = GAME.load(f"{GAME.dump(EXAMPLE)}; sizes same")
BARRED = GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8")
"""Only a pass is legal."""

RED = "a1 S  b1 S  c1 S  d3 M  d4 M  d5 M  d6 M  f1 S  g1 M  a8 L  b8 L  a9 L  b9 L  a10 S"
LAST = GAME.load(f"Red {RED}; Yellow e7 M f7 M e8 M f8 L h6 S; coin Suns 5")
"""LR-10.5"""

FEW_LEFT = (
    "Red b7 M b8 S b9 S a1 S c1 S a11 M c11 M e11 M g11 M h9 L f9 L d9 L h7 L; "
    "Yellow b4 L b5 M; coin Suns 3"
)
"""Red holds S1 L1; on b6 A would be 4, and two pyramids would be captured."""
SAME = (
    "Red b7 M b8 S b9 M a1 S c1 S e1 S a11 M c11 M g11 M h9 L f9 L; "
    "Yellow b4 L b5 M; coin Suns 3; sizes same"
)
"""Red holds S1 L3, and a Medium would be needed."""

DRIVER = Driver(GAME)


def start(seats: int, **options: str) -> Position:
    """A new game; seat 1 starts unless the options say something else."""
    position: Position = DRIVER.start(seats, **{"starter": "given", **options})
    return position


def walk(seats: int, rng: random.Random, **options: str) -> Iterator[Position]:
    """The positions of a random game, which some seats leave if there are more than two."""
    position = GAME.initial_position(seats, GAME.normalise_options(options))
    yield position
    while not isinstance(turn := GAME.turn(position), GameOver):
        if len(position.playing) > 2 and rng.random() < 0.01:
            position = GAME.leave(position, rng.choice(position.playing))
        elif isinstance(turn, Chance):
            drawn = sample(turn.draw, iter(lambda: rng.randrange(256), -1))
            position = GAME.play(position, ChanceResult(drawn))
        else:
            move: Move = rng.choice(GAME.legal_moves(position))
            position = GAME.play(position, move)
        yield position
