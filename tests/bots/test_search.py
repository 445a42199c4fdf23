"""The search: it sees what anybody sees who looks at everything, within its effort, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from pbem.bots.levels import choose_random_move
from pbem.bots.luck import seeded
from pbem.bots.search import Effort, search
from pbem.games import GAMES, AnyGame
from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver, Seat, Seats

LOGGER = GAMES["logger-1"]


def played(game: AnyGame, plies: int, seed: str, seats: int = 0) -> Any:
    """A position in which a seat is to act, after some plies at random."""
    choose = seeded(seed)
    position = game.initial_position(seats or game.seats[0], game.normalise_options({}))
    while True:
        turn = game.turn(position)
        assert not isinstance(turn, GameOver)
        if isinstance(turn, Chance):
            drawn = sample(turn.draw, iter(lambda: choose(256), -1))
            position = game.play(position, ChanceResult(drawn))
        elif plies:
            position, plies = (
                game.play(position, choose_random_move(game, position, choose)),
                plies - 1,
            )
        else:
            return position


def to_act(game: AnyGame, position: Any) -> Seat:
    turn = game.turn(position)
    assert isinstance(turn, Seats)
    return turn.seats[0]


def lead(game: AnyGame, position: Any, seat: int) -> int:
    values = game.evaluate(position)
    return values[seat - 1] - max(one for at, one in enumerate(values, 1) if at != seat)


def whole(game: AnyGame, position: Any, seat: Seat, ahead: int) -> int:
    """What a position is worth by looking at everything, where nothing is drawn."""
    if ahead == 0 or isinstance(game.turn(position), GameOver):
        return lead(game, position, seat)
    forced = game.forced_move(position)
    if forced is not None:
        return whole(game, game.play(position, forced), seat, ahead)
    best: Callable[..., int] = max if to_act(game, position) == seat else min
    afters = (game.play(position, move) for move in game.legal_moves(position))
    return best(whole(game, after, seat, ahead - 1) for after in afters)


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("plies", [5, 9, 14])
def test_it_finds_what_looking_at_everything_finds(seats: int, plies: int) -> None:
    position = played(LOGGER, plies, "a", seats)
    seat = to_act(LOGGER, position)
    found = search(
        LOGGER, position, seat, seeded("b"), Effort(max_plays=10**6, depth=2, breadth=1_000)
    )
    worth = {
        LOGGER.notation(move): whole(LOGGER, LOGGER.play(position, move), seat, 1)
        for move in LOGGER.legal_moves(position)
    }
    best = max(worth.values())
    assert {LOGGER.notation(one.move) for one in found if one.worth == found[0].worth} == {
        text for text, one in worth.items() if one == best
    }
    assert found[0].worth == best


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_it_plays_no_more_than_it_may_and_only_what_is_legal(game: AnyGame) -> None:
    for plies in (0, 6, 11):
        position = played(game, plies, "c")
        seat = to_act(game, position)
        for plays in (1, 7, 300):
            effort = Effort(max_plays=plays, depth=3, breadth=4, guess_count=2)
            play = Mock(wraps=game.play)
            counted = replace(game, play=play, forced_move=lambda _: None)  # forced moves are free
            assert search(counted, position, seat, seeded("d"), effort)
            assert play.call_count <= plays
            found = search(game, position, seat, seeded("d"), effort)
            again = search(game, position, seat, seeded("d"), effort)
            assert [one.move for one in found] == [one.move for one in again]
            for one in found[:10]:
                text = game.notation(one.move)
                game.play(position, game.read_notation(text, position))


def test_a_win_is_taken_on_sight_and_none_is_handed_over() -> None:
    game = GAMES["logan_stones-1"]
    effort = Effort(max_plays=10**6, depth=2, breadth=40, counts_only_ends=True)
    wins = handed = 0
    for number in range(30):
        try:
            position = played(game, 9 + number % 6, f"e {number}")
        except AssertionError:
            continue  # it was over before
        seat = to_act(game, position)
        best, *_ = search(game, position, seat, seeded("f"), effort)
        won = [
            move
            for move in game.legal_moves(position)
            if game.outcome(game.try_move(position, move, seat)) is not None
        ]
        after = game.play(position, best.move)
        if won:
            wins += 1
            assert game.outcome(game.try_move(position, best.move, seat)) is not None
        elif best.worth > -10_000:
            other = to_act(game, after)
            known = game.redact(after, seat)
            handed += any(
                game.outcome(game.play(known, move)) is not None for move in game.legal_moves(known)
            )
            assert other != seat
    assert wins > 3
    assert handed == 0
