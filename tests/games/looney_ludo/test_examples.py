"""Section 10, and doubles (LL-7.12)."""

from __future__ import annotations

import pytest

from pbem.errors import Rejection
from pbem.games.game import GameOver
from pbem.games.looney_ludo import GAME
from pbem.games.looney_ludo.position import Phase
from tests.games.looney_ludo.situations import (
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
    ("dice", "typed", "canonical", "after"),
    [
        # LL-10.2
        ("5 3 swap", "S wnnen", "S wnnen", {"G.c": "Bl", "R.c": "Bm<Rs"}),
        ("5 3 swap", "S wn; L top", "S wn; L top", {"G.nw": "Rs", "Y.c": "Bs<Rl"}),
        ("5 3 swap", "M se", "M se", {"B.se": "Rm"}),
        ("5 3 swap", "S wn; swap green yellow", "S wn; swap Green Yellow", {"G.nw": "Rs"}),
        # LL-10.3
        ("4 1 dig", "BS n; L w", "BS n; L w", {"Y.n": "Bs", "Y.w": "Rl"}),
        # LL-10.4
        ("4 3 aim", "aim blue dot sw; M wn", "aim Blue ccw; M wn", {"B.nw": "Rm"}),
        ("2 2 aim", "M e", "M e", {"B.e": "Rm"}),
        # LL-10.5
        (
            "6 4 hop",
            "L top; hop yellow north of red left; L s",
            "L top; hop Yellow to B1 ccw; L s",
            {"Y.c": "Bs", "Y.s": "Rl"},
        ),
    ],
)
def test_turns_that_are_played(
    dice: str, typed: str, canonical: str, after: dict[str, str]
) -> None:
    before = start(dice)
    assert read_as(before, typed) == canonical
    position = played(before, typed)
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


# --- LL-10.6 -----------------------------------------------------------------------------------

NEARLY = "pieces R.c=Bm<Rs<Rm G.n=Rl Y.c=Bs G.c=Bl; "


@pytest.mark.parametrize("typed", ["L nn", "L n2; hop blue to D3"])
def test_a_nest_wins_and_the_rest_is_dropped(typed: str) -> None:
    before = start("6 2 hop", NEARLY)
    assert read_as(before, typed) == "L nn"
    position = played(before, typed)
    turn = GAME.turn(position)
    assert isinstance(turn, GameOver)
    assert (turn.outcome.placings, turn.outcome.termination) == ((1, 2), "nest")
    assert squares(position)["R.c"] == "Bm<Rs<Rm<Rl"


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
    kept = played(start("2 2 aim"), "keep")
    assert (kept.phase, kept.roll) == (Phase.ACT, start("2 2 aim").roll)
    assert read_as(kept, "keep; S w") == "S w"
    assert read_as(kept, "keep") == "order_empty"
    assert read_as(kept, "reroll") == "no_doubles"
