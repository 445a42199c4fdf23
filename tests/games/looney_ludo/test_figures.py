"""Section 11: exact counts."""

from __future__ import annotations

import random
from collections import deque
from fractions import Fraction
from itertools import product

import pytest

from pbem.games.game import ChanceResult
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.boards import (
    NO_ARROW,
    NO_BOARD,
    SQUARES,
    find_destination,
    list_boards,
)
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.position import CENTRES, Keep, Reroll, WholeTurn
from pbem.games.looney_ludo.steps import Course, take
from tests.games.looney_ludo.situations import (
    PIECES,
    TABLE,
    greedy_game,
    new,
    rolled,
    squares,
    start,
)


def laid(boards: int) -> Position:
    """The start layout LL-1.12 with the boards in the order of their colours."""
    position = new(boards, starter="given")
    return GAME.play(position, ChanceResult(tuple(range(boards))))


def ways(position: Position) -> list[tuple[int, int]]:
    """Every arrow on the table: its square, and where it leads to."""
    return [
        (square, to)
        for board in list_boards(position.slots)
        for square in range(SQUARES * board, SQUARES * (board + 1))
        for way in range(4)
        if (to := find_destination(square, way, position.slots, position.turned)) != NO_ARROW
    ]


@pytest.mark.parametrize(
    ("boards", "arrows", "off", "across"), [(4, 112, 20, 16), (5, 140, 28, 17), (6, 168, 24, 30)]
)
def test_counts_of_arrows(boards: int, arrows: int, off: int, across: int) -> None:
    # LL-11.1
    found = ways(laid(boards))
    assert len(found) == arrows
    assert sum(to == NO_BOARD for _, to in found) == off
    assert sum(to >= 0 and to // 9 != square // 9 for square, to in found) == across


@pytest.mark.parametrize(
    ("boards", "counts"), [(4, (6, 108, 255)), (5, (10, 127, 1023)), (6, (15, 218, 4095))]
)
def test_counts_of_actions(boards: int, counts: tuple[int, int, int]) -> None:
    # LL-11.1
    position = rolled(laid(boards), random.Random(1))
    found = []
    text = GAME.dump(position).split("; dice ")[0]
    for face in ("swap", "hop", "aim"):
        legal = GAME.legal_moves(GAME.load(f"{text}; dice 2 1 {face}"))
        found.append(sum(GAME.notation(move).startswith(face) for move in legal))
    assert tuple(found) == counts
    wild = GAME.legal_moves(GAME.load(f"{text}; dice 2 1 wild"))
    actions = [move for move in wild if not GAME.notation(move)[0].isupper()]
    assert len(actions) == sum(counts) + 3  # with tip, dig and pass


def spaces(position: Position, start_at: int) -> dict[int, int]:
    leading: dict[int, list[int]] = {}
    for square, to in ways(position):
        leading.setdefault(square, []).append(to)
    found, queue = {start_at: 0}, deque([start_at])
    while queue:
        square = queue.popleft()
        for to in leading.get(square, []):
            if to >= 0 and to not in found:
                found[to] = found[square] + 1
                queue.append(to)
    return found


def between(position: Position, one: int, other: int) -> int:
    return spaces(position, CENTRES[one])[CENTRES[other]]


def test_spaces_from_centre_to_centre() -> None:
    # LL-11.2; boards by their place in the list of LL-1.12
    four = laid(4)
    for one, other in product(range(4), repeat=2):
        if one != other:
            assert between(four, one, other) == (6 if abs(one - other) == 2 else 5)
    five = laid(5)
    north, east, south, west, middle = range(5)
    assert [between(five, middle, arm) for arm in (north, east, south, west)] == [5, 3, 3, 5]
    assert {between(five, arm, middle) for arm in range(4)} == {5}
    for arm in range(4):
        assert between(five, arm, (arm + 1) % 4) == 6
        assert between(five, arm, (arm + 2) % 4) == 8


def test_every_square_reaches_every_centre() -> None:
    # LL-11.2
    for boards in (4, 5, 6):
        position = laid(boards)
        for square in range(SQUARES * boards):
            assert {CENTRES[board] for board in range(boards)} <= spaces(position, square).keys()


def ends(position: Position, points: int, *, dig: bool = False, swaps: bool = False) -> int:
    """In how many different positions a turn can end."""
    seen = set()
    queue: list[WholeTurn] = [WholeTurn()]
    while queue:
        turn = queue.pop()
        course = Course(position)
        course.points, course.dig = points, dig
        for step in turn.steps:
            take(course, step)
        state = (tuple(course.stacks), course.slots, course.points, course.free)
        if state in seen:
            continue
        seen.add(state)
        more = open_moves(course) + (open_actions(course) if swaps else [])
        queue += [WholeTurn(turn.steps + one.steps) for one in more]
    return len({state[:2] for state in seen})


def test_positions_that_a_turn_can_end_in() -> None:
    # LL-11.3: movement only
    swap, dig, points = start("2 1 swap"), start("2 1 dig"), range(1, 8)
    assert [ends(swap, number) for number in points] == [4, 11, 25, 49, 87, 147, 233]
    with_dig = [7, 30, 100, 293, 773, 1873, 4233]
    assert [ends(dig, number, dig=True) for number in points] == with_dig
    assert [ends(swap, number, swaps=True) for number in (4, 5)] == [398, 730]


def test_the_greater_of_two_dice() -> None:
    # LL-11.4
    rolls = list(product(range(1, 7), repeat=2))
    positions = [GAME.load(f"{TABLE}{PIECES}dice {a} {b} hop") for a, b in rolls]
    points = [position.roll.points for position in positions if position.roll is not None]
    assert Fraction(sum(points), 36) == Fraction(161, 36)
    faces = ("tip", "dig", "swap", "hop", "aim", "wild")
    due = sum(start(f"{a} {b} {face}").phase == "doubles" for a, b in rolls for face in faces)
    assert Fraction(due, 36 * 6) == Fraction(5, 36)


def average_points(order: str) -> Fraction:
    """The average without TIP, by the decisions that the order makes."""
    kept = again = Fraction(0)
    for first, second in product(range(1, 7), repeat=2):
        position = start(f"{first} {second} hop")
        if isinstance(GAME.apply_standing_order(position, order), Reroll):
            again += Fraction(1, 36)
        else:
            assert position.roll is not None
            kept += Fraction(position.roll.points, 36)
    return kept / (1 - again)


def test_the_best_standing_order_rerolls_up_to_four() -> None:
    # LL-11.4
    orders = ["doubles keep", *(f"doubles reroll {most}" for most in range(1, 7))]
    averages = {order: average_points(order) for order in orders}
    best = max(averages.values())
    assert best == Fraction(151, 32)
    assert [order for order in orders if averages[order] == best] == ["doubles reroll 4"]
    assert GAME.apply_standing_order(start("5 5 hop"), "doubles reroll 4") == Keep()


# --- statistics ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_games_of_greedy_players_end(seats: int) -> None:
    # LL-11.7
    last, move = greedy_game(seats)[-1]
    after = GAME.play(last, move)
    assert after.cause == "nest"
    colour = "RYGBPO"[after.winner - 1]
    assert squares(after)[f"{colour}.c"].endswith(f"{colour}s<{colour}m<{colour}l")
