"""Sections 1, 2, 4 and 5: seats, turn order, the end of the game, options."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import Outcome, Seat, Seats
from pbem.games.logger import GAME
from tests.games.logger.situations import DRIVER

at, after, left, start = GAME.load, DRIVER.play, DRIVER.leave, DRIVER.start


# --- placing and turns ------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "hand"), [(2, 2), (3, 1), (4, 1)])
def test_the_start(seats: int, hand: int) -> None:
    # LG-1.4, LG-1.6
    position = start(seats)
    assert GAME.dump(position) == (
        f"loggers {', '.join('-' * seats)}; trees c3=1; scores {', '.join('0' * seats)}; "
        f"hands {', '.join(str(hand) * seats)}; to move 1"
    )
    assert DRIVER.list_legal(position) == ["place a1", "place a5", "place e1", "place e5"]


def test_the_last_of_four_seats_still_sends_its_placing() -> None:
    # LG-1.7, LG-1.8, LG-1.9
    position = after(start(4), "a1", "e5", "e1")
    assert DRIVER.list_legal(position) == ["place a5"]
    assert GAME.forced_move(position) is None
    position = after(position, "a5")
    assert GAME.turn(position) == Seats((Seat(1),))
    assert "trees c3=1;" in GAME.dump(position)


# --- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "hands", "placings"),
    [
        ("10, 9, 3", "0, 1, 1", (1, 2, 3)),
        ("10, 10, 3", "0, 1, 1", (2, 1, 3)),  # LG-4.3
        ("10, 10, 10", "1, 1, 1", (1, 1, 1)),  # LG-4.4
        ("10, 10, 12", "1, 1, 0", (2, 2, 1)),
    ],
)
def test_ranking(scores: str, hands: str, placings: tuple[int, ...]) -> None:
    stars = 3 - sum(map(int, hands.split(", ")))
    trees = " ".join(["b2=3*", "b3=3*"][:stars])
    text = f"loggers a1, a5, e5; trees {trees}; scores {scores}; hands {hands}; over points"
    assert GAME.outcome(at(text)) == Outcome(placings, "points")


WALLS = ["a2", "b1", "d5", "e4"]
INSIDE = [x + y for x in "abcde" for y in "12345" if x + y not in {"a1", "e5", *WALLS}]
BARREN = " ".join([*(f"{cell}=3*" for cell in WALLS), *(f"{cell}=3" for cell in INSIDE)])
"""Loggers on a1 and e5 are walled in by protected trees; nothing can grow, spawn or be chopped."""


def test_deadlock() -> None:
    # LG-4.5
    position = at(f"loggers a1, e5; {BARREN}; scores 3, 4; hands 0, 0")
    assert DRIVER.list_legal(position) == ["stay; pass"]
    position = after(position, "pass")
    assert position.quiet == 1
    assert GAME.outcome(position) is None
    assert GAME.outcome(after(position, "pass")) == Outcome((2, 1), "deadlock")
    position = at(
        f"loggers a1, e5; {BARREN}; scores 3, 10; hands 0, 0; quiet 1; still 1; to move 2"
    )
    assert GAME.outcome(after(position, "pass")) == Outcome((2, 1), "points")


def test_standstill() -> None:
    # LG-4.7: with no piece left and nothing that grows, loggers walk to and fro.
    position = at("loggers a1, e1; c5=3*; hands 0, 3; scores 1, 2; tree_limit 1; forced_pass ask")
    plies = 0
    while GAME.outcome(position) is None:
        position = after(position, ("b1 pass", "d1 pass", "a1 pass", "e1 pass")[plies % 4])
        plies += 1
    assert plies == 20
    assert position.quiet == 0
    assert GAME.outcome(position) == Outcome((2, 1), "deadlock")


# --- seats that leave -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "leaver", "then", "loggers", "to_act"),
    [
        # LG-4.11: a seat that left is skipped, and its logger stays.
        (["a1", "e5", "e1"], 2, ["stay plant a2"], "a1, e5, e1", 3),
        # It has no logger if it left before placing it.
        ([], 1, ["a1", "e1"], "-, a1, e1", 2),
        # LG-1.9: the first seat that plays begins after the placings.
        (["a1"], 1, ["a5", "e1"], "a1, a5, e1", 2),
    ],
)
def test_turns_after_a_seat_left(
    first: list[str], leaver: int, then: list[str], loggers: str, to_act: int
) -> None:
    position = after(left(after(start(3), *first), leaver), *then)
    assert (DRIVER.find_part(position, "loggers"), position.to_act) == (loggers, to_act)


THREE = "loggers a1, c5, e1; d5=2; hands 1, 1, 1; "


@pytest.mark.parametrize(
    ("text", "leaver", "outcome"),
    [
        # LG-4.12: a seat that leaves while to move is skipped at once.
        ("scores 10, 0, 5; to move 3", 3, Outcome((1, 2, 3), "points")),
        ("scores 10, 0, 5; to move 3", 2, None),
        # LG-4.13: two turns without change were taken, and two seats still play.
        ("quiet 2; still 2; to move 3", 3, Outcome((1, 1, 3), "deadlock")),
        ("quiet 1; still 2; to move 3", 3, None),
        ("still 20; to move 3; tree_limit 20", 2, Outcome((1, 3, 1), "deadlock")),
        ("still 19; to move 3; tree_limit 20", 2, None),
    ],
)
def test_ends_when_a_seat_leaves(text: str, leaver: int, outcome: Outcome | None) -> None:
    assert GAME.outcome(left(at(THREE + text), leaver)) == outcome


def test_rounds_without_seats_that_left() -> None:
    # LG-4.12: seat 3 left; the round ends after seat 2.
    position = at(f"{THREE}scores 10, 0, 5; left 3; to move 2")
    assert GAME.outcome(after(position, "stay plant c4")) == Outcome((1, 2, 3), "points")
    # LG-4.13: points of seats that left do not end the game.
    position = at(f"{THREE}scores 10, 0, 5; left 1; to move 3")
    assert GAME.outcome(after(position, "stay plant d1")) is None


def test_the_last_seat_wins_whatever_the_points() -> None:
    # LG-4.14, LG-4.15
    text = "loggers a1, c5, e1, e5; d5=2; scores 1, 20, 5, 9; hands 1, 1, 1, 1"
    over = left(at(text), 2, 4, 3)
    assert GAME.outcome(over) == Outcome((1, 4, 2, 3), "last_seat")
    # Nobody leaves twice, or after the end.
    assert left(over, 1) == over
    position = left(start(3), 2)
    assert left(position, 2) == position


# --- options ----------------------------------------------------------------------------------


def test_the_options() -> None:
    # LG-5.1, LG-5.2, LG-5.3, LG-6.2
    options = GAME.normalise_options({})
    assert options == {"tree_limit": "none", "seat_order": "random", "forced_pass": "auto"}
    with pytest.raises(Rejection, match="bad_option"):
        GAME.normalise_options({"tree_limit": "3"})
    assert GAME.is_seat_order_drawn(options)
    assert not GAME.is_seat_order_drawn(GAME.normalise_options({"seat_order": "given"}))
    assert not GAME.can_offer_draw(options)  # LG-4.9


@pytest.mark.parametrize(
    ("text", "is_forced"),
    [
        # LG-5.5
        ("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3", True),
        ("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3; forced_pass ask", False),
        ("loggers a1, a2; b1=3*; hands 0, 3", False),  # b1 can spawn on b2 or on c1
        ("loggers a1, a2; b1=3* b2=1 c1=1 e5=3; hands 1, 2", False),  # it can protest
        ("loggers a1, a2; b1=3 b2=1 c1=1; hands 2, 2", False),  # it can chop
        ("loggers a1, b2; b1=3* b3=1; hands 0, 3", False),  # it can move
    ],
)
def test_a_forced_pass_is_played_by_the_server(text: str, *, is_forced: bool) -> None:
    move = GAME.forced_move(at(text))
    assert (move and GAME.notation(move)) == ("stay; pass" if is_forced else None)
