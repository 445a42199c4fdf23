"""The worked examples of section 10, order by order."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import GameOver, Outcome, Seat, Seats
from pbem.games.landrush import GAME, Position
from pbem.games.landrush.scoring import points, scored_tracts
from tests.games.landrush.tables import EXAMPLE, LAST, RED, after, order, start


def code(position: Position, typed: str) -> str:
    with pytest.raises(Rejection) as refusal:
        order(position, typed)
    return refusal.value.code


def part(position: Position, key: str) -> str:
    """A part of the position's text without its word, as in `b7 M b8 S`."""
    found = [part for part in GAME.dump(position).split("; ") if part.startswith(key)]
    return found[0].removeprefix(key).strip()


def stashes(position: Position) -> list[tuple[int, int, int]]:
    return [position.stash(seat) for seat in range(1, position.seats + 1)]


def placed() -> Position:
    return after(start(3), "c4", "g9", "a12")


def test_placement() -> None:
    # LR-10.1
    position = after(start(3), "c4")
    assert position.stash(1) == (5, 4, 5)
    with pytest.raises(Rejection) as refusal:
        order(position, "d5")
    assert refusal.value.code == "too_close"
    assert refusal.value.facts["near"] == "c4"
    position = after(position, "g9")
    assert code(position, "f8") == "too_close"
    assert code(position, "c4") == "occupied"
    position = after(position, "a12")
    assert GAME.dump(position) == "Red c4 M; Yellow g9 M; Green a12 M; to draw Red"


def test_plain_play() -> None:
    # LR-10.2
    position = after(placed(), "* Suns 2")
    assert len(GAME.legal_moves(position)) == 12
    assert code(position, "h4 m") == "wrong_tile"
    assert code(position, "pass") == "must_play"
    canonical, position = order(position, "se small")
    assert canonical == "b4 S"
    assert part(position, "Red") == "b4 S c4 M"
    position = after(position, "* Moons 3")
    assert GAME.turn(position) == Seats((Seat(2),))
    with pytest.raises(Rejection) as refusal:
        order(position, "c5 l")
    assert refusal.value.code == "too_short"
    assert refusal.value.facts["rival"] == {
        "colour": "Red",
        "squares": ["b4", "c4"],
        "length": 2,
    }
    assert refusal.value.facts["yours"] == 1
    assert refusal.value.facts["playable"] == ["d5", "c6", "d6"]
    assert len(GAME.legal_moves(position)) == 9
    assert order(position, "ne large")[0] == "d5 L"


def test_take_over() -> None:
    # LR-10.3
    then = after(EXAMPLE, "b6 L")
    assert GAME.dump(then) == "Red b4 S b5 M b6 L b7 M b8 S; Yellow; to draw Yellow"
    assert stashes(then) == [(3, 3, 4), (5, 5, 5)]


@pytest.mark.parametrize(
    ("typed", "board", "stash"),
    [
        ("b6 L x LM", "b4 L b5 M b6 L b7 M b8 S", (4, 3, 3)),
        ("b6 L x b5=L", "b4 S b5 L b6 L b7 M b8 S", (3, 4, 3)),
        ("b6 S x SS", "b4 S b5 S b6 S b7 M b8 S", (1, 4, 5)),
        ("a6 S", "a6 S b7 M b8 S", (3, 4, 5)),
    ],
)
def test_orders_in_the_example(typed: str, board: str, stash: tuple[int, int, int]) -> None:
    # LR-10.3
    then = after(EXAMPLE, typed)
    assert part(then, "Red") == board
    assert then.stash(1) == stash


@pytest.mark.parametrize(
    ("typed", "refused"),
    [("a5 S", "too_short"), ("b6 L x L", "sizes_count"), ("a6 s x S", "no_takeover")],
)
def test_refusals_in_the_example(typed: str, refused: str) -> None:
    # LR-10.3
    assert code(EXAMPLE, typed) == refused


def test_the_number_of_plays_in_the_example() -> None:
    # LR-10.3
    squares = [GAME.notation(move)[:2] for move in GAME.legal_moves(EXAMPLE)]
    assert (squares.count("a6"), squares.count("b6")) == (3, 27)
    assert len(GAME.legal_moves(GAME.load(f"{GAME.dump(EXAMPLE)}; sizes same"))) == 6


TOO_SHORT = "Red b7 M b8 S; Yellow b3 L b4 S b5 M; coin Suns 3"


def test_too_short() -> None:
    # LR-10.4
    position = GAME.load(TOO_SHORT)
    with pytest.raises(Rejection) as refusal:
        order(position, "b6 L")
    assert refusal.value.code == "too_short"
    assert refusal.value.facts["yours"] == 3
    assert [GAME.notation(move) for move in GAME.legal_moves(position)] == ["a6 S", "a6 M", "a6 L"]
    assert order(position, "s")[0] == "a6 S"


def test_too_short_with_corners() -> None:
    # LR-10.4
    position = GAME.load(f"{TOO_SHORT}; adj 8")
    forced = GAME.forced_move(position)
    assert forced is not None
    assert GAME.notation(forced) == "pass"
    assert GAME.legal_moves(position) == [forced]


@pytest.mark.parametrize("typed", ["b10 L", "b10", "L"])
def test_end_and_score(typed: str) -> None:
    # LR-10.5
    assert LAST.stash(1) == (0, 0, 1)
    assert LAST.stash(2) == (4, 2, 4)
    assert len(GAME.legal_moves(LAST)) == 1
    canonical, then = order(LAST, typed)
    assert canonical == "b10 L"
    assert GAME.turn(then) == GameOver(Outcome((1, 2), "stash"))
    assert (points(then, 1), points(then, 2)) == (36, 9)


def test_the_table_of_tracts() -> None:
    # LR-10.5
    then = after(LAST, "L")
    rows = [
        (one.squares.bit_count(), one.scores, one.bonus, one.pyramids)
        for seat in (1, 2)
        for one in scored_tracts(then, seat)
    ]
    assert rows == [
        (3, True, 1, 3),
        (6, True, 0, 16),
        (4, True, 3, 8),
        (2, False, 0, 0),
        (4, True, 0, 9),
        (1, False, 0, 0),
    ]


def test_a_forced_pass() -> None:
    # LR-10.6
    position = GAME.load(f"Red {RED}; Yellow e7 M f7 M e8 M f8 L b11 S; coin Suns 5")
    assert code(position, "b10 L") == "stash_too_small"
    forced = GAME.forced_move(position)
    assert forced is not None
    then = GAME.play(position, forced)
    assert part(then, "to draw") == "Yellow"
    assert after(position, "pass") == then
