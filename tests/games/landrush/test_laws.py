"""What holds whatever is typed or played: LR-11.8, and the laws of reading and writing."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games.game import ChanceResult, GameOver, Seat, Seats
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.legal import count_choices, list_choices
from pbem.games.landrush.position import BIT, PIECES, Move, Play, beside
from pbem.games.landrush.tracts import meet, tract
from tests.games.landrush.random_turns import nth
from tests.games.landrush.tables import EXAMPLE, LAST, ply, start, walk

OPTIONS = [{}, {"adj": "8"}, {"sizes": "same"}, {"starter": "given", "colours": "kb"}]
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


@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: " ".join(one) or "none")
@pytest.mark.parametrize("seats", GAME.seats)
def test_random_games_keep_the_invariants_and_are_replayed(
    seats: int, options: dict[str, str]
) -> None:
    # LR-11.8, LR-11.3
    rng = random.Random(seats)
    for _ in range(3):
        replayed = GAME.initial_position(seats, GAME.normalise_options(options))
        plies = 0
        for before, move, following in walk(seats, rng, **options):
            plies += 1
            assert before == replayed
            replayed = replay(before, move)
            assert replayed == following
            check_invariants(following)
            if isinstance(move, Play):
                check_tract(before, move, following)
        assert plies < 1000
        assert isinstance(GAME.turn(replayed), GameOver)


def replay(position: Position, move: Move | ChanceResult) -> Position:
    if isinstance(move, ChanceResult):
        text = GAME.chance_notation(position, move)
        return GAME.play(position, GAME.read_chance(text, position))
    canonical = GAME.notation(move)
    assert GAME.parse(canonical, position, Seat(position.to_act)) == move
    return GAME.play(position, GAME.read_notation(canonical, position))


def check_invariants(position: Position) -> None:
    assert GAME.load(GAME.dump(position)) == position
    small, medium, large = position.sizes
    assert not (small & medium | small & large | medium & large)
    assert sum(position.own) == position.taken  # no square is counted twice
    for seat, own in enumerate(position.own, 1):
        assert min(position.stash(seat)) >= 0
        assert sum(position.stash(seat)) + own.bit_count() == 3 * PIECES[position.seats]
        foreign = position.taken & ~own
        assert not beside(own, eight=position.setting.eight) & foreign


def check_tract(before: Position, move: Play, following: Position) -> None:
    """LR-2.10"""
    seat, eight = before.to_act, before.setting.eight
    site = meet(before, seat, move.square)
    joined = tract(BIT[move.square], following.own[seat - 1], eight=eight)
    assert joined.bit_count() == site.length + sum(rival.length for rival in site.rivals)


@pytest.mark.parametrize("seats", GAME.seats)
def test_any_seat_may_leave_at_any_time(seats: int) -> None:
    # LR-4.8, LR-4.10
    rng = random.Random(seats)
    for before, _, _ in walk(seats, rng):
        position = before
        for seat in rng.sample(range(1, seats + 1), seats):
            position = GAME.leave(position, Seat(seat))
            assert GAME.load(GAME.dump(position)) == position
            turn = GAME.turn(position)
            if isinstance(turn, Seats):
                assert seat not in turn.seats
                assert GAME.legal_moves(position)
        outcome = GAME.outcome(position)
        assert outcome is not None
        assert outcome.placings.count(1) == 1
        assert sorted(outcome.placings) == [*range(1, seats + 1)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_end_after_seats_left(seats: int) -> None:
    rng = random.Random(seats)
    for _ in range(20):
        position = GAME.initial_position(seats, GAME.normalise_options({}))
        plies = 0
        while (move := ply(position, rng)) is not None:
            position = GAME.play(position, move)
            if rng.random() < 0.03 and len(position.playing) > 2:
                position = GAME.leave(position, rng.choice(position.playing))
            plies += 1
            assert plies < 2000
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
