"""The moves that a turn's mail shows as examples: no advice, and told as the rules tell them."""

from __future__ import annotations

import pytest

from pbem.games.looney_ludo import GAME
from pbem.games.looney_ludo.samples import samples
from tests.games.looney_ludo.situations import PIECES, played, start


def test_a_move_that_wins_is_shown_no_sooner_than_another() -> None:
    won, other = (
        start("6 2 hop", f"pieces {centre} G.n=Rl Y.c=Bs G.c=Bl; ")
        for centre in ("R.c=Bm<Rs<Rm", "R.c=Rs<Bm<Rm")
    )
    assert played(won, "L nn").winner == 1
    assert samples(won, 3) == samples(other, 3)


@pytest.mark.parametrize("dice", ["5 3 swap", "6 4 hop", "4 3 aim", "6 2 wild", "3 1 dig"])
def test_examples_are_of_different_kinds_and_legal(dice: str) -> None:
    position = start(dice, PIECES)
    shown = samples(position, 3)
    assert len(set(shown)) == len(shown) > 1
    for typed in shown:
        GAME.read_notation(typed, position)


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
        GAME.read_notation(typed, start("2 2 aim"))
