"""A board as coloured cells, for where a picture may not be shown: a mail's table, a terminal.

A game says what stands in each cell and which colours it has; how that becomes markup is for
whoever shows it. Every cell has its ground and its ink, so that it can be read on any page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from pbem.games.drawing.palette import COLOURS, GREY, INK, LETTERING, PAPER, SEEN, WHITE, contrast


class Role(StrEnum):
    """What a cell is: a name at the edge, a place of the board, and who stands on it."""

    EDGE = "edge"
    PLACE = "place"
    PIECE = "piece"
    OWN = "own"


class Shape(StrEnum):
    """The outline of a piece: with its colour, whose it is; the same in cells and in pictures."""

    CIRCLE = "circle"
    SQUARE = "square"
    DIAMOND = "diamond"
    HEXAGON = "hexagon"


class Mark(StrEnum):
    """What a cell is marked with: what came, what went, where something may be done."""

    NONE = ""
    NEW = "new"
    LEFT = "left"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: a glyph or a short text, on a ground.

    `fill` is the colour of a piece, `outline` that of its edge, `ink` that of its letters, `rim`
    that of the mark: whose it is. `shape` is that of a piece. `wide` is over how many columns it
    goes.
    """

    text: str = ""
    role: Role = Role.PLACE
    ground: str = PAPER
    ink: str = INK
    fill: str = ""
    outline: str = ""
    shape: Shape = Shape.SQUARE
    mark: Mark = Mark.NONE
    rim: str = ""
    wide: int = 1


@dataclass(frozen=True, slots=True)
class Cells:
    """A board: rows of cells from the top, and the signs that a legend explains, as cells."""

    rows: tuple[tuple[Cell, ...], ...]
    signs: tuple[tuple[str, Cell], ...] = ()

    @property
    def columns(self) -> int:
        """How many columns the board has, its edges included."""
        return sum(cell.wide for cell in self.rows[-1])

    @property
    def lines(self) -> tuple[str, ...]:
        """What a reader reads in each row."""
        return tuple(" ".join(cell.text for cell in row if cell.text) for row in self.rows)


def edge(text: str, wide: int = 1) -> Cell:
    """A name of a row, of a column, or of several."""
    return Cell(text, Role.EDGE, ink=GREY, wide=wide)


def piece(text: str, colour: str, *, own: bool, ground: str, shape: Shape = Shape.SQUARE) -> Cell:
    """A piece of one of the palette's colours; the reader's own has a dark edge."""
    role = Role.OWN if own else Role.PIECE
    fill = COLOURS[colour]
    outline = INK if own else seen_on(ground, fill)
    return Cell(text, role, ground, LETTERING[colour], fill, outline, shape)


def ink_on(ground: str) -> str:
    """The colour of letters that can be read on a ground."""
    return max((INK, WHITE), key=lambda ink: contrast(ink, ground))


def seen_on(ground: str, colour: str) -> str:
    """A colour where it can be seen on a ground as a line, else one that can."""
    return colour if contrast(colour, ground) >= SEEN else ink_on(ground)


def marked(cell: Cell, mark: Mark, colour: str) -> Cell:
    """The cell with a mark in the colour of whoever made it."""
    return replace(cell, mark=mark, rim=seen_on(cell.ground, colour))
