"""Sections 1, 2, 4 and 5: seats, turn order, the end of the game, options."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import GameOver, Outcome, Seat, Seats
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


def test_a_logger_is_not_shielded_and_does_not_shield() -> None:
    # LG-2.3, LG-3.10
    position = after(at("loggers a3, b3; c3=1 d3=2 e3=1; hands 2, 2"), "stay plant a4")
    assert "trees a4=1 c3=2 d3=3 e3=2;" in GAME.dump(position)


def test_the_middle_cell_of_a_move_must_be_free() -> None:
    # LG-2.2, LG-3.23
    position = at("loggers a1, a3; b1=1 b2=1; hands 2, 2")
    assert {text[:2] for text in DRIVER.list_legal(position)} == {"a2", "st"}


def test_a_sapling_that_ripens_can_be_chopped_and_protected() -> None:
    # LG-2.16, LG-3.17
    position = at("loggers b1, e5; b2=2 c1=1; hands 2, 2")
    assert after(position, "stay chop b2").scores == (1, 0)
    assert after(position, "stay protest b2").hands == (1, 2)


@pytest.mark.parametrize(
    ("trees", "points"),
    [
        ("b1=3* c1=3 d1=3*", None),  # the first tree is protected
        ("b1=3 c1=3 d1=3 e1=3", 4),
        ("b1=3 c1=3* d1=3", 3),
        ("b1=3 d1=3 e1=3", 1),  # LG-3.2: a gap
        ("b1=3 c1=1 d1=3", 1),  # LG-3.3: a sapling by then
        ("b1=3 b2=3 c1=3", 2),  # LG-3.4: straight on
    ],
)
def test_the_chopped_line(trees: str, points: int | None) -> None:
    # LG-2.14; the second row keeps new seedlings out of the way.
    above = ["a2=1", "b2=1", "c2=1", "d2=1", "e2=1"]
    own = [tree[:2] for tree in trees.split()]
    rest = " ".join(tree for tree in above if tree[:2] not in own)
    hands = f"{4 - trees.count('*')}, 0"
    position = at(f"loggers a1, e5; {trees} {rest}; hands {hands}")
    turns = [move for move in GAME.legal_moves(position) if "; chop b1" in GAME.notation(move)]
    turns = [move for move in turns if GAME.notation(move).startswith("stay; ")]
    if points is None:
        assert not turns
        return
    # A new seedling may fill a gap, but never lengthens the line.
    assert {GAME.play(position, move).scores for move in turns} == {(points, 0)}


# --- the end ----------------------------------------------------------------------------------


def test_the_round_is_completed() -> None:
    # LG-4.1, LG-3.21: seat 1 of 3 has 10 points, and two more turns follow.
    position = at("loggers a1, c5, e5; b1=3 b2=1 c1=1; scores 9, 0, 0; hands 1, 1, 1")
    position = after(position, "stay chop b1")
    assert position.scores == (10, 0, 0)
    position = after(position, "stay plant c4")
    assert GAME.outcome(position) is None
    position = after(position, "stay plant d5")
    assert GAME.turn(position) == GameOver(Outcome((1, 2, 2), "points"))


def test_the_last_seat_ends_the_game_at_once() -> None:
    # LG-4.2
    position = at("loggers a1, e5; d5=2; scores 0, 9; hands 2, 2; to move 2")
    assert GAME.outcome(after(position, "stay chop d5")) == Outcome((2, 1), "points")


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


def test_points_come_before_deadlock() -> None:
    # LG-4.5
    text = f"loggers a1, e5; {BARREN}; scores 3, 10; hands 0, 0; quiet 1; still 1; to move 2"
    assert GAME.outcome(after(at(text), "pass")) == Outcome((2, 1), "points")


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


@pytest.mark.parametrize(("leaver", "orders"), [(1, ()), (2, ("e1",)), (1, ("e1", "a5"))])
def test_with_two_seats_the_other_wins_at_once(leaver: int, orders: tuple[str, ...]) -> None:
    # LG-4.10
    position = left(after(start(2), *orders), leaver)
    assert GAME.outcome(position) == Outcome((2, 1) if leaver == 1 else (1, 2), "last_seat")


def test_a_seat_that_left_is_skipped_and_its_logger_stays() -> None:
    # LG-4.11
    position = left(after(start(3), "a1", "e5", "e1"), 2)
    position = after(position, "stay plant a2")
    assert position.to_act == 3
    assert GAME.dump(position).startswith("loggers a1, e5, e1;")
    assert position.hands == (1, 1, 1)


def test_a_seat_that_left_before_placing_has_no_logger() -> None:
    # LG-4.11
    position = left(start(3), 1)
    assert position.to_act == 2
    position = after(position, "a1", "e1")
    assert GAME.dump(position).startswith("loggers -, a1, e1;")
    assert position.to_act == 2


def test_the_first_seat_that_plays_begins_after_the_placings() -> None:
    # LG-1.9, LG-4.11
    position = left(after(start(3), "a1"), 1)
    assert after(position, "a5", "e1").to_act == 2


THREE = "loggers a1, c5, e1; d5=2; hands 1, 1, 1; "


@pytest.mark.parametrize(
    ("text", "typed", "outcome"),
    [
        # LG-4.12: seat 3 left; the round ends after seat 2.
        ("scores 10, 0, 5; left 3; to move 2", "stay plant c4", Outcome((1, 2, 3), "points")),
        # LG-4.13: points of seats that left do not end the game.
        ("scores 10, 0, 5; left 1; to move 3", "stay plant d1", None),
    ],
)
def test_rounds_without_seats_that_left(text: str, typed: str, outcome: Outcome | None) -> None:
    assert GAME.outcome(after(at(THREE + text), typed)) == outcome


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


def test_the_last_seat_wins_whatever_the_points() -> None:
    # LG-4.14, LG-4.15
    text = "loggers a1, c5, e1, e5; d5=2; scores 1, 20, 5, 9; hands 1, 1, 1, 1"
    assert GAME.outcome(left(at(text), 2, 4, 3)) == Outcome((1, 4, 2, 3), "last_seat")


def test_nobody_leaves_twice_or_after_the_end() -> None:
    position = left(start(3), 2)
    assert left(position, 2) == position
    over = left(position, 1)
    assert left(over, 3) == over


# --- options ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        # LG-5.1
        *[("none", "none"), ("20", "20"), (" NONE ", "none")],
        *[("3", None), ("0", None), ("-1", None), ("many", None), ("", None)],
    ],
)
def test_tree_limits(typed: str, value: str | None) -> None:
    if value is None:
        with pytest.raises(Rejection, match="bad_option"):
            GAME.normalise_options({"tree_limit": typed})
    else:
        assert GAME.normalise_options({"tree_limit": typed})["tree_limit"] == value


def test_the_defaults() -> None:
    # LG-5.1, LG-5.2, LG-5.3, LG-6.2
    options = GAME.normalise_options({})
    assert options == {"tree_limit": "none", "seat_order": "random", "forced_pass": "auto"}
    assert GAME.is_seat_order_drawn(options)
    assert not GAME.is_seat_order_drawn(GAME.normalise_options({"seat_order": "given"}))
    assert not GAME.can_offer_draw(options)  # LG-4.9


def list_stays(limit: int) -> list[str]:
    position = at(f"loggers c1, e5; a1=3 e1=3; hands 2, 2; tree_limit {limit}")
    return [text for text in DRIVER.list_legal(position) if text.startswith("stay; ")]


def test_short_pieces() -> None:
    # LG-5.4: one piece is left for two old mature trees; the mover chooses which spawns.
    assert {text.split("; ")[1] for text in list_stays(3)} == {"a1>a2", "a1>b1", "e1>d1", "e1>e2"}
    assert "plant" not in " ".join(list_stays(3))
    assert list_stays(2) == ["stay; protest a1", "stay; protest e1", "stay; protest a1, e1"]


WALLED = "loggers a1, a2; b1=3*; hands 0, 3"


def test_a_forced_pass_is_played_by_the_server() -> None:
    # LG-5.5
    position = at(WALLED.replace("b1=3*", "b1=3* b2=1 c1=1"))
    assert DRIVER.list_legal(position) == ["stay; pass"]
    assert [GAME.forced_move(position)] == GAME.legal_moves(position)
    assert GAME.forced_move(at(GAME.dump(position) + "; forced_pass ask")) is None


@pytest.mark.parametrize(
    "text",
    [
        WALLED,  # b1 can spawn on b2 or on c1: two turns
        "loggers a1, a2; b1=3* b2=1 c1=1 e5=3; hands 1, 2",  # it can protest
        "loggers a1, a2; b1=3 b2=1 c1=1; hands 2, 2",  # it can chop
        "loggers a1, b2; b1=3* b3=1; hands 0, 3",  # it can move
    ],
)
def test_other_turns_are_not_forced(text: str) -> None:
    assert GAME.forced_move(at(text)) is None
