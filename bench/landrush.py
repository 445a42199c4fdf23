"""Landrush: random games a second on one core, and what listing, playing and drawing cost.

The random player (LR-11.2) counts the choices of sizes instead of listing them, and hands the whole
play to the public `play`, which checks it all again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from pbem.games.game import ChanceResult, Seat, Style
from pbem.games.landrush import GAME
from pbem.games.landrush.legal import count_choices, keep_sizes
from pbem.games.landrush.move_checks import placeable_squares
from pbem.games.landrush.position import (
    COINS,
    SMALL,
    Move,
    Pass,
    Phase,
    Placement,
    Play,
    Position,
    Stash,
    list_squares,
)
from pbem.games.landrush.tracts import open_squares, remove_piece

GAMES_PLAYED = 1000
REPEATS = 2000
REFERENCE = {2: 470}
"""Two-seat random games a second of the program to compare with; the aim is three times that."""


def playout(seats: int, choose: Callable[[int], int]) -> list[Position]:
    """All positions of a random game."""
    position = GAME.initial_position(seats, GAME.normalise_options({}))
    passed = [position]
    while position.phase is not Phase.OVER:
        match position.phase:
            case Phase.START:
                position = GAME.play(position, ChanceResult((choose(seats),)))
            case Phase.DRAW:
                position = GAME.play(position, ChanceResult((choose(COINS),)))
            case _:
                position = GAME.play(position, uniform(position, choose))
        passed.append(position)
    return passed


def choices(position: Position) -> list[tuple[int, int, int, int]]:
    """Square, size, captured squares and number of plays, for each square and size."""
    return [
        (square, size, captured, _count(position, size, captured))
        for square, captured, sizes in open_squares(position)
        for size in sizes
    ]


def _count(position: Position, size: int, captured: int) -> int:
    if not captured or position.setting.same:
        return 1
    left = remove_piece(position.stash(position.to_act), size)
    return count_choices(captured.bit_count(), left)


def uniform(position: Position, choose: Callable[[int], int]) -> Move:
    """One legal move, each equally likely."""
    if position.phase is Phase.PLACE:
        free = list_squares(placeable_squares(position))
        return Placement(free[choose(len(free))])
    possible = choices(position)
    if not possible:
        return Pass()
    number = choose(sum(choice[3] for choice in possible))
    for square, size, captured, plays in possible:
        if number < plays:
            return _play(position, square, size, captured, number)
        number -= plays
    raise AssertionError(number)


def _play(position: Position, square: int, size: int, captured: int, number: int) -> Play:
    if not captured:
        return Play(square, size)
    if position.setting.same:
        return Play(square, size, keep_sizes(position, captured))
    targets = list_squares(captured)
    left = remove_piece(position.stash(position.to_act), size)
    return Play(square, size, tuple(zip(targets, nth(len(targets), left, number), strict=True)))


def nth(squares: int, stash: Stash, number: int) -> tuple[int, ...]:
    """The choice with a number, counted from 0, in the order of `list_choices`."""
    sizes = []
    for left in range(squares - 1, -1, -1):
        size = SMALL
        while number >= (
            fewer := count_choices(left, remove_piece(stash, size)) if stash[size] else 0
        ):
            number -= fewer
            size += 1
        sizes.append(size)
        stash = remove_piece(stash, size)
    return tuple(sizes)


def main() -> None:
    """Print the figures."""
    draw = random.Random(1).random

    def choose(size: int) -> int:
        return int(draw() * size)

    for seats in GAME.seats:
        start = time.process_time()
        plies = sum(len(playout(seats, choose)) - 1 for _ in range(GAMES_PLAYED))
        spent = time.process_time() - start
        aim = f" (aim {3 * REFERENCE[seats]})" if seats in REFERENCE else ""
        games = GAMES_PLAYED / spent
        print(f"{seats} seats: {games:,.0f} random games/s{aim}, {plies / spent:,.0f} plies/s")
    positions = _positions(choose)
    moves = [uniform(position, choose) for position in positions]
    _print_cost("legal listing", [partial(GAME.legal_moves, p) for p in positions])
    _print_cost(
        "one play",
        [partial(GAME.play, p, m) for p, m in zip(positions, moves, strict=True)],
    )
    _print_cost("one picture", [partial(GAME.board, p, None, Style.ASCII) for p in positions])
    own = [partial(GAME.board, p, Seat(p.to_act), Style.ASCII) for p in positions]
    _print_cost("one picture for the seat to act", own)


def _positions(choose: Callable[[int], int]) -> list[Position]:
    """Positions of two-seat games in which a play is due, in the proportion in which they occur."""
    found: list[Position] = []
    while len(found) < REPEATS:
        found += [position for position in playout(2, choose) if position.phase is Phase.PLAY]
    return found[:REPEATS]


def _print_cost(what: str, calls: Sequence[Callable[[], object]]) -> None:
    start = time.process_time()
    for call in calls:
        call()
    spent = time.process_time() - start
    print(f"{what}: {spent / len(calls) * 1e6:.1f} microseconds")


if __name__ == "__main__":
    main()
