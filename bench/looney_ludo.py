"""Looney Ludo: random plies a second on one core, and what listing, playing and drawing cost.

The random player takes any legal step, each equally likely, dice included (LL-11.6); `naive` is the
same with the slow rules of the tests, as a straightforward version would list and play them.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pbem.bots.levels import choose_random_move
from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver, Style
from pbem.games.looney_ludo import GAME, Position

PLIES = 20_000
NAIVE_PLIES = 60
REPEATS = 2000


def drawn(position: Position, rng: random.Random) -> Position:
    """The position once somebody may act, or at the end."""
    turn = GAME.turn(position)
    while isinstance(turn, Chance):
        values = sample(turn.draw, iter(lambda: rng.randrange(256), -1))
        position = GAME.play(position, ChanceResult(values))
        turn = GAME.turn(position)
    return position


def positions(seats: int, count: int, rng: random.Random) -> list[Position]:
    """Positions of random games in which a turn is due."""
    options = GAME.normalise_options({})
    found: list[Position] = []
    position = drawn(GAME.initial_position(seats, options), rng)
    while len(found) < count:
        if isinstance(GAME.turn(position), GameOver):
            position = drawn(GAME.initial_position(seats, options), rng)
        found.append(position)
        position = drawn(
            GAME.play(position, choose_random_move(GAME, position, rng.randrange)), rng
        )
    return found


def plies_a_second(seats: int, rng: random.Random) -> float:
    """Random plies, with their draws, in games that begin anew when they end."""
    start = time.perf_counter()
    positions(seats, PLIES, rng)
    return PLIES / (time.perf_counter() - start)


def naive_plies_a_second(seats: int, rng: random.Random) -> float:
    """Listing all legal steps and taking one by the slow rules, without draws."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.games.looney_ludo import naive

    tables = [naive.table(GAME.dump(position)) for position in positions(seats, NAIVE_PLIES, rng)]
    start = time.perf_counter()
    for table in tables:
        legal = naive.legal(table)
        legal[rng.choice([*legal])] if legal else None
    return NAIVE_PLIES / (time.perf_counter() - start)


def main() -> None:
    """Print the figures."""
    rng = random.Random(1)
    for seats in GAME.seats:
        quick, slow = plies_a_second(seats, rng), naive_plies_a_second(seats, rng)
        print(f"{seats} seats: {quick:,.0f} random plies/s; naive rules: {slow:,.0f}")
    found = positions(4, REPEATS, rng)
    moves = [choose_random_move(GAME, position, rng.randrange) for position in found]
    _print_cost("legal listing", [partial(GAME.legal_moves, p) for p in found])
    _print_cost("one play", [partial(GAME.play, p, m) for p, m in zip(found, moves, strict=True)])
    _print_cost("one board", [partial(GAME.board, p, None, Style.ASCII) for p in found])
    _print_cost("one dump", [partial(GAME.dump, p) for p in found])


def _print_cost(what: str, calls: Sequence[Callable[[], object]]) -> None:
    start = time.perf_counter()
    for call in calls:
        call()
    spent = time.perf_counter() - start
    print(f"{what}: {spent / len(calls) * 1e6:.1f} microseconds")


if __name__ == "__main__":
    main()
