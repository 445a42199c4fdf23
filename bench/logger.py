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
from pbem.games.logger.actions import choppable_trees, plantable_cells, protectable_trees
from pbem.games.logger.growth import Ground, ground, grow, old_mature
from pbem.games.logger.position import (
    BIT,
    NEXT,
    NOWHERE,
    Act,
    Move,
    Placing,
    Position,
    Spawns,
    WholeTurn,
    cells,
    free_corners,
    reachable_cells,
)

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


def stepwise(position: Position, choose: Callable[[int], int]) -> Move:
    """One complete and legal move."""
    if position.here == NOWHERE:
        corners = cells(free_corners(position))
        return Placing(corners[choose(len(corners))])
    options = cells(reachable_cells(position, position.here))
    to = options[choose(len(options))]
    field = ground(position, to)
    spawns = _grow(field, choose)
    after = grow(field, sum(BIT[cell] for _, cell in spawns))
    action, targets = _act(after, choose)
    return WholeTurn(position.here, to, spawns, action, targets)


def _grow(field: Ground, choose: Callable[[int], int]) -> Spawns:
    """New seedlings: the trees in random order, each with one of its free neighbours."""
    spawns: list[tuple[int, int]] = []
    empty = field.free
    trees = list(cells(old_mature(field)))
    while trees and len(spawns) < field.pieces:
        tree = trees.pop(choose(len(trees)))
        room = cells(NEXT[tree] & empty)
        if room:
            cell = room[choose(len(room))]
            spawns.append((tree, cell))
            empty ^= BIT[cell]
    return tuple(sorted(spawns))


def _act(field: Ground, choose: Callable[[int], int]) -> tuple[Act, tuple[int, ...]]:
    kinds = [
        (action, among)
        for action, among in (
            (Act.PLANT, plantable_cells(field)),
            (Act.CHOP, choppable_trees(field)),
            (Act.PROTEST, protectable_trees(field)),
        )
        if among
    ]
    if not kinds:
        return Act.PASS, ()
    action, among = kinds[choose(len(kinds))]
    targets = list(cells(among))
    if action is not Act.PROTEST:
        return action, (targets[choose(len(targets))],)
    most = min(field.hand, len(targets))
    chosen = [targets.pop(choose(len(targets))) for _ in range(choose(most) + 1)]
    return action, tuple(sorted(chosen))


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
