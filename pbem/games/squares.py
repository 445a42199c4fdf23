"""Boards of squares: names of cells, neighbours, rays, and boards as text.

Cells are numbered up the first column, then up the second, so numbers and names have the same
order: `a1`, `a2`, ..., `b1`. Boards have at most 26 columns and 9 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import NamedTuple

from pbem.games.game import Style

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # steps up, right, down and left, as (columns, rows)


class Lines(NamedTuple):
    """The characters with which the lines of a grid are drawn.

    `across` draws horizontal lines, and `down` vertical ones. `joints` has a string of three
    characters for each kind of horizontal line: top, inner and bottom. The characters join the left
    end, the inner crossings and the right end, as in `┌┬┐`.
    """

    across: str
    down: str
    joints: tuple[str, ...]


STROKES = {
    Style.ASCII: Lines("-", "|", ("+++", "+++", "+++")),
    Style.UNICODE: Lines("─", "│", ("┌┬┐", "├┼┤", "└┴┘")),
}


def strokes(style: Style) -> str:
    """Return the characters that draw a grid in this style, each once, joined by spaces."""
    across, down, joints = STROKES[style]
    return " ".join(dict.fromkeys([across, down, *"".join(joints)]))


def names(columns: int, rows: int) -> tuple[str, ...]:
    """Return the names of all cells, such as `a1`, in the order of their numbers."""
    return tuple(f"{ascii_lowercase[x]}{y + 1}" for x in range(columns) for y in range(rows))


def rays(columns: int, rows: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each cell four tuples: the cells up, right, down and left of it, nearest first."""

    def ray(x: int, y: int, step: tuple[int, int]) -> tuple[int, ...]:
        cells = []
        while 0 <= (x := x + step[0]) < columns and 0 <= (y := y + step[1]) < rows:
            cells.append(x * rows + y)
        return tuple(cells)

    return tuple(
        tuple(ray(x, y, step) for step in STEPS) for x in range(columns) for y in range(rows)
    )


def neighbours(columns: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells that share a side with it, in ascending order."""
    return tuple(tuple(sorted(ray[0] for ray in four if ray)) for four in rays(columns, rows))


def draw_board(columns: int, rows: int, inside: Sequence[str], style: Style) -> tuple[str, ...]:
    """Return the board as lines of text, with row 1 at the bottom and coordinates around it.

    `inside` has the text of each cell, by the number of the cell. All texts must have the same
    width.
    """
    width = len(inside[0])
    across, down, joints = STROKES[style]

    def line(joint: str) -> str:
        return f"     {joint[0]}{joint[1].join([across * width] * columns)}{joint[2]}"

    def row(y: int) -> str:
        texts = down.join(inside[x * rows + y] for x in range(columns))
        return f"  {y + 1}  {down}{texts}{down}  {y + 1}"

    top, inner, bottom = joints
    letters = f"      {' '.join(letter.center(width) for letter in ascii_lowercase[:columns])}"
    lines = [letters.rstrip(), line(top), row(rows - 1)]
    for y in range(rows - 2, -1, -1):
        lines += [line(inner), row(y)]
    return (*lines, line(bottom), letters.rstrip())
