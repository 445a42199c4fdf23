"""Positions as one line of text, and the deal as text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.games.chance import is_possible, sample
from pbem.games.game import ChanceResult, Seat
from pbem.games.logan_stones import GAME, Position
from pbem.games.logan_stones.draws import DEAL
from pbem.games.logan_stones.stones import SETS
from tests.games.logan_stones.situations import (
    DRIVER,
    FIRST,
    MOVING,
    PICTURED,
    WINNING,
    dealt,
    options,
    played,
    refusal,
)

HANDS = (
    "hand 1 1 RS, 2 PP, 3 SR, 4 RP, 5 SS, 6 PP, 7 RR, 8 SS;"
    "hand 2 1 SP, 2 RR, 3 PS, 4 RS, 5 PP, 6 SS, 7 RR, 8 PR"
)

DEALT = "M20=SP M22=PR; 1: RS PP SR RP SS PP RR SS; 2: SP RR PS RS PP SS RR PR"


def test_the_text_of_the_document() -> None:
    text = (
        "island L21=RS1 M20=PS* M22=PR; hand 1 2 PP, 3 SR, 4 RP, 5 SS, 6 PP, 7 RR, 8 SS;"
        " hand 2 1 SP, 2 RR, 3 PS, 4 RS, 5 PP, 6 SS, 7 RR, 8 PR; to move 2; ply 1"
    )
    assert GAME.dump(played(FIRST, "1 l21")) == text
    assert GAME.load(text) == played(FIRST, "1 l21")


def test_reached_positions_are_shifted_to_m20() -> None:
    text = GAME.dump(played(MOVING, "M20 to M24"))
    assert text == (
        "island M22=SS* M24=RP N21=PR N23=PS*; to move 2; ply 17; reached "
        "1 M20=RP M22=SS N21=PR N23=SP / 2 M20=SS M22=RP N19=PR N21=PS"
    )


@pytest.mark.parametrize(
    "position",
    [
        GAME.initial_position(2, options()),
        GAME.leave(GAME.initial_position(2, options(memory_aid="off")), Seat(2)),
        PICTURED,
        played(WINNING, "flip M20"),
        GAME.agree_draw(MOVING),
        played(GAME.load("M20=RP M22=SS"), *["flip M20"] * 4),
        GAME.load("M20=RP M22=SS; repetition off; draw_cap 500"),
        GAME.load("M20=RP M22=PS; draw_cap none; stone_set 3x6"),
        GAME.load("-A-1=RP A-2=SS; memory_aid off; ply 99; to move 2"),
    ],
)
def test_special_positions_are_read_back(position: Position) -> None:
    assert GAME.load(GAME.dump(position)) == position


def test_what_is_left_out_is_taken_for_granted() -> None:
    assert GAME.load("m20=rp,m22=ss.") == GAME.load("island M20=RP M22=SS; to move 1; ply 16")
    assert GAME.load("M20=RP M22=SS; to move 2").ply == 17
    assert GAME.load(f"M20=SP M22=PR; {HANDS}").ply == 0
    assert GAME.load("undealt") == GAME.initial_position(2, options())


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "parts"),
        ("island M20=RP M22=SS; island M20=RP M22=SS", "island"),
        ("island", "island"),
        ("undealt; M20=RP M22=SS", "island"),
        ("M20=RP", "island"),
        ("M20=RP M20=SS", "island"),
        ("M21=RP M20=SS", "island"),
        ("M20=RP M22=SX", "island"),
        ("M20=RP M22=SS3", "island"),
        ("M20=RP M24=SS", "island"),  # no contact
        ("M20=RP M22=SS M24=SS L21=SS N21=SS", "island"),  # LS-5.7: four of a kind
        ("M20=RP M22=SS; stone_set 3x6", "island"),
        ("M20=RP M22=SS; stone_set 1x18", "stone_set"),
        ("M20=RP M22=SS; hand 1 1 RR", "hand 1"),
        ("M20=RP M22=SS; hand 1 2 RR, 1 RR; ply 12", "hand 1"),
        ("M20=RP M22=SS; hand 1 9 RR", "hand 1"),
        ("M20=RP M22=SS; to move 3", "to move"),
        ("M20=RP M22=SS; to move 1; ply 17", "to move"),
        ("M20=RP M22=SS; ply 3", "hand 1"),
        ("M20=RP M22=SS; ply 100", "ply"),
        ("M20=RP M22=SS; ply 12345", "ply"),
        ("M20=RP M22=SS; draw_cap 39", "draw_cap"),
        ("M20=RP M22=SS; draw_cap many", "draw_cap"),
        ("M20=RP M22=SS; draw_cap none; repetition off", "repetition"),
        ("M20=RP M22=SS; memory_aid maybe", "memory_aid"),
        ("M20=RP M22=SS; reached 1 M20=RP", "reached"),
        ("M20=RP M22=SS; reached 1", "reached"),
        ("M20=RP M22=SS; reached 3 M20=RP M22=SS", "reached"),
        ("M20=RP M22=SS; reached 1 M20=RP* M22=SS", "reached"),
        ("M20=RP M22=SS; reached 1 M20=RP M22=SS / 1 M20=RP M22=SS", "reached"),
        ("M20=RP M22=SS; repetition off; reached 1 M20=RP M22=SS", "reached"),
        (f"M20=RP M22=SS; ply 20; reached {' / '.join(['1 M20=RP M22=SS'] * 3)}", "over"),
        ("M20=RP M22=SS; over repetition", "over"),
        ("M20=RP M22=SS; over line 1", "over"),
        ("M20=RP M22=SS; over line", "over"),
        ("M20=RP M22=SS; over cap", "over"),
        ("M20=RR M22=RP M24=RR M26=RR", "over"),
        ("M20=RR M22=RP M24=RR M26=RR; over line 1", "over"),  # seat 2 has moved last
        ("undealt; ply 1", "undealt"),
        ("undealt; over cap", "over"),
    ],
)
def test_what_no_position_can_be_is_refused(text: str, part: str) -> None:
    assert DRIVER.find_wrong_part(text) == part


# --- the deal -------------------------------------------------------------------------------------


def test_a_deal_can_be_written_without_telling_equal_stones_apart() -> None:
    # LS-10.1
    start = GAME.initial_position(2, options())
    drawn = GAME.read_chance(DEALT, start)
    assert GAME.play(start, drawn) == FIRST
    assert GAME.play(start, GAME.read_chance(f"  {DEALT.casefold()}\n", start)) == FIRST
    assert GAME.chance_notation(start, drawn).startswith(f"{DEALT}; drawn ")


@pytest.mark.parametrize("stone_set", SETS)
def test_deals_are_read_back(stone_set: str) -> None:
    # LS-1.7, LS-1.9, LS-5.7
    start = GAME.initial_position(2, options(stone_set=stone_set))
    rng = random.Random(stone_set)
    for _ in range(20):
        drawn = ChanceResult(sample(DEAL, iter(lambda: rng.randrange(256), -1)))
        text = GAME.chance_notation(start, drawn)
        assert GAME.read_chance(text, start) == drawn
        shorter = GAME.read_chance(text.partition("; drawn")[0], start)
        assert is_possible(DEAL, shorter.values)
        assert GAME.play(start, shorter) == GAME.play(start, drawn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "M20=SS M22=SS; 1: SS SS SR RP SS PP RR SS; 2: SP RR PS RS PP SS RR PR",
        "M20=SP M22=PR; 1: RS PP SR RP SS PP RR; 2: SP RR PS RS PP SS RR PR",
        f"{DEALT}; drawn abc",
        f"{DEALT}; drawn abcdefghijklmnopqr",
        f"{DEALT}; drawn aaaaaaaaaaaaaaaaaa",
    ],
)
def test_what_is_no_deal_is_refused(text: str) -> None:
    start = GAME.initial_position(2, options())
    assert refusal(lambda: GAME.read_chance(text, start)) == "unreadable"


def test_stones_are_dealt_once() -> None:
    with pytest.raises(ValueError, match="no deal"):
        GAME.play(dealt(1), ChanceResult(tuple(range(18)) + (1,) * 18))
    with pytest.raises(ValueError, match="no deal"):
        GAME.play(replace(GAME.initial_position(2, options())), ChanceResult((1, 2, 3)))
