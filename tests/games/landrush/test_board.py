"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.game import Style
from pbem.games.landrush import GAME, Position
from tests.games.landrush.tables import DRIVER, EXAMPLE, LAST, start
from tests.games.words import list_examples

see = DRIVER.see


def see_coin(position: Position) -> dict[str, Any]:
    """Return the facts of each square of the coin."""
    return {square["square"]: square for square in see(position, None)["coin"]["squares"]}


PICTURE = """\
          Suns     Moons    Crowns   Arms
          a   b    c   d    e   f    g   h
        +--------+--------+--------+--------+
Null/ 1 | .   .  | .   .  | .   .  | .   .  |
    \\ 2 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   2/ 3 | .   .  | .   .  | .   .  | .   .  |
    \\ 4 | .   Ys | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   3/ 5 | ##  Ym | .   .  | .   .  | .   .  |
    \\ 6 | a6  b6 | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   4/ 7 | .   Rm | .   .  | .   .  | .   .  |
    \\ 8 | .   Rs | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
   5/ 9 | .   .  | .   .  | .   .  | .   .  |
    \\10 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+
 Ace/11 | .   .  | .   .  | .   .  | .   .  |
    \\12 | .   .  | .   .  | .   .  | .   .  |
        +--------+--------+--------+--------+"""


def test_the_picture() -> None:
    # LR-9.4
    assert DRIVER.draw(EXAMPLE, 1) == PICTURE


def test_the_picture_in_unicode() -> None:
    # LR-9.5
    heading, grid = PICTURE[: PICTURE.index("+")], PICTURE[PICTURE.index("+") :]
    drawn = heading + grid.translate(str.maketrans("|-+.", "│─┼·"))
    assert DRIVER.draw(EXAMPLE, None, Style.UNICODE) == drawn


def test_the_picture_is_45_columns_wide() -> None:
    # LR-9.1; also where the names of squares have three signs.
    low = GAME.load("Red b7 M; Yellow h1 S; coin Arms Ace")
    for style in Style:
        lines = GAME.board(low, None, style).lines
        assert max(map(len, lines)) == 45
        assert {len(line) for line in lines[2:]} == {45}
    ascii_lines = GAME.board(low, None, Style.ASCII).lines
    assert ascii_lines[-3] == " Ace/11 | .   .  | .   .  | .   .  | g11 h11|"
    assert ascii_lines[-2] == "    \\12 | .   .  | .   .  | .   .  | g12 h12|"


def test_no_tile_is_marked_before_the_first_turn_and_after_the_end() -> None:
    # LR-9.2
    for position in (start(2), DRIVER.play(start(2), "c4", "g9"), DRIVER.play(LAST, "L")):
        picture = "\n".join(GAME.board(position, None, Style.ASCII).lines[2:])
        assert not re.search(r"##|[a-h][0-9]", picture)


def test_where_nothing_can_be_played_every_empty_square_is_barred() -> None:
    # LR-9.2
    position = GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8")
    lines = GAME.board(position, None, Style.ASCII).lines
    assert lines[9].startswith("   3/ 5 | ##  Ys |")
    assert lines[10].startswith("    \\ 6 | ##  Ys |")


def test_the_squares_of_the_coin() -> None:
    # LR-9.3, LR-9.4
    squares = see_coin(EXAMPLE)
    assert {name: square["state"] for name, square in squares.items()} == {
        "a5": "forbidden",
        "b5": "occupied",
        "a6": "playable",
        "b6": "playable",
    }
    assert squares["a5"]["why"] == "too_short"
    assert squares["a5"]["rival"] == {"colour": "Yellow", "squares": ["b4", "b5"], "length": 2}
    assert squares["a5"]["yours"] == 1
    assert squares["a6"]["taken"] == []
    assert [pyramid["square"] for pyramid in squares["b6"]["taken"]] == ["b4", "b5"]


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8", "forbidden occupied"),
        ("Red a5 S a6 S b5 S b6 S; Yellow h12 S; coin Suns 3", "occupied"),
        ("Red c1 M; Yellow h12 M; Green e1 M; coin Suns 3; left Yellow", "playable"),
    ],
)
def test_other_coins(text: str, states: str) -> None:
    found = {square["state"] for square in see_coin(GAME.load(text)).values()}
    assert found == {*states.split()}


def test_what_is_forbidden_for_want_of_pyramids() -> None:
    # LR-9.3
    few = (
        "Red b7 M b8 S b9 S a1 S c1 S a11 M c11 M e11 M g11 M h9 L f9 L d9 L h7 L; "
        "Yellow b4 L b5 M; coin Suns 3"
    )
    square = see_coin(GAME.load(few))["b6"]
    assert (square["why"], square["needed"], square["left"]) == ("stash_too_small", 2, 1)
    wrong = (
        "Red b7 M b8 S b9 M a1 S c1 S e1 S a11 M c11 M g11 M h9 L f9 L; "
        "Yellow b4 L b5 M; coin Suns 3; sizes same"
    )
    square = see_coin(GAME.load(wrong))["b6"]
    assert (square["needed"], square["left"]) == (["M1", "L1"], "S1 L3")


@pytest.mark.parametrize(
    ("position", "stashes", "points"),
    [
        (EXAMPLE, ["S4 M4 L5", "S4 M4 L5"], [0, 0]),
        (start(3), ["S5 M5 L5"] * 3, [0, 0, 0]),
        # The points are those without LR-4.5a, until the game is over.
        (LAST, ["L1", "S4 M2 L4"], [28, 9]),
        (DRIVER.play(LAST, "L"), ["", "S4 M2 L4"], [36, 9]),
    ],
)
def test_what_each_seat_has(position: Position, stashes: list[str], points: list[int]) -> None:
    # LR-9.3
    seats = see(position, None)["seats"]
    assert [seat["stash"] for seat in seats] == stashes
    assert [seat["points"] for seat in seats] == points


def test_the_tracts_of_a_seat() -> None:
    # LR-9.6
    tracts = see(DRIVER.play(LAST, "L"), 1)["seats"][0]["tracts"]
    assert len(tracts) == 4
    assert [pyramid["square"] for pyramid in tracts[0]["pyramids"]] == ["a1", "b1", "c1"]
    assert (tracts[0]["length"], tracts[0]["scores"]) == (3, True)
    position = GAME.load("Red c6 M d6 S; Yellow b5 S b4 L; Green a6 M a7 M; Blue; coin Suns 3")
    assert see(position, 1)["seats"][3]["tracts"] == []
    taken = see_coin(position)["b6"]["taken"]
    assert [(pyramid["square"], pyramid["colour"]) for pyramid in taken] == [
        ("a6", "Green"),
        ("a7", "Green"),
        ("b4", "Yellow"),
        ("b5", "Yellow"),
    ]


@pytest.mark.parametrize(
    ("position", "typed", "wanted"),
    [
        (DRIVER.play(start(2), "c4", "g9"), "* Moons 5", {"kind": "coin", "seat": 1}),
        (start(2), "c4", {"kind": "place", "colour": "Red", "square": "c4"}),
        (
            EXAMPLE,
            "a6 s",
            {"kind": "play", "square": "a6", "size": "Small", "taken": [], "stash": "S3 M4 L5"},
        ),
        (EXAMPLE, "b6 l", {"square": "b6", "size": "Large", "length": 5, "stash": "S3 M3 L4"}),
    ],
)
def test_what_happened(position: Position, typed: str, wanted: dict[str, Any]) -> None:
    assert wanted.items() <= DRIVER.tell(position, typed).items()


def test_what_a_play_takes_over_and_ends() -> None:
    taken = DRIVER.tell(EXAMPLE, "b6 l")["taken"]
    assert [(pyramid["square"], pyramid["old"], pyramid["new"]) for pyramid in taken] == [
        ("b4", "Small", "Small"),
        ("b5", "Medium", "Medium"),
    ]
    last = DRIVER.tell(LAST, "L")
    assert (last["length"], last["stash"]) == (6, "")
    assert last["over"]["cause"] == "stash"


def test_what_you_can_do() -> None:
    can = see(EXAMPLE, 1)["can"]
    assert (can["squares"], can["turns"]) == (["a6", "b6"], 30)
    assert see(LAST, 1)["can"]["squares"] == ["b10"]
    placing = see(start(2), 1)["can"]
    assert placing["placing"]
    assert placing["turns"] == 96
    assert see(EXAMPLE, 2)["can"] is None
    assert see(EXAMPLE, None)["can"] is None


def test_many_plays_are_counted_and_not_listed() -> None:
    # LR-11.5
    position = GAME.load(
        "Red a7 S b7 M c7 L a8 S b8 M; Yellow b1 S b2 S b3 M b4 S b5 M; coin Suns 3"
    )
    can, legal = see(position, 1)["can"], DRIVER.list_legal(position)
    assert can["turns"] > 500
    assert [text for text in legal if text.startswith("b6")] == [
        "b6 S x b1=S b2=S b3=M b4=M b5=M",
        "b6 M x b1=S b2=S b3=M b4=S b5=M",
        "b6 L x b1=S b2=S b3=M b4=S b5=M",
    ]
    assert can["samples"][0] != legal[-1]  # which scores most: no mail advises
    assert len(can["samples"]) == 3


EXAMPLES = {
    "c4": (start(2), "c4"),
    "b6 L": (EXAMPLE, "b6 L x b4=S b5=M"),
    "large b6": (EXAMPLE, "b6 L x b4=S b5=M"),
    "se small": (EXAMPLE, "b6 S x b4=S b5=M"),
    "b6 L x b4=S b5=L": (EXAMPLE, "b6 L x b4=S b5=L"),
}


def test_the_examples_of_the_help_are_accepted() -> None:
    assert list_examples(GAME) == [*EXAMPLES]
    for typed, (position, canonical) in EXAMPLES.items():
        assert DRIVER.read(position, typed) == canonical
