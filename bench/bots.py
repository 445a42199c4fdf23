"""How far the levels of bots are apart: `./run bench bots [--games logger] [--pairs 40]`.

Neighbouring levels play pairs of games with the same chance and seats swapped. A draw is half a
point; the interval is Wilson's at 95 % over the games of a pairing.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt

from pbem.bots.levels import choose_move, list_levels
from pbem.bots.luck import random_bytes, seeded
from pbem.games import GAMES
from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver, Seat

LONGEST = 1_500  # moves and draws after which a game counts as drawn
Z = 1.96  # standard deviations of an interval of 95 %


def play_game(ruleset: str, seated: tuple[str, str], number: int) -> tuple[float, float]:
    """Play one game. Return the points of the first seat, and the seconds of the longest move.

    Chance, and the luck of each seat, depend on the number alone.
    """
    game = GAMES[ruleset]
    position = game.initial_position(len(seated), game.normalise_options({}))
    chance = random_bytes(b"bench %d" % number)
    luck = [seeded(f"{number} {seat}") for seat in range(len(seated))]
    longest = 0.0
    for _ in range(LONGEST):
        turn = game.turn(position)
        if isinstance(turn, GameOver):
            first, second = turn.outcome.placings
            return (0.5 if first == second else float(first < second)), longest
        if isinstance(turn, Chance):
            position = game.play(position, ChanceResult(sample(turn.draw, chance)))
            continue
        move = game.forced_move(position)
        if move is None:
            seat = turn.seats[0]
            began = time.process_time()
            move = choose_move(seated[seat - 1], game, position, Seat(seat), luck[seat - 1])
            longest = max(longest, time.process_time() - began)
        position = game.play(position, move)
    return 0.5, longest


def play_pair(ruleset: str, better: str, worse: str, number: int) -> tuple[float, float]:
    """Play two games with seats swapped. Return the points of `better`, and the longest move."""
    points, longest = play_game(ruleset, (better, worse), number)
    other_points, other_longest = play_game(ruleset, (worse, better), number)
    return points + 1 - other_points, max(longest, other_longest)


def find_interval(share: float, games: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of points."""
    centre = (share + Z**2 / (2 * games)) / (1 + Z**2 / games)
    half = Z / (1 + Z**2 / games) * sqrt(share * (1 - share) / games + (Z / (2 * games)) ** 2)
    return centre - half, centre + half


def main() -> None:
    """Play the pairings of the games that are asked for, and print their results."""
    parser = argparse.ArgumentParser(prog="bench bots", description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--games", default=",".join(game.key for game in GAMES.values()))
    parser.add_argument("--pairs", type=int, default=20)
    options = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for game in GAMES.values():
            if game.key not in options.games.split(","):
                continue
            for worse, better in pairwise(list_levels(game)):
                play = partial(play_pair, game.ruleset, better, worse)
                results = [*pool.map(play, range(options.pairs))]
                games = 2 * options.pairs
                share = sum(points for points, _ in results) / games
                low, high = find_interval(share, games)
                longest = max(seconds for _, seconds in results)
                print(
                    f"{game.title}: {better} takes {share:.0%} of the points from {worse} "
                    f"({low:.0%} to {high:.0%}, {games} games; longest move {longest:.1f} s)"
                )


if __name__ == "__main__":
    main()
