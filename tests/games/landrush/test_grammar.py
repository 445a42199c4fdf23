"""Section 7: what people type, and what it is read as."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.landrush import GAME, Position
from tests.games.landrush.tables import DRIVER, EXAMPLE, LAST, start

read = DRIVER.read

PLACE = start(2)
ONE_SQUARE = GAME.load("Red b7 M b8 S; Yellow b3 L b4 S b5 M; coin Suns 3")
"""Only a6 can be played."""
ONE_SIZE = GAME.load(
    "Red b7 M b8 S a1 S c1 S e1 S g1 S a10 M c10 M e10 M g10 M h12 L f12 L; "
    "Yellow b4 S b5 M; coin Suns 3"
)
"""Red holds L3; of b4 and b5 neither can be replaced by the same size."""


@pytest.mark.parametrize(
    ("position", "typed", "outcome"),
    [
        # LR-7.11
        (EXAMPLE, "L b6", "b6 L x b4=S b5=M"),
        (EXAMPLE, "se large with LM", "b6 L x b4=L b5=M"),
        (EXAMPLE, "b6 l x b5=l", "b6 L x b4=S b5=L"),
        (EXAMPLE, "put small on a6", "a6 S"),
        # LR-7.1: case, blanks, words that are ignored
        (EXAMPLE, "PLAY: my Small pyramid,\nto the square (A6).", "a6 S"),
        (EXAMPLE, "a6;[s]", "a6 S"),
        (EXAMPLE, "place at a6 s", "a6 S"),
        # LR-7.2: the grammar
        (PLACE, "c4", "c4"),
        (PLACE, "place on c4", "c4"),
        (PLACE, "medium c4", "c4"),
        (PLACE, "12h", "h12"),
        (EXAMPLE, "6aL", "a6 L"),
        (EXAMPLE, "b6 = L", "b6 L x b4=S b5=M"),
        (EXAMPLE, "b6 L xSM", "b6 L x b4=S b5=M"),
        (EXAMPLE, "b6 L x b4L b5 = S", "b6 L x b4=L b5=S"),
        (EXAMPLE, "b6 L x 4b=L", "b6 L x b4=L b5=M"),
        (EXAMPLE, "b6Lxb4=Lb5=S", "b6 L x b4=L b5=S"),
        (EXAMPLE, "b6 L × b4=L", "b6 L x b4=L b5=M"),
        # LR-7.3a
        (EXAMPLE, "a6 lg", "a6 L"),
        (EXAMPLE, "b6 s x largesmall", "b6 S x b4=L b5=S"),
        (EXAMPLE, "b6 s with large, med", "b6 S x b4=L b5=M"),
        # LR-7.3b: corners of the tile a5 b5 a6 b6
        (EXAMPLE, "sw s", "a6 S"),
        (EXAMPLE, "bl s", "a6 S"),
        (EXAMPLE, "br s", "b6 S x b4=S b5=M"),
        (EXAMPLE, "nw s", "too_short"),
        (EXAMPLE, "ne s", "occupied"),
        (EXAMPLE, "nordost s", "occupied"),
        (EXAMPLE, "südosten s", "b6 S x b4=S b5=M"),
        (EXAMPLE, "no", "unreadable"),
        (EXAMPLE, "so s", "unreadable"),
        # LR-7.7a, LR-7.7b
        (ONE_SQUARE, "m", "a6 M"),
        (ONE_SIZE, "a6", "a6 L"),
        (LAST, "se", "b10 L"),
        # LR-7.7c, LR-7.7d
        (EXAMPLE, "b6 m", "b6 M x b4=S b5=M"),
        (ONE_SIZE, "b6", "b6 L x b4=L b5=L"),
        # LR-7.7e
        (EXAMPLE, "b6 m x b4=m", "b6 M x b4=M b5=M"),
        # LR-7.10: a direction is no target
        (EXAMPLE, "b6 L x nw=S", "unreadable"),
        # LR-7.5
        (EXAMPLE, "red small a6", "unreadable"),
        # LR-7.7, LR-7.8: nothing else is completed
        (ONE_SIZE, "b6 L x b4=L", "size_short"),
        # The grammar has one x-part, of sizes or of pairs.
        (EXAMPLE, "b6 L x S x M", "unreadable"),
        (EXAMPLE, "b6 L x S b5=M", "unreadable"),
        (EXAMPLE, "b6 L x b4=SM", "unreadable"),
        (EXAMPLE, "b6 L x =S", "unreadable"),
        (EXAMPLE, "b6 L x b4==S", "unreadable"),
        (EXAMPLE, "b6 L pass", "must_play"),
        (EXAMPLE, "a6 s!", "unreadable"),
    ],
)
def test_orders(position: Position, typed: str, outcome: str) -> None:
    assert read(position, typed) == outcome


def test_a_pass_is_read_where_nothing_else_is_legal() -> None:
    # LR-7.2, LR-2.3
    position = GAME.load(f"{GAME.dump(ONE_SQUARE)}; adj 8")
    assert read(position, "pass") == "pass"
    assert read(position, "skip") == "pass"
    assert read(position, "pass a6") == "unreadable"
    assert read(position, "a6 s") == "too_short"
    assert read(position, "s") == "square_missing"


# --- chance -----------------------------------------------------------------------------------

BEFORE = GAME.initial_position(3, GAME.normalise_options({"colours": "kr"}))
COIN = GAME.load("Red c4 M; Yellow g9 M; to draw Red")


@pytest.mark.parametrize(
    ("position", "typed", "canonical"),
    [
        # LR-1.3, LR-6.2
        (COIN, "moons 5", "Moons 5"),
        (COIN, "  ACE  arms", "Arms Ace"),
        (COIN, "3 Crowns", "Crowns 3"),
        # LR-1.8
        (BEFORE, "Black", "Black"),
        (BEFORE, "y", "Yellow"),
        (BEFORE, "seat 2", "Red"),
        (BEFORE, "3", "Yellow"),
    ],
)
def test_draws_are_read(position: Position, typed: str, canonical: str) -> None:
    drawn = GAME.read_chance(typed, position)
    assert GAME.chance_notation(position, drawn) == canonical
    assert GAME.read_chance(canonical, position) == drawn


@pytest.mark.parametrize(
    ("position", "typed"),
    [
        (COIN, "Suns 6"),
        (COIN, "Suns"),
        (COIN, "3"),
        (BEFORE, "Green"),
        (BEFORE, "4"),
        (EXAMPLE, "Suns 3"),
    ],
)
def test_draws_that_are_not_due_are_refused(position: Position, typed: str) -> None:
    with pytest.raises(Rejection) as refusal:
        GAME.read_chance(typed, position)
    assert refusal.value.code == "unreadable"
