"""Hexagonal grids: neighbours, rows by their letters, and what holds an island together."""

from __future__ import annotations

import random

from pbem.games.hexes import (
    AXES,
    STEPS,
    articulation_points,
    axial,
    is_connected,
    row_letters,
    row_number,
    space,
)


def test_coordinates_come_back() -> None:
    for at in ((0, 0), (3, -2), (-700, 500), (-1, -1), (12, 0)):
        assert axial(space(*at)) == at


def test_a_space_has_six_neighbours_and_each_touches_the_next() -> None:
    # LS-1.5
    around = [space(5, -3) + step for step in STEPS]
    steps = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    assert {axial(at) for at in around} == {(5 + q, -3 + r) for q, r in steps}
    for at, after in zip(around, (*around[1:], around[0]), strict=True):
        assert after - at in STEPS


def test_the_three_axes() -> None:
    # LS-1.5
    assert [axial(axis) for axis in AXES] == [(1, 0), (0, 1), (1, -1)]


def test_spaces_are_in_the_order_of_reading() -> None:
    corner = [space(q, r) for r in range(-9, 9) for q in range(-40, 40)]
    assert corner == sorted(corner)


LETTERS = {
    0: "A", 12: "M", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA",
    -1: "-A", -2: "-B", -26: "-Z", -27: "-AA",
}  # fmt: skip


def test_rows_have_letters() -> None:
    # LS-1.6
    for row, letters in LETTERS.items():
        assert row_letters(row) == letters
        assert row_number(letters) == row


def test_no_two_rows_have_the_same_letters() -> None:
    rows = range(-1500, 1500)
    assert len({row_letters(row) for row in rows}) == len(rows)
    assert all(row_number(row_letters(row)) == row for row in rows)


def test_what_hangs_together() -> None:
    line = [space(q, 0) for q in range(4)]
    assert is_connected(line)
    assert is_connected([])
    assert not is_connected([line[0], line[2]])
    assert not is_connected([space(0, 0), space(1, 1)])


def test_links_are_the_spaces_whose_loss_parts_the_others() -> None:
    rng = random.Random(1)
    seen = 0
    for size in range(1, 19):
        for _ in range(60):
            island = {space(0, 0)}
            while len(island) < size:
                island.add(rng.choice(sorted(island)) + rng.choice(STEPS))
            expected = {at for at in island if not is_connected(island - {at})}
            assert articulation_points(island) == expected
            seen += len(expected)
    assert seen > 1000
