"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.game import Style
from pbem.games.landrush import GAME, Position
from tests.games.driver import list_blocks
from tests.games.landrush.tables import BARRED, DRIVER, EXAMPLE, FEW_LEFT, LAST, SAME, start
from tests.games.words import list_examples, say

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


def test_names_of_squares_may_have_three_signs() -> None:
    # LR-9.1
    *_, upper, lower, _ = DRIVER.draw(GAME.load("Red b7 M; Yellow h1 S; coin Arms Ace")).split("\n")
    assert upper == " Ace/11 | .   .  | .   .  | .   .  | g11 h11|"
    assert lower == "    \\12 | .   .  | .   .  | .   .  | g12 h12|"


def test_no_tile_is_marked_before_the_first_turn_and_after_the_end() -> None:
    # LR-9.2
    for position in (start(2), DRIVER.play(start(2), "c4", "g9"), DRIVER.play(LAST, "L")):
        picture = "\n".join(GAME.board(position, None, Style.ASCII).lines[2:])
        assert not re.search(r"##|[a-h][0-9]", picture)


def test_the_squares_of_the_coin() -> None:
    # LR-9.3, LR-9.4
    squares = see_coin(EXAMPLE)
    assert squares["b5"]["state"] == "occupied"
    assert squares["a5"]["state"] == "forbidden"
    assert squares["a5"]["why"] == "too_short"
    assert squares["a5"]["rival"] == {"colour": "Yellow", "squares": ["b4", "b5"], "length": 2}
    assert squares["a5"]["yours"] == 1
    assert (squares["a6"]["state"], squares["a6"]["taken"]) == ("playable", [])
    assert [pyramid["square"] for pyramid in squares["b6"]["taken"]] == ["b4", "b5"]


def test_where_nothing_can_be_played_every_empty_square_is_forbidden() -> None:
    # LR-9.2
    states = [square["state"] for square in see_coin(BARRED).values()]
    assert states == ["forbidden", "occupied"] * 2


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (FEW_LEFT, {"why": "stash_too_small", "needed": 2, "left": 1}),
        (SAME, {"why": "right_sizes", "needed": ["M1", "L1"], "left": "S1 L3"}),
    ],
)
def test_what_is_forbidden_for_want_of_pyramids(text: str, facts: dict[str, Any]) -> None:
    # LR-9.3
    assert facts.items() <= see_coin(GAME.load(text))["b6"].items()


@pytest.mark.parametrize(
    ("position", "stashes", "points"),
    [
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
    assert [pyramid["square"] for pyramid in tracts[0]["pyramids"]] == ["a1", "b1", "c1"]
    assert [(tract["length"], tract["scores"]) for tract in tracts] == [
        (3, True), (6, True), (4, True), (2, False),
    ]  # fmt: skip


def test_the_board_in_words() -> None:
    # LR-9.6
    spoken = say(GAME, "spoken", facts=see(EXAMPLE, 1), names={1: "Ann", 2: "Bob"}, lines="")
    assert spoken.splitlines() == list_blocks("landrush", "LR-9.6")[0]


def test_what_can_be_captured_is_in_the_order_of_the_squares() -> None:
    # LR-9.3
    position = GAME.load("Red c6 M d6 S; Yellow b5 S b4 L; Green a6 M a7 M; Blue; coin Suns 3")
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
        (
            EXAMPLE,
            "a6 s",
            {"kind": "play", "square": "a6", "size": "Small", "taken": [], "stash": "S3 M4 L5"},
        ),
        (BARRED, "pass", {"kind": "pass", "seat": 1}),
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
    assert DRIVER.tell(LAST, "L")["over"]["cause"] == "stash"


def test_what_you_can_do() -> None:
    can = see(EXAMPLE, 1)["can"]
    assert (can["squares"], can["turns"]) == (["a6", "b6"], 30)
    placing = see(start(2), 1)["can"]
    assert (placing["placing"], placing["turns"]) == (True, 96)
    assert see(EXAMPLE, 2)["can"] is None


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
