"""LL-1.12 to LL-1.16: who starts, where the boards lie, how the pieces are dealt."""

from __future__ import annotations

import random

import pytest

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw, OneOf, Permutation
from pbem.games.game import Chance, ChanceResult, GameOver, Seat
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.deals import DEALS, deal, deal_number
from pbem.games.looney_ludo.position import Phase
from tests.games.looney_ludo.situations import new, part, played, rolled, squares


def due(position: Position) -> Draw:
    turn = GAME.turn(position)
    assert isinstance(turn, Chance)
    return turn.draw


# --- who starts --------------------------------------------------------------------------------


def test_those_who_tie_for_the_highest_number_roll_again() -> None:
    # LL-1.14
    position = new(4)
    assert due(position) == Draw("roll-off", (Dice(4, 6),))
    position = played(position, "* Red 5, Yellow 6, Green 2, Blue 6")
    assert position.tied == (2, 4)
    assert due(position) == Draw("roll-off", (Dice(2, 6),))
    position = played(position, "* Yellow 3, Blue 3", "* Yellow 1, Blue 4")
    assert (position.to_act, position.phase) == (4, Phase.LAYOUT)


def test_with_a_given_starter_nothing_is_rolled() -> None:
    # LL-5.1
    assert due(new(3, starter="given")).name == "layout"
    position = rolled(new(3, starter="given"), random.Random(1))
    assert position.to_act == 1


def test_the_next_seat_follows_the_starter() -> None:
    rng = random.Random(3)
    position = played(new(3), "* Red 1, Yellow 2, Green 6")
    for seat in (3, 1, 2, 3):
        position = rolled(position, rng)
        assert position.to_act == seat
        position = GAME.play(position, GAME.read_notation("pass", position))


# --- where the boards lie ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "colours", "boards"),
    [
        (2, "rb", "Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW"),
        (2, "rygbpo", "Red B2 SE, Green C2 SW, Blue B3 NE, Yellow C3 NW"),
        (3, "rgp", "Red B2 SE, Green C2 SW, Yellow B3 NE, Purple C3 NW"),
        (4, "rygbpo", "Red B2 SE, Yellow C2 SW, Blue B3 NE, Green C3 NW"),
        (5, "rygbpo", "Red C2 SE, Blue B3 NE, Purple C3 NW, Yellow D3 SW, Green C4 NW"),
        (
            6,
            "rygbpo",
            "Red B2 SE, Yellow C2 SE, Green D2 SW, Orange B3 NE, Purple C3 NW, Blue D3 NW",
        ),
    ],
)
def test_the_starting_slots(seats: int, colours: str, boards: str) -> None:
    # LL-1.2, LL-1.12, LL-1.15
    position = new(seats, colours=colours, starter="given")
    if seats > 2:
        count = max(4, seats)
        assert due(position) == Draw("layout", (Permutation(count),))
        position = GAME.play(position, ChanceResult(tuple(range(count))))
    assert part(position, "boards") == boards
    assert due(position) == Draw("deal", (OneOf(DEALS[seats]),))


# --- how the pieces are dealt --------------------------------------------------------------------


@pytest.mark.parametrize(("players", "count"), [(2, 2), (3, 2), (4, 24), (5, 1344)])
def test_all_deals_are_different_and_have_their_number(players: int, count: int) -> None:
    # LL-1.16
    assert DEALS[players] == count
    deals = [deal(number, players, 0) for number in range(count)]
    assert len(set(deals)) == count
    for number, cups in enumerate(deals):
        assert deal_number(cups, players, 0) == number
    with pytest.raises((ValueError, IndexError)):
        deal(count, players, 0)


def test_deals_of_six_are_found_by_their_number() -> None:
    for number in (0, 1, 200_000, DEALS[6] - 1):
        assert deal_number(deal(number, 6, 0), 6, 0) == number
    with pytest.raises(ValueError, match="no such deal"):
        deal(DEALS[6], 6, 0)


def test_random_setups_keep_what_any_setup_keeps() -> None:
    # LL-1.16, LL-11.9
    rng = random.Random(2)
    for seats in [2, 3, 4, 5, 6] * 20:
        stacks = squares(rolled(new(seats), rng))
        letters = "RYGBPO"[:seats]
        pieces = [piece for stack in stacks.values() for piece in stack.split("<")]
        assert sorted(pieces) == sorted(letter + size for letter in letters for size in "sml")
        for square, stack in stacks.items():
            assert square.endswith(".c")
            assert square[0] not in {piece[0] for piece in stack.split("<")}
            if seats > 3:
                assert [piece[1] for piece in stack.split("<")] == ["l", "m", "s"]
                assert len({piece[0] for piece in stack.split("<")}) == 3


def test_two_players_get_each_others_mediums() -> None:
    # LL-1.16a
    neutral = {0: {"Y.c": "Rl<Bs", "G.c": "Bl<Rs"}, 1: {"Y.c": "Bl<Rs", "G.c": "Rl<Bs"}}
    for number, stacks in neutral.items():
        position = GAME.play(new(2, colours="rb", starter="given"), ChanceResult((number,)))
        assert squares(position) == {"R.c": "Bm", "B.c": "Rm", **stacks}


# --- colours -----------------------------------------------------------------------------------


def test_colours_are_recorded_with_all_letters() -> None:
    # LL-1.2
    recorded = GAME.normalise_options({"colours": "Purple-orange"})
    assert recorded["colours"] == "porygb"
    assert GAME.normalise_options(recorded) == recorded
    assert part(GAME.initial_position(2, recorded), "seats") == "Purple, Orange"
    assert part(GAME.initial_position(4, recorded), "seats") == "Purple, Orange, Red, Yellow"
    with pytest.raises(Rejection, match="bad_option"):
        GAME.normalise_options({"colours": "rr"})


def test_seats_may_leave_during_the_setup() -> None:
    position = GAME.leave(new(3), Seat(2))
    assert due(position) == Draw("roll-off", (Dice(2, 6),))
    position = GAME.leave(position, Seat(1))
    assert isinstance(GAME.turn(position), GameOver)
    position = played(new(3), "* Red 6, Yellow 2, Green 1")
    position = rolled(GAME.leave(position, Seat(1)), random.Random(1))
    assert position.to_act == 2
