"""What is found of matches that are over: what is told is so on the boards, and always the same."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.bots.analysis import (
    DECIDED,
    LITTLE,
    Analysis,
    Passed,
    Piece,
    Side,
    Turn,
    analyse,
    can_analyse,
    piece,
    put_together,
    slim,
)
from pbem.bots.levels import levels, lively_move, move_of
from pbem.bots.luck import seeded
from pbem.bots.reasons import Reason
from pbem.games import GAMES, AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat
from pbem.games.worth import WON

BY_KEY = {game.key: game for game in GAMES.values()}
LATE = {"looney_ludo": {"turn_cap": "50"}}


@cache
def played(key: str, seats: int, level: str = "easy") -> tuple[Passed, ...]:
    """A match of bots: each change of the board."""
    game = BY_KEY[key]
    position = game.initial(seats, game.normal_options(LATE.get(key, {})))
    choose, chance = seeded("moves"), seeded("dice")
    found: list[Passed] = []
    while not isinstance(turn := game.turn(position), Over):
        seat, forced = None, None
        if isinstance(turn, Chance):
            move: Any = Drawn(answer(turn.draw, iter(lambda: chance(256), -1)))
        else:
            seat, forced = turn.seats[0], game.forced(position)
            move = forced or (
                lively_move(game, position, choose)
                if level == "lively"
                else move_of(level, game, position, choose)
            )
        after = game.play(position, move)
        found.append(Passed(len(found) + 1, seat, move, position, after, forced is not None))
        position = after
    return tuple(found)


@cache
def looked_at(key: str, seats: int) -> Analysis:
    return analyse(BY_KEY[key], played(key, seats), "seed")


SMALL = [("logger", 2), ("logger", 3), ("logan_stones", 2)]


@pytest.mark.parametrize(("key", "seats"), SMALL)
def test_the_same_match_is_found_the_same(key: str, seats: int) -> None:
    one, again = (analyse(BY_KEY[key], played(key, seats)[:8], "seed") for _ in range(2))
    assert one == again
    assert any(lead for leads in one.leads for lead in leads)


@pytest.mark.parametrize(("key", "seats"), SMALL)
def test_pieces_make_the_whole_in_any_order(key: str, seats: int) -> None:
    game, passed = BY_KEY[key], played(key, seats)[:8]
    at = range(1, len(passed) + 1)
    found = {number: piece(game, passed[number - 1], number, len(passed), "seed")
             for number in reversed(at)}  # fmt: skip
    assert put_together([found[number] for number in at]) == analyse(game, passed, "seed")


@pytest.mark.parametrize(("key", "seats"), SMALL)
def test_who_has_won_leads_at_the_end(key: str, seats: int) -> None:
    game, analysis = BY_KEY[key], looked_at(key, seats)
    outcome = game.outcome(played(key, seats)[-1].after)
    assert outcome is not None
    for place, lead in zip(outcome.placings, analysis.leads[-1], strict=True):
        assert (lead == analysis.most) == (place == 1)
    assert all(abs(lead) <= analysis.most for leads in analysis.leads for lead in leads)


@pytest.mark.parametrize(("key", "seats"), SMALL)
def test_a_better_move_is_legal_and_its_reasons_are_so_on_the_boards(key: str, seats: int) -> None:
    game, analysis = BY_KEY[key], looked_at(key, seats)
    assert 0 < len(analysis.turns) <= DECIDED
    assert [one.turn.at for one in analysis.turns] == sorted(one.turn.at for one in analysis.turns)
    for decided in analysis.turns:
        turn, passed = decided.turn, played(key, seats)[decided.turn.at - 1]
        assert passed.seat == turn.seat
        assert decided.lost > LITTLE
        assert turn.played.move == game.notation(passed.move)
        assert turn.better.move != turn.played.move
        known = game.known(passed.before, turn.seat)
        afters = []
        for side in (turn.played, turn.better):
            after = game.tried(passed.before, game.read(side.move, known), turn.seat)
            game.play(passed.before, game.read(side.move, passed.before))  # it was possible
            afters.append(after)
        for reason in turn.reasons:
            assert (reason.had, reason.has) == tuple(
                number(game, after, reason) for after in afters
            )
        for side, after in zip((turn.played, turn.better), afters, strict=True):
            for seat, reply in side.replies:
                assert game.turn(after).seats[0] == seat  # type: ignore[union-attr]
                after = game.play(after, game.read(reply, after))  # noqa: PLW2901


def number(game: AnyGame, position: Any, reason: Reason) -> int:
    """How many a seat has of what a reason speaks of."""
    terms = {term.name: term for term in game.terms(position)[reason.seat - 1]}
    return terms[reason.term].number if reason.term in terms else 0


def test_later_reasons_are_so_behind_the_answers() -> None:
    game, checked = BY_KEY["logger"], 0
    for decided in looked_at("logger", 2).turns:
        turn = decided.turn
        behind = []
        for side in (turn.played, turn.better):
            position = played("logger", 2)[turn.at - 1].before
            position = game.play(position, game.read(side.move, position))
            for _, reply in side.replies:
                position = game.play(position, game.read(reply, position))
            behind.append(position)
        for reason in turn.later:
            assert (reason.had, reason.has) == tuple(number(game, one, reason) for one in behind)
            checked += 1
    assert checked


def test_what_was_hidden_from_who_moved_changes_nothing() -> None:
    game = BY_KEY["logan_stones"]
    for at, passed in enumerate(played("logan_stones", 2), 1):
        if passed.seat is None or passed.forced:
            continue
        world = game.worlds(passed.before, passed.seat, seeded("another"))
        if world == passed.before:
            continue
        try:
            after = game.play(world, passed.move)
        except Exception:  # noqa: BLE001, S112 - what was hidden was part of the move
            continue
        other = piece(game, passed._replace(before=world, after=after), at, 20, "seed")
        mine = piece(game, passed, at, 20, "seed")
        assert other.turn == mine.turn
        return
    raise AssertionError("nothing was hidden")


@pytest.mark.parametrize("key", ["landrush", "looney_ludo"])
def test_draws_decide_nothing_and_are_told_as_luck(key: str) -> None:
    game, passed = BY_KEY[key], played(key, 2, "lively" if key == "looney_ludo" else "easy")[:6]
    found = [piece(game, one, at, len(passed), "seed") for at, one in enumerate(passed, 1)]
    drawn = [one for one, was in zip(found, passed, strict=True) if isinstance(was.move, Drawn)]
    assert drawn
    assert all(one.drawn and one.turn is None for one in drawn)
    assert any(max(one.leads) for one in found)


def test_a_turn_without_a_choice_decides_nothing() -> None:
    game = BY_KEY["logger"]
    some = next(one for one in played("logger", 2) if one.seat is not None)
    forced = some._replace(forced=True)
    assert piece(game, forced, 1, 10, "seed").turn is None


def turn_of(at: int, better: int, worth: int) -> Piece:
    side = Side(move="x", worth=worth)
    turn = Turn(at=at, ply=at, seat=Seat(1), played=side, better=Side(move="y", worth=better))
    return Piece(at=at, ply=at, leads=(better, -better), turn=turn)


def test_those_that_lost_most_are_told_in_their_order() -> None:
    pieces = [
        turn_of(1, 100, 0),
        turn_of(2, 900, 700),
        turn_of(3, 50, 10),
        turn_of(4, 0, -300),
        turn_of(5, 200, -WON),
    ]
    found = put_together(pieces)
    assert [one.turn.at for one in found.turns] == [2, 4, 5]
    assert [one.lost for one in found.turns] == [200, 300, 200 + found.most]
    kept = slim(pieces)
    assert [one.at for one in kept if one.turn is not None] == [2, 4, 5]
    assert put_together(kept).turns == found.turns


def test_chances_are_told_where_some_answers_win() -> None:
    assert Side(move="x", worth=WON // 4).chances == 25
    assert Side(move="x", worth=-WON - 2000).chances == -100
    assert Side(move="x", worth=900).chances == 0


def test_only_what_somebody_has_judged_can_be_analysed() -> None:
    assert all(can_analyse(game) for game in GAMES.values() if len(levels(game)) > 1)
