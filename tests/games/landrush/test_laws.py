"""What holds whatever is typed or played."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.landrush import GAME, Position
from tests.games.landrush.tables import EXAMPLE, LAST, start, walk

POSITIONS = [
    EXAMPLE,
    LAST,
    start(3),
    GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8"),
    GAME.load(f"{GAME.dump(EXAMPLE)}; sizes same"),
]
WORDS = ["b6", "a6", "b5", "b4", "9z", "S", "L", "med", "x", "with", "=", "pass", "se", "on", "?"]
orders = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))


@given(text=orders, position=st.sampled_from(POSITIONS))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_legal_move_or_a_refusal(text: str, position: Position) -> None:
    with suppress(Rejection):
        GAME.read_chance(text, position)
    with suppress(Rejection):
        assert GAME.notation(GAME.read_notation(text, position)) == text
    try:
        move = GAME.parse(text, position, Seat(1))
    except Rejection:
        return
    assert GAME.read_notation(GAME.notation(move), position) == move
    GAME.play(position, move)


@pytest.mark.parametrize("seats", GAME.seats)
def test_random_games_end_and_keep_the_invariants(seats: int) -> None:
    # LR-11.8: load() refuses stashes that are too small, and colours that touch.
    rng = random.Random(seats)
    for _ in range(20):
        games = [*walk(seats, rng)]
        assert all(GAME.load(GAME.dump(position)) == position for position in games)
        assert games[-1].cause in {"stash", "blocked"}
