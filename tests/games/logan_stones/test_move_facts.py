"""What happened in a turn, as facts (LS-9.6), and the examples of the help."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.game import ChanceResult
from pbem.games.logan_stones import GAME, Position
from tests.games.logan_stones.situations import (
    DRIVER,
    FEW,
    FIRST,
    MOVING,
    WINNING,
    dealt,
    options,
)
from tests.games.words import list_examples


@pytest.mark.parametrize(
    ("position", "typed", "wanted"),
    [
        (FIRST, "1 l21", {"kind": "add", "number": 1, "at": "L21", "top": "R", "over": ["M20"]}),
        (
            MOVING,
            "m20 o22",
            {"kind": "move", "from": "M20", "at": "O22", "top": "R", "over": ["N23"]},
        ),
        (MOVING, "m20 o22 t", {"kind": "move", "turned": True, "top": "P", "over": []}),
        (
            WINNING,
            "flip m20",
            {
                "kind": "flip",
                "seat": 2,
                "at": "M20",
                "top": "R",
                "over": ["M22"],
                "line": ["L23", "M22", "N21", "O20"],
                "ended": "line",
            },
        ),
    ],
)
def test_what_happened_in_a_turn(position: Position, typed: str, wanted: dict[str, Any]) -> None:
    assert wanted.items() <= DRIVER.tell(position, typed).items()


def test_all_deals_have_the_same_facts() -> None:
    # LS-6.8
    position = GAME.initial_position(2, options())
    first, *others = (GAME.move_facts(ChanceResult(()), position, dealt(seed)) for seed in range(3))
    assert all(facts == first for facts in others)


def test_the_examples_of_the_help_are_read() -> None:
    *adding, symbol, move, turned, flip = list_examples(GAME)
    assert adding == ["add 3 N21", "add 3 N21 turned"]
    for typed in adding:
        assert DRIVER.read(FIRST, typed) == typed
    # A symbol alone needs a hand in which one stone has it.
    assert symbol == "paper N21"
    assert DRIVER.read(FEW, "paper M18") == "add 2 M18"
    for typed in (move, turned, flip):
        assert DRIVER.read(MOVING, typed) == typed
