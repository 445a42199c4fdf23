"""Hints: a legal move in every position, by nothing that is hidden, and reasons that are true."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from pbem.legacy.bots.hints import Hint, hint
from pbem.legacy.bots.levels import EASY, knows_worth
from pbem.bots.luck import seeded
from pbem.legacy.bots.reasons import after_reply
from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat, Seats
from tests.legacy.bots.test_levels import plies

EACH = [pytest.param(game, id=game.key) for game in GAMES.values() if knows_worth(game)]
SEEDS, FAR = 4, 60


@cache
def hints(game: AnyGame, seed: str, step: int = 7) -> list[tuple[Any, Seat, Hint]]:
    """Some positions of a game, whose turn it is there, and the hint: looked for once."""
    found = []
    for position, _ in islice(plies(game, EASY, seeded(seed), seeded("dice")), 0, FAR, step):
        turn = game.turn(position)
        assert isinstance(turn, Seats)
        found.append((position, turn.seats[0], hint(game, position, turn.seats[0], seeded("h"))))
    return found


@pytest.mark.parametrize("game", EACH)
def test_a_hint_is_a_move_that_can_be_typed_and_played(game: AnyGame) -> None:
    for seed in range(SEEDS):
        for position, seat, found in hints(game, f"{seed}"):
            typed = game.notation(found.move)
            assert game.parse(typed, position, seat) == found.move
            game.play(position, found.move)


@pytest.mark.parametrize("game", EACH)
def test_a_hint_is_the_same_whenever_it_is_asked_for(game: AnyGame) -> None:
    for position, seat, found in hints(game, "0"):
        assert hint(game, position, seat, seeded("h")) == found


@pytest.mark.parametrize("game", EACH)
def test_a_hint_at_first_sight_is_one_as_well(game: AnyGame) -> None:
    for position, seat, _ in hints(game, "0")[::3]:
        found = hint(game, position, seat, seeded("h"), quick=True)
        game.play(position, game.parse(game.notation(found.move), position, seat))


@pytest.mark.parametrize("game", EACH)
def test_what_is_said_of_a_move_is_so_on_the_board(game: AnyGame) -> None:
    said = 0
    for seed in range(SEEDS):
        for position, seat, found in hints(game, f"{seed}"):
            known = game.known(position, seat)
            after = game.play(known, found.move)
            outcome = game.outcome(after)
            assert (outcome is not None) == (found.why in ("wins", "over"))
            if outcome is not None:
                alone = outcome.placings.count(1) == 1 and outcome.placings[seat - 1] == 1
                assert alone == (found.why == "wins")
                continue
            later = after_reply(game, after, seat, seeded("h")).position if found.later else after
            for reasons, then in ((found.now, after), (found.later, later)):
                for one in reasons:
                    counts = [
                        sum(term.number for term in terms[one.seat - 1] if term.name == one.term)
                        for terms in (game.terms(known), game.terms(then))
                    ]
                    assert counts == [one.had, one.has]
                    assert one.worth > 0
                    said += 1
    assert said > 3 or game.secrets


@pytest.mark.parametrize("game", [one for one in GAMES.values() if one.secrets])
def test_what_is_hidden_changes_no_hint(game: AnyGame) -> None:
    told = 0
    for position, seat, found in hints(game, "a", step=2):
        others = [game.worlds(position, seat, seeded(f"{other}")) for other in range(3)]
        assert {hint(game, one, seat, seeded("h")) for one in others} == {found}
        told += len({position, *others}) > 1
    assert told > 3


@pytest.mark.parametrize(("own", "other", "why"), [(9, 0, "wins"), (0, 9, "saves")])
def test_a_win_is_named_and_so_is_what_keeps_another_from_winning(
    own: int, other: int, why: str
) -> None:
    game = GAMES["logger-1"]
    found = None
    for seed in range(60):
        for position, _ in islice(plies(game, EASY, seeded(f"{seed}"), seeded("d")), 12, 40, 3):
            turn = game.turn(position)
            assert isinstance(turn, Seats)
            seat = turn.seats[0]
            scores = (own, other) if seat == 1 else (other, own)
            near = replace(position, scores=scores)
            told = hint(game, near, seat, seeded("h"))
            if told.why == why:
                found = (near, seat, told)
                break
        if found:
            break
    assert found is not None
    near, seat, told = found
    rival = Seat(3 - seat)
    after = game.play(near, told.move)
    if why == "wins":
        assert game.outcome(after).placings[seat - 1] == 1  # type: ignore[union-attr]
        return
    assert told.whom == rival
    assert not _wins(game, after, rival)
    others = [game.play(near, move) for move in game.legal(near) if move != told.move]
    assert 2 * sum(_wins(game, one, rival) for one in others) > len(others)


def _wins(game: AnyGame, position: Any, seat: Seat) -> bool:
    ends = (game.outcome(game.play(position, move)) for move in game.legal(position))
    return any(end is not None and end.placings[seat - 1] == 1 for end in ends)
