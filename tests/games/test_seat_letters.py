"""The letters that tell seats apart: the players' own where they can be, and never another's."""

from __future__ import annotations

import pytest

from pbem.games import GAMES
from pbem.games.game import Seat, Style
from pbem.games.seat_letters import choose_seat_letters

RESERVED = GAMES["logger-1"].reserved_letters


@pytest.mark.parametrize(
    ("names", "signs"),
    [
        (("Bob", "Alice"), "BA"),
        (("bob", "émile", "Zoë"), "BEZ"),
        (("Bob", "Bert"), "AC"),  # B begins the name of the other one, for both
        (("Adam", "Alice", "Bea"), "CDB"),
        (("Yann", "Bob"), "AB"),  # Y is a sapling
        (("Xaver", "Paul", "Tom", "Ida"), "ABCD"),  # notation and trees
        (("東京", "Анна"), "AB"),
        (("東京", "Bob"), "AB"),
        (("", "Alice"), "BA"),  # somebody whose name is not known any more
        (("7of9", "Bert", "Bob"), "ACD"),
    ],
)
def test_the_letters_of_seats(names: tuple[str, ...], signs: str) -> None:
    assert "".join(choose_seat_letters(names, RESERVED)) == signs


def test_where_colours_tell_seats_apart_there_are_none() -> None:
    assert [game.key for game in GAMES.values() if game.reserved_letters is not None] == ["logger"]
    assert choose_seat_letters(("Bob", "Alice"), None) == ()


@pytest.mark.parametrize("style", Style)
def test_a_board_is_drawn_with_the_letters_that_it_is_given(style: Style) -> None:
    game = GAMES["logger-1"]
    position = game.load("loggers b3, d2; trees a4=1; scores 1, 0; hands 2, 2; to move 1")
    board = game.board(position, Seat(2), style, ("Q", "Z"))
    assert sum(line.count("Q") for line in board.lines) == 1
    assert sum(line.count("Z") for line in board.lines) == 1
    seats = board.facts["seats"]
    assert [(seat["letter"], seat["you"]) for seat in seats] == [("Q", False), ("Z", True)]  # type: ignore[union-attr, index, call-overload]
