"""The one-line text of positions: docs/games/looney_ludo.md, "Position text"."""

from __future__ import annotations

import pytest

from pbem.games.looney_ludo import GAME
from tests.games.looney_ludo.situations import (
    DRIVER,
    PIECES,
    TABLE,
    start,
)

WHOLE = (
    "seats Red, Blue, Green; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
    "pieces R.c=Bm Y.c=Rl<Bs G.se=Gs<Gm G.c=Bl<Rs B.nw=Gl B.c=Rm; to move 3; dice 2 2 aim; "
    "phase act; played 7; left 2; nest_timing own_turn; turn_cap 60"
)


def test_all_parts_are_read_and_written() -> None:
    assert GAME.dump(GAME.load(WHOLE)) == WHOLE


def test_what_is_usual_may_be_left_out() -> None:
    assert GAME.load(f"{TABLE}{PIECES}dice 5 3 swap") == start("5 3 swap", more="; to move 1")
    assert start("2 2 aim").phase == "doubles"
    assert start("2 2 tip").phase == "act"
    assert GAME.load(f"{TABLE}{PIECES}").phase == "roll"


def test_slots_are_named_anew() -> None:
    moved = TABLE.replace("B2", "D4").replace("C2", "E4").replace("B3", "D5").replace("C3", "E5")
    assert GAME.load(f"{moved.upper()}{PIECES}") == GAME.load(f"{TABLE}{PIECES}")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "parts"),
        (f"{TABLE}{PIECES}seats Red, Blue", "seats"),
        ("seats Red", "seats"),
        ("seats Red, Red", "seats"),
        ("seats Red, Pink", "seats"),
        (f"{TABLE}{PIECES}".replace("Red B2", "Red B2 nw"), "boards"),
        (f"{TABLE}{PIECES}".replace("C3", "C2"), "boards"),
        (f"{TABLE}{PIECES}".replace("C3", "E5"), "boards"),
        (f"{TABLE}{PIECES}".replace("C3", "H8"), "boards"),
        (f"{TABLE}{PIECES}".replace("Yellow C2", "Orange C2"), "boards"),
        (f"{TABLE}{PIECES}".replace("B.c=Rm", "B.x=Rm"), "pieces"),
        (f"{TABLE}{PIECES}".replace("B.c=Rm", ""), "pieces"),
        (f"{TABLE}{PIECES}".replace("B.c=Rm", "B.c=Rl"), "pieces"),
        (f"{TABLE}{PIECES}".replace("B.c=Rm", "R.c=Rm"), "pieces"),
        (f"{TABLE}{PIECES}".replace("B.c=Rm", "O.c=Rm"), "pieces"),
        (f"{TABLE}{PIECES}dice 5 7 swap", "dice"),
        (f"{TABLE}{PIECES}phase act", "dice"),
        (f"{TABLE}{PIECES}dice 5 3 swap; phase roll", "dice"),
        (f"{TABLE}{PIECES}dice 5 3 swap; phase doubles", "phase"),
        (f"{TABLE}{PIECES}dice 5 3 swap; phase never", "phase"),
        (f"{TABLE}{PIECES}to move 3", "to move"),
        (f"{TABLE}{PIECES}to move 0", "to move"),
        (f"{TABLE}{PIECES}to move one", "to move"),
        (f"{TABLE}{PIECES}left 1", "left"),
        (f"{TABLE}{PIECES}left 1, 1", "left"),
        (f"{TABLE}{PIECES}tied 1, 2", "tied"),
        (f"{TABLE}{PIECES}played 50; turn_cap 50", "played"),
        (f"{TABLE}{PIECES}over cap", "played"),
        (f"{TABLE}{PIECES}over boredom", "over"),
        (f"{TABLE}{PIECES}over nest 1", "over"),
        (f"{TABLE}{PIECES}over nest 3", "over"),
        (f"{TABLE}{PIECES}over last_seat", "left"),
        (f"{TABLE}pieces R.c=Rs<Rm<Rl B.c=Bm<Bs<Bl", "over"),
        (f"{TABLE}{PIECES}nest_timing never", "nest_timing"),
        ("seats Red, Blue; phase roll_off", "tied"),
        ("seats Red, Blue; tied 1, 2; phase roll_off; to move 1", "to move"),
    ],
)
def test_bad_positions_say_which_part_is_wrong(text: str, wrong: str) -> None:
    assert DRIVER.find_wrong_part(text) == wrong
