"""Section 9: the picture, the legend, the spoken list, and a move told in words."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from pbem.games.game import Seat, Style
from pbem.games.logger import GAME, Position
from pbem.legacy.notices.rendering.environment import environment

NAMES = {1: "Anna", 2: "Bob", 3: "Cleo", 4: "Dora"}
EXAMPLE = GAME.load(
    "loggers b2, e4, c5; a2=2 a4=1 a5=3 b4=3* c3=3 d1=1 d2=2 e2=3; scores 3, 5, 2; hands 0, 1, 1"
)
OPENED = GAME.load("loggers e3, a3; b3=1 c3=3 d3=2")


def words(name: str, **view: Any) -> str:
    return environment().get_template(f"games/logger/{name}.txt.j2").render(names=NAMES, **view)


def shown(position: Position, viewpoint: int | None, name: str, style: Style = Style.ASCII) -> str:
    seat = None if viewpoint is None else Seat(viewpoint)
    return words(name, facts=GAME.board(position, seat, style).facts).rstrip()


def told(position: Position, typed: str) -> str:
    seat = Seat(position.to_act)
    move = GAME.parse(typed, position, seat)
    facts = GAME.facts(move, position, GAME.play(position, move))
    return words("told", facts=facts, seat=seat, notation=GAME.notation(move)).strip()


def test_the_picture() -> None:
    # LG-9.1, LG-9.2
    assert (
        "\n".join(GAME.board(EXAMPLE, Seat(1), Style.ASCII).lines)
        == """\
        a     b     c     d     e
     +-----+-----+-----+-----+-----+
  5  |  T  |     |  C  |     |     |  5
     +-----+-----+-----+-----+-----+
  4  |  i  |  T* |     |     |  B  |  4
     +-----+-----+-----+-----+-----+
  3  |     |     |  T  |     |     |  3
     +-----+-----+-----+-----+-----+
  2  |  Y  |  A  |     |  Y  |  T  |  2
     +-----+-----+-----+-----+-----+
  1  |     |     |     |  i  |     |  1
     +-----+-----+-----+-----+-----+
        a     b     c     d     e"""
    )


def test_the_picture_in_unicode() -> None:
    # LG-9.3
    assert (
        "\n".join(GAME.board(EXAMPLE, None, Style.UNICODE).lines)
        == """\
        a     b     c     d     e
     ┌─────┬─────┬─────┬─────┬─────┐
  5  │  ▲  │  ·  │  C  │  ·  │  ·  │  5
     ├─────┼─────┼─────┼─────┼─────┤
  4  │  i  │  ▲* │  ·  │  ·  │  B  │  4
     ├─────┼─────┼─────┼─────┼─────┤
  3  │  ·  │  ·  │  ▲  │  ·  │  ·  │  3
     ├─────┼─────┼─────┼─────┼─────┤
  2  │  Y  │  A  │  ·  │  Y  │  ▲  │  2
     ├─────┼─────┼─────┼─────┼─────┤
  1  │  ·  │  ·  │  ·  │  i  │  ·  │  1
     └─────┴─────┴─────┴─────┴─────┘
        a     b     c     d     e"""
    )


def test_the_picture_is_39_columns_wide() -> None:
    # LG-9.1
    for style in Style:
        assert max(map(len, GAME.board(EXAMPLE, None, style).lines)) == 39


def test_the_legend() -> None:
    # LG-9.2, LG-9.4
    assert (
        shown(EXAMPLE, 1, "legend")
        == """\
  i seedling  Y sapling  T mature  T* with protester
  A Anna (you)  3 points, 0 protesters in hand  <- to move
  B Bob         5 points, 1 protester in hand
  C Cleo        2 points, 1 protester in hand"""
    )


def test_the_legend_tells_who_left_and_what_is_left() -> None:
    position = GAME.load(f"{GAME.dump(EXAMPLE)}; left 3; tree_limit 20")
    assert (
        shown(position, 1, "legend", Style.UNICODE)
        == """\
  i seedling  Y sapling  ▲ mature  ▲* with protester
  A Anna (you)  3 points, 0 protesters in hand  <- to move
  B Bob         5 points, 1 protester in hand
  C Cleo        2 points, 1 protester in hand  left the game
  Trees left: 12 of 20"""
    )


def test_the_spoken_list() -> None:
    # LG-9.5
    assert (
        shown(EXAMPLE, 1, "spoken")
        == """\
Loggers: Anna b2, to move. Bob e4. Cleo c5.
Mature trees: a5 c3 e2. With protester: b4.
Saplings: a2 d2.
Seedlings: a4 d1.
Free: a1 a3 b1 b3 b5 c1 c2 c4 d3 d4 d5 e1 e3 e5.
You can move to: a1 a3 b1 b3 c1 c2, or stay on b2.
Anna 3 points, 0 protesters. Bob 5, 1. Cleo 2, 1."""
    )


def test_the_spoken_list_for_others_and_in_other_phases() -> None:
    assert "You can" not in shown(EXAMPLE, 2, "spoken")
    placing = GAME.initial(2, GAME.normal_options({}))
    assert (
        shown(placing, 1, "spoken")
        == """\
Loggers: Anna not on the board, to move. Bob not on the board.
Seedlings: c3.
Free: a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c4 c5 d1 d2 d3 d4 d5 e1.
Free too: e2 e3 e4 e5.
You can place your logger on: a1 a5 e1 e5.
Anna 0 points, 2 protesters. Bob 0, 2."""
    )
    walled = GAME.load("loggers a1, a2; b1=3*; hands 0, 3")
    assert "You can only stay on a1." in shown(walled, 1, "spoken")
    assert "Mature trees with protester: b1." in shown(walled, 1, "spoken")


@pytest.mark.parametrize(
    ("position", "typed", "text"),
    [
        (
            GAME.initial(2, GAME.normal_options({})),
            "e1",
            "Anna puts the logger on e1 (place e1).",
        ),
        (
            OPENED,
            "stay c3>c4 chop d3",
            """\
Anna stays on e3 and fells c3 d3 for 2 points (stay; c3>c4; chop d3).
Now a sapling: b3. New seedling: c4.""",
        ),
        (
            GAME.load("Loggers d1, d5; d2=3 d3=3* d4=3 b1=1 e1=3; hands 1, 2; scores 2, 4"),
            "stay; d2>c2, d3>e3, d4>c4, e1>e2; chop d2",
            """\
Anna stays on d1 and fells d2 d3 d4 for 3 points, winning 1 protester
(stay; d2>c2, d3>e3, d4>c4, e1>e2; chop d2). Now a sapling: b1. New
seedlings: c2 e3 c4 e2.""",
        ),
        (
            GAME.load("Loggers b4, d2; a1=3 c4=2 b2=1 d5=1 e5=3*; hands 1, 2"),
            "b3 protest a1",
            "Anna goes from b4 to b3 and protects a1 (b3; protest a1). Now a sapling:\nb2.",
        ),
        (
            GAME.load("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3"),
            "pass",
            "Anna stays on a1 and passes (stay; pass). Now a sapling: c1.",
        ),
    ],
)
def test_moves_are_told(position: Position, typed: str, text: str) -> None:
    # LG-9.4
    assert told(position, typed) == text


def test_what_you_can_do() -> None:
    assert (
        shown(OPENED, 1, "can")
        == """\
You can move to: d2 d4 e1 e2 e4 e5, or stay on e3. 40 turns are legal
(20 plant, 4 chop, 16 protest)."""
    )
    assert (
        shown(GAME.initial(2, GAME.normal_options({})), 1, "can")
        == """\
You place your logger on a free corner: a1 a5 e1 e5."""
    )
    assert shown(OPENED, 2, "can") == ""


def test_what_is_shown_as_an_example_is_accepted() -> None:
    rng = random.Random(1)
    for seats in GAME.seats:
        position = GAME.initial(seats, GAME.normal_options({}))
        while not position.cause:
            seat = Seat(position.to_act)
            can = GAME.board(position, seat, Style.ASCII).facts["can"]
            assert isinstance(can, dict)
            assert can["samples"]
            for sample in can["samples"]:
                GAME.play(position, GAME.parse(str(sample), position, seat))
            position = GAME.play(position, rng.choice(GAME.legal(position)))


def test_no_text_is_too_wide_or_looks_like_an_order() -> None:
    rng = random.Random(2)
    for seats in GAME.seats:
        position = GAME.initial(seats, GAME.normal_options({"tree_limit": "20"}))
        while not position.cause:
            seat = Seat(position.to_act)
            move = rng.choice(GAME.legal(position))
            texts = [shown(position, seat, name) for name in ("legend", "spoken", "can")]
            for line in "\n".join([*texts, told(position, GAME.notation(move))]).splitlines():
                assert len(line) <= 72
                assert not line.startswith((">", "From ", "."))
                assert line != GAME.notation(move)
            position = GAME.play(position, move)


@pytest.mark.parametrize("name", ["rules", "howto"])
def test_pages_are_short(name: str) -> None:
    lines = words(name).strip("\n").splitlines()
    assert len(lines) <= 40
    for line in lines:
        assert len(line) <= 72
        assert not line.startswith((">", "From ", "."))


HOWTO = [
    ("e1", GAME.initial(2, GAME.normal_options({})), "place e1"),
    ("e3 plant d3", GAME.load("loggers e1, a5; c3=1"), "e3; plant d3"),
    ("stay chop d3", GAME.load("loggers e3, a1; d3=2"), "stay; chop d3"),
    ("c2 protest a1, e4", GAME.load("loggers c1, e5; a1=3 e4=3"), "c2; protest a1, e4"),
    ("stay pass", GAME.load("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3"), "stay; pass"),
    ("stay c3>c4 chop d3", OPENED, "stay; c3>c4; chop d3"),
]


@pytest.mark.parametrize(("typed", "position", "canonical"), HOWTO)
def test_the_examples_of_the_help_are_accepted(
    typed: str, position: Position, canonical: str
) -> None:
    assert typed in words("howto")
    assert GAME.notation(GAME.parse(typed, position, Seat(1))) == canonical


def test_the_help_has_no_other_example() -> None:
    examples = re.findall(r"^  .*?: +(.+)$|tree first: (.+)$", words("howto"), re.MULTILINE)
    assert {"".join(found) for found in examples} == {typed for typed, _, _ in HOWTO}


def test_the_seat_to_act_is_told_which_trees_would_grow() -> None:
    # LG-2.5: in the row and the column of the cell; mature trees do not grow.
    can: Any = GAME.board(EXAMPLE, Seat(1), Style.ASCII).facts["can"]
    assert can["growing"]["b2"] == ["a2", "d2"]
    assert can["growing"]["b1"] == ["d1"]
    assert can["growing"]["a3"] == ["a2", "a4"]
    assert {*can["growing"]} == {*can["cells"], "b2"}
