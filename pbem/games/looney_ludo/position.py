"""What a position and a move of Looney Ludo are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, TypeAlias

from pbem.games.game import Seat
from pbem.games.looney_ludo.boards import CENTRE, SQUARES, Slots

COLOURS: Final = ("Red", "Yellow", "Green", "Blue", "Purple", "Orange")
"""LL-1.2: a colour, and the board of that colour, is a number: its index here."""

LETTERS: Final = "RYGBPO"
SIZES: Final = ("Small", "Medium", "Large")
OWN: Final = len(COLOURS)
"""In the piece of a step: the colour of whoever moves, so that notation can leave it out."""

PIECES: Final = len(SIZES)
"""Pieces of a colour. A piece is a number, 3 times its colour plus its size; its cost in points is
its size plus 1 (LL-1.3)."""

MOST_POINTS: Final = 7
"""LL-2.3: the points of a turn with TIP."""

Stack: TypeAlias = tuple[int, ...]
"""Pieces from bottom to top."""

NESTS: Final = tuple(
    tuple(range(PIECES * colour, PIECES * (colour + 1))) for colour in range(len(COLOURS))
)
"""LL-2.19: Small, Medium, Large, by colour."""

CENTRES: Final = tuple(SQUARES * colour + CENTRE for colour in range(len(COLOURS)))
"""The centre square of each board."""

NO_STACKS: Final[tuple[Stack, ...]] = ((),) * (SQUARES * len(COLOURS))


class Phase(StrEnum):
    """LL-2.1, with the draws of the setup (LL-1.13) and of a re-roll before it."""

    ROLL_OFF = "roll_off"
    LAYOUT = "layout"
    DEAL = "deal"
    ROLL = "roll"
    REROLL = "reroll"
    DOUBLES = "doubles"
    ACT = "act"
    OVER = "over"


class Face(IntEnum):
    """LL-1.4: the faces of the Treehouse die."""

    TIP = 0
    DIG = 1
    SWAP = 2
    HOP = 3
    AIM = 4
    WILD = 5


class Roll(NamedTuple):
    """The dice of a turn."""

    first: int
    second: int
    face: Face

    @property
    def points(self) -> int:
        """LL-2.3, LL-3.6: the greater number, or 7 with TIP."""
        return MOST_POINTS if self.face is Face.TIP else max(self.first, self.second)

    @property
    def doubles(self) -> bool:
        """LL-2.4, LL-3.8: equal numbers that leave a choice."""
        return self.first == self.second and self.face is not Face.TIP


class Setting(NamedTuple):
    """What is fixed for a game: the colours by seat, and the options that the rules ask for.

    `cap` is 0 where there is none (LL-5.3); `own_turn` is the option nest_timing (LL-5.2).
    """

    colours: tuple[int, ...]
    cap: int = 0
    own_turn: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """All that the rules need to go on.

    `slots` and `turned` are by colour of the board, `stacks` by square (9 times the board's colour
    plus the printed square). `to_act` is 0 until somebody may start and once the game is over;
    `tied` holds the seats that roll for the start, `left` those that left, in that order; `played`
    counts turns. `winner` is a seat, 0 where nobody has won; `cause` is the termination.
    """

    setting: Setting
    slots: Slots
    turned: tuple[int, ...]
    stacks: tuple[Stack, ...]
    phase: Phase
    to_act: int
    roll: Roll | None = None
    played: int = 0
    left: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    winner: int = 0
    cause: str = ""

    @property
    def seats(self) -> int:
        """The number of seats, those that left included."""
        return len(self.setting.colours)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that still play, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def colour(self) -> int:
        """The colour of the seat to act."""
        return self.setting.colours[self.to_act - 1]


@dataclass(frozen=True, slots=True)
class Walk:
    """LL-2.7: a piece moves one space. A piece of the mover has the colour OWN."""

    piece: int
    direction: int


@dataclass(frozen=True, slots=True)
class Climb:
    """LL-2.9: a piece goes to the top of its own stack."""

    piece: int


@dataclass(frozen=True, slots=True)
class Tip:
    """LL-2.17: TIP, named under WILD."""


@dataclass(frozen=True, slots=True)
class Dig:
    """LL-2.17: DIG, named under WILD."""


@dataclass(frozen=True, slots=True)
class Swap:
    """LL-2.14: two boards exchange their slots; in the alphabetical order of their letters."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Hop:
    """LL-2.15: a board goes to a slot of the picture before the turn, and turns clockwise."""

    board: int
    slot: int
    turns: int


@dataclass(frozen=True, slots=True)
class Aim:
    """LL-2.16: pairs of board and quarter turns clockwise, sorted by the letters of the boards."""

    turns: tuple[tuple[int, int], ...]


Step: TypeAlias = Walk | Climb | Tip | Dig | Swap | Hop | Aim


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """LL-2.21: all steps of a turn; none is a pass. In the phase `doubles` it keeps them."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """LL-7.12: the doubles are kept, and the turn is still to come."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """LL-2.4: both number dice are rolled again."""


Move: TypeAlias = WholeTurn | Keep | Reroll


def by_letter(board: int) -> str:
    """The sort key of boards in notation (LL-7.10)."""
    return LETTERS[board]
