"""Section 10, doubles (LL-7.12), and counts (LL-11.3)."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.position import Phase, WholeTurn
from pbem.games.looney_ludo.steps import Course, take
from tests.games.looney_ludo.situations import (
    DRIVER,
    new,
    part,
    played,
    read_as,
    squares,
    start,
)

# --- LL-10.1 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "homes"),
    [
        (1, {"G.c": "Rl<Ps", "P.c": "Gl<Rs", "R.c": "Pl<Gs"}),
        (0, {"G.c": "Pl<Rs", "P.c": "Rl<Gs", "R.c": "Gl<Ps"}),
    ],
)
def test_setup_with_three_players(number: int, homes: dict[str, str]) -> None:
    position = played(new(3, colours="rgp"), "* Red 3, Green 6, Purple 5")
    position = played(position, "* Yellow B2, Red C2, Green C3, Purple B3")
    stacks = {**homes, "Y.c": "Gm<Pm<Rm"}
    colours = {"G": "Green", "P": "Purple", "R": "Red", "Y": "Yellow"}
    deal = ", ".join(f"{colours[square[0]]} {stack}" for square, stack in stacks.items())
    drawn = GAME.read_chance(deal, position)
    assert drawn.values == (number,)
    position = GAME.play(position, drawn)
    assert squares(position) == stacks
    assert position.to_act == 2
    assert part(position, "boards") == "Yellow B2 SE, Red C2 SW, Purple B3 NE, Green C3 NW"


def test_any_other_deal_is_wrong() -> None:
    position = played(
        new(3, colours="rgp", starter="given"), "* Red B2, Green C2, Purple C3, Yellow B3"
    )
    for text in ("Green Rl<Ps, Purple Rs<Gl, Red Pl<Gs, Yellow Rm<Gm<Pm", "Green Rl<Ps, nobody"):
        with pytest.raises(Rejection):
            GAME.read_chance(text, position)


# --- LL-10.2 to LL-10.5 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "typed", "after"),
    [
        # LL-10.2
        ("5 3 swap", "S wnnen", {"G.c": "Bl", "R.c": "Bm<Rs"}),
        ("5 3 swap", "S wn; L top", {"G.nw": "Rs", "Y.c": "Bs<Rl"}),
        ("5 3 swap", "S wn; swap Green Yellow", {"G.nw": "Rs"}),
        # LL-10.3
        ("4 1 dig", "BS n; L w", {"Y.n": "Bs", "Y.w": "Rl"}),
        # LL-10.4
        ("4 3 aim", "aim Blue ccw; M wn", {"B.nw": "Rm"}),
        ("2 2 aim", "M e", {"B.e": "Rm"}),
        # LL-10.5
        ("6 4 hop", "L top; hop Yellow to B1 ccw; L s", {"Y.c": "Bs", "Y.s": "Rl"}),
    ],
)
def test_turns_that_are_played(dice: str, typed: str, after: dict[str, str]) -> None:
    position = played(start(dice), typed)
    assert after.items() <= squares(position).items()
    assert (position.to_act, position.phase, position.played) == (2, Phase.ROLL, 1)


def test_boards_and_dice_after_a_turn() -> None:
    # LL-10.4: a reroll keeps the treehouse die.
    rolled = played(start("2 2 aim"), "reroll", "* 4 3")
    assert (rolled.phase, part(rolled, "dice")) == (Phase.ACT, "4 3 aim")
    # LL-10.2: Green in (1,0), r 1; Yellow in (0,1), r 3.
    position = played(start("5 3 swap"), "S wn; swap green yellow")
    assert part(position, "boards") == "Red B2 SE, Green C2 NE, Yellow B3 SW, Blue C3 NW"

    # LL-10.5: slots are named anew after a hop.
    position = played(start("6 4 hop"), "L top; hop yellow to B1 ccw; L s")
    assert part(position, "boards") == "Yellow B2 SE, Red B3 SE, Green B4 NE, Blue C4 NW"


# --- LL-7.12 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "canonical", "phase"),
    [
        ("keep", "keep", Phase.ACT),
        ("keep; pass", "pass", Phase.ROLL),
        ("keep; S w", "S w", Phase.ROLL),
        ("S w", "S w", Phase.ROLL),
        ("reroll", "reroll", Phase.REROLL),
    ],
)
def test_doubles_are_decided(typed: str, canonical: str, phase: Phase) -> None:
    # LL-2.5
    before = start("2 2 aim")
    assert read_as(before, typed) == canonical
    assert played(before, typed).phase is phase


def test_doubles_that_are_kept_stay_kept() -> None:
    # LL-7.7f
    assert {"keep", "reroll"} <= {*DRIVER.list_legal(start("2 2 aim"))}
    kept = played(start("2 2 aim"), "keep")
    assert not {"keep", "reroll"} & {*DRIVER.list_legal(kept)}
    assert (kept.phase, kept.roll) == (Phase.ACT, start("2 2 aim").roll)
    assert read_as(kept, "keep; S w") == "S w"
    assert read_as(kept, "keep") == "order_empty"
    assert read_as(kept, "reroll") == "no_doubles"


# --- LL-11.3 -----------------------------------------------------------------------------------


def ends(position: Position, points: int, *, dig: bool = False, swaps: bool = False) -> int:
    """In how many different positions a turn can end."""
    seen = set()
    queue: list[WholeTurn] = [WholeTurn()]
    while queue:
        turn = queue.pop()
        course = Course(position)
        course.points, course.can_move_others = points, dig
        for step in turn.steps:
            take(course, step)
        state = (tuple(course.stacks), course.slots, course.points, course.has_action)
        if state in seen:
            continue
        seen.add(state)
        more = open_moves(course) + (open_actions(course) if swaps else [])
        queue += [WholeTurn(turn.steps + one.steps) for one in more]
    return len({state[:2] for state in seen})


def test_positions_that_a_turn_can_end_in() -> None:
    swap, dig, points = start("2 1 swap"), start("2 1 dig"), range(1, 8)
    assert [ends(swap, number) for number in points] == [4, 11, 25, 49, 87, 147, 233]
    with_dig = [7, 30, 100, 293, 773, 1873, 4233]
    assert [ends(dig, number, dig=True) for number in points] == with_dig
    assert [ends(swap, number, swaps=True) for number in (4, 5)] == [398, 730]
