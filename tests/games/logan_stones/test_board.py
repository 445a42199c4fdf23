"""Section 9: the picture, the legend, the spoken list, and a turn told in words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.games.game import Seat, Style
from pbem.games.hexes import space
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.position import Rules
from pbem.legacy.notices.rendering.markup import PLAIN
from tests.games.logan_stones.situations import (
    FIRST,
    MOVING,
    NAMES,
    PICTURED,
    WINNING,
    options,
    picture,
    played,
    random_game,
    shown,
    words,
)

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
    assert (
        shown(PICTURED, 1, "legend")
        == """\
 Your stones   1 P/p  4 P/r  5 R/s  8 R/r
 Bob's stones  2 P/?  3 P/?  4 S/?  6 S/?
 Free spaces: K18 K20 L15 L23 M24 N17 O20 O22
 Rock > Scissors > Paper > Rock; four in a line win."""
    )


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
    legend = shown(PICTURED, 2, "legend").split("\n")
    assert legend[0] == " Your stones    2 P/r  3 P/p  4 S/r  6 S/s"
    assert legend[1] == " Anna's stones  1 P/?  4 P/?  5 R/?  8 R/?"


def test_a_spectator_sees_what_all_have_seen() -> None:
    # LS-6.1, LS-6.4
    seen = picture(PICTURED, None)
    assert seen == picture(PICTURED, 1).replace("[Rr][Ss]", "[R?][Ss]").replace("[Ps]", "[P?]")
    assert "Your" not in shown(PICTURED, None, "legend")
    assert re.findall(r"\d ./(.)", shown(PICTURED, None, "legend")) == ["?"] * 8


@pytest.mark.parametrize("viewpoint", [1, 2, None])
def test_without_the_memory_aid_no_reverse_is_printed(viewpoint: int | None) -> None:
    # LS-5.8, LS-9.3
    assert re.findall(r"\[.(.)\]", picture(UNAIDED, viewpoint)) == ["?"] * 10
    assert shown(UNAIDED, viewpoint, "legend") == shown(PICTURED, viewpoint, "legend")
    assert shown(UNAIDED, viewpoint, "spoken").count("over unknown") == 10


def test_the_picture_in_unicode() -> None:
    # LS-9.5
    assert (
        picture(PICTURED, 1, Style.UNICODE)
        == """\
       16  18  20  22  24
     15  17  19  21  23
 K         ..  ..
 L   .. [●r][×s][×p] ..
 M    [×?][×p][●r][●p] ..
 N       .. [■s][■p][×?]
 O             ..  .."""
    )
    assert shown(PICTURED, 1, "legend", Style.UNICODE).startswith(" ● rock  ■ paper  × scissors\n")
    facts = GAME.board(PICTURED, Seat(1), Style.UNICODE).facts
    assert words("legend", facts=facts, names=NAMES, pictured=True).startswith(f"{PLAIN} ● rock")


def test_the_spoken_list() -> None:
    # LS-9.7
    assert (
        shown(PICTURED, 1, "spoken")
        == """\
Row L: L17 rock over rock, L19 scissors over scissors,
  L21 scissors over paper.
Row M: M16 scissors over unknown, M18 scissors over paper,
  M20 rock over rock, M22 rock over paper.
Row N: N19 paper over scissors, N21 paper over paper,
  N23 scissors over unknown.
Free spaces: K18 K20 L15 L23 M24 N17 O20 O22.
Your stones: 1 paper, behind it paper; 4 paper, behind it rock;
  5 rock, behind it scissors; 8 rock, behind it rock.
Bob's stones: 2 paper; 3 paper; 4 scissors; 6 scissors."""
    )


def test_the_list_says_what_the_picture_says() -> None:
    # LS-9.8
    names = {"R": "rock", "P": "paper", "S": "scissors", "?": "unknown"}
    for position, _ in random_game(3)[::4]:
        for viewpoint in (1, 2, None):
            spoken = " ".join(shown(position, viewpoint, "spoken").split())
            stones = re.findall(r"\[(.)(.)\]", picture(position, viewpoint))
            rows = re.findall(r"(?<=Row )\S+(?=:)", spoken)
            assert [
                f"{names[top]} over {names[under.upper()]}" for top, under in stones
            ] == re.findall(r"(?:rock|paper|scissors) over \w+", spoken)
            drawn = [line[1:4].strip() for line in picture(position, viewpoint).split("\n")[2:]]
            assert set(rows) <= set(drawn)
            assert all(free in spoken for free in label_list(position))


def label_list(position: Position) -> list[str]:
    facts: Any = GAME.board(position, None, Style.ASCII).facts
    return list(facts["free"])


# --- width ---------------------------------------------------------------------------------------


def test_free_spaces_beyond_the_stones_are_dropped_where_they_would_not_fit() -> None:
    # LS-9.4: the stones reach from 19 to 51, the free spaces from 18 to 52
    kinds = ["RR", "PP", "SS", "RP", "PS", "SR"]
    spaces = ["L19", "L51", *(f"M{number}" for number in range(20, 51, 2))]
    island = " ".join(f"{at}={kinds[n % 6]}" for n, at in enumerate(spaces))
    board = GAME.board(GAME.load(island), None, Style.ASCII)
    free = label_list(GAME.load(island))
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


def test_spaces_beside_the_stones_stay_if_they_fit() -> None:
    # LS-9.4: the free spaces reach one number beyond the stones here
    narrow = GAME.load("M20=RR* M22=PP* L23=SS* L25=RR*; draw_cap none")
    assert (
        picture(narrow, None)
        == """\
     20  22  24
       21  23  25
 K           ..
 L     .. [Ss][Rr]
 M  [Rr][Pp] ..
 N     .."""
    )


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
    position = GAME.initial(2, options())
    board = GAME.board(position, Seat(1), Style.ASCII)
    assert board.lines == ()
    assert board.facts["can"] is None
    assert board.facts["phase"] == "dealing"
    for name in ("legend", "spoken", "can"):
        assert isinstance(shown(position, 1, name), str)


def test_after_the_end_all_faces_are_shown_to_everyone() -> None:
    # LS-4.10
    over = GAME.leave(UNAIDED, Seat(1))
    assert len({picture(over, viewpoint) for viewpoint in (1, 2, None)}) == 1
    assert "?" not in picture(over, None)
    assert "?" not in shown(over, None, "legend")
    assert "unknown" not in shown(over, 2, "spoken")
    assert "Bob's stones: 2 paper, behind it rock;" in shown(over, 1, "spoken")


def test_the_winning_line_is_named() -> None:
    after = played(WINNING, "flip M20")
    assert " The winning line: L23 M22 N21 O20\n" in shown(after, 1, "legend")
    assert "The winning line: L23 M22 N21 O20." in shown(after, 1, "spoken")


@pytest.mark.parametrize(("ply", "left"), [(79, None), (80, 20), (98, 2), (99, 1)])
def test_the_last_20_plies_before_the_cap_are_counted(ply: int, left: int | None) -> None:
    # LS-4.7
    position = replace(MOVING, ply=ply)
    assert GAME.board(position, Seat(1), Style.ASCII).facts["plies_left"] == left
    for name in ("legend", "spoken"):
        text = " ".join(shown(position, 1, name).split())
        assert ("The game is drawn after" in text) == (left is not None)
        if left is not None:
            turns = "turn" if left == 1 else "turns"
            assert f"The game is drawn after {left} more {turns} without a line." in text


def test_without_a_cap_nothing_is_counted() -> None:
    position = replace(MOVING, ply=90, rules=Rules(cap=0))
    assert GAME.board(position, Seat(1), Style.ASCII).facts["plies_left"] is None


def test_hands_that_do_not_fit_stand_below_their_names() -> None:
    facts = GAME.board(FIRST, None, Style.ASCII).facts
    long = {1: "Wolfeschlegelsteinhausen", 2: "Bo"}
    legend = words("legend", facts=facts, names=long).split("\n")
    assert legend[0] == " Wolfeschlegelsteinhausen's stones"
    assert legend[1] == "   1 R/?  2 P/?  3 S/?  4 R/?  5 S/?  6 P/?  7 R/?  8 S/?"
    assert max(map(len, legend)) <= 72


# --- what one can do ------------------------------------------------------------------------------


def test_what_one_can_do() -> None:
    assert (
        shown(PICTURED, 1, "can")
        == """\
You add one of your 4 stones on a free space, as it lies or turned: 64
turns are legal."""
    )
    assert shown(PICTURED, 2, "can") == shown(PICTURED, None, "can") == ""
    assert (
        shown(MOVING, 1, "can")
        == "You move or flip any stone of the island: 16 moves and 4 flips are\nlegal."
    )


def test_the_samples_are_legal_turns() -> None:
    for seed in range(3):
        for position, _ in random_game(seed):
            facts: Any = GAME.board(position, position.to_act, Style.ASCII).facts
            can = facts["can"]
            legal = set(map(GAME.notation, GAME.legal(position)))
            assert can["turns"] == len(legal)
            assert can["adds"] + can["flips"] <= len(legal)
            assert len(set(can["samples"])) == 3
            assert set(can["samples"]) <= legal
            off = GAME.board(position, Seat(3 - position.to_act), Style.ASCII).facts
            assert off["can"] is None
