"""What the SVG picture shows for a move: ways to hop, own pieces, arrows that lead nowhere."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from math import dist

import pytest

from pbem.games.game import Marks, Seat, Transition, Viewpoint
from pbem.games.looney_ludo import GAME, Position
from tests.games.looney_ludo.situations import PIECES, parsed, start

ROW = "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green D2 NE, Blue E2 NW; "


def pictured(position: Position, viewpoint: Viewpoint = None) -> str:
    return GAME.picture(position, viewpoint, Marks())


@pytest.mark.parametrize(
    ("position", "slots"),
    [
        (start("5 3 hop"), 8),
        (start("5 3 wild"), 8),
        (start("5 3 swap"), 0),
        # A board in a row of three may not leave a gap behind it.
        (GAME.load(f"{ROW}{PIECES}dice 5 3 hop"), 10),
    ],
    ids=["hop", "wild", "swap", "row"],
)
def test_slots_that_boards_can_hop_to_are_named(position: Position, slots: int) -> None:
    assert pictured(position).count('href="#llt"') == slots


def test_the_reader_s_own_pieces_have_a_rim() -> None:
    position = start("5 3 swap")
    assert pictured(position).count('href="#llh') == 0
    assert pictured(position, Seat(2)).count('href="#llh') == 3


def test_the_face_of_the_die_and_the_points_are_shown() -> None:
    assert len({pictured(start(f"5 3 {face}")) for face in ("swap", "dig", "aim")}) == 3


@pytest.mark.parametrize(
    ("centre", "filled"),
    [("Rs", "0"), ("Bm<Rs", "0"), ("Rs<Rm", "01"), ("Rm", ""), ("Rm<Rs", "0"), ("Rs<Bm", ""),
     ("Rs<Bm<Rm", ""), ("Rs<Rl", "")],
)  # fmt: skip
def test_a_nest_is_filled_as_far_as_it_is_rightly_built(centre: str, filled: str) -> None:
    # LL-2.19, LL-3.17: from below Small, Medium, Large, and nothing of others above.
    rest = "<".join(one for one in ("Rs", "Rm", "Rl", "Bs", "Bm", "Bl") if one not in centre)
    drawn = pictured(start("5 3 swap", f"pieces R.c={centre} Y.n={rest}; "))
    drawn = drawn.rpartition('href="#lln"')[0].rpartition('href="#lln"')[2]
    assert "".join(re.findall(r'href="#llR([0-2])"', drawn)) == filled


@pytest.mark.parametrize(
    ("turn", "trails"),
    [
        ("S e; swap Green Red", 1),
        ("S ene", 1),
        ("S ene; swap Green Red", 0),
        ("S ene; swap Yellow Red", 1),
    ],
)
def test_ways_across_boards_that_have_moved_since_are_left_out(turn: str, trails: int) -> None:
    before = start("5 3 swap")
    move = parsed(before, turn)
    after = GAME.play(before, move)
    svg = GAME.picture(after, None, Marks(transitions=(Transition(move, before, after),)))
    assert svg.count('class="trail"') == trails


def test_badges_do_not_cover_the_names_of_slots() -> None:
    before = start("5 3 swap")
    move = parsed(before, "swap Green Red")
    after = replace(GAME.play(before, move), roll=start("5 3 hop").roll, phase=before.phase)
    svg = GAME.picture(after, None, Marks(transitions=(Transition(move, before, after),)))
    tags, badges = (
        [
            (float(x), float(y))
            for x, y in re.findall(rf'href="#{name}"[^>]*translate\(([\d.]+) ([\d.]+)\)', svg)
        ]
        for name in ("llt", "m-swap")
    )
    assert tags
    assert len(badges) == 2
    assert min(dist(*pair) for pair in product(tags, badges)) > 18  # the halves of both
