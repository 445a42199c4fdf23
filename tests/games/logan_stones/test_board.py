"""Section 9: the picture, and the facts that words about it are made of."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.games.game import Seat, Style
from pbem.games.hexes import space
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.position import Rules
from tests.games.driver import list_blocks
from tests.games.logan_stones.situations import (
    DRIVER,
    MOVING,
    PICTURED,
    WINNING,
    options,
    picture,
    played,
    random_game,
    see,
)
from tests.games.words import say

UNAIDED = replace(PICTURED, rules=PICTURED.rules._replace(memory_aid=False))


def test_the_picture_for_anna() -> None:
    # LS-9.1, LS-9.2
    assert (
        picture(PICTURED, 1)
        == """\
       16  18  20  22  24
     15  17  19  21  23
 K         ..  ..
 L   .. [Rr][Ss][Sp] ..
 M    [S?][Sp][Rr][Rp] ..
 N       .. [Ps][Pp][S?]
 O             ..  .."""
    )
    assert hands(PICTURED, 1) == ["1PP 4PR 5RS 8RR", "2P? 3P? 4S? 6S?"]
    assert " ".join(see(PICTURED, 1)["free"]) == "K18 K20 L15 L23 M24 N17 O20 O22"


def test_the_picture_for_bob() -> None:
    # LS-9.3
    assert (
        picture(PICTURED, 2)
        == """\
       16  18  20  22  24
     15  17  19  21  23
 K         ..  ..
 L   .. [R?][Ss][Sp] ..
 M    [Ss][Sp][Rr][Rp] ..
 N       .. [P?][Pp][Sr]
 O             ..  .."""
    )
    assert hands(PICTURED, 2) == ["2PR 3PP 4SR 6SS", "1P? 4P? 5R? 8R?"]


def test_a_spectator_sees_what_all_have_seen() -> None:
    # LS-6.1, LS-6.4
    seen = picture(PICTURED, None)
    assert seen == picture(PICTURED, 1).replace("[Rr][Ss]", "[R?][Ss]").replace("[Ps]", "[P?]")
    assert hands(PICTURED, None) == ["1P? 4P? 5R? 8R?", "2P? 3P? 4S? 6S?"]
    assert not any(hand["yours"] for hand in see(PICTURED, None)["hands"])


@pytest.mark.parametrize("viewpoint", [1, 2, None])
def test_without_the_memory_aid_no_reverse_is_printed(viewpoint: int | None) -> None:
    # LS-5.8, LS-9.3
    assert re.findall(r"\[.(.)\]", picture(UNAIDED, viewpoint)) == ["?"] * 10
    assert hands(UNAIDED, viewpoint) == hands(PICTURED, viewpoint)
    assert {stone["under"] for stone in island_facts(UNAIDED, viewpoint)} == {None}


def test_the_picture_in_unicode() -> None:
    # LS-9.5
    signs = {"[R": "[●", "[P": "[■", "[S": "[×"}
    drawn = picture(PICTURED, 1)
    for letter, sign in signs.items():
        drawn = drawn.replace(letter, sign)
    assert picture(PICTURED, 1, Style.UNICODE) == drawn


def test_the_facts_say_what_the_picture_says() -> None:
    # LS-9.7, LS-9.8
    for position, _ in random_game(3)[::4]:
        for viewpoint in (1, 2, None):
            drawn = re.findall(r"\[(.)(.)\]", picture(position, viewpoint))
            stones = island_facts(position, viewpoint)
            assert [(top, under.upper()) for top, under in drawn] == [
                (stone["top"], stone["under"] or "?") for stone in stones
            ]


def test_the_board_in_words() -> None:
    # LS-9.7
    spoken = say(GAME, "spoken", facts=see(PICTURED, 1), names={1: "Anna", 2: "Bob"}, lines="")
    assert spoken.splitlines() == list_blocks("logan_stones", "LS-9.7")[0]


def island_facts(position: Position, viewpoint: int | None) -> list[Any]:
    return [stone for row in see(position, viewpoint)["rows"] for stone in row["stones"]]


def hands(position: Position, viewpoint: int | None) -> list[str]:
    """Return the stones of both hands, the viewpoint's first, as in `1P?`."""
    return [
        " ".join(f"{one['number']}{one['shown']}{one['other'] or '?'}" for one in hand["stones"])
        for hand in see(position, viewpoint)["hands"]
    ]


# --- width ---------------------------------------------------------------------------------------


def test_free_spaces_beyond_the_stones_are_dropped_where_they_would_not_fit() -> None:
    # LS-9.4: the stones reach from 19 to 51, the free spaces from 18 to 52
    kinds = ["RR", "PP", "SS", "RP", "PS", "SR"]
    spaces = ["L19", "L51", *(f"M{number}" for number in range(20, 51, 2))]
    island = " ".join(f"{at}={kinds[n % 6]}" for n, at in enumerate(spaces))
    board = GAME.board(GAME.load(island), None, Style.ASCII)
    free = see(GAME.load(island), None)["free"]
    assert {"M18", "M52"} <= set(free)
    assert max(map(len, board.lines)) == 72
    assert sum(line.count("[") for line in board.lines) == 18
    assert sum(line.count("..") for line in board.lines) == len(free) - 2


def stretched(numbers: int) -> Position:
    """Two stones that are that many numbers apart; only drawing can be asked of it."""
    last = replace(MOVING, spaces=(space(0, 0), space(numbers // 2, 0)), stones=MOVING.stones[:2])
    return replace(last, rules=Rules())


@pytest.mark.parametrize(
    ("apart", "width"),
    [(28, 64), (30, 68), (32, 72), (34, 0), (60, 0)],
)
def test_a_range_of_32_numbers_is_drawn_and_more_is_told(apart: int, width: int) -> None:
    # LS-9.4: 72 columns; beyond that the list stands alone
    lines = GAME.board(stretched(apart), None, Style.ASCII).lines
    assert max(map(len, lines), default=0) == width


@pytest.mark.parametrize(
    ("q", "numbers"), [(0, "20 22"), (-10, "0 2"), (-16, "-12 -10"), (45, "110 112")]
)
def test_numbers_stand_over_the_letters_of_their_spaces(q: int, numbers: str) -> None:
    # LS-1.6, LS-9.1
    spaces = (space(q, 0), space(q + 1, 0))
    even, _odd, *rows = picture(replace(MOVING, spaces=spaces, stones=MOVING.stones[:2]), 1).split(
        "\n"
    )
    assert even.split() == numbers.split()
    row = next(line for line in rows if "[" in line)
    for number, stone in zip(even.split(), re.finditer(r"\[", row), strict=True):
        assert even.index(number) + len(number) == stone.start() + len("[Rp")


def test_long_numbers_stand_over_every_other_space() -> None:
    # LS-1.6: numbers of four signs
    spaces = tuple(space(-62 + step, 0) for step in range(4))
    lines = GAME.board(replace(MOVING, spaces=spaces), None, Style.ASCII).lines
    assert lines[0].split() == ["-104", "-100"]
    assert max(map(len, lines)) <= 72


def test_row_labels_begin_in_column_2() -> None:
    # LS-9.1, LS-1.6
    position = GAME.load("Z21=RP AA20=SS AA22=PR")
    drawn = GAME.board(position, None, Style.ASCII).lines[2:]
    assert [line[1:4].strip() for line in drawn] == ["Z", "AA", "AB"]


# --- phases ---------------------------------------------------------------------------------------


def test_before_the_deal_there_is_nothing_to_see() -> None:
    position = GAME.initial_position(2, options())
    board = GAME.board(position, Seat(1), Style.ASCII)
    assert board.lines == ()
    assert board.facts["can"] is None
    assert board.facts["phase"] == "dealing"


def test_after_the_end_all_faces_are_shown_to_everyone() -> None:
    # LS-4.10
    over = GAME.leave(UNAIDED, Seat(1))
    assert len({picture(over, viewpoint) for viewpoint in (1, 2, None)}) == 1
    assert "?" not in picture(over, None)
    assert hands(over, None) == ["1PP 4PR 5RS 8RR", "2PR 3PP 4SR 6SS"]
    assert all(stone["under"] for stone in island_facts(over, 2))


def test_the_winning_line_is_named() -> None:
    over = see(played(WINNING, "flip M20"), 1)["over"]
    assert over["line"] == ["L23", "M22", "N21", "O20"]


def test_the_last_20_plies_before_the_cap_are_counted() -> None:
    # LS-4.7
    for ply, left in ((79, None), (80, 20), (98, 2), (99, 1)):
        assert see(replace(MOVING, ply=ply), 1)["plies_left"] == left
    assert see(replace(MOVING, ply=90, rules=Rules(cap=0)), 1)["plies_left"] is None


# --- what one can do ------------------------------------------------------------------------------


def test_what_the_seat_to_act_can_do_is_counted() -> None:
    for position, _ in random_game(0):
        can = see(position, position.to_act)["can"]
        legal = DRIVER.list_legal(position)
        assert can["turns"] == len(legal)
        for kind in ("add", "flip"):
            assert can[f"{kind}s"] == sum(text.startswith(kind) for text in legal)
        assert len(set(can["samples"])) == 3
        assert see(position, 3 - position.to_act)["can"] is None
