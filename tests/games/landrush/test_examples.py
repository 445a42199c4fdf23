"""The worked examples of section 10, and the counts of section 11."""

from __future__ import annotations

from pbem.games.game import GameOver, Outcome, Seat, Seats
from pbem.games.landrush import GAME
from pbem.games.landrush.move_checks import placeable_squares
from pbem.games.landrush.scoring import points, scored_tracts
from tests.games.landrush.tables import DRIVER, EXAMPLE, LAST, RED, SAME_SIZES, start

play, read = DRIVER.play, DRIVER.read

PLACED = play(start(3), "c4", "g9", "a12")
SECOND = play(PLACED, "* Suns 2")
THIRD = play(SECOND, "se small", "* Moons 3")
TOO_SHORT = GAME.load("Red b7 M b8 S; Yellow b3 L b4 S b5 M; coin Suns 3")
FORCED = GAME.load(f"Red {RED}; Yellow e7 M f7 M e8 M f8 L b11 S; coin Suns 5")


def test_placement_and_a_plain_play() -> None:
    # LR-10.1, LR-10.2
    assert play(start(3), "c4").stash(1) == (5, 4, 5)
    assert read(play(start(3), "c4", "g9"), "f8") == "too_close"
    assert GAME.dump(PLACED) == "Red c4 M; Yellow g9 M; Green a12 M; to draw Red"
    assert len(GAME.legal_moves(SECOND)) == 12
    assert DRIVER.find_part(THIRD, "Red") == "b4 S c4 M"
    assert GAME.turn(THIRD) == Seats((Seat(2),))
    assert len(GAME.legal_moves(THIRD)) == 9
    assert read(THIRD, "ne large") == "d5 L"
    facts = DRIVER.refuse(THIRD, "c5 l").facts
    assert facts["rival"] == {"colour": "Red", "squares": ["b4", "c4"], "length": 2}
    assert (facts["yours"], facts["playable"]) == (1, ["d5", "c6", "d6"])


def test_what_can_be_played_in_the_examples() -> None:
    # LR-10.3, LR-10.4
    squares = [text[:2] for text in DRIVER.list_legal(EXAMPLE)]
    assert (squares.count("a6"), squares.count("b6")) == (3, 27)
    assert len(GAME.legal_moves(SAME_SIZES)) == 6
    assert DRIVER.list_legal(TOO_SHORT) == ["a6 S", "a6 M", "a6 L"]
    corners = GAME.load(f"{GAME.dump(TOO_SHORT)}; adj 8")
    assert DRIVER.list_legal(corners) == ["pass"]
    assert GAME.legal_moves(corners) == [GAME.forced_move(corners)]


def test_end_and_score() -> None:
    # LR-10.5
    assert (LAST.stash(1), LAST.stash(2)) == ((0, 0, 1), (4, 2, 4))
    assert len(GAME.legal_moves(LAST)) == 1
    then = play(LAST, "L")
    assert GAME.turn(then) == GameOver(Outcome((1, 2), "stash"))
    assert (points(then, 1), points(then, 2)) == (36, 9)
    rows = [
        (tract.squares.bit_count(), tract.is_scoring, tract.bonus)
        for seat in (1, 2)
        for tract in scored_tracts(then, seat)
    ]
    assert rows == [
        (3, True, 1), (6, True, 0), (4, True, 3), (2, False, 0), (4, True, 0), (1, False, 0),
    ]  # fmt: skip


def test_a_forced_pass() -> None:
    # LR-10.6
    forced = GAME.forced_move(FORCED)
    assert forced is not None
    then = GAME.play(FORCED, forced)
    assert DRIVER.find_part(then, "to draw") == "Yellow"
    assert play(FORCED, "pass") == then


def test_first_placements() -> None:
    # LR-11.1
    one = start(3)
    assert len(GAME.legal_moves(one)) == 96
    twos = [GAME.play(one, move) for move in GAME.legal_moves(one)]
    assert sum(len(GAME.legal_moves(two)) for two in twos) == 8468
    threes = (GAME.play(two, move) for two in twos for move in GAME.legal_moves(two))
    assert sum(placeable_squares(three).bit_count() for three in threes) == 683640
