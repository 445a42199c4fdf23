"""Sections 7 and 10: what is typed, how it is read, and the worked examples."""

from __future__ import annotations

from pbem.games.game import GameOver, Outcome, Seat
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.shape import shape
from pbem.games.logan_stones.spaces import label, labels
from tests.games.logan_stones.situations import (
    DRIVER,
    FIRST,
    LINKED,
    MOVING,
    WINNING,
    island,
    played,
    read_as,
)


def known(position: Position, viewpoint: int | None) -> set[str]:
    seat = None if viewpoint is None else Seat(viewpoint)
    return {label(at) for at, stone in position.island.items() if stone.is_known(seat)}


def free(position: Position) -> str:
    return " ".join(labels(shape(position.spaces).open))


def test_the_first_ply() -> None:
    # LS-10.1
    assert free(FIRST) == "L21 N21"
    assert len(GAME.legal_moves(FIRST)) == 32
    after = played(FIRST, "add 1 L21")
    assert island(after) == "L21=RS M20=PS M22=PR"
    assert known(after, 1) == {"M20", "L21"}
    assert known(after, 2) == known(after, None) == {"M20"}
    assert free(after) == "L19 L23 N21"


def test_the_second_ply() -> None:
    # LS-10.2
    position = played(FIRST, "add 1 L21")
    assert read_as(position, "3 s n21") == "add 3 N21 turned"
    after = played(position, "3 s n21")
    assert island(after) == "L21=RS M20=SP M22=RP N21=SP"
    assert known(after, 1) == {"M20", "M22", "N21", "L21"}
    assert known(after, 2) == known(after, None) == {"M20", "M22", "N21"}


def test_one_wave() -> None:
    # LS-10.3, LS-2.8
    after = played(FIRST, "add 1 L21 turned")
    assert island(after) == "L21=SR M20=SP M22=RP"
    for viewpoint in (1, 2, None):
        assert known(after, viewpoint) == {"L21", "M22"}


def test_a_move() -> None:
    # LS-10.4
    assert len(GAME.legal_moves(MOVING)) == 20
    assert island(played(MOVING, "move M20 to O22")) == "M22=SS N21=PR N23=PS O22=RP"
    assert island(played(MOVING, "move M20 to O22 turned")) == "M22=SS N21=PR N23=SP O22=PR"
    for typed, only in (("move M22 to L21", "M20"), ("move N21 to O22", "N23")):
        refused = DRIVER.refuse(MOVING, typed)
        assert (refused.code, refused.facts["contacts"]) == ("too_few_contacts", 1)
        assert only in island(MOVING)


def test_the_only_link() -> None:
    # LS-10.5
    assert len(GAME.legal_moves(LINKED)) == 44
    after = played(LINKED, "flip M22")
    assert island(after) == "L21=RP L23=PS M22=RP N21=RR N23=RS O22=PS"
    assert not after.cause


def test_a_win_by_the_wave() -> None:
    # LS-10.6
    assert len(GAME.legal_moves(WINNING)) == 50
    after = played(WINNING, "flip M20")
    assert island(after) == "L23=RR M20=RP M22=RS N19=PP N21=RP O20=RS"
    assert GAME.turn(after) == GameOver(Outcome((2, 1), "line"))
    assert read_as(after, "flip M20") == "game_over"
