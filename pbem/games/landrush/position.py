"""What a position and a move of Landrush are, with the tables of the board.

A set of squares is an integer with one bit a square (bit 0 is a1, bit 1 is a2, bit 12 is b1), so
that the order of the bits is that of LR-7.6, and what is next to a whole set is four shifts.
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
SQUARES: Final = squares.names(COLUMNS, ROWS)
"""LR-1.2: the names of the squares by number."""

NUMBERS: Final = {name: square for square, name in enumerate(SQUARES)}
BIT: Final = tuple(1 << square for square in range(len(SQUARES)))
FULL: Final = (1 << len(SQUARES)) - 1

SUITS: Final = ("Suns", "Moons", "Crowns", "Arms")
VALUES: Final = ("Null", "2", "3", "4", "5", "Ace")
TILES: Final = tuple(
    tuple(
        BIT.index(1 << (2 * suit + right) * ROWS + 2 * value + down)
        for down in (0, 1)
        for right in (0, 1)
    )
    for suit in range(len(SUITS))
    for value in range(len(VALUES))
)
"""LR-1.3: the squares of each tile, by the number of its coin: nw, ne, sw, se."""

COINS: Final = len(TILES)
NO_COIN: Final = -1

COLOURS: Final = ("Red", "Yellow", "Green", "Blue", "Black")
COLOUR_LETTERS: Final = "RYGBK"
SIZES: Final = ("Small", "Medium", "Large")
SIZE_LETTERS: Final = "SML"
SMALL, MEDIUM, LARGE = range(3)
PIECES: Final = {2: 5, 3: 5, 4: 4, 5: 4}
"""LR-1.5: pyramids of each size in a full stash, by the number of seats."""

_TOP: Final = sum(BIT[column * ROWS] for column in range(COLUMNS))
_NOT_TOP: Final = FULL & ~_TOP
_NOT_BOTTOM: Final = FULL & ~(_TOP << ROWS - 1)

Stash: TypeAlias = tuple[int, int, int]
"""How many pyramids of each size."""


class Phase(StrEnum):
    """LR-2.1, with the draw of the starting seat before (LR-1.8)."""

    START = "start"
    PLACE = "place"
    DRAW = "draw"
    PLAY = "play"
    OVER = "over"


class Setting(NamedTuple):
    """What is fixed for a game: the colours by seat, and the options adj and sizes."""

    colours: tuple[int, ...]
    eight: bool = False
    same: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """All that the rules need to go on.

    `own` is by seat, `sizes` by size: the squares of their pyramids; the stashes follow (LR-6.1).
    `to_act` is 0 before the starting seat is known and after the end. `coin` is the number of a
    tile while a play is due. `left` holds the seats that left, in that order. `cause` is the
    termination.
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
        """The number of seats, those that left included."""
        return len(self.own)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that still play, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def taken(self) -> int:
        """The squares that hold a pyramid."""
        small, medium, large = self.sizes
        return small | medium | large

    def stash(self, seat: int) -> Stash:
        """The pyramids that a seat has not on the board."""
        own, pieces = self.own[seat - 1], PIECES[len(self.own)]
        small, medium, large = self.sizes
        return (
            pieces - (small & own).bit_count(),
            pieces - (medium & own).bit_count(),
            pieces - (large & own).bit_count(),
        )

    def size_at(self, square: int) -> int:
        """The size of the pyramid that stands on a square."""
        bit = BIT[square]
        return SMALL if self.sizes[SMALL] & bit else MEDIUM if self.sizes[MEDIUM] & bit else LARGE

    def owner_of(self, square: int) -> int:
        """The seat of the pyramid that stands on a square."""
        return next(seat for seat, own in enumerate(self.own, 1) if own & BIT[square])

    def colour(self, seat: int) -> str:
        """The name of a seat's colour."""
        return COLOURS[self.setting.colours[seat - 1]]


@dataclass(frozen=True, slots=True)
class Placement:
    """LR-1.9: the first Medium comes to a square."""

    square: int


@dataclass(frozen=True, slots=True)
class Play:
    """LR-2.6: a pyramid is played; `taken` are the captured squares with the sizes put there."""

    square: int
    size: int
    taken: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """LR-2.4: the server passes, since nothing is legal."""


Move: TypeAlias = Placement | Play | Pass


def beside(among: int, *, eight: bool) -> int:
    """LR-1.7: the squares next to those of a set; some of the set may be among them."""
    column = (among & _NOT_BOTTOM) << 1 | (among & _NOT_TOP) >> 1
    if eight:  # LR-5.4
        among |= column
    return (column | among << ROWS | among >> ROWS) & FULL


NEXT: Final = tuple(
    tuple(beside(bit, eight=eight) & ~bit for bit in BIT) for eight in (False, True)
)
"""The squares next to each square, by option adj and square."""


@lru_cache(maxsize=1 << 14)
def squares_of(among: int) -> tuple[int, ...]:
    """The squares of a set, in the order of LR-7.6."""
    found = []
    while among:
        bit = among & -among
        found.append(bit.bit_length() - 1)
        among ^= bit
    return tuple(found)


def square_names(among: int) -> list[str]:
    """The names of the squares of a set, in the order of LR-7.6."""
    return [SQUARES[square] for square in squares_of(among)]


def stash_text(stash: Stash) -> str:
    """A stash as in `S3 M4 L5`; a size that is gone is left out."""
    return " ".join(
        f"{letter}{count}" for letter, count in zip(SIZE_LETTERS, stash, strict=True) if count
    )


def piece_text(position: Position, square: int) -> str:
    """The pyramid on a square, as in `Rs`; a small `l` could be read as 1 or I (LR-9.2)."""
    colour = position.setting.colours[position.owner_of(square) - 1]
    size = SIZE_LETTERS[position.size_at(square)]
    return COLOUR_LETTERS[colour] + (size if size == "L" else size.lower())
