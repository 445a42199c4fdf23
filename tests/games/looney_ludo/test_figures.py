"""Section 11: exact counts."""

from __future__ import annotations

import random

import pytest

from pbem.games.game import ChanceResult
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.position import WholeTurn
from pbem.games.looney_ludo.steps import Course, take
from tests.games.looney_ludo.situations import (
    new,
    rolled,
    start,
)


def laid(boards: int) -> Position:
    """The start layout LL-1.12 with the boards in the order of their colours."""
    position = new(boards, starter="given")
    return GAME.play(position, ChanceResult(tuple(range(boards))))


@pytest.mark.parametrize(
    ("boards", "counts"), [(4, (6, 108, 255)), (5, (10, 127, 1023)), (6, (15, 218, 4095))]
)
def test_counts_of_actions(boards: int, counts: tuple[int, int, int]) -> None:
    # LL-11.1
    position = rolled(laid(boards), random.Random(1))
    found = []
    text = GAME.dump(position).split("; dice ")[0]
    for face in ("swap", "hop", "aim"):
        legal = GAME.legal_moves(GAME.load(f"{text}; dice 2 1 {face}"))
        found.append(sum(GAME.notation(move).startswith(face) for move in legal))
    assert tuple(found) == counts
    wild = GAME.legal_moves(GAME.load(f"{text}; dice 2 1 wild"))
    actions = [move for move in wild if not GAME.notation(move)[0].isupper()]
    assert len(actions) == sum(counts) + 3  # with tip, dig and pass


def ends(position: Position, points: int, *, dig: bool = False, swaps: bool = False) -> int:
    """In how many different positions a turn can end."""
    seen = set()
    queue: list[WholeTurn] = [WholeTurn()]
    while queue:
        turn = queue.pop()
        course = Course(position)
        course.points, course.dig = points, dig
        for step in turn.steps:
            take(course, step)
        state = (tuple(course.stacks), course.slots, course.points, course.free)
        if state in seen:
            continue
        seen.add(state)
        more = open_moves(course) + (open_actions(course) if swaps else [])
        queue += [WholeTurn(turn.steps + one.steps) for one in more]
    return len({state[:2] for state in seen})


def test_positions_that_a_turn_can_end_in() -> None:
    # LL-11.3: movement only
    swap, dig, points = start("2 1 swap"), start("2 1 dig"), range(1, 8)
    assert [ends(swap, number) for number in points] == [4, 11, 25, 49, 87, 147, 233]
    with_dig = [7, 30, 100, 293, 773, 1873, 4233]
    assert [ends(dig, number, dig=True) for number in points] == with_dig
    assert [ends(swap, number, swaps=True) for number in (4, 5)] == [398, 730]
