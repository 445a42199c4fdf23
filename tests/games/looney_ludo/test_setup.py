"""LL-1.12 to LL-1.16: who starts, where the boards lie, how the pieces are dealt."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from pbem.errors import Rejection
from pbem.games.chance import Dice, Draw, OneOf, Permutation
from pbem.games.game import Chance, ChanceResult, GameOver, Seat
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.deals import DEALS, deal, deal_number, latin_rows
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


def test_two_players_begin_on_opposite_corners() -> None:
    # LL-1.2, LL-1.15
    position = new(2, colours="rb", starter="given")
    assert due(position) == Draw("deal", (OneOf(2),))
    assert part(position, "boards") == "Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW"


@pytest.mark.parametrize(
    ("seats", "colours", "boards"),
    [
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
    # LL-1.12
    position = new(seats, colours=colours, starter="given")
    if seats > 2:
        count = max(4, seats)
        assert due(position) == Draw("layout", (Permutation(count),))
        position = GAME.play(position, ChanceResult(tuple(range(count))))
    assert part(position, "boards") == boards


def test_every_arrangement_of_the_boards_can_come() -> None:
    # LL-1.15
    position = new(3, starter="given")
    seen = {
        part(GAME.play(position, ChanceResult(order)), "boards") for order in permutations(range(4))
    }
    assert len(seen) == 24


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


def rectangles(width: int) -> int:
    """How many ways to put three permutations under the first row, counted by brute force."""
    rows = list(permutations(range(width)))

    def fits(row: tuple[int, ...], above: tuple[int, ...]) -> bool:
        return all(one != other for one, other in zip(row, above, strict=True))

    first = [row for row in rows if fits(row, rows[0])]
    agree = {row: {other for other in first if fits(row, other)} for row in first}
    return sum(len(agree[one] & agree[two]) for one in first for two in agree[one])


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_number_of_deals_is_that_of_a_brute_count(players: int) -> None:
    assert rectangles(players) == DEALS[players]


def test_deals_of_six_are_found_by_their_number() -> None:
    rng = random.Random(6)
    numbers = [0, DEALS[6] - 1, *(rng.randrange(DEALS[6]) for _ in range(150))]
    seen = set()
    for number in numbers:
        cups = deal(number, 6, 0)
        seen.add(cups)
        assert deal_number(cups, 6, 0) == number
    assert len(seen) == len(set(numbers))
    with pytest.raises(ValueError, match="no such deal"):
        latin_rows(DEALS[6], 6)


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


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("rygbpo", "rygbpo"),
        ("rb", "rbygpo"),
        ("RB", "rbygpo"),
        ("red-blue", "rbygpo"),
        ("Purple-Orange-green", "pogryb"),
        ("o", "orygbp"),
    ],
)
def test_colours_are_recorded_with_all_letters(typed: str, normal: str) -> None:
    # LL-1.2
    assert GAME.normalise_options({"colours": typed})["colours"] == normal


@pytest.mark.parametrize("typed", ["", "rr", "rx", "red-red", "rygbpor", "-"])
def test_other_colours_are_refused(typed: str) -> None:
    with pytest.raises(Rejection) as caught:
        GAME.normalise_options({"colours": typed})
    assert caught.value.code == "bad_option"


def test_the_recorded_colours_are_taken_by_any_number_of_seats() -> None:
    recorded = GAME.normalise_options({"colours": "po"})
    assert GAME.normalise_options(recorded) == recorded
    assert part(GAME.initial_position(2, recorded), "seats") == "Purple, Orange"
    assert part(GAME.initial_position(4, recorded), "seats") == "Purple, Orange, Red, Yellow"


def test_seats_may_leave_during_the_setup() -> None:
    position = GAME.leave(new(3), Seat(2))
    assert due(position) == Draw("roll-off", (Dice(2, 6),))
    position = GAME.leave(position, Seat(1))
    assert isinstance(GAME.turn(position), GameOver)
    position = played(new(3), "* Red 6, Yellow 2, Green 1")
    position = rolled(GAME.leave(position, Seat(1)), random.Random(1))
    assert position.to_act == 2
