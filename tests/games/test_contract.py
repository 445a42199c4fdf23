"""What every game must keep; it plays each of them at random and knows none by name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.bots.levels import random_move
from pbem.errors import Rejection
from pbem.games import GAMES, AnyGame, editions_of, newest
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Seats, Style

MOST_PLIES = 4000
TABLES = [
    pytest.param(game, seats, id=f"{ruleset}-{seats}")
    for ruleset, game in GAMES.items()
    for seats in game.seats
]
GARBAGE = "abcdefghxyzABC0123456789 \n\t.,;:->+*!?'\"()[]{}/\\äß→\x00"
THAT_END = {"looney_ludo": {"turn_cap": "200"}}
"""LL-11.6: random play hardly ever makes a nest."""

every_table = pytest.mark.parametrize(("game", "seats"), TABLES)


@dataclass(frozen=True)
class Step:
    before: Any
    played: Any
    after: Any
    seat: Seat | None


def start(game: AnyGame, seats: int) -> Any:
    return game.initial(seats, game.normal_options(THAT_END.get(game.key, {})))


def walk(game: AnyGame, seats: int, rng: random.Random) -> Iterator[Step]:
    """A random legal game, ply by ply."""
    position = start(game, seats)
    for _ in range(MOST_PLIES):
        turn = game.turn(position)
        if isinstance(turn, Over):
            return
        seat, played = _any_ply(game, position, turn, rng)
        after = game.play(position, played)
        yield Step(position, played, after, seat)
        position = after
    pytest.fail(f"{game.ruleset} does not end in {MOST_PLIES} plies")


def _any_ply(
    game: AnyGame, position: Any, turn: Seats | Chance, rng: random.Random
) -> tuple[Seat | None, Any]:
    match turn:
        case Chance(draw):
            return None, Drawn(answer(draw, iter(lambda: rng.randrange(256), -1)))
        case Seats(acting):
            return rng.choice(acting), random_move(game, position, rng.randrange)


def sampled(game: AnyGame, seats: int, seed: int) -> list[Step]:
    """About 25 steps of a random game, spread over it, the last one included."""
    steps = list(walk(game, seats, random.Random(seed)))
    return steps[:: max(1, len(steps) // 25)] + steps[-1:]


def test_rulesets_are_named_by_key_and_edition() -> None:
    for ruleset, game in GAMES.items():
        assert ruleset == f"{game.key}-{game.edition}"
        assert ruleset in editions_of(game)
        newer = newest(game.key)
        assert newer is not None
        assert newer.edition >= game.edition


@every_table
def test_random_legal_play_ends_with_a_place_for_every_seat(game: AnyGame, seats: int) -> None:
    last = list(walk(game, seats, random.Random(seats)))[-1]
    outcome = game.outcome(last.after)
    assert outcome is not None
    assert outcome.termination
    assert len(outcome.placings) == seats
    assert min(outcome.placings) == 1


@every_table
def test_notation_is_read_back_as_the_same_move(game: AnyGame, seats: int) -> None:
    for step in sampled(game, seats, 2):
        if step.seat is not None:
            text = game.notation(step.played)
            assert game.read(text, step.before) == step.played
            assert game.parse(text, step.before, step.seat) == step.played


@every_table
def test_drawn_values_are_read_back(game: AnyGame, seats: int) -> None:
    for step in walk(game, seats, random.Random(3)):
        if isinstance(step.played, Drawn):
            text = game.chance_notation(step.before, step.played)
            assert game.read_chance(text, step.before) == step.played


@every_table
def test_a_game_is_replayed_from_its_notations(game: AnyGame, seats: int) -> None:
    position = start(game, seats)
    for step in walk(game, seats, random.Random(4)):
        assert position == step.before
        if isinstance(step.played, Drawn):
            text = game.chance_notation(position, step.played)
            position = game.play(position, game.read_chance(text, position))
        else:
            position = game.play(position, game.read(game.notation(step.played), position))
        assert position == step.after


@every_table
def test_positions_survive_as_one_line_of_text(game: AnyGame, seats: int) -> None:
    for step in sampled(game, seats, 5):
        text = game.dump(step.after)
        assert "\n" not in text
        assert game.load(text) == step.after
        assert hash(game.load(text)) == hash(step.after)


@every_table
def test_random_text_is_refused_and_nothing_worse(game: AnyGame, seats: int) -> None:
    rng = random.Random(6)
    for step in sampled(game, seats, 6):
        if step.seat is None:
            continue
        canonical = game.notation(step.played)
        for _ in range(20):
            text = "".join(rng.choices(GARBAGE, k=rng.randrange(30)))
            typo = list(canonical)
            if typo:
                typo[rng.randrange(len(typo))] = rng.choice(GARBAGE)
            for attempt in (text, "".join(typo), canonical + text):
                _try(game, attempt, step.before, step.seat)


def _try(game: AnyGame, text: str, position: Any, seat: Seat) -> None:
    try:
        move = game.parse(text, position, seat)
    except Rejection:
        pass
    else:
        assert game.read(game.notation(move), position) == move
        game.play(position, move)
    with suppress(Rejection):
        game.read(text, position)
    with suppress(Rejection):
        game.load(text)


@every_table
@pytest.mark.parametrize("style", Style)
def test_boards_pass_through_any_mailer(game: AnyGame, seats: int, style: Style) -> None:
    for step in sampled(game, seats, 7):
        for viewpoint in (None, *map(Seat, range(1, seats + 1))):
            board = game.board(step.after, viewpoint, style)
            for line in board.lines:
                assert len(line) <= 72
                assert line == line.rstrip()
                assert not line.startswith((">", "From ", "."))


@every_table
def test_boards_in_both_styles_have_the_same_columns(game: AnyGame, seats: int) -> None:
    for step in sampled(game, seats, 8):
        plain, drawn = (game.board(step.after, None, style).lines for style in Style)
        assert len(plain) == len(drawn)


@every_table
def test_facts_are_json_values(game: AnyGame, seats: int) -> None:
    for step in sampled(game, seats, 9):
        for viewpoint in (None, Seat(1)):
            _assert_fact(game.board(step.after, viewpoint, Style.ASCII).facts)
        if step.seat is not None:
            _assert_fact(game.facts(step.played, step.before, step.after))


def _assert_fact(fact: Any) -> None:
    match fact:
        case dict():
            assert all(isinstance(key, str) for key in fact)
            for value in fact.values():
                _assert_fact(value)
        case list() | tuple():
            for value in fact:
                _assert_fact(value)
        case _:
            assert fact is None or isinstance(fact, str | int), fact


@every_table
def test_any_seat_may_leave_at_any_time(game: AnyGame, seats: int) -> None:
    rng = random.Random(10)
    for step in sampled(game, seats, 10):
        position = step.before
        leaving = rng.sample(range(1, seats + 1), seats)
        for seat in map(Seat, leaving):
            position = game.leave(position, seat)
            turn = game.turn(position)
            if isinstance(turn, Seats):
                assert seat not in turn.seats
                assert game.legal(position)
            assert game.load(game.dump(position)) == position
            game.board(position, seat, Style.ASCII)
        assert isinstance(game.turn(position), Over)


@every_table
def test_a_game_goes_on_to_its_end_after_a_seat_left(game: AnyGame, seats: int) -> None:
    rng = random.Random(11)
    for step in sampled(game, seats, 11)[::5]:
        position = game.leave(step.before, Seat(rng.randrange(seats) + 1))
        for _ in range(MOST_PLIES):
            turn = game.turn(position)
            if isinstance(turn, Over):
                assert len(turn.outcome.placings) == seats
                break
            position = game.play(position, _any_ply(game, position, turn, rng)[1])
        else:
            pytest.fail("it does not end")


@every_table
def test_legal_turns_are_different_and_playable(game: AnyGame, seats: int) -> None:
    for step in sampled(game, seats, 12):
        if step.seat is None:
            continue
        legal = game.legal(step.before)
        assert len({game.notation(move) for move in legal}) == len(legal)
        for move in legal[:50]:
            game.play(step.before, move)


@every_table
def test_a_forced_move_is_the_only_legal_one(game: AnyGame, seats: int) -> None:
    for step in walk(game, seats, random.Random(13)):
        forced = game.forced(step.before) if step.seat is not None else None
        if forced is not None:
            assert list(game.legal(step.before)) == [forced]


@every_table
def test_a_finished_game_takes_no_move(game: AnyGame, seats: int) -> None:
    last = list(walk(game, seats, random.Random(14)))[-1]
    if not isinstance(last.played, Drawn):
        with pytest.raises(Rejection):
            game.play(last.after, last.played)


@every_table
def test_spectators_see_nothing_of_a_secret_draw(game: AnyGame, seats: int) -> None:
    rng = random.Random(15)
    secret = 0
    for step in walk(game, seats, random.Random(15)):
        turn = game.turn(step.before)
        if isinstance(turn, Chance) and turn.draw.secret:
            secret += 1
            _, other = _any_ply(game, step.before, turn, rng)
            for style in Style:
                seen = game.board(step.after, None, style)
                assert seen == game.board(game.play(step.before, other), None, style)
    if not secret:
        pytest.skip("the game has no secret draw")
