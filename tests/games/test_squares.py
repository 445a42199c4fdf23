from __future__ import annotations

from pbem.games import squares
from pbem.games.game import Style


def test_the_lines_of_a_grid_meet() -> None:
    inside = (" x ", "   ", "   ", " y ")
    assert squares.draw_board(2, 2, inside, Style.UNICODE)[1:6] == (
        "     ┌───┬───┐",
        "  2  │   │ y │  2",
        "     ├───┼───┤",
        "  1  │ x │   │  1",
        "     └───┴───┘",
    )
