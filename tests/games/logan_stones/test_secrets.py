"""Section 6: what a viewpoint may not know makes no difference to anything that it gets."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import pytest

from pbem.errors import Rejection
from pbem.games.game import Seat, Style
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.position_history import PositionHistory
from pbem.games.logan_stones.rules import legal_moves
from pbem.games.logan_stones.stones import HIDDEN
from pbem.games.logan_stones.visibility import redact
from tests.games.logan_stones.situations import (
    FIRST,
    MOVING,
    PICTURED,
    WINNING,
    random_game,
)

TYPED: Final = [
    "", "1 l21", "r m18", "s n21", "p k20", "1 r l19", "2 s l21 turned", "3 p m24", "8 t m16",
    "rock", "flip m22", "flip m20 r", "m20 to o22", "m22 to l19 turned", "m20 m22", "l21 to m20",
    "flip z1", "m 22", "20 to k20",
]  # fmt: skip
"""Orders of every kind, most of them refused somewhere."""

KNOWN_WIN: Final = "L23=RR* M20=PR* M22=SR* N19=PP* N21=RP* O20=RS*; to move 2"


def refusal_or_turn(position: Position, typed: str) -> object:
    try:
        return GAME.parse(typed, position, position.to_act)
    except Rejection as rejection:
        return rejection.code, rejection.facts


def test_hidden_faces_change_no_answer() -> None:
    # LS-6.1, LS-6.10
    for position, _ in random_game(2, draw_cap="40")[::3]:
        known = redact(position, position.to_act)
        for typed in TYPED:
            assert refusal_or_turn(position, typed) == refusal_or_turn(known, typed)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_turn_that_is_tried_is_the_same_whatever_is_hidden(seed: int) -> None:
    # LS-3.20, LS-3.21, LS-6.11
    rng = random.Random(seed)
    hidden = 0
    for position, _ in random_game(seed)[::5]:
        seat = position.to_act
        before = redact(position, seat)
        for move in rng.sample(list(legal_moves(position)), 6):
            after = GAME.try_move(position, move, seat)
            hidden += any(stone.top == HIDDEN for stone in after.stones)
            assert redact(after, seat) == replace(after, history=PositionHistory())
            assert GAME.move_facts(move, before, after)["ended"] in (None, "line", "cap")
    assert hidden


@pytest.mark.parametrize(
    ("position", "typed", "whole"),
    [
        (FIRST, "2 L21", True),
        (FIRST, "1 L21", False),  # the wave turns M20
        (FIRST, "2 L21 turned", True),  # the owner knows both faces
        (PICTURED, "8 K18", True),  # L19 is known
        (MOVING, "flip M20", False),
        (MOVING, "M20 to O22", False),  # the wave turns N23
        (MOVING, "M20 to M24 turned", False),
        (MOVING, "M22 to O22", False),  # the wave turns N21
        (GAME.load("M20=RP* M22=SS* N21=PR N23=SP"), "flip M20", True),
        (WINNING, "flip M20", False),
        (GAME.load(KNOWN_WIN), "flip M20", True),
    ],
)
def test_what_a_turn_turns_up_is_open_where_it_is_not_known(
    position: Position,
    typed: str,
    whole: bool,  # noqa: FBT001 - a table's column
) -> None:
    # LS-3.20, LS-4.10
    move = GAME.parse(typed, position, position.to_act)
    after, played = GAME.try_move(position, move, position.to_act), GAME.play(position, move)
    assert all(stone.top != HIDDEN for stone in after.stones) == whole
    lines = [GAME.board(one, position.to_act, Style.ASCII).lines for one in (after, played)]
    if whole:
        assert lines[0] == lines[1]
        assert after == redact(played, position.to_act)
    else:
        assert any("[?" in line for line in lines[0])
        assert not after.cause


def test_nothing_is_known_of_what_an_unknown_face_turns_over() -> None:
    # LS-2.7: what the wave turns depends on the face that comes up
    after = GAME.try_move(MOVING, GAME.parse("flip M20", MOVING, Seat(1)), Seat(1))
    before = redact(MOVING, Seat(1)).island
    changed = [at for at, stone in after.island.items() if stone != before[at]]
    assert len(changed) == 1
    facts = GAME.move_facts(GAME.parse("flip M20", MOVING, Seat(1)), redact(MOVING, Seat(1)), after)
    assert (facts["top"], facts["over"]) == (HIDDEN, [])


def test_a_turn_that_is_not_legal_is_not_tried() -> None:
    for typed in ("move M20 to A0", "flip A0"):
        with pytest.raises(Rejection):
            GAME.try_move(MOVING, GAME.read_notation(typed, MOVING), Seat(1))
