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
    _parted,
    analyse,
    can_analyse,
    piece,
    put_together,
    slim,
)
from pbem.bots.leading import ALL
from pbem.bots.levels import best_effort, levels, lively_move, move_of
from pbem.bots.luck import seeded
from pbem.bots.reasons import Reason
from pbem.bots.search import weighed
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


def turn_of(at: int, better: int, worth: int, sure: int = 0) -> Piece:
    side = Side(move="x", worth=worth, sure=sure)
    turn = Turn(at=at, ply=at, seat=Seat(1), played=side, better=Side(move="y", worth=better))
    return Piece(at=at, ply=at, leads=(better, -better), turn=turn)


def test_those_that_lost_most_are_told_in_their_order() -> None:
    pieces = [
        turn_of(1, 100, 0),
        turn_of(2, 900, 700),
        turn_of(3, 50, 10),
        turn_of(4, 0, -300),
        turn_of(5, 200, 0, -ALL),
    ]
    found = put_together(pieces)
    assert [one.turn.at for one in found.turns] == [2, 4, 5]
    assert [one.lost for one in found.turns] == [200, 300, 200 + found.most]
    assert [one.chances for one in found.turns] == [False, False, True]
    kept = slim(pieces)
    assert [one.at for one in kept if one.turn is not None] == [2, 4, 5]
    assert put_together(kept).turns == found.turns


def test_chances_are_told_where_some_answers_win() -> None:
    assert Side(move="x", worth=0, sure=ALL // 4).chances == 25
    assert Side(move="x", worth=0, sure=-ALL).chances == -100
    assert Side(move="x", worth=900).chances == 0


@pytest.mark.parametrize("cases", [1, 5, 8, 25])
@pytest.mark.parametrize("points", [-5000, -1, 0, 12, 5000])
def test_points_and_wins_of_an_average_are_told_apart(points: int, cases: int) -> None:
    for won in range(-cases + 1, cases):
        of_all = points * (cases - abs(won)) // cases
        found = _parted((won * WON + points * (cases - abs(won))) // cases, cases)
        assert abs(found.points - of_all) <= 1
        assert found.sure == won * ALL // cases
    assert _parted(WON, cases) == (0, ALL)
    assert _parted(-2 * WON, cases) == (0, -ALL)


def test_no_bot_looks_at_more_cases_than_can_be_told_apart() -> None:
    for game in GAMES.values():
        effort = best_effort(game)
        if effort is not None:
            cases = effort.draws ** (effort.ahead - 1) * max(1, effort.worlds)
            assert WON // (2 * cases) > 2 * FAR


FAR = 8_000
"""More than anybody leads by in a match that goes on: eighty points that a nest still needs."""


def test_a_win_in_some_cases_does_not_hide_the_points_of_the_others() -> None:
    # A lead of twelve points, and in half of the cases even a win: that is more than of eleven.
    before = Piece(at=1, ply=1, leads=(1100, -1100))
    after = Piece(at=2, ply=2, leads=(600, -600), sure=(ALL // 2, -ALL // 2))
    found = put_together([before, after])
    assert found.leads[1][0] > found.leads[0][0]
    assert found.leads[1][0] < found.most


def test_what_is_told_to_be_better_is_so_by_other_luck() -> None:
    game, passed = BY_KEY["landrush"], played("landrush", 2)
    effort = best_effort(game)
    assert effort is not None
    told, cases = 0, effort.draws ** (effort.ahead - 1)
    for at, one in enumerate(passed, 1):
        turn = piece(game, one, at, len(passed), "seed").turn if one.seat else None
        if turn is None or turn.better.worth - turn.played.worth <= LITTLE:
            continue
        told += 1
        moves = [game.read(side.move, one.before) for side in (turn.better, turn.played)]
        lost = []
        for number in range(10):
            seed = f"another {number}"
            looked = weighed(game, one.before, turn.seat, seed, effort, moves).found
            better, was = (_parted(side.worth, cases).felt for side in looked)
            lost.append(better - was)
        assert sum(lost) / len(lost) > LITTLE / 2
    assert told


def test_only_what_somebody_has_judged_can_be_analysed() -> None:
    assert all(can_analyse(game) for game in GAMES.values() if len(levels(game)) > 1)
