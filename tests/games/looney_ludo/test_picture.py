"""What the SVG picture shows for a move: ways to hop, own pieces, arrows that lead nowhere."""

from __future__ import annotations

import re

import pytest

from pbem.games.game import Marks, Seat, Transition, Viewpoint
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.boards import landings, list_boards

TABLE = (
    "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
    "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; dice 5 3 {face}"
)


def pictured(position: Position, viewpoint: Viewpoint = None) -> str:
    return GAME.picture(position, viewpoint, Marks())


@pytest.mark.parametrize(("face", "shown"), [("hop", True), ("wild", True), ("swap", False)])
def test_slots_to_hop_to_are_named_when_the_dice_allow_it(face: str, *, shown: bool) -> None:
    position = GAME.load(TABLE.format(face=face))
    boards = list_boards(position.slots)
    slots = {slot for board in boards for slot in landings(position.slots, board)}
    assert len(slots) == 8
    assert pictured(position).count('href="#llt"') == (len(slots) if shown else 0)


def test_slots_that_no_board_may_take_are_not_named() -> None:
    # A board in a row of three may not leave a gap behind it.
    position = GAME.load(
        "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green D2 NE, Blue E2 NW; "
        "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; dice 5 3 hop"
    )
    slots = {slot for board in range(4) for slot in landings(position.slots, board)}
    assert pictured(position).count('href="#llt"') == len(slots)


def test_the_reader_s_own_pieces_have_a_rim() -> None:
    position = GAME.load(TABLE.format(face="swap"))
    assert not re.search('href="#llh', pictured(position))
    assert len(re.findall('href="#llh', pictured(position, Seat(2)))) == 3


def test_the_face_of_the_die_and_the_points_are_shown() -> None:
    texts = {pictured(GAME.load(TABLE.format(face=face))) for face in ("swap", "dig", "aim")}
    assert len(texts) == 3


@pytest.mark.parametrize(
    ("centre", "filled"),
    [("Rs", "0"), ("Bm<Rs", "0"), ("Rs<Rm", "01"), ("Rm", ""), ("Rm<Rs", "0"), ("Rs<Bm", ""),
     ("Rs<Bm<Rm", ""), ("Rs<Rl", "")],
)  # fmt: skip
def test_a_nest_is_filled_as_far_as_it_is_rightly_built(centre: str, filled: str) -> None:
    # LL-2.19, LL-3.17: from below Small, Medium, Large, and nothing of others above.
    position = GAME.load(
        "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
        f"pieces R.c={centre} {_elsewhere(centre)}; dice 5 3 swap"
    )
    drawn = pictured(position).rpartition('href="#lln"')[0].rpartition('href="#lln"')[2]
    assert "".join(re.findall(r'href="#llR([0-2])"', drawn)) == filled


def _elsewhere(centre: str) -> str:
    """The other pieces, on squares of their own."""
    squares = ("Y.n", "Y.e", "Y.s", "G.n", "G.e", "G.s")
    rest = [one for one in ("Rs", "Rm", "Rl", "Bs", "Bm", "Bl") if one not in centre]
    return " ".join(f"{square}={one}" for square, one in zip(squares, rest, strict=False))


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
    before = GAME.load(TABLE.format(face="swap"))
    move = GAME.parse(turn, before, Seat(1))
    after = GAME.play(before, move)
    svg = GAME.picture(after, None, Marks(transitions=(Transition(move, before, after),)))
    assert svg.count('class="trail"') == trails
