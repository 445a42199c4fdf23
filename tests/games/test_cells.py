"""Boards as coloured cells: the signs of the text, colours that can be read, no secret."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from pbem.games import GAMES, AnyGame
from pbem.games.cells import Cell, Cells, Mark, Role
from pbem.games.drawing.palette import INK
from pbem.games.game import Marks, Seat, Style
from tests.games.test_pictures import played

READ: Final = 4.5
"""WCAG 2.2, 1.4.3: the contrast of letters."""

WIDEST: Final = 10
"""Columns that a phone of 320 px has room for, with letters of 12 px."""

_STROKES: Final = re.compile(
    r"[-|+.·─│┌┬┐├┼┤└┴┘/\\\s]+"
)  # slashes join the two rows of a tile of Landrush

IN_CELLS: Final = [
    game
    for game in GAMES.values()
    if game.cells(played(game, 2, 3)[0], None, Marks(), Style.ASCII) is not None
]


def shown(game: AnyGame, seats: int, plies: int, seat: Seat | None, style: Style) -> Cells:
    position, since = played(game, seats, plies)
    marks: Marks[Any, Any] = Marks(since=since)
    cells = game.cells(position, seat, marks, style)
    assert cells is not None
    assert cells == game.cells(position, seat, marks, style)
    return cells


def every(cells: Cells) -> list[Cell]:
    return [cell for row in cells.rows for cell in row] + [cell for _, cell in cells.signs]


def cases() -> list[tuple[AnyGame, int, int]]:
    plies = (0, 1, 2, 5, 17, 40)
    return [(game, seats, at) for game in IN_CELLS for seats in game.seats for at in plies]


@pytest.mark.parametrize(("game", "seats", "plies"), cases())
@pytest.mark.parametrize("style", Style)
def test_cells_have_the_signs_of_the_text(
    game: AnyGame, seats: int, plies: int, style: Style
) -> None:
    position, _ = played(game, seats, plies)
    cells = shown(game, seats, plies, Seat(1), style)
    text = "".join(game.board(position, Seat(1), style).lines)
    assert _STROKES.sub("", "".join(cells.lines)) == _STROKES.sub("", text)
    assert {sum(cell.wide for cell in row) for row in cells.rows} == {cells.columns}


@pytest.mark.parametrize("game", IN_CELLS, ids=lambda game: game.ruleset)
def test_the_readers_pieces_have_an_edge_of_their_own(game: AnyGame) -> None:
    first, second, nobody = (
        shown(game, 2, 17, seat, Style.ASCII) for seat in (Seat(1), Seat(2), None)
    )
    own, others = (
        {(cell.text, cell.fill) for cell in every(cells) if cell.role is Role.OWN}
        for cells in (first, second)
    )
    assert own
    assert others
    assert not own & others
    assert not [cell for cell in every(nobody) if cell.role is Role.OWN]
    assert {cell.outline for cell in every(first) if cell.role is Role.OWN} == {INK}


@pytest.mark.parametrize("game", IN_CELLS, ids=lambda game: game.ruleset)
def test_a_piece_has_one_shape_whoever_looks(game: AnyGame) -> None:
    seats = game.seats[-1]
    shapes = [
        {(cell.text, cell.fill): cell.shape for cell in every(cells) if cell.fill}
        for cells in (
            shown(game, seats, 17, seat, Style.ASCII) for seat in (Seat(1), Seat(2), None)
        )
    ]
    assert shapes[0] == shapes[1] == shapes[2]


def test_each_logger_has_the_shape_of_its_picture() -> None:
    game = next(game for game in IN_CELLS if game.key == "logger")
    seen = shown(game, 4, 17, Seat(2), Style.ASCII)
    shapes = {cell.text: cell.shape for cell in every(seen) if cell.fill}
    assert shapes == {"A": "circle", "B": "square", "C": "diamond", "D": "hexagon"}


@pytest.mark.parametrize("game", IN_CELLS, ids=lambda game: game.ruleset)
def test_what_happened_is_marked_and_nothing_else_changes(game: AnyGame) -> None:
    position, since = played(game, 2, 23)
    marks: Marks[Any, Any] = Marks(since=since)
    bare, marked = (game.cells(position, Seat(1), one, Style.ASCII) for one in (Marks(), marks))
    assert bare is not None
    assert marked is not None
    assert bare.lines == marked.lines
    assert not any(cell.mark in (Mark.NEW, Mark.LEFT) for cell in every(bare))
    assert any(cell.mark is Mark.NEW for cell in every(marked))


def test_there_are_games_in_cells() -> None:
    assert {game.key for game in IN_CELLS} == {"logger", "landrush"}
