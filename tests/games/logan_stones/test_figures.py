"""Section 11: counts of turns."""

from __future__ import annotations

import pytest

from pbem.games.logan_stones import GAME, Position
from tests.games.logan_stones.situations import DRIVER, FIRST, LINKED, MOVING, dealt


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
    for depth, count in enumerate(counts, 1):
        assert DRIVER.count_sequences(position, depth) == count


def test_counts_of_more_turns() -> None:
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

    assert count(FIRST, 4) == 6_021_120
    assert count(FIRST, 5) == 404_619_264
