"""Section 8: every code of the game, in the order of the table, with its facts."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pbem.errors import Rejection
from pbem.games.looney_ludo import GAME
from tests.games.driver import list_codes
from tests.games.looney_ludo.situations import DRIVER, PIECES, TABLE, read_as, start
from tests.games.words import list_rejections


class Case(NamedTuple):
    rule: str
    code: str
    dice: str
    typed: str
    facts: dict[str, object]


CASES = [
    Case("LL-8.11", "order_empty", "5 3 swap", " ;\n", {"clause": None}),
    Case("LL-8.11", "order_empty", "5 3 tip", "tip", {"clause": None}),
    Case("LL-8.12", "unreadable", "5 3 swap", "S w; sideways", {"clause": 2}),
    Case("LL-8.12", "unreadable", "5 3 swap", "wild", {"clause": 1}),
    Case("LL-8.12", "unreadable", "5 3 swap", "L o, s", {"clause": 1, "either": True}),
    Case("LL-8.13", "after_end", "5 3 swap", "pass; S w", {"clause": 2}),
    Case("LL-8.14", "reroll_not_alone", "2 2 aim", "S w; reroll", {"clause": 2}),
    Case("LL-8.14", "reroll_not_alone", "5 3 aim", "reroll; keep", {"clause": 1}),
    Case("LL-8.15", "no_doubles", "5 3 swap", "reroll", {"clause": 1}),
    Case("LL-8.15", "no_doubles", "5 3 swap", "keep; S w", {"clause": 1}),
    Case(
        "LL-8.16",
        "which_piece",
        "5 3 swap",
        "red e",
        {"colour": "Red", "sizes": ["Small", "Medium"]},
    ),
    Case(
        "LL-8.17",
        "no_path",
        "5 3 swap",
        "S",
        {"size": "Small", "colour": None, "ways": ["e", "s", "w"]},
    ),
    Case("LL-8.17", "no_path", "5 3 swap", "my large", {"ways": ["top"]}),
    Case("LL-8.18", "turn_missing", "6 4 aim", "aim blue cw red", {"board": "Red"}),
    Case("LL-8.18", "turn_missing", "6 4 aim", "aim", {"board": None}),
    Case(
        "LL-8.19",
        "slot_missing",
        "6 4 hop",
        "hop green west",
        {"board": "Green", "direction": "W", "slots": ["B1", "C1", "A2", "D2", "D3", "C4"]},
    ),
    Case("LL-8.19", "slot_missing", "6 4 hop", "hop green", {"direction": None}),
    Case("LL-8.19", "slot_missing", "6 4 hop", "hop", {"board": None}),
    Case("LL-8.20", "bad_slot", "6 4 hop", "hop red h9", {"slot": "H9", "last": "D4"}),
    Case("LL-8.20", "bad_slot", "6 4 hop", "hop red a5", {"slot": "A5"}),
    Case("LL-8.20", "bad_slot", "6 4 hop", "hop red a0", {"slot": "A0"}),
    Case("LL-8.21", "swap_two", "5 3 swap", "swap red", {"boards": ["Yellow", "Green", "Blue"]}),
    Case("LL-8.21", "swap_two", "5 3 swap", "swap red blue green", {}),
    Case("LL-8.22", "no_such_piece", "5 3 swap", "OS w", {"colour": "Orange"}),
    Case("LL-8.22", "no_such_piece", "5 3 swap", "yellow small top", {}),
    Case("LL-8.23", "not_your_piece", "5 3 swap", "BS n", {"piece": "Bs", "hint": False}),
    Case(
        "LL-8.24", "covered", "5 3 swap", "L e", {"piece": "RL", "above": ["Bs"], "order": "L top"}
    ),
    Case("LL-8.24", "covered", "4 1 dig", "BL w", {"order": "BL top"}),
    Case("LL-8.25", "already_on_top", "5 3 swap", "M top", {"piece": "Rm"}),
    Case("LL-8.26", "no_arrow", "5 3 swap", "M w", {"direction": "w", "exits": ["n", "e", "s"]}),
    Case("LL-8.27", "no_board", "5 3 swap", "M ss e", {"square": {"board": "Blue", "place": "S"}}),
    Case(
        "LL-8.28",
        "no_points",
        "5 3 swap",
        "L top e",
        {"piece": "RL", "cost": 3, "left": 2, "hint": False},
    ),
    Case("LL-8.29", "action_used", "5 3 swap", "swap r b; swap r b", {"clause": 2}),
    Case("LL-8.29", "action_used", "5 3 wild", "tip; dig", {"clause": 2}),
    Case("LL-8.29", "action_used", "5 3 swap", "swap r b; hop o a1", {"clause": 2}),
    Case(
        "LL-8.30",
        "wrong_action",
        "6 4 hop",
        "swap yellow orange",
        {"face": "HOP", "action": "SWAP"},
    ),
    Case("LL-8.30", "wrong_action", "5 3 tip", "dig", {}),
    Case("LL-8.31", "no_such_board", "5 3 swap", "swap orange red", {}),
    Case("LL-8.31", "no_such_board", "6 4 hop", "hop red west of purple", {}),
    Case("LL-8.31", "no_such_board", "6 4 aim", "aim o 0, r cw, r cw", {}),
    Case("LL-8.32", "same_board", "5 3 swap", "swap red red", {"board": "Red"}),
    Case("LL-8.33", "board_twice", "6 4 aim", "aim red cw, r ccw", {}),
    Case("LL-8.34", "changes_nothing", "6 4 hop", "hop yellow stay", {}),
    Case("LL-8.34", "changes_nothing", "6 4 aim", "aim blue dot nw, red 0", {}),
    Case("LL-8.35", "slot_occupied", "6 4 hop", "hop green to C3", {"slot": "C3", "board": "Blue"}),
    Case("LL-8.36", "disconnects", "6 4 hop", "hop blue to A1", {"boards": ["Blue"]}),
]


def refused(dice: str, typed: str) -> Rejection:
    return DRIVER.refuse(start(dice), typed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.typed!r}")
def test_refusals_have_their_code_and_facts(case: Case) -> None:
    fault = refused(case.dice, case.typed)
    assert fault.code == case.code
    assert case.facts.items() <= fault.facts.items()
    # LL-8.1: the dice are told with every refusal.
    first, second, face = case.dice.split()
    points = 7 if face == "tip" else max(int(first), int(second))
    dice = {"first": int(first), "second": int(second), "points": points, "face": face.upper()}
    assert fault.facts["dice"] == dice


def test_every_code_has_its_case_and_its_words() -> None:
    codes = list_codes("looney_ludo")
    assert list_rejections(GAME) == {*codes}
    elsewhere = {"game_over", "bad_order", "unseparated"}
    in_order = [code for code in codes if code not in elsewhere]
    assert list(dict.fromkeys(case.code for case in CASES)) == in_order


# LL-8.1: the first clause that cannot be read, then the first step that is illegal.
@pytest.mark.parametrize(
    ("typed", "code", "clause"),
    [
        ("M w; sideways", "unreadable", 2),
        ("M w; S", "no_path", 2),
        ("S; sideways", "no_path", 1),
        ("pass; sideways", "unreadable", 2),
        ("S w; M w; L e", "no_arrow", 2),
        ("S w; keep; M w", "no_doubles", 2),
        ("swap r g; hop red h9", "bad_slot", 2),
    ],
)
def test_reading_comes_before_trying(typed: str, code: str, clause: int) -> None:
    fault = refused("5 3 swap", typed)
    assert (fault.code, fault.facts["clause"]) == (code, clause)


# LL-8.2: of several faults of a step the one that comes first in the table.
@pytest.mark.parametrize(
    ("dice", "typed", "code"),
    [
        ("4 1 dig", "BS n; L w; S e", "no_points"),
        ("1 2 swap", "BL s", "not_your_piece"),
        ("1 2 swap", "L s", "covered"),
        ("1 2 dig", "BL e", "covered"),
        ("1 3 swap", "M w s", "no_arrow"),
        ("2 1 swap", "L top", "no_points"),
        ("2 1 swap", "M n e", "no_points"),
        ("2 1 hop", "M s s", "no_board"),
        ("6 4 hop", "hop red B2", "changes_nothing"),
        ("6 4 hop", "hop red C3", "slot_occupied"),
        ("6 4 aim", "aim o 0 o 0", "no_such_board"),
        ("6 4 aim", "aim r 0 r 0", "board_twice"),
    ],
)
def test_the_first_code_of_the_table_is_told(dice: str, typed: str, code: str) -> None:
    assert refused(dice, typed).code == code


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("BS n", True),  # `dig` may come first
        ("M s; L top; S w", True),  # `tip` may come before it
        ("tip; BS n", False),
        ("swap r b; M sen", False),
    ],
)
def test_hints_under_wild_while_the_action_is_free(typed: str, *, hint: bool) -> None:
    # LL-7.9, LL-8.37
    fault = refused("4 3 wild", typed)
    assert fault.facts["hint"] is hint


def test_a_finished_game_takes_no_turn() -> None:
    # LL-8.3
    nest = "pieces R.c=Rs<Rm<Rl Y.c=Bs G.c=Bl<Bm; "
    over = GAME.load(f"{TABLE}{nest}over nest 1")
    assert GAME.load(GAME.dump(over)) == over
    assert read_as(over, "S w") == "game_over"
    assert DRIVER.refuse_canonical(over, "pass") == "game_over"
    due = GAME.load(f"{TABLE}{PIECES}to move 1")
    assert read_as(due, "S w") == "not_your_turn"
