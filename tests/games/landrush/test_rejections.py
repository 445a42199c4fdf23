"""Section 8: every code of the game, in the order of the table, with its facts."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import Rejection
from pbem.games.landrush import GAME
from tests.games.driver import Case, list_codes
from tests.games.landrush.tables import DRIVER, FEW_LEFT, SAME
from tests.games.words import list_rejections

PLACE = "Red c4 M; Yellow; Green; to place Yellow"
PLAY = "Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3"
LONG = "Red b7 M b8 S; Yellow b3 L b4 S b5 M; coin Suns 3"
OVER = "Red a1 M; Yellow c4 M; left Yellow; over last_seat"
NO_SMALL = "Red b7 M b8 S a1 S c1 S e1 S g1 S; Yellow b4 S b5 M; coin Suns 3"
ONE_SMALL = "Red b7 M b8 S b9 S a1 S c1 S; Yellow b4 S b5 M; coin Suns 3"
SAME_S = (
    "Red b7 M b8 S b9 M a1 S c1 S e1 S a11 M c11 M h9 L f9 L; "
    "Yellow b4 S b5 L; coin Suns 3; sizes same"
)
"""Red holds S1 M1 L3: a Small on b6 would leave none for b4."""


CASES = [
    Case("LR-8.3", "game_over", OVER, "b6 L", {"placings": (1, 2), "winners": ["Red"]}),
    Case("LR-8.8", "order_empty", PLAY, " ,.\n", {"samples": ["a6 M", "b6 M x b4=S b5=M"]}),
    Case("LR-8.8", "order_empty", PLACE, "", {"samples": ["c1", "g3"]}),
    Case("LR-8.9", "unreadable", PLAY, "bishop b6", {"word": "bishop"}),
    Case("LR-8.10", "off_board", PLAY, "a0 L", {"square": "a0"}),
    Case("LR-8.10", "off_board", PLAY, "13a L", {"square": "a13"}),
    Case("LR-8.10", "off_board", PLAY, "b6 L x b13=L", {"square": "b13"}),
    Case("LR-8.11", "two_squares", PLAY, "b6 a6 L", {"squares": ["b6", "a6"]}),
    Case("LR-8.11", "two_squares", PLAY, "b6 sw L", {"squares": ["b6", "sw"]}),
    Case("LR-8.12", "two_sizes", PLAY, "b6 LM", {"sizes": ["L", "M"]}),
    Case("LR-8.13", "no_coin_yet", PLACE, "nw", {"coin": None}),
    Case("LR-8.14", "medium_only", PLACE, "g9 L", {}),
    Case("LR-8.15", "place_first", PLACE, "pass", {}),
    Case("LR-8.15", "place_first", PLACE, "g9 x S", {}),
    Case("LR-8.16", "must_play", PLAY, "pass", {"playable": ["a6", "b6"]}),
    Case("LR-8.17", "square_missing", PLAY, "L", {"playable": ["a6", "b6"]}),
    Case("LR-8.17", "square_missing", PLACE, "m", {"samples": ["b6", "e5", "g10"]}),
    Case("LR-8.18", "size_missing", PLAY, "b6", {"stash": ["S4", "M4", "L5"]}),
    Case("LR-8.19", "wrong_tile", PLAY, "b9 L", {"square": "b9"}),
    Case("LR-8.20", "occupied", PLAY, "b5 L", {"colour": "Yellow", "size": "Medium"}),
    Case("LR-8.20", "occupied", PLACE, "c4", {"colour": "Red", "size": "Medium"}),
    Case("LR-8.21", "too_close", PLACE, "d5", {"near": "c4", "colour": "Red"}),
    Case("LR-8.22", "size_gone", NO_SMALL, "a6 S", {"size": "Small", "stash": "M4 L5"}),
    Case(
        "LR-8.23",
        "too_short",
        LONG,
        "b6 L",
        {"rival": {"colour": "Yellow", "squares": ["b3", "b4", "b5"], "length": 3}, "yours": 3},
    ),
    Case("LR-8.24", "stash_too_small", FEW_LEFT, "b6 L", {"needed": 2, "left": 1}),
    Case("LR-8.25", "right_sizes", SAME, "b6 S", {"needed": ["M1", "L1"], "left": "L3"}),
    Case("LR-8.26", "no_takeover", PLAY, "a6 S x S", {"square": "a6"}),
    Case("LR-8.26", "no_takeover", PLAY, "a6 S with", {"square": "a6"}),
    Case(
        "LR-8.27", "not_captured", PLAY, "b6 L x b3=S", {"square": "b3", "captured": ["b4", "b5"]}
    ),
    Case("LR-8.28", "named_twice", PLAY, "b6 L x b4=S b4=M", {"square": "b4"}),
    Case("LR-8.29", "sizes_count", PLAY, "b6 L x SML", {"captured": ["b4", "b5"], "named": 3}),
    Case("LR-8.29", "sizes_count", PLAY, "b6 L x", {"captured": ["b4", "b5"], "named": 0}),
    Case(
        "LR-8.30",
        "sizes_needed",
        "Red b7 M b8 S b9 M a1 M c1 M e1 M a11 L c11 S e11 L; Yellow b4 S b5 M; coin Suns 3",
        "b6 L",
        {
            "captured": [
                {"square": "b4", "piece": "Ys", "size": "Small"},
                {"square": "b5", "piece": "Ym", "size": "Medium"},
            ],
            "left": "S3 L2",
        },
    ),
    Case(
        "LR-8.30",
        "sizes_needed",  # where there are but two ways
        "Red b7 M b8 S b9 M a1 M c1 M e1 M a11 L c11 S e11 L g11 S g1 S h9 L; "
        "Yellow b4 S b5 M; coin Suns 3",
        "b6 L",
        {"left": "S1 L1"},
    ),
    Case("LR-8.30", "sizes_needed", PLAY, "b6 L x b4", {"left": "S4 M4 L4"}),
    Case("LR-8.31", "size_short", ONE_SMALL, "b6 L x SS", {"letter": "S", "needed": 2, "have": 1}),
    Case("LR-8.31", "size_short", ONE_SMALL, "b6 S x b5=L", {"needed": 1, "have": 0}),
    Case("LR-8.31", "size_short", SAME_S, "b6 S", {"size": "Small", "needed": 1, "have": 0}),
    Case("LR-8.32", "size_differs", f"{PLAY}; sizes same", "b6 L x ML", {"square": "b4"}),
]


def refusal(position: str, typed: str) -> Rejection:
    return DRIVER.refuse(GAME.load(position), typed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.typed}")
def test_code_and_facts(case: Case) -> None:
    refused = refusal(case.position, case.typed)
    assert refused.code == case.code, case.rule
    assert {**refused.facts, **case.facts} == refused.facts


def test_every_code_has_its_case_and_its_words() -> None:
    game = list_codes("landrush")
    assert len(game) == 26
    assert list(dict.fromkeys(case.code for case in CASES)) == game
    assert list_rejections(GAME) == {*game}


@pytest.mark.parametrize(
    ("position", "typed", "code"),
    [
        # LR-8.2: of several faults the first of the table is told, wherever it stands in the text.
        (PLAY, "k3 bishop", "unreadable"),
        (PLAY, "a6 b6 k3 L", "off_board"),
        (PLAY, "L M a6 b6", "two_squares"),
        (PLACE, "nw S L", "two_sizes"),
        (PLACE, "nw L", "no_coin_yet"),
        (PLACE, "pass L", "medium_only"),
        (PLACE, "pass c4", "place_first"),
        (PLAY, "pass c4 L", "must_play"),
        (PLAY, "x L", "square_missing"),
        (PLAY, "c4", "size_missing"),
        (PLAY, "b8 L", "wrong_tile"),
        (NO_SMALL, "b5 S", "occupied"),
        (NO_SMALL, "a5 S", "size_gone"),
        (LONG, "b6 L x SSSS", "too_short"),
        (FEW_LEFT, "b6 L x b3=S b3=S", "stash_too_small"),
        (SAME, "b6 L x b3=S", "right_sizes"),
        (PLAY, "a6 L x b3=S b3=S", "no_takeover"),
        (PLAY, "b6 L x b4=S b4=S b3=S", "not_captured"),
        (PLAY, "b6 L x b4 b4", "named_twice"),
        (f"{PLAY}; sizes same", "b6 L x L", "sizes_count"),
        (f"{ONE_SMALL}; sizes same", "b6 L x SS", "size_short"),
        # One that is occupied, too, is not too close.
        (PLACE, "c4", "occupied"),
    ],
)
def test_order_of_the_checks(position: str, typed: str, code: str) -> None:
    assert refusal(position, typed).code == code


def test_too_short_names_the_first_tract_that_is_not_shorter() -> None:
    # LR-8.33: of those on a6, b3 and c6 the first is shorter, the other two are not.
    position = "Red b7 M b8 S; Yellow a6 S; Green b3 S b4 S b5 M; Blue c6 L d6 L e6 L; coin Suns 3"
    assert refusal(position, "b6 S").facts["rival"] == {
        "colour": "Green",
        "squares": ["b3", "b4", "b5"],
        "length": 3,
    }


@pytest.mark.parametrize(
    ("position", "canonical", "code"),
    [
        (PLACE, "g9 M", "place_first"),
        (PLACE, "pass", "place_first"),
        (PLACE, "d5", "too_close"),
        (PLAY, "pass", "must_play"),
        (PLAY, "a6", "size_missing"),
        (PLAY, "a5 L", "too_short"),
        (PLAY, "b6 L x b4=S b4=S", "named_twice"),
        (PLAY, "b6 L", "sizes_count"),
        (ONE_SMALL, "b6 S x b4=S b5=M", "size_short"),
        (f"{PLAY}; sizes same", "b6 S x b4=S b5=S", "size_differs"),
        (OVER, "b6 L", "game_over"),
    ],
)
def test_the_engine_itself_refuses_what_was_never_typed(
    position: str, canonical: str, code: str
) -> None:
    # LR-2.12: complete plays are checked again, and nothing is completed.
    assert DRIVER.refuse_canonical(GAME.load(position), canonical) == code


def test_what_is_offered_for_want_of_a_size_can_be_played() -> None:
    position = GAME.load(PLAY)
    for square in ("a6", "b9", "a1", "b5"):
        orders: Any = refusal(PLAY, square).facts["orders"]
        assert orders
        for order in orders:
            assert DRIVER.parse(position, order) in GAME.legal_moves(position)
