"""Section 11: counts of turns, and what random players meet."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from pbem.games.game import GameOver
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.spaces import place
from tests.games.logan_stones.situations import FIRST, LINKED, MOVING, dealt

RUNS = 1000


def sequences(position: Position, depth: int) -> int:
    legal = GAME.legal_moves(position)
    if depth == 1:
        return len(legal)
    return sum(sequences(GAME.play(position, move), depth - 1) for move in legal)


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (FIRST, [32, 1_536, 86_016]),
        (dealt(1), [32, 1_536, 86_016]),
        (dealt(2, stone_set="3x6"), [32, 1_536]),
        (MOVING, [20, 400, 8_000]),
        (LINKED, [44, 2_024]),
    ],
    ids=["LS-10.1", "a deal", "another", "LS-10.4", "LS-10.5"],
)
def test_counts_of_turn_sequences(position: Position, counts: list[int]) -> None:
    # LS-11.2, LS-11.3
    assert [sequences(position, depth) for depth in range(1, len(counts) + 1)] == counts


def test_counts_of_four_turns() -> None:
    # LS-11.2
    assert sequences(FIRST, 4) == 6_021_120


def test_counts_of_five_turns() -> None:
    # LS-11.2: islands of the same shape are counted once
    counted: dict[tuple[tuple[int, ...], int], int] = {}

    def count(position: Position, depth: int) -> int:
        key = (position.spaces, depth)
        if key not in counted:
            counted[key] = len(GAME.legal_moves(position)) if depth == 1 else below(position, depth)
        return counted[key]

    def below(position: Position, depth: int) -> int:
        return sum(
            count(GAME.play(position, move), depth - 1) for move in GAME.legal_moves(position)
        )

    assert count(FIRST, 5) == 404_619_264


# --- statistics -----------------------------------------------------------------------------------


@dataclass
class Seen:
    """What many random games showed."""

    lengths: list[int] = field(default_factory=list)
    causes: Counter[str] = field(default_factory=Counter)
    winners: Counter[int] = field(default_factory=Counter)
    waves: list[int] = field(default_factory=list)
    adds: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)


def watched(stone_set: str, games: int) -> Seen:
    rng = random.Random(stone_set)
    seen = Seen()
    for _ in range(games):
        position = dealt(rng, stone_set=stone_set)
        width = 0
        while legal := GAME.legal_moves(position):
            (seen.adds if position.hand else seen.moves).append(len(legal))
            move = legal[int(rng.random() * len(legal))]
            after = GAME.play(position, move)
            over = GAME.move_facts(move, position, after)["over"]
            assert isinstance(over, list)
            seen.waves.append(len(over))
            position = after
            numbers = [place(at)[1] for at in position.spaces]
            # On paper a stone is four columns wide and a step of 1 is two.
            width = max(width, 2 * (max(numbers) - min(numbers)) + 4)
        turn = GAME.turn(position)
        assert isinstance(turn, GameOver)
        seen.lengths.append(position.ply)
        seen.causes[turn.outcome.termination] += 1
        seen.winners[position.winner] += 1
        seen.widths.append(width)
    return seen


class Figures(NamedTuple):
    """What the rulebook says of a set; a pair is a percentage and its tolerance."""

    stone_set: str
    plies: float
    tolerance: float
    median: int
    cap: tuple[int, int]
    moving: tuple[int, int]
    wave: float


FIGURES = [
    Figures("6x3", 33.4, 3.7, 23, (5, 4), (66, 7), 0.86),
    Figures("9x2", 27.1, 3.1, 19, (3, 3), (57, 7), 0.84),
    Figures("3x6", 19.0, 1.9, 15, (0, 1), (42, 7), 0.79),
]


def _percent(count: int, of: int) -> float:
    return 100 * count / of
