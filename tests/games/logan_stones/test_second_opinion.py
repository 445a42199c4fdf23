"""The rules against a second, slow implementation, ply by ply."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games.chance import sample
from pbem.games.game import ChanceResult, GameOver, Seat, Style
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.draws import DEAL
from tests.games.logan_stones.naive import Naive, name
from tests.games.logan_stones.situations import options

SMALL = [
    ("M20=RR M22=SS N21=PP", "none", 20, {"repetition"}),
    ("M20=RP M22=SS N21=PR N23=SP", "none", 6, {"repetition"}),
    ("M20=RP M22=PS N21=SR N23=RP", "60", 25, {"repetition", "cap"}),
    ("L21=RP L23=SP M22=PR N21=RR N23=SR O22=PS", "100", 10, {"line", "cap"}),
]
"""Islands with empty hands, the cap, how many games, and how they end."""


def seen_by_board(position: Position, viewpoint: int | None) -> dict[str, tuple[str, str | None]]:
    facts: Any = GAME.board(position, None if viewpoint is None else Seat(viewpoint), Style.ASCII)
    return {
        stone["space"]: (stone["top"], stone["under"])
        for row in facts.facts["rows"]
        for stone in row["stones"]
    }


def assert_same(position: Position, naive: Naive) -> None:
    assert sorted(map(GAME.notation, GAME.legal_moves(position))) == sorted(naive.legal())
    turn = GAME.turn(position)
    if naive.result is None:
        assert not isinstance(turn, GameOver)
        assert position.to_act == naive.mover
        for viewpoint in (1, 2, None):
            assert seen_by_board(position, viewpoint) == {
                name(at): (
                    naive.top(stone),
                    naive.under(stone) if naive.knows(viewpoint, stone) else None,
                )
                for at, stone in naive.island.items()
            }
    else:
        winner, cause = naive.result
        assert isinstance(turn, GameOver)
        assert turn.outcome.termination == cause
        assert turn.outcome.placings == {0: (1, 1), 1: (1, 2), 2: (2, 1)}[winner]
    for seat in (1, 2):
        hand = {held.number: held.stone for held in position.hands[seat - 1]}
        assert {n: (s.top, s.bottom) for n, s in hand.items()} == {
            n: (naive.top(stone), naive.under(stone)) for n, stone in naive.hands[seat].items()
        }


def follow(position: Position, naive: Naive, rng: random.Random) -> str:
    """A random game in both, compared after every ply; how it ended."""
    assert_same(position, naive)
    while legal := GAME.legal_moves(position):
        move = rng.choice(legal)
        after = GAME.play(position, move)
        facts = GAME.move_facts(move, position, after)
        assert facts["over"] == naive.play(GAME.notation(move))
        position = after
        assert_same(position, naive)
    return position.cause


@pytest.mark.parametrize("stone_set", ["6x3", "9x2", "3x6"])
def test_random_games_are_the_same_in_both(stone_set: str) -> None:
    rng = random.Random(stone_set)
    causes = []
    for _ in range(12):
        values = sample(DEAL, iter(lambda: rng.randrange(256), -1))
        chosen = options(stone_set=stone_set, draw_cap="60")
        position = GAME.play(GAME.initial_position(2, chosen), ChanceResult(values))
        naive = Naive(cap=60)
        naive.deal(values, stone_set)
        causes.append(follow(position, naive, rng))
    assert "line" in causes


@pytest.mark.parametrize(("text", "cap", "games", "ends"), SMALL)
def test_small_islands_are_the_same_in_both(
    text: str, cap: str, games: int, ends: set[str]
) -> None:
    # LS-4.5, LS-4.6: few stones come back to the same position soon, also shifted.
    rng = random.Random(text)
    causes = set()
    for _ in range(games):
        position = GAME.load(f"{' '.join(word + '*' for word in text.split())}; draw_cap {cap}")
        naive = Naive(cap=None if cap == "none" else int(cap))
        naive.lay_out(text, ply=16)
        causes.add(follow(position, naive, rng))
    assert causes == ends
