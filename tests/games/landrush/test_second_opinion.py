"""The rules against a slow and naive writing of them (LR-1.9, LR-2, LR-4)."""

from __future__ import annotations

import random

import pytest

from pbem.errors import Rejection
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.legal import MAX_CHOICES, count_plays
from pbem.games.landrush.position import (
    PIECES,
    SIZE_LETTERS,
    SQUARES,
    Pass,
    Phase,
    Play,
    Setting,
)
from pbem.games.landrush.rules import is_dead_end
from pbem.games.landrush.scoring import points
from tests.games.landrush import naive
from tests.games.landrush.tables import walk

OPTIONS: list[dict[str, str]] = [{}, {"adj": "8"}, {"sizes": "same"}, {"adj": "8", "sizes": "same"}]
every_option = pytest.mark.parametrize("options", OPTIONS, ids=lambda one: " ".join(one) or "none")


def positions(seed: int, options: dict[str, str], share: float) -> list[Position]:
    rng = random.Random(f"{seed} {options}")
    return [
        position
        for seats in GAME.seats
        for _ in range(6)
        for position in walk(seats, rng, **options)
        if rng.random() < share
    ]


def as_turn(move: Play) -> naive.Turn:
    taken = tuple((SQUARES[square], SIZE_LETTERS[size]) for square, size in move.taken)
    return SQUARES[move.square], SIZE_LETTERS[move.size], taken


def text_of(turn: naive.Turn) -> str:
    square, size, taken = turn
    pairs = " ".join(f"{one}={new}" for one, new in taken)
    return f"{square} {size} x {pairs}" if taken else f"{square} {size}"


@every_option
def test_legal_plays_and_their_outcomes_agree(options: dict[str, str]) -> None:
    takeovers = 0
    for position in positions(1, options, 0.15):
        if position.phase is not Phase.PLAY or count_plays(position) > MAX_CHOICES:
            continue
        of = naive.state(GAME.dump(position))
        expected = naive.legal(of)
        assert count_plays(position) == len(expected)
        moves = [move for move in GAME.legal_moves(position) if isinstance(move, Play)]
        assert {as_turn(move) for move in moves} == expected
        assert (GAME.forced_move(position) == Pass()) == (not expected)
        for turn in expected:
            takeovers += bool(turn[2])
            move = GAME.read_notation(text_of(turn), position)
            got = naive.state(GAME.dump(GAME.play(position, move)))
            assert got.board == naive.played(of, turn)
    assert takeovers


@every_option
def test_any_play_is_judged_alike(options: dict[str, str]) -> None:
    # Any square of the tile, any size, any sizes after x.
    rng = random.Random(2)
    kinds = set()
    for position in positions(2, options, 0.1):
        if position.phase is not Phase.PLAY or count_plays(position) > MAX_CHOICES:
            continue
        of = naive.state(GAME.dump(position))
        assert of.coin is not None
        for square in naive.tile(of.coin):
            turns = set(naive.plays_on(of, of.mover, square))
            captured = [one for one, _ in min(turns)[2]] if turns else []
            for _ in range(4):
                taken = tuple((one, rng.choice("SML")) for one in captured)
                turn = (square, rng.choice("SML"), taken)
                expected = turn in turns
                kinds.add(expected)
                assert is_accepted(position, turn) == expected
    assert kinds == {True, False}


def is_accepted(position: Position, turn: naive.Turn) -> bool:
    try:
        GAME.play(position, GAME.read_notation(text_of(turn), position))
    except Rejection:
        return False
    return True


@every_option
def test_scores_and_the_dead_end_agree(options: dict[str, str]) -> None:
    for position in positions(3, options, 0.03):
        of = naive.state(GAME.dump(position))
        for seat in range(1, position.seats + 1):
            assert points(position, seat) == naive.points(of, position.colour(seat))
        if position.phase in {Phase.DRAW, Phase.PLAY}:
            assert is_dead_end(position) == naive.dead_end(of)


def test_the_dead_end_agrees_on_crowded_boards() -> None:
    # LR-11.7: random games never come near a dead end, so boards are made up here. Pyramids of two
    # colours stand next to each other on them, which neither of the two minds.
    rng = random.Random(5)
    verdicts = set()
    for _ in range(100):
        position = crowded(rng)
        verdict = naive.dead_end(naive.state(GAME.dump(position)))
        assert is_dead_end(position) == verdict
        verdicts.add(verdict)
    assert verdicts == {True, False}


def crowded(rng: random.Random) -> Position:
    """Most of the pyramids of five seats, spread evenly; two seats still play, with a stash."""
    seats, spots = 5, list(range(0, 96, 2))
    rng.shuffle(spots)
    own, sizes = [0] * seats, [0, 0, 0]
    for seat in range(seats):
        for size in range(3):
            for _ in range(PIECES[seats] - (size == 2 or rng.random() < 0.6)):
                if spots:
                    bit = 1 << min(95, spots.pop() + (rng.random() < 0.1))
                    if not sum(own) & bit:
                        own[seat] |= bit
                        sizes[size] |= bit
    small, medium, large = sizes
    setting = Setting(tuple(range(seats)), eight=True, same=rng.random() < 0.5)
    return Position(setting, tuple(own), (small, medium, large), Phase.DRAW, 1, left=(3, 4, 5))
