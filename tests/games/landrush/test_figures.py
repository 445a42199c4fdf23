"""Section 11: counts of placements, and what random and greedy players meet."""

from __future__ import annotations

import random
from dataclasses import dataclass
from dataclasses import field as value
from statistics import median

import pytest

from pbem.games.game import ChanceResult
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.legal import count_plays
from pbem.games.landrush.move_checks import placeable
from pbem.games.landrush.position import Move, Pass, Phase, Play
from pbem.games.landrush.scoring import points
from pbem.games.landrush.tracts import tracts
from tests.games.landrush.random_turns import uniform
from tests.games.landrush.tables import choose, start


def test_first_placements() -> None:
    # LR-11.1
    one = start(3)
    assert len(GAME.legal_moves(one)) == 96
    twos = [GAME.play(one, move) for move in GAME.legal_moves(one)]
    assert sum(len(GAME.legal_moves(two)) for two in twos) == 8468
    threes = (GAME.play(two, move) for two in twos for move in GAME.legal_moves(two))
    assert sum(placeable(three).bit_count() for three in threes) == 683640


# --- statistics -------------------------------------------------------------------------------


@dataclass
class Seen:
    """What many games of one kind of player showed."""

    turns: list[int] = value(default_factory=list)
    passes: int = 0
    takeovers: int = 0
    plays: list[int] = value(default_factory=list)
    best: list[int] = value(default_factory=list)
    shared: int = 0
    causes: set[str] = value(default_factory=set)


def greedy(position: Position, rng: random.Random) -> Move:
    """LR-11.6"""
    if position.phase is Phase.PLACE or count_plays(position) == 0:
        return uniform(position, choose(rng))
    legal = [*GAME.legal_moves(position)]
    rng.shuffle(legal)
    return max(legal[:60], key=lambda move: _worth(GAME.play(position, move), position.to_act))


def _worth(after: Position, seat: int) -> float:
    longest = max(one.bit_count() for one in tracts(after.own[seat - 1], eight=False))
    others = max(points(after, other) for other in range(1, after.seats + 1) if other != seat)
    return points(after, seat) + 0.2 * longest - others


def played(seats: int, games: int, player: str = "uniform", **options: str) -> Seen:
    rng, seen = random.Random(seats), Seen()
    for _ in range(games):
        position = GAME.initial_position(seats, GAME.normalise_options(options))
        turns = 0
        while not position.cause:
            match position.phase:
                case Phase.START:
                    position = GAME.play(position, ChanceResult((rng.randrange(seats),)))
                    continue
                case Phase.DRAW:
                    position = GAME.play(position, ChanceResult((rng.randrange(24),)))
                    turns += 1
                    continue
                case _:
                    pass
            move = greedy(position, rng) if player == "greedy" else uniform(position, choose(rng))
            if isinstance(move, Play):
                seen.plays.append(count_plays(position))
                seen.takeovers += bool(move.taken)
            seen.passes += isinstance(move, Pass)
            position = GAME.play(position, move)
        seen.turns.append(turns)
        ranks = GAME.outcome(position)
        assert ranks is not None
        seen.best.append(points(position, ranks.placings.index(1) + 1))
        seen.shared += ranks.placings.count(1) > 1
        seen.causes.add(position.cause)
    return seen


TABLE = {2: (26, 0.07, 2.2), 3: (38, 0.19, 4.8), 4: (39, 0.24, 4.6), 5: (48, 0.33, 6.1)}
"""LR-11.2: turns (median), share of passes, take-overs in a game."""


def check(seen: Seen, seats: int) -> None:
    """LR-11.3"""
    turns, passes, takeovers = TABLE[seats]
    assert abs(median(seen.turns) - turns) <= (5 if seats == 5 else 3)
    assert seen.passes / sum(seen.turns) == pytest.approx(passes, abs=0.04)
    assert seen.takeovers / len(seen.turns) == pytest.approx(takeovers, abs=1.0)
    assert max(seen.turns) <= 400
    assert seen.causes == {"stash"}  # LR-11.7


@pytest.mark.parametrize("seats", GAME.seats)
def test_200_random_games(seats: int) -> None:
    check(played(seats, 200), seats)
