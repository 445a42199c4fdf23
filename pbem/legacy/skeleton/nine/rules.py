"""How a game begins, which moves are legal, what they do, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pbem.errors import Rejection
from pbem.games import squares
from pbem.games.game import Drawn, Options, Outcome, Over, Seat, Seats, Turn

SIDE: Final = 3

CELLS: Final = squares.names(SIDE, SIDE)
"""NI-1.1: the names of the cells by number: a1, a2, a3, b1 and so on."""

LINES: Final = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
"""NI-3.1: columns, rows and diagonals."""


@dataclass(frozen=True, slots=True)
class Position:
    """What stands in each cell, by number: a seat, or 0. `left` is the seat that left, or 0."""

    cells: tuple[int, ...]
    left: int = 0

    @property
    def to_act(self) -> Seat:
        """NI-2.1: seats take turns, the first one begins."""
        return Seat(2 - self.cells.count(0) % 2)


@dataclass(frozen=True, slots=True)
class Move:
    """NI-2.2: a cell is taken, by its number."""

    cell: int


def initial(seats: int, options: Options) -> Position:
    """NI-1.2: an empty board."""
    del seats, options
    return Position((0,) * len(CELLS))


def turn(position: Position) -> Turn:
    """Who is to move, or how it ended."""
    if position.left:  # NI-3.3
        return Over(Outcome(_won(3 - position.left), "last_seat"))
    line = won_line(position)
    if line:
        return Over(Outcome(_won(position.cells[line[0]]), "line"))
    if 0 not in position.cells:  # NI-3.2
        return Over(Outcome((1, 1), "full"))
    return Seats((position.to_act,))


def _won(seat: int) -> tuple[int, ...]:
    return (1, 2) if seat == 1 else (2, 1)


def won_line(position: Position) -> tuple[int, ...]:
    """NI-3.1: the cells of a whole line that one seat has; none while there is none."""
    for line in LINES:
        seats = {position.cells[cell] for cell in line}
        if len(seats) == 1 and 0 not in seats:
            return line
    return ()


def legal(position: Position) -> list[Move]:
    """Every free cell; none when it is over."""
    if not isinstance(turn(position), Seats):
        return []
    return [Move(cell) for cell, seat in enumerate(position.cells) if not seat]


def play(position: Position, move: Move | Drawn) -> Position:
    """The position after a move; raises Rejection for one that is not legal."""
    if isinstance(move, Drawn):
        raise TypeError("nothing is drawn here")
    check(position, move)
    cells = list(position.cells)
    cells[move.cell] = position.to_act
    return replace(position, cells=tuple(cells))


def check(position: Position, move: Move) -> None:
    """Refuse a move that is not legal: the codes are blocks of texts/rejections.txt.j2."""
    if isinstance(over := turn(position), Over):
        raise Rejection("game_over", termination=over.outcome.termination)
    if position.cells[move.cell]:
        free = [CELLS[one.cell] for one in legal(position)]
        raise Rejection("cell_taken", cell=CELLS[move.cell], cells=free)


def leave(position: Position, seat: Seat) -> Position:
    """NI-3.3: who leaves loses."""
    return position if isinstance(turn(position), Over) else replace(position, left=seat)
