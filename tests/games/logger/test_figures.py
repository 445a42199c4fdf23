"""Section 11: counts of legal turns, and what random players meet."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from dataclasses import field as value

import pytest

from pbem.games.game import Seat
from pbem.games.logger import GAME
from pbem.games.logger.actions import choppable, line
from pbem.games.logger.growth import ground, grow
from pbem.games.logger.position import BIT, NOWHERE, Act, Move, Position, WholeTurn, cells, reach
from tests.games.logger.random_turns import growth, stepwise

RUNS = 1000


def opening(corners: str) -> Position:
    names = corners.split()
    position = GAME.initial_position(len(names), GAME.normalise_options({}))
    for name in names:
        position = GAME.play(position, GAME.parse(name, position, Seat(position.to_act)))
    return position


def sequences(position: Position, depth: int) -> int:
    legal = GAME.legal_moves(position)
    if depth == 1:
        return len(legal)
    return sum(sequences(GAME.play(position, move), depth - 1) for move in legal)


@pytest.mark.parametrize(
    ("corners", "counts"),
    [
        ("a1 e5", [18, 336, 7_466]),
        ("a1 e1", [18, 306, 6_391]),
        ("a1 e5 e1", [18, 336, 5_835]),
        ("a1 e1 a5 e5", [18, 306, 5_957]),
    ],
)
def test_counts_of_turn_sequences(corners: str, counts: list[int]) -> None:
    # LG-11.2
    position = opening(corners)
    assert [sequences(position, depth) for depth in range(1, len(counts) + 1)] == counts


# --- statistics -------------------------------------------------------------------------------


@dataclass
class Seen:
    """What many games of one kind of player showed."""

    lengths: list[int] = value(default_factory=list)
    sums: list[int] = value(default_factory=list)
    best: list[int] = value(default_factory=list)
    causes: Counter[str] = value(default_factory=Counter)
    passes: int = 0
    crowded: int = 0
    turns: list[int] = value(default_factory=list)


def choose(rng: random.Random, size: int) -> int:
    return int(rng.random() * size)


def played(seats: int, player: str, games: int = RUNS, limit: str = "none") -> Seen:
    rng, seen = random.Random(seats), Seen()
    for _ in range(games):
        position = GAME.initial_position(seats, GAME.normalise_options({"tree_limit": limit}))
        plies, most = 0, 0
        while not position.cause:
            if player == "counting" and position.here != NOWHERE:
                seen.turns.append(len(GAME.legal_moves(position)))
            move = PLAYERS[player](position, rng)
            seen.passes += isinstance(move, WholeTurn) and move.action is Act.PASS
            position = GAME.play(position, move)
            trees = position.trees
            most = max(most, (trees.seedlings | trees.saplings | trees.mature).bit_count())
            plies += 1
        seen.lengths.append(plies)
        seen.sums.append(sum(position.scores))
        seen.best.append(max(position.scores))
        seen.causes[position.cause] += 1
        seen.crowded += most > 20
    return seen


def stepwise_player(position: Position, rng: random.Random) -> Move:
    return stepwise(position, lambda size: choose(rng, size))


def uniform_player(position: Position, rng: random.Random) -> Move:
    legal = GAME.legal_moves(position)
    return legal[choose(rng, len(legal))]


def greedy_player(position: Position, rng: random.Random) -> Move:
    """LG-11.8: one growth for each reachable cell; the largest chop found, else stepwise."""
    if position.here == NOWHERE:
        return stepwise_player(position, rng)
    found: list[tuple[int, float, Move]] = []
    for to in cells(reach(position, position.here)):
        field = ground(position, to)
        spawns = growth(field, lambda size: choose(rng, size))
        after = grow(field, sum(BIT[cell] for _, cell in spawns))
        for tree in cells(choppable(after)):
            move = WholeTurn(position.here, to, spawns, Act.CHOP, (tree,))
            found.append((line(after, tree).bit_count(), rng.random(), move))
    if not found:
        return stepwise_player(position, rng)
    return max(found, key=lambda one: one[:2])[2]


PLAYERS = {
    "stepwise": stepwise_player,
    "counting": stepwise_player,
    "uniform": uniform_player,
    "greedy": greedy_player,
}
