"""What a position and a move of Logger are, with the tables of the board.

A set of cells is an integer with one bit a cell (bit 0 is a1, bit 1 is a2, bit 5 is b1), so that a
rule about a whole row and column is one operation and no cell is looked at in vain.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from pbem.games import squares
from pbem.games.game import Seat

SIDE: Final = 5
CELLS: Final = squares.names(SIDE, SIDE)
"""LG-1.2, LG-3.5: the names of the cells by number; numbers and names have the same order."""

NUMBERS: Final = {name: cell for cell, name in enumerate(CELLS)}
NOWHERE: Final = -1
"""The cell of a logger that is not on the board."""

BIT: Final = (*(1 << cell for cell in range(len(CELLS))), 0)
"""Each cell as a set; the last one is that of NOWHERE, the empty set."""

FULL: Final = (1 << len(CELLS)) - 1
CENTRE: Final = BIT[NUMBERS["c3"]]
CORNERS: Final = sum(BIT[NUMBERS[name]] for name in ("a1", "a5", "e1", "e5"))
RAYS: Final = squares.rays(SIDE, SIDE)
NEXT: Final = tuple(sum(BIT[near] for near in row) for row in squares.neighbours(SIDE, SIDE))
CROSS: Final = tuple(sum(BIT[cell] for ray in four for cell in ray) for four in RAYS)
"""LG-2.3: every other cell of the row and of the column of a cell."""

BEHIND: Final = {(cell, ray[0]): ray[1:] for cell, four in enumerate(RAYS) for ray in four if ray}
"""LG-2.14: the cells behind a neighbour, straight on, seen from a cell."""

_BOTTOM: Final = sum(BIT[cell] for cell in range(0, len(CELLS), SIDE))
_NOT_BOTTOM: Final = FULL & ~_BOTTOM
_NOT_TOP: Final = FULL & ~(_BOTTOM << SIDE - 1)

HANDS: Final = {2: 2, 3: 1, 4: 1}
"""LG-1.4: protesters in each hand at the start, by the number of seats."""

NO_LIMIT: Final = 0
"""The tree limit where there is none (LG-3.6)."""


class Act(StrEnum):
    """The kinds of action (LG-2.11)."""

    PLANT = "plant"
    CHOP = "chop"
    PROTEST = "protest"
    PASS = "pass"  # noqa: S105 - the kind of action


class Trees(NamedTuple):
    """LG-1.3: the cells of the trees by stage; those with a protester are mature too."""

    seedlings: int
    saplings: int
    mature: int
    protested: int


@dataclass(frozen=True, slots=True)
class Position:
    """All that the rules need to go on.

    `loggers`, `scores` and `hands` are by seat. `to_act` is 0 once the game is over. `left` holds
    the seats that left, in that order. `quiet` counts the last turns that changed nothing (LG-4.5),
    `still` those that changed no tree and no protester (LG-4.7). `cause` is the termination.
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
        """The number of seats, those that left included."""
        return len(self.loggers)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that still play, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def here(self) -> int:
        """The cell of the logger to move, NOWHERE while it must be placed."""
        return self.loggers[self.to_act - 1]


@dataclass(frozen=True, slots=True)
class Placing:
    """LG-1.7: a logger comes to a corner."""

    cell: int


Spawns: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of an old mature tree and the cell of its new seedling, sorted by tree."""


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """LG-2.1: a complete turn. `cells` are the targets of the action, sorted."""

    start: int
    to: int
    spawns: Spawns
    action: Act
    cells: tuple[int, ...] = ()


Move: TypeAlias = Placing | WholeTurn


@lru_cache(maxsize=1 << 15)
def cells(among: int) -> tuple[int, ...]:
    """The cells of a set, in order."""
    return tuple(cell for cell in range(len(CELLS)) if among >> cell & 1)


def cell_names(among: int) -> list[str]:
    """The names of the cells of a set, in order."""
    return [CELLS[cell] for cell in cells(among)]


def free(position: Position) -> int:
    """The cells that hold neither tree nor logger."""
    seedlings, saplings, mature, _ = position.trees
    taken = seedlings | saplings | mature
    for cell in position.loggers:
        taken |= BIT[cell]
    return FULL & ~taken


def reach(position: Position, here: int) -> int:
    """LG-2.2: where a logger on a cell may end: 0, 1 or 2 steps, every cell entered free."""
    empty = free(position)
    near = NEXT[here] & empty
    far = (near & _NOT_TOP) << 1 | (near & _NOT_BOTTOM) >> 1 | near << SIDE | near >> SIDE
    return BIT[here] | near | far & empty


def free_corners(position: Position) -> int:
    """LG-1.7, LG-3.7: where a logger may be placed."""
    return CORNERS & free(position)
