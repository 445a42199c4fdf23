"""Positions and moves of Landrush, and tables of the board.

A square is a number from 0 to 95, an index of SQUARES: 0 is a1, 1 is a2, and 12 is b1. The
numbers follow the order of LR-7.6. A bit set of squares is an integer in which the bit with
this number stands for the square. So four shifts give all neighbours of a set.

A size is an index of SIZES. Seats are numbered from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from pbem.games import squares
from pbem.games.game import Seat

COLUMNS: Final = 8
ROWS: Final = 12
SQUARES: Final = squares.names(COLUMNS, ROWS)  # names of the squares by number (LR-1.2)

NUMBERS: Final = {name: square for square, name in enumerate(SQUARES)}
BIT: Final = tuple(1 << square for square in range(len(SQUARES)))
FULL: Final = (1 << len(SQUARES)) - 1

SUITS: Final = ("Suns", "Moons", "Crowns", "Arms")
VALUES: Final = ("Null", "2", "3", "4", "5", "Ace")
TILES: Final = tuple(  # squares of each tile by coin number, in the order nw, ne, sw, se (LR-1.3)
    tuple(
        BIT.index(1 << (2 * suit + right) * ROWS + 2 * value + down)
        for down in (0, 1)
        for right in (0, 1)
    )
    for suit in range(len(SUITS))
    for value in range(len(VALUES))
)

COINS: Final = len(TILES)
NO_COIN: Final = -1

COLOURS: Final = ("Red", "Yellow", "Green", "Blue", "Black")
COLOUR_LETTERS: Final = "RYGBK"
SIZES: Final = ("Small", "Medium", "Large")
SIZE_LETTERS: Final = "SML"
SMALL, MEDIUM, LARGE = range(3)
PIECES: Final = {2: 5, 3: 5, 4: 4, 5: 4}  # pyramids of each size in a full stash, by seats (LR-1.5)

_TOP: Final = sum(BIT[column * ROWS] for column in range(COLUMNS))
_NOT_TOP: Final = FULL & ~_TOP
_NOT_BOTTOM: Final = FULL & ~(_TOP << ROWS - 1)

Stash: TypeAlias = tuple[int, int, int]  # numbers of Small, Medium and Large pyramids


class Phase(StrEnum):
    """The phases of a game (LR-2.1).

    In START, the starting seat is drawn at random (LR-1.8). In PLACE, the seats place their first
    pyramids. In DRAW, a coin is drawn for the seat to act, which plays in PLAY.
    """

    START = "start"
    PLACE = "place"
    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


class Setting(NamedTuple):
    """The colours of the seats, and two options.

    Attributes:
        colours: The colour of each seat, as an index of COLOURS.
        eight: Whether squares that share only a corner are next to each other (option `adj=8`).
        same: Whether a replacement must have the size of the captured pyramid (`sizes=same`).
    """

    colours: tuple[int, ...]
    eight: bool = False
    same: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Landrush.

    Attributes:
        setting: Colours and options.
        own: For each seat, the bit set of squares with the seat's pyramids. The stashes (pyramids
            that are not on the board) follow from `own` and `sizes` (LR-6.1).
        sizes: For each size, the bit set of squares with pyramids of this size.
        phase: The random draw or move that is due.
        to_act: The seat to act; 0 before the starting seat is known and after the end.
        coin: The number of the drawn coin, an index of TILES; NO_COIN if no play is due.
        left: The seats that have left, in order of leaving.
        cause: The reason why the game has ended, such as `stash`; empty until the end.
    """

    setting: Setting
    own: tuple[int, ...]
    sizes: tuple[int, int, int]
    phase: Phase
    to_act: int
    coin: int = NO_COIN
    left: tuple[int, ...] = ()
    cause: str = ""

    @property
    def seats(self) -> int:
        """The number of seats, including those that have left."""
        return len(self.own)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def taken(self) -> int:
        """The bit set of squares that hold a pyramid."""
        small, medium, large = self.sizes
        return small | medium | large

    def stash(self, seat: int) -> Stash:
        """Return the numbers of the seat's pyramids that are not on the board, by size."""
        own, pieces = self.own[seat - 1], PIECES[len(self.own)]
        small, medium, large = self.sizes
        return (
            pieces - (small & own).bit_count(),
            pieces - (medium & own).bit_count(),
            pieces - (large & own).bit_count(),
        )

    def find_size(self, square: int) -> int:
        """Return the size of the pyramid on the square, which must not be empty."""
        bit = BIT[square]
        return SMALL if self.sizes[SMALL] & bit else MEDIUM if self.sizes[MEDIUM] & bit else LARGE

    def find_owner(self, square: int) -> int:
        """Return the seat that owns the pyramid on the square, which must not be empty."""
        return next(seat for seat, own in enumerate(self.own, 1) if own & BIT[square])

    def colour(self, seat: int) -> str:
        """Return the name of a seat's colour."""
        return COLOURS[self.setting.colours[seat - 1]]


@dataclass(frozen=True, slots=True)
class Placement:
    """The placement of a seat's first pyramid, a Medium (LR-1.9)."""

    square: int


@dataclass(frozen=True, slots=True)
class Play:
    """The play of a pyramid (LR-2.6).

    `size` is the size of the played pyramid. `taken` has a pair for each captured square: the
    square, and the size of the pyramid that replaces the captured one.
    """

    square: int
    size: int
    taken: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass, which the server makes because no play is legal (LR-2.4)."""


Move: TypeAlias = Placement | Play | Pass


def neighbours(bits: int, *, eight: bool) -> int:
    """Return the bit set of squares next to any square of a bit set (LR-1.7).

    The result may include squares of the set `bits`. With `eight`, squares that share only a corner
    count as well.
    """
    column = (bits & _NOT_BOTTOM) << 1 | (bits & _NOT_TOP) >> 1
    if eight:  # LR-5.4
        bits |= column
    return (column | bits << ROWS | bits >> ROWS) & FULL


NEXT: Final = tuple(  # bit sets of neighbours: four in NEXT[False], eight in NEXT[True] (LR-5.4)
    tuple(neighbours(bit, eight=eight) & ~bit for bit in BIT) for eight in (False, True)
)


@lru_cache(maxsize=1 << 14)
def list_squares(bits: int) -> tuple[int, ...]:
    """Return the squares of a bit set in ascending order, which is the order of LR-7.6."""
    squares = []
    while bits:
        bit = bits & -bits
        squares.append(bit.bit_length() - 1)
        bits ^= bit
    return tuple(squares)


def square_names(bits: int) -> list[str]:
    """Return the names of the squares of a bit set in the order of LR-7.6."""
    return [SQUARES[square] for square in list_squares(bits)]


def stash_text(stash: Stash) -> str:
    """Return a stash as text, as in `S3 M4 L5`, without sizes that are used up."""
    return " ".join(
        f"{letter}{count}" for letter, count in zip(SIZE_LETTERS, stash, strict=True) if count
    )


def piece_text(position: Position, square: int) -> str:
    """Return the pyramid on a square as text, as in `Rs` or `RL`.

    A Large has a capital, because `l` looks like 1 (LR-9.2).
    """
    colour = position.setting.colours[position.find_owner(square) - 1]
    size = SIZE_LETTERS[position.find_size(square)]
    return COLOUR_LETTERS[colour] + (size if size == "L" else size.lower())
