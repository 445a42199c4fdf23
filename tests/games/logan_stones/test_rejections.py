"""Section 8: every code of the game, in the order of the table, with its facts."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pbem.errors import Rejection
from pbem.games.logan_stones import GAME, Position
from tests.games.driver import list_codes
from tests.games.logan_stones.situations import DRIVER, FEW, FIRST, LINKED, MOVING
from tests.games.words import list_rejections

OVER = GAME.load("M20=RP M22=SS; over last_seat 2")
SPACES = ["L21", "N21"]
STONES = ["M20", "M22", "N21", "N23"]
THIRD = {"number": 3, "faces": ["S", "R"]}
HAND = [{"number": number, "shown": shown} for number, shown in enumerate("RPSRSPRS", 1)]


class Case(NamedTuple):
    rule: int
    code: str
    position: Position
    typed: str
    facts: dict[str, object]


def incomplete(
    position: Position,
    typed: str,
    part: str,
    spaces: list[str],
    *,
    letter: bool = False,
    free: bool = True,
) -> Case:
    facts = {"typed": part, "letter": letter, "free": free, "spaces": spaces}
    return Case(15, "space_incomplete", position, typed, facts)


CASES = [
    Case(2, "game_over", OVER, "flip M20", {"termination": "last_seat", "winner": 2}),
    Case(2, "game_over", OVER, "", {}),
    Case(4, "order_empty", FIRST, " .;\n", {"samples": ["add 3 L21", "add 7 L21 turned"]}),
    Case(4, "order_empty", MOVING, "", {"samples": ["move M22 to N19", "flip N23"]}),
    Case(9, "no_pass", FIRST, "skip, dear Bob", {}),
    Case(10, "unreadable", FIRST, "1 l21 + 2 n21", {"word": "+"}),
    Case(10, "unreadable", FIRST, "1 l21 > n21", {"word": ">"}),
    Case(10, "unreadable", MOVING, "m20 to to o22", {"word": "to"}),
    Case(10, "unreadable", MOVING, "flip m22 - m20", {"word": "-"}),
    Case(10, "unreadable", FIRST, "123456 l21", {"word": "123456"}),
    Case(11, "two_orders", FIRST, "1 l21\n2 n21", {"orders": ["1 L21", "2 N21"]}),
    Case(11, "two_orders", FIRST, "1 l21 n21", {"orders": ["1 L21", "N21"]}),
    Case(11, "two_orders", FIRST, "3 l21 to n21", {"orders": ["3 L21", "to N21"]}),
    Case(11, "two_orders", FIRST, "r l21 s n21", {"orders": ["r L21", "s N21"]}),
    Case(11, "two_orders", MOVING, "flip m20. flip m20", {"orders": ["flip M20"] * 2}),
    Case(11, "two_orders", MOVING, "m20-o22 n23", {"orders": ["M20 - O22", "N23"]}),
    Case(12, "not_a_space", FIRST, "1 L22", {"space": "L22", "spaces": ["L21", "L23"]}),
    Case(12, "not_a_space", MOVING, "m20 to -a0", {"space": "-A0", "spaces": ["-A-1", "-A1"]}),
    Case(13, "hand_empty", MOVING, "add 1 O22", {}),
    Case(13, "hand_empty", MOVING, "3", {}),
    Case(13, "hand_empty", MOVING, "rock o22", {}),
    Case(14, "hand_not_empty", FIRST, "flip M22", {"hand": HAND}),
    Case(14, "hand_not_empty", FIRST, "m20-l21", {"hand": HAND}),
    Case(14, "hand_not_empty", FIRST, "move m20", {"hand": HAND}),
    incomplete(FIRST, "1 21", "21", SPACES),
    incomplete(FIRST, "add 2 at l", "L", ["L21"], letter=True),
    incomplete(MOVING, "flip n", "N", ["N21", "N23"], letter=True, free=False),
    incomplete(MOVING, "20-o22", "20", ["M20"], free=False),
    # The destinations of M20 are those that two of the other stones touch.
    incomplete(MOVING, "m20 to 22", "22", ["O22"]),
    Case(16, "space_missing", FIRST, "add 1", {"order": "add", "spaces": SPACES}),
    Case(16, "space_missing", FIRST, "rock", {"order": "add", "spaces": SPACES}),
    Case(16, "space_missing", MOVING, "flip", {"order": "flip", "spaces": STONES}),
    Case(17, "target_missing", MOVING, "M20", {"space": "M20"}),
    Case(17, "target_missing", MOVING, "move m20 to", {"space": "M20"}),
    Case(17, "target_missing", MOVING, "move", {"space": None}),
    Case(18, "stone_missing", FIRST, "r L21", {"numbers": [1, 3, 4, 7], "symbol": "R"}),
    Case(18, "stone_missing", FEW, "m18", {"numbers": [2, 5], "symbol": None}),
    Case(19, "not_your_stone", FEW, "1 m18", {"number": 1, "numbers": [2, 5]}),
    Case(19, "not_your_stone", FEW, "9 m18", {"number": 9, "numbers": [2, 5]}),
    Case(20, "symbol_not_on_stone", FIRST, "3 p n21", {"symbol": "P", **THIRD}),
    # LS-8.28
    Case(20, "symbol_not_on_stone", FEW, "r m18", {"symbol": "R", "number": None, "faces": None}),
    Case(21, "face_conflict", FIRST, "3 s n21 turned", {"symbol": "S", **THIRD}),
    Case(22, "symbol_not_allowed", MOVING, "m20 to o22 rock", {"symbol": "R"}),
    Case(22, "symbol_not_allowed", MOVING, "flip m22 p", {"symbol": "P"}),
    Case(23, "no_stone", MOVING, "flip N19", {"space": "N19", "spaces": ["N21", "N23"]}),
    Case(23, "no_stone", MOVING, "k20 to o22", {"space": "K20", "spaces": []}),
    Case(24, "same_space", MOVING, "m20 to m20", {"space": "M20"}),
    Case(25, "occupied", FIRST, "1 m20", {"space": "M20", "spaces": SPACES}),
    Case(25, "occupied", MOVING, "m20 to n23", {"space": "N23", "spaces": ["M24", "O22"]}),
    Case(26, "splits_island", LINKED, "M22 to M20", {"space": "M22"}),
    Case(
        27,
        "too_few_contacts",
        FIRST,
        "1 L23",
        {"space": "L23", "contacts": 1, "lifted": None, "spaces": SPACES},
    ),
    Case(
        27,
        "too_few_contacts",
        MOVING,
        "m22 to l21",
        {"space": "L21", "contacts": 1, "lifted": "M22", "spaces": ["N19", "O22"]},
    ),
    Case(27, "too_few_contacts", MOVING, "m22 to a0", {"contacts": 0, "lifted": "M22"}),
]


def refused(case: Case) -> Rejection:
    return DRIVER.refuse(case.position, case.typed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.typed!r}")
def test_each_code_with_its_facts(case: Case) -> None:
    rejection = refused(case)
    assert rejection.code == case.code
    assert case.facts.items() <= dict(rejection.facts).items()


def test_the_table_of_the_rulebook_is_covered() -> None:
    rules = {case.code: case.rule for case in CASES}
    assert list_codes("logan_stones") == [*rules]
    assert list_rejections(GAME) == {*rules}


TWO_FAULTS = [
    # What is typed has the fault of each of two neighbours in the table; the first one is told.
    ("no_pass", FIRST, "pass the tower"),
    ("unreadable", FIRST, "1 l21 2 n21 tower"),
    ("two_orders", FIRST, "1 l22 2 n21"),
    ("not_a_space", MOVING, "add 1 m21"),
    ("hand_empty", MOVING, "add 1 m"),
    ("hand_not_empty", FIRST, "flip m"),
    ("space_incomplete", MOVING, "m"),
    ("target_missing", MOVING, "move a0 rock"),
    ("stone_missing", FIRST, "r m20"),
    ("not_your_stone", FEW, "9 rock m18"),
    ("symbol_not_on_stone", FIRST, "3 p turned m20"),
    ("face_conflict", FIRST, "3 s turned m20"),
    ("symbol_not_allowed", MOVING, "flip k20 rock"),
    ("no_stone", MOVING, "k20 to k20"),
    ("occupied", LINKED, "M22 to L21"),
    ("splits_island", LINKED, "M22 to A0"),
]


@pytest.mark.parametrize(("code", "position", "typed"), TWO_FAULTS)
def test_of_two_faults_the_first_of_the_table_is_told(
    code: str, position: Position, typed: str
) -> None:
    # LS-8.1
    assert DRIVER.read(position, typed) == code


def test_a_double_laid_turned_shows_what_was_asked_for() -> None:
    # LS-8.29: both its faces are the symbol, so that nothing is in conflict.
    assert DRIVER.read(FIRST, "5 scissors turned L21") == "add 5 L21 turned"
