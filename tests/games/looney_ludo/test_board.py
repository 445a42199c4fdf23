"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.game import Style
from pbem.games.looney_ludo import GAME
from pbem.games.looney_ludo.samples import samples
from tests.games.driver import list_blocks
from tests.games.looney_ludo.situations import DRIVER, PIECES, new, played, start
from tests.games.words import say

see, happened = DRIVER.see, DRIVER.tell
EXAMPLE = start("5 3 swap")


# --- the picture -------------------------------------------------------------------------------


def test_the_picture() -> None:
    # LL-9.5 to LL-9.7
    lines = DRIVER.draw(EXAMPLE, 1).split("\n")
    assert lines == list_blocks("looney_ludo", "LL-9.6")[0][: len(lines)]
    lines = DRIVER.draw(EXAMPLE, None, Style.UNICODE).split("\n")
    assert lines == list_blocks("looney_ludo", "LL-9.7")[1]


def test_the_letter_of_the_orange_board_is_no_dot() -> None:
    text = (
        "seats Orange, Blue; boards Orange B2 SE, Red C2 SW, Yellow B3 NE, Blue C3 NW; "
        "pieces O.c=Bm R.c=Ol<Bs Y.c=Bl<Os B.c=Om"
    )
    picture = DRIVER.draw(GAME.load(text), None, Style.UNICODE)
    assert "◄o" in picture
    assert picture.count("●") == 4  # one a board, though their corners touch


@pytest.mark.parametrize(
    ("pieces", "line", "upper", "lower"),
    [
        ("R.c=Rs<Bs<Bm<Rm<Bl<Rl", 5, "[R] ..", "BL RL"),
        ("R.w=Rs<Bs<Bm B.c=Rm<Bl<Rl", 5, "r   Rs", "Bs Bm"),
        ("R.w=Rs<Bs<Bm<Rm B.c=Bl<Rl", 5, "r   ..", "Bm Rm"),
    ],
)
def test_large_stacks_show_their_top(pieces: str, line: int, upper: str, lower: str) -> None:
    # LL-9.4
    lines = DRIVER.draw(start("5 3 swap", f"pieces {pieces}; ")).split("\n")
    assert upper in lines[line]
    assert lower in lines[line + 1]


def test_wide_tables_are_drawn_in_bands() -> None:
    # LL-9.1
    boards = "Red B2 NW, Yellow C2 NW, Green D2 NW, Blue E2 NW"
    wide = GAME.load(f"seats Red, Blue; boards {boards}; {PIECES}")
    first, second = (band.split("\n") for band in DRIVER.draw(wide).split("\n\n"))
    assert [band[0].split() for band in (first, second)] == [["B", "C", "D"], ["E"]]
    assert [len(line) for line in first[1:]] == [67] * 10
    # LL-9.2: an arrow over the border between the bands is drawn in both
    assert [line[66] for line in first[2:10]] == [line[3] for line in second[2:-1]]


# --- facts -------------------------------------------------------------------------------------


def test_the_list_of_squares_and_pieces() -> None:
    # LL-9.8
    names = {1: "Ann", 2: "Bob"}
    spoken = say(GAME, "spoken", facts=see(EXAMPLE, 1), names=names, lines="")
    example = list_blocks("looney_ludo", "LL-9.8")[0]
    assert spoken.splitlines()[: len(example)] == example


def test_the_last_turns_are_counted_down() -> None:
    # LL-4.4
    assert see(start("5 3 swap", more="; turn_cap 60; played 40"), 1)["turns_left"] == 20
    assert see(start("5 3 swap", more="; turn_cap 60; played 39"), 1)["turns_left"] is None


def test_the_seat_to_act_sees_what_it_can_do() -> None:
    assert see(EXAMPLE, 2)["can"] is None
    assert see(EXAMPLE, None)["can"] is None
    can = see(EXAMPLE, 1)["can"]
    assert {one["name"]: " ".join(one["ways"]) for one in can["pieces"]} == {
        "S": "e s w",
        "M": "n e s",
        "L": "top",
    }
    assert (can["steps"], can["actions"]) == (7, 6)
    assert see(start("2 2 aim"), 1)["can"]["doubles"]
    assert not all(one["own"] for one in see(start("4 1 dig"), 1)["can"]["pieces"])


# --- sample moves ------------------------------------------------------------------------------


def test_a_piece_that_is_home_is_not_shown_leaving() -> None:
    home = start("6 2 hop", "pieces R.c=Rs G.c=Rm G.n=Rl Y.c=Bs B.c=Bm Y.n=Bl; ")
    assert not samples(home, 3)[0].startswith("S")


def test_a_move_that_wins_is_shown_no_sooner_than_another() -> None:
    won, other = (
        start("6 2 hop", f"pieces {centre} G.n=Rl Y.c=Bs G.c=Bl; ")
        for centre in ("R.c=Bm<Rs<Rm", "R.c=Rs<Bm<Rm")
    )
    assert played(won, "L nn").winner == 1
    assert samples(won, 3) == samples(other, 3)


@pytest.mark.parametrize(
    ("dice", "first"), [("1 2 wild", "tip; "), ("5 3 swap", "swap "), ("6 4 hop", "hop ")]
)
def test_an_action_is_named_before_the_moves_that_follow(dice: str, first: str) -> None:
    shown = samples(start(dice), 3)[1]
    assert shown.startswith(first)
    assert "; " in shown


def test_doubles_show_a_move_before_the_word_that_rolls_again() -> None:
    assert samples(start("2 2 aim"), 3).index("reroll") > 0


# --- what happened -----------------------------------------------------------------------------


MOVE = {"kind": "move", "own": True}


@pytest.mark.parametrize(
    ("dice", "typed", "clauses"),
    [
        ("5 3 swap", "S wnnen", [{**MOVE, "spaces": 5, "climbs": 0}]),
        ("5 3 swap", "swap r b", [{"kind": "swap", "boards": ["Blue", "Red"]}]),
        (
            "6 4 hop",
            "hop y b1 left",
            [
                {
                    "kind": "hop",
                    "board": "Yellow",
                    "slot": "B1",
                    "beside": {"board": "Red", "direction": "N"},
                    "turns": 3,
                }
            ],
        ),
        (
            "6 4 hop",
            "hop r a3",
            [{"kind": "hop", "beside": {"board": "Green", "direction": "W"}}],
        ),
        ("6 4 hop", "hop y cw", [{"kind": "hop", "stays": True, "turns": 1, "dot": "NW"}]),
        (
            "6 4 aim",
            "aim red 180, blue left",
            [
                {
                    "kind": "aim",
                    "boards": [
                        {"board": "Blue", "turns": 3, "dot": "SW"},
                        {"board": "Red", "turns": 2, "dot": "NW"},
                    ],
                }
            ],
        ),
        ("6 4 wild", "dig; BS n", [{"kind": "dig"}, {"kind": "move", "own": False}]),
        ("6 4 hop", "L top w", [{**MOVE, "spaces": 1, "climbs": 1}]),
    ],
)
def test_what_happened_in_a_turn(dice: str, typed: str, clauses: list[dict[str, Any]]) -> None:
    found = happened(start(dice), typed)["clauses"]
    for wanted, clause in zip(clauses, found, strict=True):
        assert wanted.items() <= clause.items()


@pytest.mark.parametrize(
    ("typed", "kind", "kept"),
    [
        ("M e", "turn", True),
        ("pass", "turn", True),
        ("keep", "keep", None),
        ("reroll", "reroll", None),
    ],
)
def test_what_happens_to_doubles(typed: str, kind: str, *, kept: bool | None) -> None:
    facts = happened(start("2 2 aim"), typed)
    assert (facts["kind"], facts.get("kept")) == (kind, kept)


def test_how_a_game_ends() -> None:
    covered = start("5 3 swap", "pieces B.c=Bs<Bm<Bl<Rs Y.c=Rl<Rm; ")
    facts = happened(covered, "S n")
    assert (facts["over"], facts["winner"], facts["winning_seat"]) == ("nest", "Blue", 2)
    last = start("5 3 swap", more="; turn_cap 50; played 49")
    assert happened(last, "pass")["over"] == "cap"


def test_what_was_drawn() -> None:
    position, found = new(3), []
    for text in (
        "* Red 5, Yellow 5, Green 2",
        "* Red 1, Yellow 6",
        "* Red B2, Blue C2, Green C3, Yellow B3",
        "* Red Yl<Gs, Yellow Gl<Rs, Green Rl<Ys, Blue Ym<Gm<Rm",
    ):
        found.append(happened(position, text))
        position = played(position, text)
    tied, begun, layout, deal = found
    assert (tied["again"], tied["first"]) == ([1, 2], None)
    assert (begun["again"], begun["first"]) == ([], 2)
    slots = [(board["slot"], board["colour"]) for board in layout["boards"]]
    assert slots == [("B2", "Red"), ("C2", "Blue"), ("B3", "Yellow"), ("C3", "Green")]
    stacks = {
        stack["board"]: " < ".join(piece["text"] for piece in stack["pieces"])
        for stack in deal["stacks"]
    }
    two = {"Red": "YL < Gs", "Yellow": "GL < Rs", "Green": "RL < Ys"}
    assert stacks == {**two, "Blue": "Ym < Gm < Rm"}
