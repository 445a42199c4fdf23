"""The worked examples of section 10, and the counts of section 11."""

from __future__ import annotations

import pytest

from pbem.games.game import GameOver, Outcome
from pbem.games.logger import GAME, Position
from tests.games.logger.situations import DRIVER

PLACED = DRIVER.play(DRIVER.start(2), "place e1", "place a5")
OPENED = DRIVER.play(PLACED, "e3; plant d3", "a3; plant b3")
SPAWN = GAME.load("Loggers d5, b1; a5=3 a4=1 d3=2 c3=1; hands 2, 2")
COLUMN = GAME.load("Loggers d1, d5; d2=3 d3=3* d4=3 b1=1 e1=3; hands 1, 2; scores 2, 4")
PROTEST = GAME.load("Loggers b4, d2; a1=3 c4=2 b2=1 d5=1 e5=3*; hands 1, 2; to move 1")


@pytest.mark.parametrize(
    ("position", "typed", "trees", "scores", "hands"),
    [
        # LG-10.1
        (PLACED, "e3; plant d3", "c3=2 d3=1", (0, 0), (2, 2)),
        (OPENED, "stay c3>c4 chop d3", "b3=2 c4=1", (2, 0), (2, 2)),
        # LG-10.3
        (SPAWN, "c5 plant c4", "a4=1 a5=3 b5=1 c3=2 c4=1 d3=2", (0, 0), (2, 2)),
        # LG-10.4
        (
            COLUMN,
            "stay; d2>c2, d3>e3, d4>c4, e1>e2; chop d2",
            "b1=2 c2=1 c4=1 e1=3 e2=1 e3=1",
            (5, 4),
            (2, 2),
        ),
        # LG-10.6
        (PROTEST, "stay; protest c4", "a1=3 b2=2 c4=3* d5=1 e5=3*", (0, 0), (0, 2)),
    ],
)
def test_turns_of_the_examples(
    position: Position, typed: str, trees: str, scores: tuple[int, ...], hands: tuple[int, ...]
) -> None:
    after = DRIVER.play(position, typed)
    assert DRIVER.find_part(after, "trees") == trees
    assert (after.scores, after.hands) == (scores, hands)
    assert after.to_act == 3 - position.to_act


def test_the_last_round() -> None:
    # LG-10.5
    position = GAME.load("Loggers b5, e2; c5=2 d5=3 e3=2 b3=1 a1=3*; scores 8, 9; hands 1, 2")
    position = DRIVER.play(position, "stay; d5>e5; chop c5")
    assert position.scores == (10, 9)
    assert DRIVER.find_part(position, "trees") == "a1=3* b3=2 e3=2 e5=1"
    assert GAME.outcome(position) is None
    position = DRIVER.play(position, "stay; chop e3")
    assert position.scores == (10, 10)
    assert DRIVER.find_part(position, "trees") == "a1=3* b3=2 e5=2"
    assert GAME.turn(position) == GameOver(Outcome((2, 1), "points"))


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
    names = corners.split()
    position = DRIVER.play(DRIVER.start(len(names)), *names)
    for depth, count in enumerate(counts, 1):
        assert DRIVER.count_sequences(position, depth) == count
