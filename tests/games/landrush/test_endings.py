"""Sections 1, 2, 4 and 5: setup, turn order, take-overs, the end of the game, options."""

from __future__ import annotations

import random
import re

import pytest

from pbem.games.chance import Draw, OneOf
from pbem.games.game import Chance, ChanceResult, GameOver, Outcome, Seat, Seats
from pbem.games.landrush import GAME
from pbem.games.landrush.scoring import list_score_items
from tests.games.landrush.tables import DRIVER, EXAMPLE, LAST, start, walk
from tests.games.words import say

at, left, plays, after, read = GAME.load, DRIVER.leave, DRIVER.list_legal, DRIVER.play, DRIVER.read


# --- setup ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "pieces"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_the_start(seats: int, pieces: int) -> None:
    # LR-1.5, LR-1.6, LR-1.8
    position = GAME.initial_position(seats, GAME.normalise_options({}))
    colours = ["Red", "Yellow", "Green", "Blue", "Black"][:seats]
    assert GAME.dump(position) == "; ".join([*colours, "starter open"])
    assert GAME.turn(position) == Chance(Draw("starter", (OneOf(seats),)))
    assert position.stash(1) == (pieces,) * 3
    then = GAME.play(position, ChanceResult((1,)))
    assert GAME.turn(then) == Seats((Seat(2),))
    assert GAME.move_facts(ChanceResult((1,)), position, then)["kind"] == "starter"
    assert GAME.turn(start(seats)) == Seats((Seat(1),))  # LR-5.3


def test_who_places_first_has_the_first_turn() -> None:
    # LR-1.9
    position = after(GAME.initial_position(3, GAME.normalise_options({})), "* seat 2", "c4", "g9")
    assert GAME.dump(position) == "Red; Yellow c4 M; Green g9 M; to place Red"
    position = after(position, "a12")
    assert GAME.dump(position).endswith("to draw Yellow")
    assert GAME.turn(position) == Chance(Draw("coin", (OneOf(24),)))


def test_the_first_placement_minds_corners_always() -> None:
    # LR-1.9, LR-1.10, LR-3.2, LR-5.4
    for adj in ("4", "8"):
        position = after(start(2, adj=adj), "c4")
        assert [read(position, at) for at in ("d5", "d4", "e4")] == ["too_close", "too_close", "e4"]
        assert len(GAME.legal_moves(position)) == 87


# --- turns ------------------------------------------------------------------------------------


def test_turns_go_round_and_coins_go_back() -> None:
    # LR-2.1, LR-2.2, LR-2.11
    position = after(start(2), "c4", "g9", "* Arms Ace")
    assert position.to_act == 1
    position = after(position, "h12 s")
    assert GAME.dump(position) == "Red c4 M h12 S; Yellow g9 M; to draw Yellow"
    position = after(position, "* Arms Ace", "g11 l")
    assert GAME.dump(position).endswith("to draw Red")


@pytest.mark.parametrize(
    ("text", "typed", "outcome"),
    [
        # LR-2.8, LR-2.9, LR-3.6: each tract is compared singly, and all fall or none.
        ("Red c6 M d6 S; Yellow b5 S b4 L; Green a6 M a7 M", "b6 S", "b6 S x a6=M a7=M b4=L b5=S"),
        ("Red c6 M d6 S; Yellow b5 S b4 L b3 S; Green a6 M a7 M", "b6 S", "too_short"),
        # LR-3.5: own tracts count together. 1 + 1 + 1 is more than 2, 1 + 1 is not.
        ("Red b7 S c6 M; Yellow b5 S b4 L", "b6 S x SS", "b6 S x b4=S b5=S"),
        ("Red b7 S d7 M; Yellow b5 S b4 L", "b6 S x SS", "too_short"),
        # LR-3.7: captured pyramids do not help against the next tract.
        ("Red b7 S; Yellow b5 S; Green c6 L d6 S", "b6 S", "too_short"),
        ("Red b7 S; Yellow b5 S; Green d6 S", "b6 S", "b6 S x b5=S"),
        # LR-3.12, LR-3.13: beside a foreign tract there are only take-overs.
        ("Red h12 S; Yellow b5 S", "b6 S", "too_short"),
        ("Red h12 S; Yellow b5 S", "a5 S", "too_short"),
    ],
)
def test_what_a_play_takes_over(text: str, typed: str, outcome: str) -> None:
    assert read(at(f"{text}; coin Suns 3"), typed) == outcome


def test_exactly_enough_is_enough_and_ends_the_game() -> None:
    # LR-3.8, LR-4.1: two pyramids are left, one of them is played.
    text = (
        "Red b7 M b8 S a1 S c1 S e1 S a10 M c10 M e10 M g10 M h12 L f12 L d12 L b12 L; "
        "Yellow b5 S; coin Suns 3"
    )
    position = at(text)
    assert read(position, "b6 S") == "b6 S x b5=L"
    assert GAME.dump(after(position, "b6 L")).endswith("over stash")


def test_a_move_is_not_played_while_a_draw_is_due() -> None:
    position = after(start(2), "c4", "g9")
    with pytest.raises(ValueError, match="a draw is due"):
        GAME.play(position, GAME.read_notation("a1 S", position))
    with pytest.raises(ValueError, match="no such draw"):
        GAME.play(position, ChanceResult((24,)))
    with pytest.raises(ValueError, match="no such draw"):
        GAME.play(EXAMPLE, ChanceResult((3,)))
    assert read(position, "a1 S") == "not_your_turn"


# --- the end ----------------------------------------------------------------------------------


def test_the_game_ends_at_once() -> None:
    # LR-3.14, LR-4.1: seat 1 of 3 has played its last pyramid.
    position = at(GAME.dump(LAST).replace("; to move", "; Green h12 M; to move"))
    assert GAME.outcome(after(position, "L")) == Outcome((1, 2, 3), "stash")


def test_every_rule_of_the_reckoning() -> None:
    # LR-4.5: a tract of each size alone, and a mixed one.
    position = at(
        "red a1 S, a2 S, c1 M, c2 M, c3 M, e1 L, e2 L, e3 L, e4 L, g1 S, g2 M, g3 M;"
        " yellow h12 M; to draw red"
    )
    items = [(item.rule, item.times, item.points) for item in list_score_items(position, 1)]
    assert items == [
        ("c", 1, 1), ("d", 1, 3), ("e", 1, 4), ("f", 3, 3), ("g", 5, 10), ("h", 4, 12),
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_lines_of_an_end_add_up(language: str) -> None:
    facts = DRIVER.see(after(LAST, "L"), 1)
    text = say(GAME, "final_score", language, facts=facts, names={1: "Alice", 2: "Bob"})
    assert (
        sum(map(int, re.findall(r"^- (\d+) (?:points?|Punkte?): ", text, re.MULTILINE))) == 36 + 9
    )


def test_equal_totals_share_the_place() -> None:
    # LR-4.6, LR-3.20; the seat that ended the game need not win.
    text = (
        "Red a1 S a3 S a5 S a7 S c1 M c3 M c5 M c7 M e1 L e3 L e5 L e7 L; "
        "Yellow g1 S g2 S g3 S; Green g5 S g6 S g7 S; Blue g9 M; over stash"
    )
    assert GAME.outcome(at(text)) == Outcome((3, 1, 1, 4), "stash")


NEARLY_BLOCKED = (
    "Red; Yellow c1 S d1 S a9 S b6 S b11 M c8 M d4 M; Green b3 S b4 S d6 S e9 S e11 M f5 M f7 M; "
    "Blue; Black g2 S g9 S h4 S h6 S h11 M; to move Red; coin Suns Null; adj 8; "
    "left Yellow, Green, Black"
)
"""Every empty square but a1 is next to a pyramid of a seat that left."""


def test_the_dead_end_after_a_play() -> None:
    # LR-4.2, LR-11.7: beside a1 stand tracts that are not shorter than that of a1 and one more.
    position = at(NEARLY_BLOCKED)
    assert plays(position) == ["a1 S", "a1 M", "a1 L"]
    then = after(position, "a1 M")
    assert GAME.outcome(then) == Outcome((1, 5, 4, 1, 3), "blocked")
    assert GAME.dump(then).endswith("over blocked; left Yellow, Green, Black; adj 8")
    missed = NEARLY_BLOCKED.replace("Red; Yellow", "Red a1 M; Yellow")
    assert DRIVER.find_wrong_part(missed) == "over"


def test_the_dead_end_after_a_seat_left() -> None:
    # LR-4.10: Yellow could take over a tract of Green; Red and Blue can do nothing.
    text = NEARLY_BLOCKED.replace("Red; Yellow", "Red a1 M; Yellow").replace(
        "left Yellow, ", "left "
    )
    position = at(text.replace("coin Suns Null", "coin Suns 3"))
    assert GAME.forced_move(position) is not None
    assert GAME.outcome(left(position, 2)) == Outcome((1, 3, 5, 1, 4), "blocked")
    assert GAME.outcome(left(position, 4)) is None


def test_the_pyramids_of_a_seat_that_left_stay_and_can_be_taken_over() -> None:
    # LR-4.8
    position = left(at("Red b7 M b8 S; Yellow b4 S b5 M; Green h12 M; coin Suns 3"), 2)
    then = after(position, "b6 L")
    assert GAME.dump(then) == (
        "Red b4 S b5 M b6 L b7 M b8 S; Yellow; Green h12 M; to draw Green; left Yellow"
    )
    assert then.stash(2) == (5, 5, 5)


def test_a_seat_that_leaves_on_its_turn_gives_the_coin_back() -> None:
    # LR-4.8
    position = left(at("Red b7 M; Yellow h1 S; Green h12 M; coin Suns 3"), 1)
    assert GAME.dump(position) == "Red b7 M; Yellow h1 S; Green h12 M; to draw Yellow; left Red"


def test_somebody_else_who_leaves_does_not_change_the_coin() -> None:
    # LR-4.10
    before = at("Red b7 M; Yellow h1 S; Green h12 M; coin Suns 3")
    position = left(before, 3)
    assert plays(position) == plays(before)
    assert GAME.dump(position) == f"{GAME.dump(before)}; left Green"
    # The seat is skipped.
    position = after(position, "a5 s", "* Arms Ace", "g11 s")
    assert position.to_act == 1


def test_a_seat_that_left_before_its_placement_places_none() -> None:
    # LR-4.8
    position = left(after(start(3), "c4"), 3)
    assert GAME.dump(after(position, "g9")).endswith("to draw Red; left Green")
    position = left(after(start(3), "c4"), 2)
    assert GAME.dump(position) == "Red c4 M; Yellow; Green; to place Green; left Yellow"
    assert GAME.dump(after(position, "g9")).endswith("to draw Red; left Yellow")
    position = left(after(start(3), "c4", "g9"), 3)
    assert GAME.dump(position).endswith("to draw Red; left Green")


def test_who_places_first_after_the_starting_seat_left_has_the_first_turn() -> None:
    # LR-4.8, LR-1.9
    position = after(left(start(3), 1), "c4", "g9")
    assert GAME.dump(position).endswith("to draw Yellow; left Red")
    # The starting seat left after its placement: the next one has the first turn.
    position = after(left(after(start(3), "c4"), 1), "g9", "a12")
    assert GAME.dump(position).endswith("to draw Yellow; left Red")


def test_who_left_cannot_be_drawn_as_the_starting_seat() -> None:
    # LR-1.8, LR-4.8
    position = left(GAME.initial_position(3, GAME.normalise_options({})), 2)
    assert GAME.turn(position) == Chance(Draw("starter", (OneOf(2),)))
    assert GAME.play(position, ChanceResult((1,))).to_act == 3
    assert GAME.chance_notation(position, ChanceResult((1,))) == "Green"


def test_ranks_of_those_who_left() -> None:
    # LR-4.8: below all that stayed, whatever the points; the later one ranks higher.
    two = at("Red a1 S a2 S; Yellow h9 M; to draw Red")
    assert GAME.outcome(left(two, 1)) == Outcome((2, 1), "last_seat")
    text = "Red a1 M; Yellow c1 S c2 S; Green e1 M; Blue g1 M; to draw Red"
    assert GAME.outcome(left(at(text), 2, 4, 3)) == Outcome((1, 4, 2, 3), "last_seat")
    over = (
        "Red a1 S a3 S a5 S a7 S c1 M c3 M c5 M c7 M e1 L e3 L e5 L e7 L; "
        "Yellow g1 S g2 S g3 S; Green g5 M; left Yellow, Green; over stash"
    ).replace("; left", "; Blue h12 S; left")
    assert GAME.outcome(at(over)) == Outcome((1, 4, 3, 2), "stash")


def test_nobody_leaves_twice_or_after_the_end() -> None:
    position = left(start(3), 2)
    assert left(position, 2) == position
    over = left(position, 1)
    assert GAME.turn(over) == GameOver(Outcome((2, 3, 1), "last_seat"))
    assert left(over, 3) == over


@pytest.mark.parametrize("seats", GAME.seats)
def test_random_games_end_and_keep_the_invariants(seats: int) -> None:
    # LR-11.8: load() refuses stashes that are too small, and colours that touch.
    rng = random.Random(seats)
    for _ in range(20):
        games = [*walk(seats, rng)]
        assert all(GAME.load(GAME.dump(position)) == position for position in games)
        assert games[-1].cause in {"stash", "blocked"}


# --- options ----------------------------------------------------------------------------------


def test_the_defaults() -> None:
    # LR-5.1, LR-5.2, LR-5.3, LR-1.6, LR-4.7, LR-8.6
    defaults = {"adj": "4", "sizes": "free", "starter": "random", "colours": "rygbk"}
    assert GAME.normalise_options({}) == defaults
    assert not GAME.can_offer_draw(defaults)
    assert not GAME.is_seat_order_drawn(defaults)
