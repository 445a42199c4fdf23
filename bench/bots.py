"""How far the levels of bots stand apart: `./run bench bots [--games logger] [--pairs 40]`.

Two levels play pairs of games with the same chance, seats swapped, and at more seats whole tables.
A draw is half a point. The interval is Wilson's at 95 % over the games of a pairing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

from pbem.bots.levels import levels, move_of
from pbem.bots.luck import seeded, stream
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over

LONGEST = 1_500
"""Plies after which a game counts as drawn."""

Z = 1.96


@dataclass(frozen=True, slots=True)
class Game:
    """How a game between levels ended: places by seat, and how long each move took, by level."""

    places: tuple[int, ...]
    seconds: dict[str, list[float]]


def played(ruleset: str, seated: tuple[str, ...], number: int) -> Game:
    """One game; its chance, and that of each seat, depend on its number alone."""
    game = GAMES[ruleset]
    position = game.initial(len(seated), game.normal_options({}))
    chance = stream(b"bench %d" % number)
    luck = [seeded(f"{number} {seat}") for seat in range(len(seated))]
    seconds: dict[str, list[float]] = {level: [] for level in seated}
    for _ in range(LONGEST):
        turn = game.turn(position)
        if isinstance(turn, Over):
            return Game(turn.outcome.placings, seconds)
        if isinstance(turn, Chance):
            position = game.play(position, Drawn(answer(turn.draw, chance)))
            continue
        move = game.forced(position)
        if move is None:
            at = turn.seats[0] - 1
            began = time.process_time()
            move = move_of(seated[at], game, position, luck[at])
            seconds[seated[at]].append(time.process_time() - began)
        position = game.play(position, move)
    return Game((1,) * len(seated), seconds)


def tables(game: AnyGame, better: str, worse: str, seats: int, pairs: int) -> Iterator[Any]:
    """What is played: each number with the better level in each seat, the worse in all others."""
    for number in range(pairs):
        for seat in range(seats):
            seated = tuple(better if at == seat else worse for at in range(seats))
            yield game.ruleset, seated, number


def points(found: Sequence[Game], asked: Sequence[Any], better: str) -> float:
    """What the better level won: a whole point for a first place alone, a share of a shared one."""
    won = 0.0
    for one, (_, seated, _) in zip(found, asked, strict=True):
        first = [at for at, place in enumerate(one.places) if place == 1]
        won += sum(seated[at] == better for at in first) / len(first)
    return won


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    share = won / games
    middle = share + Z * Z / (2 * games)
    half = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    whole = 1 + Z * Z / games
    return (middle - half) / whole, (middle + half) / whole


def at_quantile(found: Sequence[Game], level: str, quantile: float) -> float:
    """Seconds of a move of a level that so many of its moves do not take longer than."""
    times = sorted(second for one in found for second in one.seconds.get(level, ()))
    return times[int(len(times) * quantile)] if times else 0.0


def main() -> None:
    """Play, and print a line a pairing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=[game.key for game in GAMES.values()])
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seats", type=int, nargs="*", default=[2])
    parser.add_argument("--processes", type=int, default=1)
    wanted = parser.parse_known_args()[0]
    with ProcessPoolExecutor(wanted.processes) as pool:
        for game in GAMES.values():
            if game.key not in wanted.games:
                continue
            there = levels(game)
            for seats in (seats for seats in game.seats if seats in wanted.seats):
                for worse, better in pairwise(there):
                    asked = list(tables(game, better, worse, seats, wanted.pairs))
                    found = list(pool.map(_unpacked, asked))
                    won = points(found, asked, better)
                    low, high = interval(won, len(asked))
                    sys.stdout.write(
                        f"{game.title}, {seats} seats: {better} over {worse}: {won:g} of"
                        f" {len(asked)}, {won / len(asked):.0%} ({low:.0%} to {high:.0%});"
                        f" a move of {better}: {at_quantile(found, better, 0.5):.3f} s,"
                        f" 95 % below {at_quantile(found, better, 0.95):.3f} s\n"
                    )
                    sys.stdout.flush()


def _unpacked(asked: Any) -> Game:
    return played(*asked)


if __name__ == "__main__":
    main()
