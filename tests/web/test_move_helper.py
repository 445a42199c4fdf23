"""Moves put together piece by piece: every legal one can be, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.game import Seat, Seats
from pbem.web.move_helper import MOST, Help, help_on, named_in
from tests.games.test_pictures import played

PLIES = (3, 9, 24, 40)


def positions() -> Iterator[tuple[str, AnyGame, Any, Seat]]:
    for game in GAMES.values():
        for plies in PLIES:
            at = plies
            while True:
                position, _ = played(game, game.seats[-1], at)
                turn = game.turn(position)
                if isinstance(turn, Seats):
                    yield f"{game.key}-{plies}", game, position, turn.seats[0]
                    break
                if at > plies + 10:
                    break
                at += 1


@pytest.fixture(params=list(positions()), ids=lambda case: case[0])
def here(request: pytest.FixtureRequest) -> tuple[AnyGame, Any, Seat]:
    _, game, position, seat = request.param
    return game, position, seat


def on(help_: Help, move: str) -> str | None:
    """The text that goes on towards a move, by a choice or by a place."""
    texts = [choice.text for choice in help_.choices]
    texts += [text for ways in help_.places.values() for text in ways]
    fitting = [text for text in texts if move.startswith(text) and text != help_.text]
    return max(fitting, key=len) if fitting else None


def test_every_legal_move_can_be_put_together(
    here: tuple[AnyGame, Any, Seat], pytestconfig: pytest.Config
) -> None:
    game, position, seat = here
    legal = [game.notation(move) for move in game.legal(position)]
    tried = 40 if pytestconfig.getoption("--slow") else 10
    helped = cache(partial(help_on, game, position, seat))  # most moves begin as others do
    for move in legal[:: max(1, len(legal) // tried)]:
        help_ = helped("")
        for _ in range(30):
            if help_.text == move:
                break
            text = on(help_, move)
            assert text is not None, (move, help_.text)
            help_ = helped(text)
        assert help_.text == move
        assert help_.whole


def test_what_may_be_chosen_begins_a_legal_move(here: tuple[AnyGame, Any, Seat]) -> None:
    game, position, seat = here
    legal = [game.notation(move) for move in game.legal(position)]
    help_ = help_on(game, position, seat, "")
    assert len(help_.choices) < MOST
    begun = (help_.text, *(choice.text for choice in help_.choices))
    rest = [move for move in legal if not move.startswith(begun[1:]) and move != begun[0]]
    assert not rest
    legal += [other for move in legal for other in game.orders(move, "")]
    for text in (choice.text for choice in help_.choices):
        assert any(move.startswith(text) for move in legal)
    for name, texts in help_.places.items():
        assert all(text.endswith(name) for text in texts)
        assert all(any(move.startswith(text) for move in legal) for text in texts)


def test_only_what_is_asked_now_is_a_place_to_tap(here: tuple[AnyGame, Any, Seat]) -> None:
    """So no tap leads two steps deep, and whatever can be tapped is of one kind."""
    game, position, seat = here
    help_ = help_on(game, position, seat, "")
    skipped = {
        len(named_in(text, len(help_.begun)))
        for texts in help_.places.values()
        for text in texts
        if text != help_.begun
    }
    assert len(skipped) <= 1, help_.places


def test_the_size_that_replaces_is_said_to_be_chosen() -> None:
    game, found = GAMES["landrush-1"], 0
    for plies in range(10, 60):
        position, _ = played(game, 2, plies)
        turn = game.turn(position)
        if not isinstance(turn, Seats):
            continue
        for text in {game.notation(move) for move in game.legal(position)}:
            begun, takes, _ = text.partition(" x ")
            help_ = help_on(game, position, turn.seats[0], begun)
            facts: Any = help_.half.facts
            if takes and facts["kind"] == "replace":
                found += 1
                assert help_.text.endswith(f"={facts['chosen']}")
                assert facts["left"][facts["chosen"]] > 0
    assert found


def test_places_lie_on_the_picture(here: tuple[AnyGame, Any, Seat]) -> None:
    game, position, seat = here
    from pbem.games.game import Marks

    marks: Marks[Any, Any] = Marks()
    picture = game.picture(position, seat, marks)
    wide, high = map(float, picture.split('viewBox="0 0 ')[1].split('"')[0].split())
    for place in game.places(position, seat):
        assert 0 < place.x < wide, place
        assert 0 < place.y < high, place


def test_a_turn_of_looney_ludo_goes_on_step_by_step(pytestconfig: pytest.Config) -> None:
    game = GAMES["looney_ludo-1"]
    for plies in range(3, 60, 1 if pytestconfig.getoption("--slow") else 4):
        position, _ = played(game, 2, plies)
        turn = game.turn(position)
        if not isinstance(turn, Seats):
            continue
        for move in game.legal(position):
            for more in game.longer(position, move):
                text = game.notation(more)
                assert game.notation(game.parse(text, position, turn.seats[0])) == text
                assert help_on(game, position, turn.seats[0], text).whole
                break


def test_words_are_whole() -> None:
    """c1 is not the beginning of c12."""
    game = GAMES["landrush-1"]
    position = game.initial(2, game.normal_options({}))
    position, _ = played(game, 2, 2)
    help_ = help_on(game, position, Seat(1), "c1")
    assert all(not choice.text.startswith("c12") for choice in help_.choices)


def test_nonsense_is_kept_and_leads_nowhere() -> None:
    game = GAMES["logger-1"]
    position = game.initial(2, game.normal_options({}))
    help_ = help_on(game, position, Seat(1), "what now?")
    assert (help_.text, help_.whole, help_.choices) == ("what now?", False, ())


@pytest.mark.parametrize("seats", [2, 6])
def test_boards_turn_in_the_order_in_which_they_are_named(seats: int) -> None:
    """Of six boards there are thousands of turns, and each is found at once."""
    game = GAMES["looney_ludo-1"]
    position, _ = played(game, seats, 9 if seats > 2 else 3)
    [seat] = game.turn(position).seats  # type: ignore[union-attr]
    help_ = help_on(game, position, seat, "aim Yellow cw")
    assert help_.whole
    assert "aim Yellow cw, Blue" in {choice.text for choice in help_.choices}
    both = help_on(game, position, seat, "aim Yellow cw, Blue 180")
    assert (both.text, both.whole) == ("aim Blue 180, Yellow cw", True)
    assert both.back == "aim Blue 180, Yellow"


def test_one_step_back_is_what_was_chosen_last(here: tuple[AnyGame, Any, Seat]) -> None:
    game, position, seat = here
    help_ = help_on(game, position, seat, "")
    assert help_.back is None or help_.text
    for _ in range(4):
        if not help_.choices:
            break
        before, help_ = help_, help_on(game, position, seat, help_.choices[0].text)
        assert help_.back is not None
        assert len(help_.back) < len(help_.text)
        assert help_on(game, position, seat, help_.back).begun == before.begun
