"""Logger: stepwise random plies a second on one core, and what listing, playing and drawing cost.

The stepwise player (LG-11.3) picks destination, seedlings and action by the functions that the
rules themselves use, and hands the whole turn to the public `play`, which checks it all again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from pbem.games.game import GameOver, Style
from pbem.games.logger import GAME
from pbem.games.logger.position import Position
from tests.games.logger.random_turns import stepwise

GAMES_PLAYED = 400
REPEATS = 2000


def playout(seats: int, choose: Callable[[int], int]) -> tuple[int, Position]:
    """A whole stepwise random game: its length in plies and its last position."""
    position = GAME.initial_position(seats, GAME.normalise_options({}))
    plies = 0
    while not position.cause:
        position = GAME.play(position, stepwise(position, choose))
        plies += 1
    return plies, position


def main() -> None:
    """Print the figures."""
    draw = random.Random(1).random

    def choose(size: int) -> int:
        return int(draw() * size)

    for seats in GAME.seats:
        start = time.perf_counter()
        plies = sum(playout(seats, choose)[0] for _ in range(GAMES_PLAYED))
        spent = time.perf_counter() - start
        print(f"{seats} seats: {plies / spent:,.0f} stepwise random plies/s")
    positions = _positions(choose)
    moves = [stepwise(position, choose) for position in positions]
    _print_cost("legal listing", [partial(GAME.legal_moves, p) for p in positions])
    _print_cost(
        "one play",
        [partial(GAME.play, p, m) for p, m in zip(positions, moves, strict=True)],
    )
    _print_cost("one picture", [partial(GAME.board, p, None, Style.ASCII) for p in positions])


def _positions(choose: Callable[[int], int]) -> list[Position]:
    """Positions of stepwise games in the proportion in which they occur."""
    found: list[Position] = []
    while len(found) < REPEATS:
        position = GAME.initial_position(2, GAME.normalise_options({}))
        while not isinstance(GAME.turn(position), GameOver):
            found.append(position)
            position = GAME.play(position, stepwise(position, choose))
    return found[:REPEATS]


def _print_cost(what: str, calls: Sequence[Callable[[], object]]) -> None:
    start = time.perf_counter()
    for call in calls:
        call()
    spent = time.perf_counter() - start
    print(f"{what}: {spent / len(calls) * 1e6:.1f} microseconds")


if __name__ == "__main__":
    main()
