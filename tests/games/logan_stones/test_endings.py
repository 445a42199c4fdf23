"""Section 4 and 5: lines, drawn games, leaving, and the options that decide about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import Rejection
from pbem.games.game import Chance, GameOver, Outcome, Seat
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.position import Rules
from tests.games.logan_stones.situations import (
    DRIVER,
    FIRST,
    LINKED,
    MOVING,
    WINNING,
    dealt,
    island,
    options,
    played,
    random_game,
)

BACK_AND_FORTH = GAME.load("M20=RP M22=SS")


def ends(text: str, *typed: str) -> tuple[tuple[int, ...], str] | None:
    outcome = GAME.outcome(played(GAME.load(text), *typed))
    return None if outcome is None else (outcome.placings, outcome.termination)


# --- lines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "typed", "winner"),
    [
        # LS-2.10: the three axes; M20 becomes rock and closes three others
        ("M20=PR M22=RR M24=RR M26=RR", "flip M20", 1),
        ("M20=PR N21=RR O22=RR P23=RR; to move 2", "flip M20", 2),
        ("M20=PR L21=RR K22=RR J23=RR", "flip M20", 1),
        # in the midst of a line
        ("K18=RR L19=RR M20=PR N21=RR", "flip M20", 1),
        # LS-3.10: five are more than four
        ("M16=RR M18=RR M20=PR M22=RR M24=RP", "flip M20", 1),
        # three are none, nor four around a corner, nor four with a gap
        ("M18=RR M20=PR M22=RR M24=PP", "flip M20", None),
        ("M18=RR M20=PR M22=RR N23=RP", "flip M20", None),
        ("M16=RR M18=RR M20=PR M22=SR M24=PP", "flip M24", None),
        # LS-3.11: whoever laid the stones, the wave may make the line
        ("L23=RR M20=PR M22=SR N19=PP N21=RP O20=RS; to move 2", "flip M20", 2),
    ],
)
def test_lines_win(text: str, typed: str, winner: int | None) -> None:
    # LS-4.1
    expected = None if winner is None else ((1, 2) if winner == 1 else (2, 1), "line")
    assert ends(f"{text}; repetition off; stone_set 6x3", typed) == expected


def test_its_own_wave_does_not_break_a_line() -> None:
    # LS-3.12: the rock on M20 turns L19 and L21 over, and its line stands
    after = played(
        GAME.load("M18=RR M20=PR M22=RR M24=RP L19=SR L21=SP; draw_cap none"), "flip M20"
    )
    assert island(after) == "L19=RS L21=PS M18=RR M20=RP M22=RR M24=RP"
    assert after.cause == "line"


# --- repetition -----------------------------------------------------------------------------------


def test_counting_begins_when_both_hands_are_empty() -> None:
    # LS-4.5: the position after ply 16 included
    for position, _ in random_game(1)[:40]:
        assert GAME.legal_moves(position)  # LS-4.3
        assert len(position.history) == max(0, position.ply - 15)


def test_repetition_may_be_off() -> None:
    # LS-5.3
    endless = GAME.load("M20=RP M22=SS; repetition off")
    after = played(endless, *["flip M20"] * 10)
    assert not after.cause
    assert len(after.history) == 0


# --- the cap, and the order of checks -------------------------------------------------------------


def test_a_line_comes_before_the_cap() -> None:
    # LS-4.4
    win = replace(WINNING, ply=39, rules=Rules(cap=40))
    assert played(win, "flip M20").cause == "line"


def test_repetition_comes_before_the_cap() -> None:
    # LS-4.4
    third = played(BACK_AND_FORTH, *["flip M20"] * 3)
    assert played(replace(third, rules=Rules(cap=20)), "flip M20").cause == "repetition"


# --- leaving --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "placings"), [(1, (2, 1)), (2, (1, 2))])
def test_a_seat_that_leaves_loses(seat: int, placings: tuple[int, int]) -> None:
    # LS-4.9: at any time, also out of turn and before the deal
    for position in (GAME.initial_position(2, options()), dealt(1), MOVING, LINKED):
        over = GAME.leave(position, Seat(seat))
        assert GAME.turn(over) == GameOver(Outcome(placings, "last_seat"))
        assert GAME.legal_moves(over) == []
        assert GAME.leave(over, Seat(3 - seat)) == over


# --- turns that are not legal ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "turn", "code"),
    [
        (MOVING, "add 1 L21", "hand_empty"),
        (FIRST, "flip M20", "hand_not_empty"),
        (FIRST, "move M20 to L21", "hand_not_empty"),
        (FIRST, "add 1 M20", "occupied"),
        (FIRST, "add 1 L23", "too_few_contacts"),
        (played(FIRST, "1 L21", "1 N21"), "add 1 L19", "not_your_stone"),
        (MOVING, "flip K20", "no_stone"),
        (MOVING, "move K20 to M20", "no_stone"),
        (LINKED, "move M22 to M20", "splits_island"),
    ],
)
def test_play_refuses_what_is_not_legal(position: Position, turn: str, code: str) -> None:
    assert DRIVER.refuse_canonical(position, turn) == code


# --- options --------------------------------------------------------------------------------------


def test_options_and_defaults() -> None:
    # LS-5.1 to LS-5.6
    chosen = {"stone_set": "6x3", "draw_cap": "100", "repetition": "on"}
    shown = {"draw_offers": "on", "memory_aid": "on", "starter": "random"}
    assert options() == chosen | shown
    assert options(draw_cap="40")["draw_cap"] == "40"
    assert options(draw_cap="500")["draw_cap"] == "500"
    for bad in ({"draw_cap": "39"}, {"draw_cap": "501"}, {"stone_set": "18x1"}, {"starter": "2"}):
        with pytest.raises(Rejection):
            GAME.normalise_options(bad)


def test_a_game_that_need_not_end_is_refused() -> None:
    # LS-5.9
    with pytest.raises(Rejection) as refused:
        GAME.initial_position(2, options(draw_cap="none", repetition="off"))
    assert refused.value.code == "bad_option"
    assert refused.value.facts == {"name": "repetition", "value": "off", "values": ["on"]}
    for may_end in (options(draw_cap="none"), options(repetition="off")):
        assert isinstance(GAME.turn(GAME.initial_position(2, may_end)), Chance)


def test_what_the_match_asks_of_the_options() -> None:
    # LS-5.4, LS-5.6
    assert GAME.is_seat_order_drawn(options())
    assert not GAME.is_seat_order_drawn(options(starter="given"))
    assert GAME.can_offer_draw(options())
    assert not GAME.can_offer_draw(options(draw_offers="off"))
