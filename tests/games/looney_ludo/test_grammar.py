"""Section 7: every form of words, the completions, the words by which an order is known."""

from __future__ import annotations

import pytest

from pbem.games.looney_ludo import GAME
from tests.games.looney_ludo.situations import read_as, start
from tests.games.words import list_examples


def same(dice: str, canonical: str, *typed: str) -> list[object]:
    return [pytest.param(dice, text, canonical, id=text) for text in typed]


@pytest.mark.parametrize(
    ("dice", "typed", "canonical"),
    [
        # LL-7.1: separators, blanks, ignored words
        *same(
            "5 3 swap",
            "S wn; L top",
            "s wn;l top",
            "S wn\nL top",
            "S wn;\n;L top;",
            "(S) w-n. ; L -> top",
            "S: w, n\r\n[L] > top =",
            "then move my small to the w and n; with the large pyramid top",
            "S → w n; L top",
        ),
        # LL-7.3a, LL-7.3b, LL-7.2: pieces
        *same("5 3 swap", "M s", "m s", "med south", "medium s", "Red Medium s", "RM s"),
        *same("5 3 swap", "M s", "r m s", "m red s", "medium r south"),
        *same("5 3 dig", "BS n", "bs n", "b s n", "blue small n", "small blue north"),
        *same("5 3 swap", "L top", "lg top", "large ^", "l up", "L climb", "RL TOP"),
        # LL-7.3c, LL-7.4: directions and counts
        *same("5 3 swap", "S wnnen", "s wn2en", "s w n 2 e n", "s west north2 east1 north"),
        # What people say of steps and climbs.
        *same("5 3 swap", "S wnnen", "small one step west, two north, one east, one north"),
        *same("5 3 swap", "S wnnen", "small west, n twice, e, n", "s w two squares north e n"),
        *same("5 3 swap", "L top", "the large climbs to the top of its pile", "large to the top"),
        *same("5 3 swap", "S s; L top", "small one to the south, large climbs to the top"),
        *same("5 3 swap", "S s", "s s", "small s", "s south", "S 1s", "small down"),
        # The same where the east is written with an o (Ost, oost).
        *same("5 3 swap", "S wnnen", "s wnnon", "s wn2on", "small wnn on"),
        *same("5 3 dig", "BS e", "bs o", "small blue o"),
        # LL-7.10: successive movements of one piece are one clause
        *same("5 3 swap", "S wnnen", "S w; S n; S nen", "RS wnn; small en"),
        *same("6 4 swap", "L top w", "L top; L w"),
        # LL-7.2: SWAP
        *same("5 3 swap", "swap Blue Red", "swap r b", "swap red with blue", "SWAP: blue, red"),
        *same("5 3 swap", "swap Blue Red", "wild: swap the red board and the blue board"),
        # LL-7.3e to LL-7.3h: turns
        *same("6 4 aim", "aim Red cw", "aim r cw", "aim red right", "aim red clockwise"),
        *same("6 4 aim", "aim Red cw", "aim red 90", "aim red dot sw"),
        *same("6 4 aim", "aim Red ccw", "aim r acw", "aim r left", "aim r counterclockwise"),
        *same("6 4 aim", "aim Red ccw", "aim r anticlockwise", "aim r 270", "aim r dot: NE"),
        *same("6 4 aim", "aim Red ccw", "aim r dot no", "drehe rot gegen den uhrzeigersinn"),
        *same("6 4 aim", "aim Red 180", "aim r 180", "aim r half", "aim r flip", "aim r dot nw"),
        *same(
            "6 4 aim", "aim Blue ccw, Red 180", "aim r 180 blue left, green 0", "aim r 180, b ccw"
        ),
        # LL-7.2, LL-7.6: HOP
        *same("6 4 hop", "hop Yellow to D3", "hop yellow d3", "hop y to D3", "hop y d3 0"),
        *same("6 4 hop", "hop Yellow to D3 180", "hop y east of blue half", "hop y d3 flip"),
        *same("6 4 hop", "hop Yellow to C2 cw", "hop y cw", "hop y stay cw", "hop y stays 90"),
        *same("6 4 hop", "hop Yellow to C2 cw", "hop yellow here right", "hop y place cw"),
        *same("6 4 hop", "hop Yellow to C2 cw", "hop y C2 cw", "hop y east of red dot nw"),
        *same("6 4 hop", "hop Blue to B1", "hop b b1", "hop blue north of red norot"),
        # LL-7.3j, LL-7.7b
        *same("5 3 swap", "S w", "S w; pass", "S w; end", "S w\ndone"),
        *same("5 3 swap", "pass", "pass", "End.", "done"),
        # LL-7.7f
        *same("5 3 tip", "S w", "tip; S w", "S w; wild tip"),
        *same("6 4 wild", "tip", "wild: tip"),
        *same("6 4 hop", "hop Yellow to B1 ccw", "Hop yellow: north of red, left"),
        *same("5 3 dig", "BS n", "wild dig; BS n"),
        *same("5 3 wild", "dig; BS n", "wild: dig; bs n", "dig\nbs n"),
    ],
)
def test_forms_that_are_read(dice: str, typed: str, canonical: str) -> None:
    position = start(dice)
    assert read_as(position, typed) == canonical
    assert GAME.notation(GAME.read_notation(canonical, position)) == canonical


@pytest.mark.parametrize(
    "typed",
    [
        "wn", "swn", "MR s", "S x", "S w10", "S n0", "S wn!", "red red w", "hop red b1 c1",
        "hop red b1 cw cw", "hop red north of", "hop red sideways", "aim red dot north",
        "aim cw red", "swap red blue cw", "tip now", "pass the salt", "keep trying", "S top2",
        "S o n", "Rs<Rm",
    ],
)  # fmt: skip
def test_forms_that_are_not(typed: str) -> None:
    assert read_as(start("5 3 swap"), typed) == "unreadable"


@pytest.mark.parametrize(
    ("dice", "typed", "code"),
    [
        ("5 3 swap", "R", "which_piece"),
        ("5 3 swap", "small north east", "no_arrow"),  # LL-7.4: it was read as directions
        # LL-7.6: letters with numbers are slots in a hop.
        ("6 4 hop", "hop green e2", "bad_slot"),
        ("6 4 hop", "hop green n2", "bad_slot"),
        # LL-7.5: slots keep their names after a hop, so a second action is refused for that alone.
        ("6 4 hop", "hop yellow b1; hop blue d2", "action_used"),
    ],
)
def test_forms_that_are_read_and_refused(dice: str, typed: str, code: str) -> None:
    assert read_as(start(dice), typed) == code


def test_the_examples_of_the_help_are_read() -> None:
    *examples, last = list_examples(GAME)
    assert last == "pass"
    for example in examples:
        assert GAME.move_words.search(example.casefold())
        codes = {
            read_as(start(dice), example)
            for dice in ("5 3 swap", "6 4 hop", "6 4 aim", "6 4 dig", "6 4 wild")
        }
        assert not codes & {"unreadable", "which_piece", "no_path", "slot_missing", "turn_missing"}


def test_a_clause_of_one_piece_is_canonical_whether_it_is_legal_or_not() -> None:
    position = start("5 3 swap")
    assert GAME.notation(GAME.read_notation("S w top", position)) == "S w top"
