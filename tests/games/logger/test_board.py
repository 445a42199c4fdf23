"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.game import Style
from pbem.games.logger import GAME, Position
from tests.games.driver import list_blocks
from tests.games.logger.situations import DRIVER, OPENED, WALLED
from tests.games.words import list_examples

EXAMPLE = GAME.load(
    "loggers b2, e4, c5; a2=2 a4=1 a5=3 b4=3* c3=3 d1=1 d2=2 e2=3; scores 3, 5, 2; hands 0, 1, 1"
)
START = DRIVER.start(2)

see = DRIVER.see


def test_the_picture() -> None:
    # LG-9.1 to LG-9.3
    lines = DRIVER.draw(EXAMPLE, 1).split("\n")
    assert lines == list_blocks("logger", "LG-9.2")[0][: len(lines)]
    lines = DRIVER.draw(EXAMPLE, None, Style.UNICODE).split("\n")
    assert lines == list_blocks("logger", "LG-9.3")[0]


def test_the_board_in_facts() -> None:
    # LG-9.4, LG-9.5
    position = GAME.load(f"{GAME.dump(EXAMPLE)}; left 3; tree_limit 20")
    facts = see(position, 1)
    assert [(seat["cell"], seat["points"], seat["hand"]) for seat in facts["seats"]] == [
        ("b2", 3, 0),
        ("e4", 5, 1),
        ("c5", 2, 1),
    ]
    for name, seats in (("you", [1]), ("to_move", [1]), ("left", [3])):
        assert [seat["seat"] for seat in facts["seats"] if seat[name]] == seats
    trees = {name: " ".join(facts[name]) for name in ("mature", "protested", "saplings")}
    assert trees == {"mature": "a5 c3 e2", "protested": "b4", "saplings": "a2 d2"}
    assert " ".join(facts["seedlings"]) == "a4 d1"
    assert " ".join(facts["free"]) == "a1 a3 b1 b3 b5 c1 c2 c4 d3 d4 d5 e1 e3 e5"
    assert (facts["tree_limit"], facts["trees_left"]) == (20, 12)


def test_the_seat_to_act_sees_what_it_can_do() -> None:
    can = see(EXAMPLE, 1)["can"]
    assert (can["here"], " ".join(can["cells"])) == ("b2", "a1 a3 b1 b3 c1 c2")
    # LG-2.5: in the row and the column of the cell; mature trees do not grow.
    assert can["growing"]["b2"] == ["a2", "d2"]
    assert can["growing"]["a3"] == ["a2", "a4"]
    assert {*can["growing"]} == {*can["cells"], "b2"}
    assert " ".join(see(START, 1)["can"]["cells"]) == "a1 a5 e1 e5"
    assert see(WALLED, 1)["can"]["cells"] == []
    assert see(OPENED, 2)["can"] is None
    assert see(OPENED, None)["can"] is None


@pytest.mark.parametrize(
    ("position", "typed", "wanted"),
    [
        (
            GAME.load("Loggers d1, d5; d2=3 d3=3* d4=3 b1=1 e1=3; hands 1, 2; scores 2, 4"),
            "stay; d2>c2, d3>e3, d4>c4, e1>e2; chop d2",
            {"felled": ["d2", "d3", "d4"], "points": 3, "score": 5, "won": 1, "hand": 2},
        ),
        (WALLED, "pass", {"kind": "pass", "stayed": True, "saplings": ["c1"], "way": []}),
        # LG-2.2: never diagonally, and not through the tree on d3.
        (OPENED, "d4; plant d5", {"from": "e3", "way": ["e4"], "to": "d4"}),
        (OPENED, "e4; plant d4", {"from": "e3", "way": [], "to": "e4"}),
    ],
)
def test_what_happened_in_a_move(position: Position, typed: str, wanted: dict[str, Any]) -> None:
    assert wanted.items() <= DRIVER.tell(position, typed).items()


EXAMPLES = {
    "place a1": START,
    "e3; plant d3": GAME.load("loggers e1, a5; c3=1"),
    "stay; chop d3": GAME.load("loggers e3, a1; d3=2"),
    "c2; protest a1, e4": GAME.load("loggers c1, e5; a1=3 e4=3"),
    "stay; c3>c4; chop d3": OPENED,
    "stay; pass": WALLED,
}


def test_the_examples_of_the_help_are_accepted() -> None:
    assert list_examples(GAME) == [*EXAMPLES]
    for typed, position in EXAMPLES.items():
        assert DRIVER.read(position, typed) == typed
