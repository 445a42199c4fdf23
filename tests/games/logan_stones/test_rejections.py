"""Section 8: every code of the game, in the order of the table, with its facts."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.errors import Rejection
from pbem.games.logan_stones import GAME
from tests.games.logan_stones.situations import FIRST, parsed
from tests.games.words import list_rejections

ADDING = (
    "M20=SP M22=PR; hand 1 1 RS, 2 PP, 3 SR, 4 RP, 5 SS, 6 PP, 7 RR, 8 SS;"
    "hand 2 1 SP, 2 RR, 3 PS, 4 RS, 5 PP, 6 SS, 7 RR, 8 PR"
)
FEW = (
    "L21=RS M20=PS M22=PR N19=SP N21=RR; hand 1 2 PP, 5 SS;hand 2 1 SP, 2 RR; ply 12; stone_set 9x2"
)
MOVING = "M20=RP M22=SS N21=PR N23=SP"
LINKED = "L21=RP L23=SP M22=PR N21=RR N23=SR O22=PS"
OVER = "M20=RP M22=SS; over last_seat 2"
HAND = [{"number": number, "shown": shown} for number, shown in enumerate("RPSRSPRS", 1)]


class Case(NamedTuple):
    rule: int
    code: str
    position: str
    typed: str
    facts: dict[str, object]


CASES = [
    Case(2, "game_over", OVER, "flip M20", {"termination": "last_seat", "winner": 2}),
    Case(2, "game_over", OVER, "", {}),
    Case(4, "order_empty", ADDING, " .;\n", {"samples": ["add 3 L21", "add 7 L21 turned"]}),
    Case(4, "order_empty", MOVING, "", {"samples": ["move M22 to N19", "flip N23"]}),
    Case(9, "no_pass", ADDING, "pass", {}),
    Case(9, "no_pass", ADDING, "skip, dear Bob", {}),
    Case(10, "unreadable", ADDING, "1 tower l21", {"word": "tower"}),
    Case(10, "unreadable", ADDING, "1 l21 + 2 n21", {"word": "+"}),
    Case(10, "unreadable", ADDING, "1 l21 > n21", {"word": ">"}),
    Case(10, "unreadable", MOVING, "m20 to to o22", {"word": "to"}),
    Case(10, "unreadable", MOVING, "flip m22 - m20", {"word": "-"}),
    Case(10, "unreadable", ADDING, "123456 l21", {"word": "123456"}),
    Case(11, "two_orders", ADDING, "1 l21\n2 n21", {"orders": ["1 L21", "2 N21"]}),
    Case(11, "two_orders", ADDING, "1 l21 n21", {"orders": ["1 L21", "N21"]}),
    Case(11, "two_orders", ADDING, "3 l21 to n21", {"orders": ["3 L21", "to N21"]}),
    Case(11, "two_orders", ADDING, "r l21 s n21", {"orders": ["r L21", "s N21"]}),
    Case(11, "two_orders", MOVING, "flip m20. flip m20", {"orders": ["flip M20"] * 2}),
    Case(11, "two_orders", MOVING, "m20-o22 n23", {"orders": ["M20 - O22", "N23"]}),
    Case(12, "not_a_space", ADDING, "1 L22", {"space": "L22", "spaces": ["L21", "L23"]}),
    Case(12, "not_a_space", MOVING, "m21 o22", {"space": "M21", "spaces": ["M20", "M22"]}),
    Case(12, "not_a_space", MOVING, "m20 to -a0", {"space": "-A0", "spaces": ["-A-1", "-A1"]}),
    Case(13, "hand_empty", MOVING, "add 1 O22", {}),
    Case(13, "hand_empty", MOVING, "3", {}),
    Case(13, "hand_empty", MOVING, "rock o22", {}),
    Case(14, "hand_not_empty", ADDING, "flip M22", {"hand": HAND}),
    Case(14, "hand_not_empty", ADDING, "m20-l21", {"hand": HAND}),
    Case(14, "hand_not_empty", ADDING, "move m20", {"hand": HAND}),
    Case(
        15,
        "space_incomplete",
        ADDING,
        "1 21",
        {"typed": "21", "letter": False, "free": True, "spaces": ["L21", "N21"]},
    ),
    Case(
        15,
        "space_incomplete",
        ADDING,
        "add 2 at l",
        {"typed": "L", "letter": True, "free": True, "spaces": ["L21"]},
    ),
    Case(
        15,
        "space_incomplete",
        MOVING,
        "flip n",
        {"typed": "N", "letter": True, "free": False, "spaces": ["N21", "N23"]},
    ),
    Case(
        15,
        "space_incomplete",
        MOVING,
        "20-o22",
        {"typed": "20", "letter": False, "free": False, "spaces": ["M20"]},
    ),
    # The destinations of M20 are those that two of the other stones touch.
    Case(
        15,
        "space_incomplete",
        MOVING,
        "m20 to 22",
        {"typed": "22", "letter": False, "free": True, "spaces": ["O22"]},
    ),
    Case(
        15,
        "space_incomplete",
        MOVING,
        "z21 to 99",
        {"typed": "99", "letter": False, "free": True, "spaces": []},
    ),
    Case(16, "space_missing", ADDING, "add 1", {"order": "add", "spaces": ["L21", "N21"]}),
    Case(16, "space_missing", ADDING, "rock", {"order": "add", "spaces": ["L21", "N21"]}),
    Case(
        16,
        "space_missing",
        MOVING,
        "flip",
        {"order": "flip", "spaces": ["M20", "M22", "N21", "N23"]},
    ),
    Case(17, "target_missing", MOVING, "M20", {"space": "M20"}),
    Case(17, "target_missing", MOVING, "move m20 to", {"space": "M20"}),
    Case(17, "target_missing", MOVING, "move", {"space": None}),
    Case(18, "stone_missing", ADDING, "r L21", {"numbers": [1, 3, 4, 7], "symbol": "R"}),
    Case(18, "stone_missing", FEW, "m18", {"numbers": [2, 5], "symbol": None}),
    Case(19, "not_your_stone", FEW, "1 m18", {"number": 1, "numbers": [2, 5]}),
    Case(19, "not_your_stone", FEW, "9 m18", {"number": 9, "numbers": [2, 5]}),
    Case(
        20,
        "symbol_not_on_stone",
        ADDING,
        "3 p n21",
        {"symbol": "P", "number": 3, "faces": ["S", "R"]},
    ),
    # LS-8.28
    Case(20, "symbol_not_on_stone", FEW, "r m18", {"symbol": "R", "number": None, "faces": None}),
    Case(
        21,
        "face_conflict",
        ADDING,
        "3 s n21 turned",
        {"symbol": "S", "number": 3, "faces": ["S", "R"]},
    ),
    Case(22, "symbol_not_allowed", MOVING, "m20 to o22 rock", {"symbol": "R"}),
    Case(22, "symbol_not_allowed", MOVING, "rock m20 to o22", {"symbol": "R"}),
    Case(22, "symbol_not_allowed", MOVING, "flip m22 p", {"symbol": "P"}),
    Case(23, "no_stone", MOVING, "flip N19", {"space": "N19", "spaces": ["N21", "N23"]}),
    Case(23, "no_stone", MOVING, "k20 to o22", {"space": "K20", "spaces": []}),
    Case(24, "same_space", MOVING, "m20 to m20", {"space": "M20"}),
    Case(25, "occupied", ADDING, "1 m20", {"space": "M20", "spaces": ["L21", "N21"]}),
    Case(25, "occupied", MOVING, "m20 to n23", {"space": "N23", "spaces": ["M24", "O22"]}),
    Case(26, "splits_island", LINKED, "M22 to M20", {"space": "M22"}),
    Case(26, "splits_island", LINKED, "M22 to A0", {"space": "M22"}),
    Case(
        27,
        "too_few_contacts",
        ADDING,
        "1 L23",
        {"space": "L23", "contacts": 1, "lifted": None, "spaces": ["L21", "N21"]},
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
OF_THE_MATCH = {
    "not_seated",
    "draw_offers_off",
    "draw_already_offered",
    "no_draw_offer",
    "not_your_turn",
}


def refused(case: Case) -> Rejection:
    with pytest.raises(Rejection) as caught:
        parsed(GAME.load(case.position), case.typed)
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.typed!r}")
def test_each_code_with_its_facts(case: Case) -> None:
    rejection = refused(case)
    assert rejection.code == case.code
    assert case.facts.items() <= dict(rejection.facts).items()


def test_the_cases_stand_in_the_order_of_the_table() -> None:
    assert [case.rule for case in CASES] == sorted(case.rule for case in CASES)


def test_the_table_of_the_rulebook_is_covered() -> None:
    rulebook = Path(__file__).parents[3] / "docs/games/logan_stones.md"
    rows = re.findall(r"^\| LS-8\.(\d+) \| `(\w+)` \|", rulebook.read_text(), re.MULTILINE)
    assert len(rows) == 26
    mine = {(int(rule), code) for rule, code in rows if code not in OF_THE_MATCH}
    assert {(case.rule, case.code) for case in CASES} == mine


TWO_FAULTS = [
    # What is typed has the fault of each of two neighbours in the table; the first one is told.
    ("no_pass", ADDING, "pass the tower"),
    ("unreadable", ADDING, "1 l21 2 n21 tower"),
    ("two_orders", ADDING, "1 l22 2 n21"),
    ("not_a_space", MOVING, "add 1 m21"),
    ("hand_empty", MOVING, "add 1 m"),
    ("hand_not_empty", ADDING, "flip m"),
    ("space_incomplete", MOVING, "m"),
    ("target_missing", MOVING, "move a0 rock"),
    ("stone_missing", ADDING, "r m20"),
    ("not_your_stone", FEW, "9 rock m18"),
    ("symbol_not_on_stone", ADDING, "3 p turned m20"),
    ("face_conflict", ADDING, "3 s turned m20"),
    ("symbol_not_allowed", MOVING, "flip k20 rock"),
    ("no_stone", MOVING, "k20 to k20"),
    ("occupied", LINKED, "M22 to L21"),
    ("splits_island", LINKED, "M22 to A0"),
]


@pytest.mark.parametrize(("code", "position", "typed"), TWO_FAULTS)
def test_of_two_faults_the_first_of_the_table_is_told(code: str, position: str, typed: str) -> None:
    # LS-8.1
    with pytest.raises(Rejection) as caught:
        parsed(GAME.load(position), typed)
    assert caught.value.code == code


def test_the_faults_are_in_the_order_of_the_table() -> None:
    rule = {case.code: case.rule for case in CASES}
    assert all(rule[one[0]] < rule[two[0]] for one, two in pairwise(TWO_FAULTS))


def test_every_template_has_a_code_and_every_code_a_template() -> None:
    assert list_rejections(GAME) == {case.code for case in CASES}


@pytest.mark.parametrize(
    "text",
    ["", "M20=RP", "M20=RX M22=SS", "M20=RP M22=SS; to move 3", "flip", "M20=RP M22=SS; ply x"],
)
def test_bad_positions_are_refused(text: str) -> None:
    with pytest.raises(Rejection) as caught:
        GAME.load(text)
    assert caught.value.code == "bad_position"


def test_a_double_laid_turned_shows_what_was_asked_for() -> None:
    # LS-8.29: both its faces are the symbol, so that nothing is in conflict.
    assert GAME.notation(parsed(FIRST, "5 scissors turned L21")) == "add 5 L21 turned"
