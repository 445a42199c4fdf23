"""Positions and moves of Logger, and tables of the board.

A bit set of cells is an integer with one bit for each cell (bit 0 is a1, bit 1 is a2, bit 5
is b1). So a single bit operation can cover a whole row and column.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from pbem.games import squares
from pbem.games.game import Seat

SIDE: Final = 5
CELLS: Final = squares.names(SIDE, SIDE)  # names by number, in alphabetical order (LG-1.2, LG-3.5)

NUMBERS: Final = {name: cell for cell, name in enumerate(CELLS)}
NOWHERE: Final = -1  # cell of a logger that is not on the board yet

BIT: Final = (*(1 << cell for cell in range(len(CELLS))), 0)  # BIT[NOWHERE] is 0

FULL: Final = (1 << len(CELLS)) - 1
CENTRE: Final = BIT[NUMBERS["c3"]]
CORNERS: Final = sum(BIT[NUMBERS[name]] for name in ("a1", "a5", "e1", "e5"))
RAYS: Final = squares.rays(SIDE, SIDE)
NEXT: Final = tuple(sum(BIT[near] for near in row) for row in squares.neighbours(SIDE, SIDE))
# The bit set of all other cells in the row and column of each cell (LG-2.3).
CROSS: Final = tuple(sum(BIT[cell] for ray in four for cell in ray) for four in RAYS)

BEHIND: Final = {(cell, ray[0]): ray[1:] for cell, four in enumerate(RAYS) for ray in four if ray}
"""The cells in a straight line behind a neighbour of a cell, nearest first (LG-2.14).

The key is the pair of the cell and its neighbour.
"""

_BOTTOM: Final = sum(BIT[cell] for cell in range(0, len(CELLS), SIDE))
_NOT_BOTTOM: Final = FULL & ~_BOTTOM
_NOT_TOP: Final = FULL & ~(_BOTTOM << SIDE - 1)

HANDS: Final = {2: 2, 3: 1, 4: 1}  # protesters in each hand at the start, by seats (LG-1.4)

NO_LIMIT: Final = 0  # value of `Position.limit` if there is no tree limit (LG-3.6)


class Act(StrEnum):
    """The kinds of action (LG-2.11)."""

    PLANT = "plant"
    CHOP = "chop"
    PROTEST = "protest"
    PASS = "pass"  # noqa: S105 - the kind of action


class Trees(NamedTuple):
    """The trees of each stage, as bit sets of cells (LG-1.3).

    `protested` has the trees with a protester and is a subset of `mature`.
    """

    seedlings: int
    saplings: int
    mature: int
    protested: int


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Logger.

    Attributes:
        trees: The trees on the board.
        loggers: The cell of each seat's logger; NOWHERE until it is placed.
        scores: The points of each seat.
        hands: The number of protesters in each seat's hand.
        to_act: The seat to act; 0 after the end.
        left: The seats that have left, in order of leaving.
        quiet: The number of turns since the last turn that changed anything (LG-4.5).
        still: The number of turns since the last turn that changed a tree or protester (LG-4.7).
        limit: The tree limit, or NO_LIMIT.
        auto_pass: Whether the server makes a forced pass (LG-5.5).
        cause: The reason why the game has ended, such as `points`; empty until the end.
    """

    trees: Trees
    loggers: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[int, ...]
    to_act: int
    left: tuple[int, ...] = ()
    quiet: int = 0
    still: int = 0
    limit: int = NO_LIMIT
    auto_pass: bool = True
    cause: str = ""

    @property
    def seats(self) -> int:
        """The number of seats, including those that have left."""
        return len(self.loggers)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def here(self) -> int:
        """The cell of the mover's logger; NOWHERE until the logger is placed."""
        return self.loggers[self.to_act - 1]


@dataclass(frozen=True, slots=True)
class Placing:
    """The placing of a logger on a corner (LG-1.7)."""

    cell: int


Spawns: TypeAlias = tuple[tuple[int, int], ...]  # sorted pairs: old tree, cell of its new seedling


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """A complete turn: movement, growth and action (LG-2.1).

    The logger goes from the cell `start` to the cell `end`. `spawns` has pairs of the cell of an
    old tree and the cell of its new seedling. `cells` has the target cells of the action, sorted.
    """

    start: int
    end: int
    spawns: Spawns
    action: Act
    cells: tuple[int, ...] = ()


Move: TypeAlias = Placing | WholeTurn


@lru_cache(maxsize=1 << 15)
def cells(bits: int) -> tuple[int, ...]:
    """Return the cells of a bit set in ascending order."""
    return tuple(cell for cell in range(len(CELLS)) if bits >> cell & 1)


def cell_names(bits: int) -> list[str]:
    """Return the names of the cells of a bit set in ascending order."""
    return [CELLS[cell] for cell in cells(bits)]


def free_cells(position: Position) -> int:
    """Return the bit set of cells without a tree or logger."""
    seedlings, saplings, mature, _ = position.trees
    taken = seedlings | saplings | mature
    for cell in position.loggers:
        taken |= BIT[cell]
    return FULL & ~taken


def reachable_cells(position: Position, cell: int) -> int:
    """Return the bit set of cells that a logger on `cell` can reach in 0 to 2 steps (LG-2.2).

    Every cell that the logger enters must be free.
    """
    empty = free_cells(position)
    near = NEXT[cell] & empty
    far = (near & _NOT_TOP) << 1 | (near & _NOT_BOTTOM) >> 1 | near << SIDE | near >> SIDE
    return BIT[cell] | near | far & empty


def free_corners(position: Position) -> int:
    """Return the bit set of corners where a logger may be placed (LG-1.7, LG-3.7)."""
    return CORNERS & free_cells(position)
