"""Section 7: the words of orders, what they may leave out, and that text is read or refused."""

from __future__ import annotations

import pytest

from pbem.games.logan_stones import GAME, Position
from tests.games.logan_stones.situations import DEEP, FAR, FIRST, MOVING, read_as

ADDS = [
    # LS-7.2: the verbs, the symbols, `to` and `at`, `turned`
    ("add 3 N21", "add 3 N21"),
    ("put 3 to n21", "add 3 N21"),
    ("put 4 at L 21, turned", "add 4 L21 turned"),
    ("3 at n21 t", "add 3 N21 turned"),
    ("add rock 3 n21", "add 3 N21 turned"),
    # LS-7.1: case, separators, blanks, and what is written together
    ("ADD 3, N 21.", "add 3 N21"),
    ("add: 3;\nN21", "add 3 N21"),
    ("3n21t", "add 3 N21 turned"),
    ("1 -a3", "too_few_contacts"),
    ("add 1 -2", "space_incomplete"),
    ("3rock n21", "add 3 N21 turned"),
    ("3 n21 rock", "add 3 N21 turned"),
    ("3 turned n21", "add 3 N21 turned"),
    # LS-7.6: a symbol asks for the upper face
    ("1 r l21", "add 1 L21"),
    ("1 s l21", "add 1 L21 turned"),
    ("1 s l21 turned", "add 1 L21 turned"),
    # LS-7.6: what people say of the face that they want on top
    ("3 n21 rock side up", "add 3 N21 turned"),
    ("3 with scissors on top to n21", "add 3 N21"),
    ("3 n21 with the rock showing", "add 3 N21 turned"),
    ("3 rock sideways n21", "unreadable"),
    # LS-7.4: what people say of a stone that is turned, or is not
    ("3 n21, other side up", "add 3 N21 turned"),
    ("3 n21 turned over", "add 3 N21 turned"),
    ("3 n21, not turned", "add 3 N21"),
    ("3 n21 as it lies", "add 3 N21"),
    # LS-7.6, LS-8.29: doubles
    ("2 p l21", "add 2 L21"),
    ("2 p l21 turned", "add 2 L21 turned"),
    # LS-8.18: several fit, among them doubles
    ("p l21", "stone_missing"),
]
MOVES = [
    ("move m20 to o22", "move M20 to O22"),
    ("m20 - o22", "move M20 to O22"),
    ("m20>o22 t", "move M20 to O22 turned"),
    ("m20 -> o22, turned", "move M20 to O22 turned"),
    ("m20 → o22", "move M20 to O22"),
    ("m20 – o22", "move M20 to O22"),
    ("move m 20 o 22", "move M20 to O22"),
    ("f m22", "flip M22"),
    ("flip at m22", "flip M22"),
    # LS-7.5
    ("flip m22 turned", "flip M22"),
    ("m20-22", "space_incomplete"),
    ("m-o22", "space_incomplete"),
    # LS-7.1: a letter and a number are always a space
    ("f 21", "target_missing"),
]
SIGNS = [
    # LS-7.1: `-` after a space is the sign of a move, elsewhere that of a row or number
    ("flip -a-3", "flip -A-3"),
    ("flip a-2", "flip A-2"),
    ("flip a -2", "flip A-2"),
    ("flip -b -2", "flip -B-2"),
    ("-b-2 to -a-1", "move -B-2 to -A-1"),
    ("-b-2 -> -a-1", "move -B-2 to -A-1"),
    ("move b-3 - -a-1", "move B-3 to -A-1"),
    ("-b-2-a-1", "not_a_space"),  # the sign of a move, then A-1
]


BELOW = [
    # LS-1.6: rows below Z are written together
    ("flip aa20", "flip AA20"),
    ("z21 to ab21", "occupied"),
    ("flip aa 20", "unreadable"),
]
ROWS = [
    (position, *row)
    for position, rows in ((FIRST, ADDS), (MOVING, MOVES), (FAR, SIGNS), (DEEP, BELOW))
    for row in rows
]


@pytest.mark.parametrize(("position", "typed", "outcome"), ROWS)
def test_orders(position: Position, typed: str, outcome: str) -> None:
    assert read_as(position, typed) == outcome


def test_the_only_stone_that_fits_is_filled_in() -> None:
    # LS-7.7
    one_rock = GAME.load(
        "L21=RS M20=PS M22=PR N19=SP N21=RR; hand 1 2 PP, 5 RS;"
        "hand 2 1 SP, 2 RR; ply 12; stone_set 9x2"
    )
    assert read_as(one_rock, "rock m18") == "add 5 M18"
    assert read_as(one_rock, "s m18") == "add 5 M18 turned"
    assert read_as(one_rock, "p m18 t") == "add 2 M18 turned"
    assert read_as(one_rock, "m18") == "stone_missing"
    after = GAME.play(one_rock, GAME.read_notation("add 5 M18", one_rock))
    last = GAME.play(after, GAME.read_notation("add 2 L19", after))
    assert read_as(last, "l23") == "add 2 L23"
    assert read_as(last, "l23 turned") == "add 2 L23 turned"
