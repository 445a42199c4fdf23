"""The worked examples of section 10, order by order."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import GameOver, Outcome, Seat
from pbem.games.logger import GAME, Position


def at(text: str) -> Position:
    return GAME.load(text)


def order(position: Position, typed: str) -> tuple[str, Position]:
    move = GAME.parse(typed, position, Seat(position.to_act))
    return GAME.notation(move), GAME.play(position, move)


def after(position: Position, *orders: str) -> Position:
    for typed in orders:
        position = order(position, typed)[1]
    return position


def code(position: Position, typed: str) -> str:
    with pytest.raises(Rejection) as refusal:
        order(position, typed)
    return refusal.value.code


def part(position: Position, key: str) -> str:
    """A part of the position's text without its word, as in `b3=1 c3=3`."""
    found = [part for part in GAME.dump(position).split("; ") if part.startswith(key)]
    return found[0].removeprefix(key).strip()


def opened() -> Position:
    placed = after(GAME.initial_position(2, GAME.normalise_options({})), "place e1", "place a5")
    return after(placed, "e3; plant d3", "a3; plant b3")


def test_the_opening() -> None:
    # LG-10.1
    position = after(GAME.initial_position(2, GAME.normalise_options({})), "place e1", "place a5")
    with pytest.raises(Rejection) as refusal:
        order(position, "a1 plant a2")
    assert refusal.value.facts["cells"] == ["c1", "d1", "d2", "e1", "e2", "e3"]
    position = after(position, "e3; plant d3")
    assert part(position, "trees") == "c3=2 d3=1"
    position = after(position, "a3; plant b3")
    assert part(position, "trees") == "b3=1 c3=3 d3=2"


def test_a_question_and_then_a_chop() -> None:
    # LG-10.2
    position = opened()
    with pytest.raises(Rejection) as refusal:
        order(position, "stay chop d3")
    assert refusal.value.code == "spawn_missing"
    assert refusal.value.facts["trees"] == [{"tree": "c3", "cells": ["c2", "c4"]}]
    canonical, position = order(position, "stay c3>c4 chop d3")
    assert canonical == "stay; c3>c4; chop d3"
    assert part(position, "trees") == "b3=2 c4=1"
    assert position.scores == (2, 0)
    assert position.to_act == 2


def test_a_spawn_is_filled_in() -> None:
    # LG-10.3
    position = at("Loggers d5, b1; a5=3 a4=1 d3=2 c3=1; hands 2, 2")
    canonical, then = order(position, "c5 plant c4")
    assert canonical == "c5; a5>b5; plant c4"
    assert part(then, "trees") == "a4=1 a5=3 b5=1 c3=2 c4=1 d3=2"
    assert code(position, "c5 plant b5") == "plant_occupied"


def test_a_column_falls() -> None:
    # LG-10.4
    position = at("Loggers d1, d5; d2=3 d3=3* d4=3 b1=1 e1=3; hands 1, 2; scores 2, 4")
    then = after(position, "stay; d2>c2, d3>e3, d4>c4, e1>e2; chop d2")
    assert then.scores == (5, 4)
    assert then.hands == (2, 2)
    assert part(then, "trees") == "b1=2 c2=1 c4=1 e1=3 e2=1 e3=1"


def test_the_last_round() -> None:
    # LG-10.5
    position = at("Loggers b5, e2; c5=2 d5=3 e3=2 b3=1 a1=3*; scores 8, 9; hands 1, 2")
    position = after(position, "stay; d5>e5; chop c5")
    assert position.scores == (10, 9)
    assert part(position, "trees") == "a1=3* b3=2 e3=2 e5=1"
    assert GAME.outcome(position) is None
    position = after(position, "stay; chop e3")
    assert position.scores == (10, 10)
    assert part(position, "trees") == "a1=3* b3=2 e5=2"
    assert GAME.turn(position) == GameOver(Outcome((2, 1), "points"))


def test_protests() -> None:
    # LG-10.6
    position = at("Loggers b4, d2; a1=3 c4=2 b2=1 d5=1 e5=3*; hands 1, 2; to move 1")
    assert order(position, "stay; protest c4")[0] == "stay; protest c4"
    assert order(position, "stay; protest a1")[0] == "stay; protest a1"
    assert code(position, "stay protest a1 c4") == "protest_supply"
    assert code(position, "stay protest e5") == "protest_twice"
    assert code(position, "stay protest b2") == "protest_not_mature"
    assert code(position, "b3 protest c4") == "protest_not_mature"
    then = after(position, "stay; protest c4")
    assert then.hands == (0, 2)
    assert part(then, "trees") == "a1=3 b2=2 c4=3* d5=1 e5=3*"
