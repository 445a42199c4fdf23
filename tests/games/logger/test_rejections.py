"""Section 8: every code of the game, in the order of the table, with its facts."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.logger import GAME
from tests.games.driver import Case, list_codes
from tests.games.logger.situations import DRIVER
from tests.games.words import list_rejections

PLACE = "loggers e1, -; c3=1"
OPENED = "loggers e3, a3; b3=1 c3=3 d3=2"
GUARDED = "loggers e3, a3; c3=1 d3=3* e4=3*; hands 1, 1"
WALLED = "loggers a1, a2; b1=3*; hands 2, 1"
SHORT = "loggers c1, e5; a1=3 e1=3; hands 2, 2; tree_limit 3"
FULL = "loggers c1, e5; a1=1 e3=1; hands 2, 2; tree_limit 2"
CHOP = "stay; c3>c2; chop d3"
NEAR = ["d2", "d4", "e1", "e2", "e3", "e4", "e5"]
GROWN = {"tree": "c3", "cells": ["c2", "c4"]}
OVER = "loggers e3, a3; c3=1; over points; scores 10, 3"


CASES = [
    Case("LG-8.2", "game_over", OVER, "stay plant e2", {"placings": (1, 2)}),
    Case("LG-8.6", "order_empty", OPENED, " ,.\n", {"samples": ["e2; plant e3", CHOP]}),
    Case("LG-8.7", "unreadable", OPENED, "stay dance d3", {"word": "dance"}),
    Case("LG-8.8", "bad_cell", OPENED, "f2 plant e2", {"cell": "f2"}),
    Case("LG-8.9", "wrong_start", OPENED, "d3-e2 plant e3", {"cell": "d3", "here": "e3"}),
    Case("LG-8.9", "wrong_start", PLACE, "e1-a1", {"cell": "e1", "here": None}),
    Case("LG-8.10", "two_moves", OPENED, "e2 e4 plant e3", {"cells": ["e2", "e4"]}),
    Case(
        "LG-8.11", "two_actions", OPENED, "plant e2 chop d3", {"actions": ["plant e2", "chop d3"]}
    ),
    Case("LG-8.13", "must_place", PLACE, "stay plant a1", {"cells": ["a1", "a5", "e5"]}),
    Case("LG-8.14", "place_not_corner", PLACE, "place b2", {"cells": ["a1", "a5", "e5"]}),
    Case("LG-8.15", "place_occupied", PLACE, "e1", {"cells": ["a1", "a5", "e5"]}),
    Case("LG-8.16", "already_placed", OPENED, "place a1", {"cell": "e3"}),
    Case("LG-8.17", "action_missing", OPENED, "stay", {"kinds": ["plant", "chop", "protest"]}),
    Case("LG-8.17", "action_missing", OPENED, "a1", {"kinds": []}),
    Case("LG-8.18", "target_missing", OPENED, "chop", {"action": "chop", "cells": ["d3"]}),
    Case("LG-8.18", "target_missing", OPENED, "plant", {"action": "plant", "cells": ["e2", "e4"]}),
    Case("LG-8.18", "target_missing", PLACE, "place", {"cells": ["a1", "a5", "e5"]}),
    Case("LG-8.19", "one_target", OPENED, "plant e2 e4", {"cells": ["e2", "e4"]}),
    Case("LG-8.20", "move_unreachable", OPENED, "a1 plant a2", {"cells": NEAR}),
    Case("LG-8.21", "spawn_tree_twice", OPENED, "c3>c2 c3>c4 chop d3", {"tree": "c3"}),
    Case("LG-8.22", "spawn_cell_twice", OPENED, "b3>c4 c3>c4 chop d3", {"cell": "c4"}),
    Case("LG-8.23", "spawn_wrong_tree", OPENED, "b3>b4 chop d3", {"tree": "b3", "trees": ["c3"]}),
    Case("LG-8.24", "spawn_not_adjacent", OPENED, "c3>e1 chop d3", {"cells": ["c2", "c4"]}),
    Case("LG-8.25", "spawn_cell_occupied", OPENED, "c3>b3 chop d3", {"cells": ["c2", "c4"]}),
    Case("LG-8.26", "spawn_no_pieces", SHORT, "a1>a2 e1>e2 protest a1", {"left": 1, "named": 2}),
    Case("LG-8.27", "spawn_missing", OPENED, "chop d3", {"trees": [GROWN]}),
    Case("LG-8.28", "plant_not_adjacent", OPENED, "plant a1", {"cells": ["e2", "e4"]}),
    Case("LG-8.29", "plant_occupied", OPENED, "plant d3", {"cells": ["e2", "e4"]}),
    Case("LG-8.30", "plant_no_pieces", FULL, "plant c2", {"limit": 2}),
    Case("LG-8.31", "chop_not_adjacent", OPENED, "chop c3", {"cells": ["d3"]}),
    Case("LG-8.32", "chop_no_tree", OPENED, "chop e2", {"cells": ["d3"]}),
    Case("LG-8.33", "chop_not_mature", "loggers c2, e5; c3=1", "chop c3", {"stage": "sapling"}),
    Case("LG-8.34", "chop_protested", GUARDED, "d3>d2 e4>d4 chop d3", {"cell": "d3"}),
    Case("LG-8.35", "protest_empty", OPENED, "protest", {"cells": ["c3", "d3"]}),
    Case("LG-8.36", "protest_twice", OPENED, "protest d3 d3", {"cell": "d3", "named_twice": True}),
    Case("LG-8.36", "protest_twice", GUARDED, "d3>d2 e4>d4 protest d3", {"named_twice": False}),
    Case("LG-8.37", "protest_supply", OPENED, "protest b3 c3 d3", {"named": 3, "hand": 2}),
    Case("LG-8.38", "protest_not_mature", OPENED, "protest b3", {"stage": "sapling"}),
    Case("LG-8.38", "protest_not_mature", OPENED, "protest e2", {"stage": "free"}),
    Case("LG-8.38", "protest_not_mature", OPENED, "protest a3", {"stage": "logger"}),
    Case("LG-8.39", "must_act", OPENED, "pass", {"kinds": ["plant", "chop", "protest"]}),
]


def refusal(position: str, typed: str) -> Rejection:
    return DRIVER.refuse(GAME.load(position), typed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.typed}")
def test_code_and_facts(case: Case) -> None:
    refused = refusal(case.position, case.typed)
    assert refused.code == case.code, case.rule
    assert {**refused.facts, **case.facts} == refused.facts


def test_every_code_has_its_case_and_its_words() -> None:
    game = list_codes("logger")
    assert list(dict.fromkeys(case.code for case in CASES)) == game
    assert list_rejections(GAME) == {*game}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        # LG-8.1: of several faults the first of the table is told, wherever it stands in the text.
        ("f2 plant e2 dance", "unreadable"),
        ("d3-e2 plant f2", "bad_cell"),
        ("e2 e4 d3-e3 plant e2", "wrong_start"),
        ("plant e2 chop d3 b9", "bad_cell"),
        ("e2 e4 plant e3 chop d3", "two_moves"),
        ("place a1 plant e2 chop d3", "two_actions"),
        ("a1 plant", "target_missing"),
        ("a1 plant b1 b2", "one_target"),
        ("a1 c3>c2 c3>c4 plant a2", "move_unreachable"),
        ("c3>c2 c3>c2 plant a2", "spawn_tree_twice"),
        ("b3>c2 c3>c2 plant a2", "spawn_cell_twice"),
        ("c3>e1 b3>b4 plant a2", "spawn_wrong_tree"),
        ("c3>e1 plant a2", "spawn_not_adjacent"),
        ("protest a1 a1 b1", "protest_twice"),
        ("protest a1 b1 b2", "protest_supply"),
    ],
)
def test_order_of_the_checks(typed: str, code: str) -> None:
    assert refusal(OPENED, typed).code == code


def test_protest_targets_are_tested_in_sorted_order() -> None:
    # LG-8.40
    position = "loggers c2, e5; a1=3* d4=1; hands 2, 1"
    assert refusal(position, "protest d4 a1").code == "protest_twice"
    position = "loggers c2, e5; a1=1 d4=3*; hands 2, 1"
    assert refusal(position, "protest d4 a1").code == "protest_not_mature"


def test_the_engine_itself_refuses_what_was_never_read() -> None:
    # LG-7.12
    at = GAME.load(OPENED)
    assert DRIVER.refuse_canonical(at, "stay; chop d3") == "spawn_missing"
    assert DRIVER.refuse_canonical(at, "place a1") == "already_placed"
    move = GAME.parse("stay plant d2", GAME.load("loggers d1, a3; b3=1 c3=3 d3=2"), Seat(1))
    for position, code in ((OPENED, "wrong_start"), (PLACE, "must_place")):
        with pytest.raises(Rejection, match=code):
            GAME.play(GAME.load(position), move)
