"""Section 9: the picture, the legend, the spoken list, and what is told in words."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.games.game import Chance, Over, Seat, Style
from pbem.games.looney_ludo import GAME, Position
from tests.games.looney_ludo.situations import (
    PIECES,
    drawn,
    greedy_game,
    new,
    parsed,
    played,
    random_step,
    rolled,
    start,
    words,
)

RULEBOOK = Path(__file__).parents[3] / "docs/games/looney_ludo.md"
EXAMPLE = start("5 3 swap")


def blocks_after(statement: str) -> list[str]:
    """The blocks of the rulebook from a statement on."""
    text = RULEBOOK.read_text(encoding="utf-8").partition(f"**{statement}**")[2]
    return [block.strip("\n") for block in re.findall(r"```\n(.*?)```", text, re.DOTALL)]


def page(name: str, position: Position, viewpoint: int | None) -> str:
    seat = None if viewpoint is None else Seat(viewpoint)
    return words(name, facts=GAME.board(position, seat, Style.ASCII).facts)


def told(position: Position, typed: str) -> str:
    move = parsed(position, typed)
    after = GAME.play(position, move)
    facts = GAME.facts(move, position, after)
    text = words("told", facts=facts, seat=position.to_act, notation=GAME.notation(move))
    return " ".join(text.split())


# --- the picture -------------------------------------------------------------------------------


def test_the_picture_and_what_stands_below_it() -> None:
    # LL-9.5, LL-9.6
    wanted = blocks_after("LL-9.6")[0].split("\n")
    lines = list(GAME.board(EXAMPLE, Seat(1), Style.ASCII).lines)
    assert lines == wanted[: len(lines)]
    legend = page("legend", EXAMPLE, 1).split("\n")
    below = wanted[len(lines) :]
    assert legend[: len(below)] == below
    assert legend[len(below) :] == ["Red    Ann (you)  <- to move", "Blue   Bob"]


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
    assert "Red    centre  Rs < Bs < Bm < Rm < BL < RL" in page("legend", six, None).split("\n")
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


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_pictures_and_words_pass_through_any_mailer(seats: int) -> None:
    rng = random.Random(seats)
    position = new(seats, turn_cap="50")
    for _ in range(60):
        if isinstance(GAME.turn(position), Over):
            break
        move = (
            drawn(position, rng)
            if isinstance(GAME.turn(position), Chance)
            else random_step(position, rng)
        )
        before, position = position, GAME.play(position, move)
        plain, pretty = (GAME.board(position, Seat(1), style).lines for style in Style)
        assert [*map(len, plain)] == [*map(len, pretty)]
        facts = GAME.facts(move, before, position)
        pages = [words("told", facts=facts, seat=before.to_act or None, notation="x")]
        for name in ("legend", "spoken", "can"):
            pages += [page(name, position, seat) for seat in (1, 2)]
        for line in [*plain, *pretty, *"\n".join(pages).split("\n")]:
            assert len(line) <= 72
            assert line == line.rstrip()
            assert not line.startswith((">", "From ", "."))


# --- legend, spoken, can -----------------------------------------------------------------------


def test_the_spoken_list() -> None:
    # LL-9.8
    wanted = blocks_after("LL-9.8")[0].split("\n")
    spoken = page("spoken", EXAMPLE, 1).split("\n")
    assert spoken[:10] == wanted[:10]
    at = spoken.index(wanted[10])
    assert spoken[at : at + len(wanted) - 10] == wanted[10:]
    assert spoken[at + len(wanted) - 10 :] == [
        "Dice 5 and 3: 5 points. SWAP.",
        "Ann has Red, to move. Bob has Blue.",
    ]


def test_the_last_turns_are_counted_down() -> None:
    # LL-4.4
    near = start("5 3 swap", more="; turn_cap 60; played 40")
    assert "20 turns are left" in page("legend", near, 1)
    assert "20 turns are left" in page("spoken", near, 2)
    far = start("5 3 swap", more="; turn_cap 60; played 39")
    assert "left" not in page("legend", far, 1)


def test_the_seat_to_act_is_told_what_it_can_do() -> None:
    assert page("can", EXAMPLE, 2) == ""
    assert page("can", EXAMPLE, None) == ""
    begins = (
        "You can begin with Small e/s/w; Medium n/e/s; Large top (5 points). "
        "SWAP, two boards change places: 6 ways."
    )
    assert " ".join(page("can", EXAMPLE, 1).split()) == begins
    assert "single word reroll" in " ".join(page("can", start("2 2 aim"), 1).split())
    assert "DIG: pieces of every colour" in " ".join(page("can", start("4 1 dig"), 1).split())


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_all_samples_are_accepted(seats: int) -> None:
    rng = random.Random(seats)
    position = rolled(new(seats), rng)
    for _ in range(60):
        seat = Seat(position.to_act)
        can = GAME.board(position, seat, Style.ASCII).facts["can"]
        assert isinstance(can, dict)
        assert 0 < len(can["samples"]) <= 3
        for sample in can["samples"]:
            move = GAME.parse(sample, position, seat)
            assert GAME.notation(move) == sample
            GAME.play(position, move)
        legal = [GAME.notation(move) for move in GAME.legal(position)]
        actions = sum(not text[0].isupper() for text in legal)
        open_words = {"pass", "keep", "reroll"} & {*legal}
        assert can["steps"] == len(legal) - actions
        assert can["actions"] == actions - len(open_words)
        position = rolled(GAME.play(position, random_step(position, rng)), rng)
        if isinstance(GAME.turn(position), Over):
            position = rolled(new(seats), rng)


# --- told --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "typed", "says"),
    [
        ("5 3 swap", "S wnnen", "Ann moves Red Small from Green centre to Red centre (S wnnen)."),
        (
            "5 3 swap",
            "S w; L top",
            (
                "Ann moves Red Small from Green centre to Green W; "
                "brings Red Large to the top on Yellow centre (S w; L top)."
            ),
        ),
        ("5 3 swap", "swap r b", "Ann swaps the boards Blue and Red (swap Blue Red)."),
        (
            "6 4 hop",
            "hop y b1 left",
            "Ann hops Yellow to B1, which is B2 now, turned left (hop Yellow to B1 ccw).",
        ),
        ("6 4 hop", "hop y cw", "Ann turns Yellow right (hop Yellow to C2 cw)."),
        (
            "6 4 aim",
            "aim red 180, blue left",
            "Ann turns Blue left, Red half round (aim Blue ccw, Red 180).",
        ),
        ("6 4 wild", "tip", "Ann takes TIP for 7 points (tip)."),
        (
            "6 4 wild",
            "dig; BS n",
            "Ann takes DIG; moves Blue Small from Yellow centre to Yellow N (dig; BS n).",
        ),
        ("6 4 wild", "pass", "Ann does nothing (pass)."),
        (
            "2 2 aim",
            "M e",
            "Ann keeps the two 2s, moves Red Medium from Blue centre to Blue E (M e).",
        ),
        ("2 2 aim", "pass", "Ann keeps the two 2s and does nothing (pass)."),
        ("2 2 aim", "keep", "Ann keeps the two 2s (keep)."),
        ("2 2 aim", "reroll", "Ann rolls the two 2s again (reroll)."),
        (
            "6 4 hop",
            "L top w",
            "Ann moves Red Large from Yellow centre to Yellow W by way of the top (L top w).",
        ),
    ],
)
def test_turns_are_told(dice: str, typed: str, says: str) -> None:
    assert told(start(dice), typed) == says


def test_a_win_is_told() -> None:
    covered = start("5 3 swap", "pieces B.c=Bs<Bm<Bl<Rs Y.c=Rl<Rm; ")
    assert told(covered, "S n").endswith("(S n). The Blue nest is complete: Bob wins.")
    last = start("5 3 swap", more="; turn_cap 50; played 49")
    assert told(last, "pass").endswith("That was the last turn: the game is a draw.")


def test_draws_are_told() -> None:
    position = new(3)
    says = [
        (
            "For the start Ann rolls 5, Bob rolls 5, Cleo rolls 2: "
            "those with the highest number roll again."
        ),
        "For the start Ann rolls 1, Bob rolls 6: Bob begins.",
        "The boards lie so: B2 Red, C2 Blue, B3 Yellow, C3 Green.",
        "The centres get: Red YL < Gs, Yellow GL < Rs, Green RL < Ys, Blue Ym < Gm < Rm.",
        "Bob rolls 2 and 2: 2 points, AIM.",
        "Bob rolls the two 2s again (reroll).",
        "Bob gets 6 and 1: 6 points, AIM.",
    ]
    texts = [
        "Red 5, Yellow 5, Green 2",
        "Red 1, Yellow 6",
        "Red B2, Blue C2, Green C3, Yellow B3",
        "Red Yl<Gs, Yellow Gl<Rs, Green Rl<Ys, Blue Ym<Gm<Rm",
        "2 2 aim",
        "reroll",
        "6 1",
    ]
    for text, sentence in zip(texts, says, strict=True):
        order = text == "reroll"
        move = parsed(position, text) if order else GAME.read_chance(text, position)
        after = GAME.play(position, move)
        facts = GAME.facts(move, position, after)
        said = words("told", facts=facts, seat=position.to_act or None, notation=text)
        assert " ".join(said.split()) == sentence
        position = after


@pytest.mark.parametrize("name", ["rules", "howto"])
def test_help_pages_are_short(name: str) -> None:
    lines = words(name).split("\n")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 72


def test_everybody_sees_everything() -> None:
    # LL-6.1
    for position, _ in greedy_game(3, 4)[:20]:
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
    assert page("legend", position, 1).startswith("The boards are not laid yet.")
    assert page("spoken", position, 1).startswith("The boards are not laid yet.")
    assert played(position, "* Red 1, Yellow 2, Green 3").phase == "layout"
