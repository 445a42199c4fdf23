"""Section 6: what a viewpoint may not know makes no difference to anything that it gets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import pytest

from pbem.errors import Rejection
from pbem.games.game import Chance, Seat, Style, Viewpoint
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.position import HandStone
from pbem.games.logan_stones.reached import Reached
from pbem.games.logan_stones.rules import legal_moves
from pbem.games.logan_stones.spaces import label
from pbem.games.logan_stones.stones import ALL_SEATS, HIDDEN, NO_SEAT, Stone, Symbol
from pbem.games.logan_stones.visibility import redact
from tests.games.logan_stones.situations import (
    FIRST,
    MOVING,
    PICTURED,
    WINNING,
    dealt,
    options,
    played,
    random_game,
)

VIEWPOINTS: Final[tuple[Viewpoint, ...]] = (Seat(1), Seat(2), None)
TYPED: Final = [
    "", "1 l21", "r m18", "s n21", "p k20", "1 r l19", "2 s l21 turned", "3 p m24", "8 t m16",
    "rock", "flip m22", "flip m20 r", "m20 to o22", "m22 to l19 turned", "m20 m22", "l21 to m20",
    "flip z1", "m 22", "20 to k20",
]  # fmt: skip
"""Orders of every kind, most of them refused somewhere."""

KNOWN_WIN: Final = "L23=RR* M20=PR* M22=SR* N19=PP* N21=RP* O20=RS*; to move 2"


def with_hidden(
    position: Position, viewpoint: Viewpoint, change: Callable[[list[Symbol]], list[Symbol]]
) -> Position:
    """The position with other symbols on the faces that a viewpoint has not seen."""
    lying = [stone for stone in position.stones if not stone.is_known(viewpoint)]
    held = [
        one.stone
        for seat, hand in enumerate(position.hands, 1)
        for one in hand
        if viewpoint != seat
    ]
    fresh = iter(change([stone.under for stone in (*lying, *held)]))
    stones = tuple(
        stone if stone.is_known(viewpoint) else stone._replace(under=next(fresh))
        for stone in position.stones
    )
    hands = [
        hand
        if viewpoint == seat
        else tuple(HandStone(one.number, one.stone._replace(under=next(fresh))) for one in hand)
        for seat, hand in enumerate(position.hands, 1)
    ]
    return replace(position, stones=stones, hands=(hands[0], hands[1]), reached=Reached())


def others(position: Position, viewpoint: Viewpoint, rng: random.Random) -> Iterator[Position]:
    """Positions that the viewpoint cannot tell from this one."""
    for symbol in ("R", "P", "S"):
        yield with_hidden(position, viewpoint, lambda hidden, s=symbol: [s] * len(hidden))  # type: ignore[misc]
    yield with_hidden(position, viewpoint, lambda hidden: rng.sample(hidden, len(hidden)))


def output(position: Position, viewpoint: Viewpoint) -> list[object]:
    """Everything that a viewpoint gets of a position."""
    got: list[object] = [GAME.board(position, viewpoint, style) for style in Style]
    got += [GAME.turn(position), GAME.legal_moves(position)]
    if viewpoint == position.to_act:
        got += [refusal_or_turn(position, typed) for typed in TYPED]
    return got


def refusal_or_turn(position: Position, typed: str) -> object:
    try:
        return GAME.parse(typed, position, position.to_act)
    except Rejection as rejection:
        return rejection.code, rejection.facts


@pytest.mark.parametrize("seed", [2, 5])
def test_hidden_faces_change_nothing_that_a_viewpoint_gets(seed: int) -> None:
    # LS-6.1, LS-6.10, LS-6.11
    rng = random.Random(seed)
    compared = 0
    for position, _ in random_game(seed, draw_cap="40")[:: 1 + seed]:
        for viewpoint in VIEWPOINTS:
            expected = output(position, viewpoint)
            for other in others(position, viewpoint, rng):
                compared += other != position
                assert output(other, viewpoint) == expected
    assert compared > 20


def test_what_was_counted_changes_nothing_either() -> None:
    # LS-6.11: the same picture, once reached for the first time and once for the second
    first = GAME.load("M20=RP M22=SS")
    second = played(first, "flip M20", "flip M20")
    again = replace(second, ply=first.ply)
    assert second.reached != first.reached
    assert {stone._replace(seen_by=NO_SEAT) for stone in again.stones} == set(first.stones)
    known = replace(first, stones=second.stones)
    for viewpoint in VIEWPOINTS:
        assert output(again, viewpoint) == output(known, viewpoint)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_turn_that_is_tried_is_the_same_whatever_is_hidden(seed: int) -> None:
    # LS-3.20, LS-3.21, LS-6.11
    rng = random.Random(seed)
    hidden = 0
    for position, _ in random_game(seed)[::5]:
        seat = position.to_act
        before = redact(position, seat)
        for other in others(position, seat, rng):
            assert redact(other, seat) == before
        for move in rng.sample(list(legal_moves(position)), 6):
            after = GAME.try_move(position, move, seat)
            hidden += any(stone.top == HIDDEN for stone in after.stones)
            assert redact(after, seat) == replace(after, reached=Reached())
            assert GAME.move_facts(move, before, after)["ended"] in (None, "line", "cap")
    assert hidden


@pytest.mark.parametrize(
    ("position", "typed", "whole"),
    [
        (FIRST, "2 L21", True),
        (FIRST, "1 L21", False),  # the wave turns M20
        (FIRST, "2 L21 turned", True),  # the owner knows both faces
        (PICTURED, "8 K18", True),  # L19 is known
        (MOVING, "flip M20", False),
        (MOVING, "M20 to O22", False),  # the wave turns N23
        (MOVING, "M20 to M24 turned", False),
        (MOVING, "M22 to O22", False),  # the wave turns N21
        (GAME.load("M20=RP* M22=SS* N21=PR N23=SP"), "flip M20", True),
        (WINNING, "flip M20", False),
        (GAME.load(KNOWN_WIN), "flip M20", True),
    ],
)
def test_what_a_turn_turns_up_is_open_where_it_is_not_known(
    position: Position,
    typed: str,
    whole: bool,  # noqa: FBT001 - a table's column
) -> None:
    # LS-3.20, LS-4.10
    move = GAME.parse(typed, position, position.to_act)
    after, played = GAME.try_move(position, move, position.to_act), GAME.play(position, move)
    assert all(stone.top != HIDDEN for stone in after.stones) == whole
    lines = [GAME.board(one, position.to_act, Style.ASCII).lines for one in (after, played)]
    if whole:
        assert lines[0] == lines[1]
        assert after == redact(played, position.to_act)
    else:
        assert any("[?" in line for line in lines[0])
        assert not after.cause


def test_nothing_is_known_of_what_an_unknown_face_turns_over() -> None:
    # LS-2.7: what the wave turns depends on the face that comes up
    after = GAME.try_move(MOVING, GAME.parse("flip M20", MOVING, Seat(1)), Seat(1))
    before = redact(MOVING, Seat(1)).island
    changed = [at for at, stone in after.island.items() if stone != before[at]]
    assert len(changed) == 1
    facts = GAME.move_facts(GAME.parse("flip M20", MOVING, Seat(1)), redact(MOVING, Seat(1)), after)
    assert (facts["top"], facts["over"]) == (HIDDEN, [])


def test_a_turn_that_is_not_legal_is_not_tried() -> None:
    for typed in ("move M20 to A0", "flip A0"):
        with pytest.raises(Rejection):
            GAME.try_move(MOVING, GAME.read_notation(typed, MOVING), Seat(1))


def test_who_has_seen_what_at_the_start() -> None:
    # LS-1.8, LS-6.2
    position = dealt(1)
    for stone in position.stones:
        assert stone.seen_by == NO_SEAT
    for seat, hand in enumerate(position.hands, 1):
        assert {held.stone.seen_by for held in hand} == {seat}


def test_how_a_reverse_becomes_known() -> None:
    # LS-6.3, LS-6.4, LS-3.21
    position = GAME.load("M20=RP M22=SS N21=PR N23=SP")
    moved = played(position, "N21 to L21")
    assert seen(moved) == "L21: nobody, M20: all, M22: nobody, N23: nobody"
    turned = played(position, "N21 to M24 turned")
    assert seen(turned) == "M20: nobody, M22: all, M24: all, N23: all"
    flipped = played(position, "flip M22")
    assert seen(flipped) == "M20: nobody, M22: all, N21: all, N23: nobody"


def seen(position: Position) -> str:
    by = {NO_SEAT: "nobody", 1: "seat 1", 2: "seat 2", ALL_SEATS: "all"}
    return ", ".join(f"{label(at)}: {by[s.seen_by]}" for at, s in sorted(position.island.items()))


@pytest.mark.parametrize(
    ("seen_by", "known"),
    [(NO_SEAT, []), (1, [1]), (2, [2]), (ALL_SEATS, [1, 2, None])],
)
def test_who_knows_a_reverse(seen_by: int, known: list[Viewpoint]) -> None:
    stone = Stone("R", "P", seen_by)
    assert [viewpoint for viewpoint in VIEWPOINTS if stone.is_known(viewpoint)] == known
    assert stone.turned() == Stone("P", "R", ALL_SEATS)


def test_the_deal_is_secret() -> None:
    # LS-6.8
    turn = GAME.turn(GAME.initial_position(2, options()))
    assert isinstance(turn, Chance)
    assert turn.draw.secret
