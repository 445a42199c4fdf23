"""Section 7: what people type, and what it is read as."""

from __future__ import annotations

import pytest

from pbem.games.logger import GAME, Position
from tests.games.logger.situations import DRIVER, OPENED, PLACED

START = GAME.initial_position(2, GAME.normalise_options({}))
TREES = GAME.load("loggers c2, e5; a1=3 e4=3; hands 2, 2")
SPAWN = GAME.load("Loggers d5, b1; a5=3 a4=1 d3=2 c3=1; hands 2, 2")


@pytest.mark.parametrize(
    ("position", "typed", "outcome"),
    [
        # LG-7.14
        (START, "E1", "place e1"),
        (PLACED, "e1-e3 +d3", "e3; plant d3"),
        (OPENED, "Stay. c3 -> c4, chop d3", "stay; c3>c4; chop d3"),
        (SPAWN, "5c p 4c", "c5; a5>b5; plant c4"),
        (TREES, "hug a1 and e4", "stay; protest a1, e4"),
        # LG-7.1: case, separators, cells in either order
        (PLACED, "E3,\n  PLANT: 3D;", "e3; plant d3"),
        (PLACED, "3e.plant.d3", "e3; plant d3"),
        # LG-7.2: every word of the grammar
        (START, "place 1E", "place e1"),
        (PLACED, "move e3 p d3", "e3; plant d3"),
        (PLACED, "go to e3 + d3", "e3; plant d3"),
        (PLACED, "to e3 plant d3", "e3; plant d3"),
        (PLACED, "move e1-e3 plant d3", "e3; plant d3"),
        (PLACED, "e1 to e3 plant d3", "e3; plant d3"),
        (PLACED, "e1-e1 plant d1", "stay; plant d1"),
        (PLACED, "e1 plant d1", "stay; plant d1"),
        (OPENED, "stay grow c3>c4 cut d3", "stay; c3>c4; chop d3"),
        (OPENED, "stay spawn c3+c4 x d3", "stay; c3>c4; chop d3"),
        (OPENED, "stay chop d3 c3>c4", "stay; c3>c4; chop d3"),
        (OPENED, "chop d3; spawn c3->c4", "stay; c3>c4; chop d3"),
        (TREES, "protest e4 a1", "stay; protest a1, e4"),
        # LG-7.5: signs glued to cells, and `+`
        (OPENED, "c3+c4 xd3", "stay; c3>c4; chop d3"),
        (TREES, "*a1*e4", "stay; protest a1, e4"),
        (PLACED, "e3,+d3", "e3; plant d3"),
        # typography of phones and word processors
        (PLACED, "e1–e3 plant d3", "e3; plant d3"),
        (OPENED, "stay c3→c4 chop d3", "stay; c3>c4; chop d3"),
        # LG-7.3: a pair with the own cell on the left is the movement
        (OPENED, "e3>e2 plant e3", "e2; plant e3"),
        # LG-7.3
        (PLACED, "d1 to e3 plant d3", "wrong_start"),
        (PLACED, "d1>e3 plant d1", "spawn_wrong_tree"),
        # LG-7.4: a bare cell elsewhere
        (OPENED, "c3>c4 e2 plant e3", "unreadable"),
        (PLACED, "plant d1 and e2", "one_target"),
        # LG-7.5: `+` directly after a cell makes a pair
        (PLACED, "e3+d3", "action_missing"),
        (PLACED, "e1-e3+d3", "unreadable"),
        # LG-7.7
        (PLACED, "stay e3 plant d3", "two_moves"),
        (PLACED, "plant d1 pass", "two_actions"),
        (PLACED, "plant d1\nplant e2", "two_actions"),
        (START, "e1 place a1", "two_moves"),
        # The grammar has the start first, and one word for each thing.
        (PLACED, "plant d1 stay", "unreadable"),
        (PLACED, "plant d1 move e3", "unreadable"),
        (PLACED, "move plant d1", "unreadable"),
        (PLACED, "e1- plant d1", "unreadable"),
        (PLACED, "grow c3 plant d1", "unreadable"),
        (PLACED, "e3 plant d3!", "unreadable"),
        (PLACED, "e1e3 plant d3", "unreadable"),
    ],
)
def test_orders(position: Position, typed: str, outcome: str) -> None:
    assert DRIVER.read(position, typed) == outcome


@pytest.mark.parametrize(
    ("position", "typed", "outcome"),
    [
        # LG-7.8: only the growths after which the action is legal are counted.
        ("a2, e5; a3=3 b2=1", "plant a1", "spawn_missing"),
        ("c1, e5; c3=3 b3=1 d3=1 c4=1", "plant c2", "plant_occupied"),
        ("c1, e5; c3=3 b3=1 d3=1", "plant c2", "stay; c3>c4; plant c2"),
        # LG-7.9: of c2 and c4 the growth on c2 comes first; after it c2 holds a seedling.
        ("c1, e5; b1=2 b3=1 c3=3 d1=2 d3=1", "chop c2", "chop_not_mature"),
        ("c1, e5; b1=2 b3=1 c3=3 d1=2 d3=1", "c3>c4 chop c2", "chop_no_tree"),
    ],
)
def test_the_action_decides_what_is_filled_in(position: str, typed: str, outcome: str) -> None:
    assert DRIVER.read(GAME.load(f"loggers {position}; hands 2, 2"), typed) == outcome
