"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game import GameOver, Seat, Style
from pbem.games.looney_ludo import GAME
from tests.games.looney_ludo.situations import (
    DRIVER,
    PIECES,
    greedy_game,
    new,
    played,
    random_step,
    rolled,
    start,
)
from tests.games.words import say

RULEBOOK = Path(__file__).parents[3] / "docs/games/looney_ludo.md"
see, happened = DRIVER.see, DRIVER.tell
EXAMPLE = start("5 3 swap")


def blocks_after(statement: str) -> list[str]:
    """The blocks of the rulebook from a statement on."""
    text = RULEBOOK.read_text(encoding="utf-8").partition(f"**{statement}**")[2]
    return [block.strip("\n") for block in re.findall(r"```\n(.*?)```", text, re.DOTALL)]


# --- the picture -------------------------------------------------------------------------------


def test_the_picture() -> None:
    # LL-9.5, LL-9.6
    wanted = blocks_after("LL-9.6")[0].split("\n")
    lines = list(GAME.board(EXAMPLE, Seat(1), Style.ASCII).lines)
    assert lines == wanted[: len(lines)]


def test_the_picture_in_unicode() -> None:
    # LL-9.7
    lines = GAME.board(EXAMPLE, None, Style.UNICODE).lines
    assert "\n".join(lines) == blocks_after("LL-9.7")[1]


def test_the_letter_of_the_orange_board_is_no_dot() -> None:
    text = (
        "seats Orange, Blue; boards Orange B2 SE, Red C2 SW, Yellow B3 NE, Blue C3 NW; "
        "pieces O.c=Bm R.c=Ol<Bs Y.c=Bl<Os B.c=Om"
    )
    lines = GAME.board(GAME.load(text), None, Style.UNICODE).lines
    assert any("◄o" in line for line in lines)
    assert sum(line.count("●") for line in lines) == 4  # one a board, though their corners touch


def test_large_stacks_show_their_top() -> None:
    # LL-9.4
    six = start("5 3 swap", "pieces R.c=Rs<Bs<Bm<Rm<Bl<Rl; ")
    lines = GAME.board(six, None, Style.ASCII).lines
    at = next(number for number, line in enumerate(lines) if "[R]" in line)
    assert "[R] .." in lines[at]
    assert "BL RL" in lines[at + 1]
    [stack] = see(six, None)["stacks"]
    assert " < ".join(piece["text"] for piece in stack["pieces"]) == "Rs < Bs < Bm < Rm < BL < RL"
    three = start("5 3 swap", "pieces R.w=Rs<Bs<Bm B.c=Rm<Bl<Rl; ")
    lines = GAME.board(three, None, Style.ASCII).lines
    assert "r   Rs" in lines[5]
    assert "Bs Bm" in lines[6]
    four = start("5 3 swap", "pieces R.w=Rs<Bs<Bm<Rm B.c=Bl<Rl; ")
    lines = GAME.board(four, None, Style.ASCII).lines
    assert "r   .." in lines[5]
    assert "Bm Rm" in lines[6]


def test_wide_tables_are_drawn_in_bands() -> None:
    # LL-9.1
    row = ", ".join(
        f"{name} {column}2 NW"
        for name, column in zip(("Red", "Yellow", "Green", "Blue"), "BCDE", strict=True)
    )
    wide = GAME.load(f"seats Red, Blue; boards {row}; {PIECES}")
    lines = GAME.board(wide, None, Style.ASCII).lines
    assert lines.count("") == 1
    assert max(map(len, lines)) == 67
    first = lines[: lines.index("")]
    assert [len(line) for line in first[1:]] == [67] * 10
    assert lines[0].split() == ["B", "C", "D"]
    assert lines[lines.index("") + 1].split() == ["E"]
    # LL-9.2: an arrow over the border between the bands is drawn in both
    east = [line[66] for line in first[2:10]]
    west = [line[3] for line in lines[lines.index("") + 3 : -1]]
    assert east == west


# --- facts -------------------------------------------------------------------------------------


def test_the_list_of_squares_and_pieces() -> None:
    # LL-9.8
    names = {1: "Ann", 2: "Bob"}
    spoken = say(GAME, "spoken", facts=see(EXAMPLE, 1), names=names, lines="").split("\n")
    wanted = [line.strip() for line in blocks_after("LL-9.8")[0].split("\n")]
    squares = [line.strip().casefold() for line in spoken]
    assert {line.casefold() for line in wanted[1:10]} <= {*squares}
    assert {line.casefold() for line in wanted[10:14]} <= {*squares}
    own = see(EXAMPLE, 1)["own"]
    assert [(one["size"], one["board"], len(one["above"])) for one in own] == [
        ("Small", "Green", 0),
        ("Medium", "Blue", 0),
        ("Large", "Yellow", 1),
    ]


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
    assert can["actions"] == 6
    assert see(start("2 2 aim"), 1)["can"]["doubles"]
    assert not all(one["own"] for one in see(start("4 1 dig"), 1)["can"]["pieces"])


@pytest.mark.parametrize("seats", [2, 6])
def test_all_samples_are_accepted(seats: int) -> None:
    rng = random.Random(seats)
    position = rolled(new(seats), rng)
    for _ in range(60):
        can = see(position, position.to_act)["can"]
        assert 0 < len(can["samples"]) <= 3
        for sample in can["samples"]:
            assert DRIVER.read(position, sample) == sample
        legal = DRIVER.list_legal(position)
        actions = sum(not text[0].isupper() for text in legal)
        open_words = {"pass", "keep", "reroll"} & {*legal}
        assert can["steps"] == len(legal) - actions
        assert can["actions"] == actions - len(open_words)
        position = rolled(GAME.play(position, random_step(position, rng)), rng)
        if isinstance(GAME.turn(position), GameOver):
            position = rolled(new(seats), rng)


# --- what happened -----------------------------------------------------------------------------


MOVE = {"kind": "move", "own": True}


@pytest.mark.parametrize(
    ("dice", "typed", "clauses"),
    [
        ("5 3 swap", "S wnnen", [{**MOVE, "spaces": 5, "climbs": 0}]),
        ("5 3 swap", "S w; L top", [{**MOVE, "spaces": 1}, {**MOVE, "spaces": 0, "climbs": 1}]),
        ("5 3 swap", "swap r b", [{"kind": "swap", "boards": ["Blue", "Red"]}]),
        (
            "6 4 hop",
            "hop y b1 left",
            [{"kind": "hop", "board": "Yellow", "slot": "B1", "now": "B2", "turns": 3}],
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
        ("6 4 wild", "tip", [{"kind": "tip"}]),
        ("6 4 wild", "dig; BS n", [{"kind": "dig"}, {"kind": "move", "own": False}]),
        ("6 4 wild", "pass", []),
        ("6 4 hop", "L top w", [{**MOVE, "spaces": 1, "climbs": 1}]),
    ],
)
def test_what_happened_in_a_turn(dice: str, typed: str, clauses: list[dict[str, Any]]) -> None:
    found = happened(start(dice), typed)["clauses"]
    for wanted, clause in zip(clauses, found, strict=True):
        assert wanted.items() <= clause.items()


def test_where_a_piece_goes() -> None:
    [move] = happened(start("5 3 swap"), "S wnnen")["clauses"]
    assert move["piece"] == {"colour": "Red", "size": "Small", "text": "Rs"}
    assert move["from"] == {"board": "Green", "place": "centre"}
    assert move["to"] == {"board": "Red", "place": "centre"}


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


def test_everybody_sees_everything() -> None:
    # LL-6.1
    for position, _ in greedy_game(3)[:20]:
        public = GAME.board(position, None, Style.ASCII)
        for seat in (1, 2, 3):
            seen = GAME.board(position, Seat(seat), Style.ASCII)
            assert seen.lines == public.lines
            facts: Any = dict(seen.facts)
            assert [one["seat"] for one in facts["seats"] if one["you"]] == [seat]
            facts["seats"] = [{**one, "you": False} for one in facts["seats"]]
            for key, value in public.facts.items():
                if key not in ("you", "own", "can"):
                    assert facts[key] == value


def test_a_board_of_a_game_without_boards() -> None:
    position = new(3)
    assert GAME.board(position, Seat(1), Style.ASCII).lines == ()
    assert played(position, "* Red 1, Yellow 2, Green 3").phase == "layout"
