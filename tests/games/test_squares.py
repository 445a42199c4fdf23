from __future__ import annotations

from pbem.games import squares
from pbem.games.game import Style


def test_numbers_and_names_of_cells_have_the_same_order() -> None:
    names = squares.names(4, 3)
    assert names == ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "d1", "d2", "d3")
    assert list(names) == sorted(names)


def test_neighbours_share_a_side() -> None:
    names = squares.names(3, 3)
    near = [" ".join(names[cell] for cell in cells) for cells in squares.neighbours(3, 3)]
    assert near[names.index("b2")] == "a2 b1 b3 c2"
    assert near[names.index("a1")] == "a2 b1"
    assert near[names.index("c2")] == "b2 c1 c3"


def test_rays_go_straight_to_the_edge() -> None:
    names = squares.names(5, 4)
    up, right, down, left = squares.rays(5, 4)[names.index("b2")]
    assert [names[cell] for cell in up] == ["b3", "b4"]
    assert [names[cell] for cell in right] == ["c2", "d2", "e2"]
    assert [names[cell] for cell in down] == ["b1"]
    assert [names[cell] for cell in left] == ["a2"]


def test_the_picture_has_row_1_at_the_bottom() -> None:
    inside = (" x ", "   ", "   ", " y ")
    assert squares.draw_board(2, 2, inside, Style.ASCII) == (
        "       a   b",
        "     +---+---+",
        "  2  |   | y |  2",
        "     +---+---+",
        "  1  | x |   |  1",
        "     +---+---+",
        "       a   b",
    )
    assert squares.draw_board(2, 2, inside, Style.UNICODE)[1:6] == (
        "     ┌───┬───┐",
        "  2  │   │ y │  2",
        "     ├───┼───┤",
        "  1  │ x │   │  1",
        "     └───┴───┘",
    )
