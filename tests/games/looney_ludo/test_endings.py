"""Sections 2 to 5: actions, nests in anybody's turn, the cap, seats that leave, standing orders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import Rejection
from pbem.games.game import ChanceResult, GameOver, Seat
from pbem.games.looney_ludo import GAME, Position
from pbem.games.looney_ludo.position import Phase
from tests.games.looney_ludo.situations import (
    DRIVER,
    PIECES,
    TABLE,
    part,
    played,
    read_as,
    start,
)

COVERED = "pieces B.c=Bs<Bm<Bl<Rs Y.c=Rl<Rm; "
"""A red Small on the blue nest."""
NEARLY = "pieces R.c=Bm<Rs<Rm G.n=Rl Y.c=Bs G.c=Bl; "
ON_THE_WAY = "pieces R.c=Rs<Rm R.s=Rl Y.c=Bs G.c=Bl<Bm; "
OWN_TURN = "; nest_timing own_turn"
LAST = "; turn_cap 50; played 49"
THREE = (
    "seats Red, Blue, Green; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
    "pieces B.c=Bs<Bm<Bl<Rs Y.c=Rl<Rm G.n=Gs<Gm<Gl; dice 5 3 swap"
)


def ending(position: Position) -> tuple[str, tuple[int, ...]]:
    turn = GAME.turn(position)
    assert isinstance(turn, GameOver)
    return turn.outcome.termination, turn.outcome.placings


# --- nests and the cap -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "typed", "canonical", "termination", "placings"),
    [
        # LL-3.15, LL-11.8: a nest in another's turn wins at once.
        (start("5 3 swap", COVERED), "S n; M n", "S n", "nest", (2, 1)),
        # LL-5.5: with own_turn it is looked for before Blue rolls.
        (start("5 3 swap", COVERED, OWN_TURN), "S n; M n", "S n; M n", "nest", (2, 1)),
        (start("6 2 hop", NEARLY, OWN_TURN), "L nn; hop blue to D3", "L nn", "nest", (1, 2)),
        # LL-10.6: the rest is dropped.
        (start("6 2 hop", NEARLY), "L n2; hop blue to D3", "L nn", "nest", (1, 2)),
        # LL-3.20: a nest is won on the way.
        (start("6 2 hop", ON_THE_WAY), "L nw", "L n", "nest", (1, 2)),
        # LL-4.4: a nest in the last turn wins, else the game is drawn, but not by who left.
        (start("6 2 hop", NEARLY, LAST), "L nn", "L nn", "nest", (1, 2)),
        (start("5 3 swap", more=LAST), "pass", "pass", "cap", (1, 1)),
        (GAME.load(f"{THREE}{LAST}; left 2"), "pass", "pass", "cap", (1, 3, 1)),
    ],
)
def test_how_a_turn_ends_the_game(
    position: Position, typed: str, canonical: str, termination: str, placings: tuple[int, ...]
) -> None:
    assert read_as(position, typed) == canonical
    assert ending(played(position, typed)) == (termination, placings)


def test_with_own_turn_a_nest_may_be_covered_again_in_time() -> None:
    three = THREE.replace("Blue, Green;", "Green, Blue;")
    opened = played(GAME.load(three + OWN_TURN), "S n")
    assert (opened.phase, opened.to_act) == (Phase.ROLL, 2)
    assert GAME.load(GAME.dump(opened)) == opened  # the nest of seat 3 stands
    again = played(opened, "* 4 1 dig", "RS s")
    assert (again.phase, again.to_act) == (Phase.ROLL, 3)


@pytest.mark.parametrize("top", ["Rs<Rm<Rl<Bs", "Rs<Bs<Rm<Rl", "Rm<Rs<Rl", "Rs<Rm"])
def test_what_is_no_nest(top: str) -> None:
    # LL-2.19, LL-3.17
    rest = [piece for piece in ("Rs", "Rm", "Rl", "Bs", "Bm", "Bl") if piece not in top]
    position = start("1 3 tip", f"pieces R.c={top} G.c={'<'.join(rest)}; ")
    assert played(position, "pass").phase is Phase.ROLL


def test_a_nest_of_somebody_who_left_has_no_effect() -> None:
    # LL-4.7
    after = played(GAME.load(f"{THREE}; left 2"), "S n; M n")
    assert (after.phase, after.to_act) == (Phase.ROLL, 3)


# --- actions under WILD ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "text", "read"),
    [
        # LL-2.17, LL-3.9: TIP makes seven points, of which the spent ones count.
        ("4 3 wild", "S e; tip; L top; M s; S n", "S e; tip; L top; M s; S n"),
        ("4 3 wild", "S e; tip; L top; M s; S nw", "no_points"),
        ("4 3 wild", "tip; L top; M s; S es", "tip; L top; M s; S es"),
        ("4 3 wild", "tip; L top; M s; S ese", "no_points"),
        # TIP is in force from the beginning if it was rolled (LL-7.7f).
        ("1 2 tip", "tip; L top; M s; S es", "L top; M s; S es"),
        # LL-3.11: DIG holds from its step on.
        ("4 3 wild", "BS n; dig", "not_your_piece"),
        ("4 3 wild", "dig; BS n", "dig; BS n"),
        # LL-2.6: an action may come between the moves of a piece.
        ("5 3 aim", "S w; aim green 180; S e", "S w; aim Green 180; S e"),
    ],
)
def test_actions_hold_from_their_step_on(dice: str, text: str, read: str) -> None:
    assert read_as(start(dice), text) == read


# --- seats that leave --------------------------------------------------------------------------


def test_the_last_seat_wins() -> None:
    # LL-4.5, LL-4.6
    assert ending(GAME.leave(start("5 3 swap"), Seat(1))) == ("last_seat", (2, 1))
    assert ending(GAME.leave(start("5 3 swap"), Seat(2))) == ("last_seat", (1, 2))


def test_dice_of_a_seat_that_leaves_on_turn_are_void() -> None:
    after = GAME.leave(GAME.load(THREE), Seat(1))
    assert (after.phase, after.roll, after.to_act) == (Phase.ROLL, None, 2)


def test_somebody_elses_leaving_changes_nothing_for_the_seat_on_turn() -> None:
    # LL-4.8
    position = GAME.load(THREE)
    after = GAME.leave(position, Seat(2))
    assert after == replace(position, left=(2,))
    assert played(after, "pass").to_act == 3
    assert GAME.leave(after, Seat(2)) == after


# --- standing orders -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("doubles ask", "doubles ask"),
        ("Doubles: keep.", "doubles keep"),
        ("doubles reroll <= 4", "doubles reroll 4"),
        ("DOUBLES REROLL up to 6", "doubles reroll 6"),
        ("doubles re-roll 1", "doubles reroll 1"),
        ("keep", None),
        ("I like doubles", None),
    ],
)
def test_standing_orders(typed: str, canonical: str | None) -> None:
    # LL-7.14
    assert GAME.parse_standing_order(typed) == canonical
    if canonical is not None:
        assert GAME.parse_standing_order(canonical) == canonical


def test_bad_standing_orders() -> None:
    # LL-8.6
    for typed in ("doubles", "doubles reroll", "doubles reroll 7", "doubles off"):
        with pytest.raises(Rejection, match="bad_order"):
            GAME.parse_standing_order(typed)


@pytest.mark.parametrize(
    ("dice", "order", "made"),
    [
        ("2 2 aim", "doubles ask", None),
        ("2 2 aim", "doubles keep", "keep"),
        ("2 2 aim", "doubles reroll 2", "reroll"),
        ("3 3 aim", "doubles reroll 2", "keep"),
    ],
)
def test_standing_orders_are_obeyed(dice: str, order: str, made: str | None) -> None:
    # LL-7.16
    move = GAME.apply_standing_order(start(dice), order)
    assert (None if move is None else GAME.notation(move)) == made


def test_nothing_is_kept_or_rolled_again_without_doubles() -> None:
    # LL-8.15, asked of the rules themselves; LL-7.7f: doubles that are kept stay kept
    for position in (start("5 3 swap"), start("3 3 tip"), played(start("2 2 aim"), "keep")):
        for text in ("keep", "reroll"):
            assert DRIVER.refuse_canonical(position, text) == "no_doubles"
        assert GAME.apply_standing_order(position, "doubles reroll 6") is None


def test_draws_are_taken_only_when_they_are_due() -> None:
    with pytest.raises(ValueError, match="no answer"):
        GAME.play(start("5 3 swap"), ChanceResult((5, 3, 2)))
    due = GAME.load(f"{TABLE}{PIECES}to move 1")
    for values in ((0, 3, 2), (5, 3, 6), (5, 3), (5, 3, 2, 1)):
        with pytest.raises(ValueError, match="no answer"):
            GAME.play(due, ChanceResult(values))


def test_steps_after_the_one_that_wins_are_no_turn() -> None:
    # LL-7.10
    nearly = start("6 2 hop", NEARLY)
    assert DRIVER.refuse_canonical(nearly, "L nn; hop Blue to D3") == "game_over"


def test_new_doubles_leave_the_choice_again() -> None:
    # LL-2.4
    position = played(start("2 2 aim"), "reroll", "* 1 1", "reroll", "* 6 6")
    assert (position.phase, part(position, "dice")) == (Phase.DOUBLES, "6 6 aim")


def test_draw_offers_are_an_option() -> None:
    # LL-5.4
    assert GAME.can_offer_draw(GAME.normalise_options({}))
    assert not GAME.can_offer_draw(GAME.normalise_options({"draw_offers": "off"}))
    assert not GAME.is_seat_order_drawn(GAME.normalise_options({}))
