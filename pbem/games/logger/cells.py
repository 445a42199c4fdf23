"""The forest as coloured cells: loggers and trees on their ground, and what happened marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.games.cells import Cell, Cells, Mark, Role, edge, ink_on, marked, piece
from pbem.games.drawing.palette import FRESH, WHITE
from pbem.games.game import Marks, Signs, Style, Viewpoint
from pbem.games.logger.board import LETTERS, SIGNS
from pbem.games.logger.consequences import facts
from pbem.games.logger.picture import COLOUR_NAMES, FILLS, GROUND, SHAPES, changes_of
from pbem.games.logger.position import BIT, CELLS, NUMBERS, SIDE, Move, Position

_GREENS: Final = ("#dcefc8", "#8fcb7a", "#2c6e31")
"""The grounds of seedlings, saplings and mature trees: the higher, the darker."""

_PROTESTED: Final = "#ff9d2e"
"""The ground of a tree with a protester."""


def cells(
    position: Position, viewpoint: Viewpoint, marks: Marks[Position, Move], style: Style
) -> Cells:
    """The board; every viewpoint sees the same (LG-6.1), but for its own logger."""
    changed, letters = dict(_changed(marks)), marks.signs or LETTERS
    rows = []
    for y in range(SIDE - 1, -1, -1):
        inside = (
            _cell(position, x * SIDE + y, viewpoint, changed.get(x * SIDE + y), style, letters)
            for x in range(SIDE)
        )
        rows.append((edge(str(y + 1)), *inside, edge(str(y + 1))))
    names = (edge(""), *(edge(CELLS[x * SIDE][0]) for x in range(SIDE)), edge(""))
    return Cells((names, *rows, names), tuple(_signs(position, viewpoint, style, letters)))


def _changed(marks: Marks[Position, Move]) -> Iterator[tuple[int, tuple[Mark, str]]]:
    """What happened to cells, the last for each: its mark, and the colour of who did it."""
    for played in marks.since:
        told = facts(played.move, played.before, played.after)
        fill = FILLS[played.before.to_act - 1]
        if told["kind"] != "place":
            yield NUMBERS[str(told["from"])], (Mark.LEFT, fill)
            yield NUMBERS[str(told["to"])], (Mark.NEW, fill)
        for change in changes_of(told):
            yield change.cell, (Mark.LEFT if change.sign == "fell" else Mark.NEW, fill)


def _cell(  # noqa: PLR0917 - all that a cell shows
    position: Position,
    cell: int,
    viewpoint: Viewpoint,
    changed: tuple[Mark, str] | None,
    style: Style,
    letters: Signs,
) -> Cell:
    ground = FRESH if changed is not None and changed[0] is Mark.NEW else GROUND
    trees, bit = position.trees, BIT[cell]
    if cell in position.loggers:
        shown = _logger(position.loggers.index(cell), viewpoint, ground, letters)
    else:
        size = next(
            (
                size
                for size, there in enumerate((trees.seedlings, trees.saplings, trees.mature))
                if there & bit
            ),
            None,
        )
        shown = (
            Cell(ground=ground)
            if size is None
            else _tree(size, style, protested=bool(trees.protested & bit))
        )
    return shown if changed is None else marked(shown, *changed)


def _logger(seat: int, viewpoint: Viewpoint, ground: str, letters: Signs) -> Cell:
    own, shape = viewpoint == seat + 1, SHAPES[seat]
    return piece(letters[seat], COLOUR_NAMES[seat], own=own, ground=ground, shape=shape)


def _tree(size: int, style: Style, *, protested: bool = False) -> Cell:
    sign = SIGNS[style][size]
    ground = _PROTESTED if protested else _GREENS[size]
    return Cell(sign + "*" * protested, Role.PLACE, ground, ink_on(ground))


def _signs(
    position: Position, viewpoint: Viewpoint, style: Style, letters: Signs
) -> Iterator[tuple[str, Cell]]:
    """What a legend explains."""
    for seat in range(position.seats):
        shown = _logger(seat, viewpoint, WHITE, letters)
        yield shown.text, shown
    shown_trees = [_tree(size, style) for size in range(3)]
    for shown in (*shown_trees, _tree(2, style, protested=True)):
        yield shown.text, shown
