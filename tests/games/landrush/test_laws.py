"""What holds whatever is typed or played: LR-11.8, and the laws of reading and writing."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.legal import count_choices, list_choices
from pbem.games.landrush.position import BIT, PIECES, Play, neighbours
from pbem.games.landrush.tracts import find_site, tract
from tests.games.landrush.random_turns import nth
from tests.games.landrush.tables import EXAMPLE, LAST, ply, start, walk

OPTIONS: list[dict[str, str]] = [{}, {"adj": "8"}, {"sizes": "same"}, {"starter": "given"}]
POSITIONS = [
    EXAMPLE,
    LAST,
    start(3),
    GAME.load("Red h12 S; Yellow b5 S b6 S; coin Suns 3; adj 8"),
    GAME.load("Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3; sizes same"),
]
WORDS = ["b6", "a6", "b5", "b4", "9z", "S", "L", "med", "x", "with", "=", "pass", "se", "on", "?"]
orders = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))


@given(text=orders, position=st.sampled_from(POSITIONS))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_legal_move_or_a_refusal(text: str, position: Position) -> None:
    with suppress(Rejection):
        GAME.read_chance(text, position)
    with suppress(Rejection):
        assert GAME.load(GAME.dump(GAME.load(text))) == GAME.load(text)
    with suppress(Rejection):
        assert GAME.notation(GAME.read_notation(text, position)) == text
    try:
        move = GAME.parse(text, position, Seat(1))
    except Rejection:
        return
    canonical = GAME.notation(move)
    assert GAME.read_notation(canonical, position) == move
    assert GAME.parse(canonical, position, Seat(1)) == move
    assert GAME.play(position, move) != position


@pytest.mark.parametrize(("seats", "options"), [*zip(GAME.seats, OPTIONS, strict=True)])
def test_random_games_keep_the_invariants(seats: int, options: dict[str, str]) -> None:
    # LR-11.3, LR-11.8
    rng = random.Random(seats)
    for _ in range(10):
        plies = 0
        for before, move, following in walk(seats, rng, **options):
            plies += 1
            check_invariants(following)
            if isinstance(move, Play):
                check_tract(before, move, following)
        assert plies < 1000


def check_invariants(position: Position) -> None:
    assert GAME.load(GAME.dump(position)) == position
    small, medium, large = position.sizes
    assert not (small & medium | small & large | medium & large)
    assert sum(position.own) == position.taken  # no square is counted twice
    for seat, own in enumerate(position.own, 1):
        assert min(position.stash(seat)) >= 0
        assert sum(position.stash(seat)) + own.bit_count() == 3 * PIECES[position.seats]
        foreign = position.taken & ~own
        assert not neighbours(own, eight=position.setting.eight) & foreign


def check_tract(before: Position, move: Play, following: Position) -> None:
    """LR-2.10"""
    seat, eight = before.to_act, before.setting.eight
    site = find_site(before, seat, move.square)
    joined = tract(BIT[move.square], following.own[seat - 1], eight=eight)
    assert joined.bit_count() == site.length + sum(rival.length for rival in site.rivals)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_end_after_seats_left(seats: int) -> None:
    rng = random.Random(seats)
    for _ in range(20):
        position = GAME.initial_position(seats, GAME.normalise_options({}))
        while (move := ply(position, rng)) is not None:
            position = GAME.play(position, move)
            check_invariants(position)
            if rng.random() < 0.03 and len(position.playing) > 2:
                position = GAME.leave(position, rng.choice(position.playing))
        assert position.cause in {"stash", "blocked"}


@given(
    squares=st.integers(0, 5),
    stash=st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)),
)
def test_choices_are_counted_listed_and_picked_alike(
    squares: int, stash: tuple[int, int, int]
) -> None:
    listed = list(list_choices(squares, stash))
    assert count_choices(squares, stash) == len(listed) == len(set(listed))
    assert [nth(squares, stash, number) for number in range(len(listed))] == listed
    assert listed == sorted(listed)
    for choice in listed:
        assert all(choice.count(size) <= stash[size] for size in range(3))
