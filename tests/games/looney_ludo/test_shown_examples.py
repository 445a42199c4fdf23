"""The moves that a turn's mail shows as examples: sensible ones, told as the rules tell them."""

from __future__ import annotations

import pytest

from pbem.games.looney_ludo import GAME
from pbem.games.looney_ludo.examples import samples, way_left
from pbem.games.looney_ludo.position import Position, WholeTurn
from pbem.games.looney_ludo.steps import Course, take
from tests.games.looney_ludo.situations import PIECES, played, start

HOME = "pieces R.c=Rs G.n=Rm Y.c=Rl Y.n=Bs G.c=Bl B.c=Bm; "


def nearer(position: Position, typed: str) -> int:
    """How many points the reader's pieces still need after a move, as examples count them."""
    course = Course(position)
    before = way_left(course)
    move = GAME.read(typed, position)
    assert isinstance(move, WholeTurn)
    for step in move.steps:
        take(course, step)
    return before - way_left(course)


@pytest.mark.parametrize(
    "pieces",
    [PIECES, HOME, "pieces R.c=Bm<Rs<Rm G.n=Rl Y.c=Bs G.c=Bl; "],
    ids=["start", "home", "end"],
)
@pytest.mark.parametrize("dice", ["5 3 swap", "6 4 hop", "4 3 aim", "6 2 wild", "3 1 dig"])
def test_the_first_example_brings_the_nest_nearer(pieces: str, dice: str) -> None:
    position = start(dice, pieces)
    assert nearer(position, samples(position, 3)[0]) > 0


def test_a_move_that_wins_is_the_first_example() -> None:
    position = start("6 2 hop", "pieces R.c=Bm<Rs<Rm G.n=Rl Y.c=Bs G.c=Bl; ")
    assert samples(position, 1) == ["L nn"]
    assert played(position, "L nn").winner == 1


@pytest.mark.parametrize(
    ("dice", "first"), [("1 2 wild", "tip; "), ("5 3 swap", "swap "), ("6 4 hop", "hop ")]
)
def test_an_action_is_named_before_the_moves_that_follow(dice: str, first: str) -> None:
    position = start(dice)
    shown = samples(position, 3)
    assert shown[1].startswith(first)
    assert "; " in shown[1]


def test_doubles_show_a_move_before_the_word_that_rolls_again() -> None:
    shown = samples(start("2 2 aim"), 3)
    assert shown.index("reroll") > 0
    for typed in shown:
        GAME.read(typed, start("2 2 aim"))
