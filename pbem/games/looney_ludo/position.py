"""Positions and moves of Looney Ludo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, TypeAlias

from pbem.games.game import Seat
from pbem.games.looney_ludo.boards import CENTRE, SQUARES, Slots

COLOURS: Final = ("Red", "Yellow", "Green", "Blue", "Purple", "Orange")
"""The names of the colours (LL-1.2). The index here is the number of a colour and its board."""

LETTERS: Final = "RYGBPO"
SIZES: Final = ("Small", "Medium", "Large")
OWN: Final = len(COLOURS)  # stands for the mover's colour in steps; notation omits it

# Number of pieces of each colour. The number of a piece is 3 times its colour plus its size. A
# space costs a piece its size plus 1 movement points (LL-1.3).
PIECES: Final = len(SIZES)

MAX_POINTS: Final = 7  # movement points of a turn with TIP (LL-2.3)

Stack: TypeAlias = tuple[int, ...]  # pieces on a square, from bottom to top

NESTS: Final = tuple(  # pieces of a complete nest of each colour, from bottom to top (LL-2.19)
    tuple(range(PIECES * colour, PIECES * (colour + 1))) for colour in range(len(COLOURS))
)

CENTRES: Final = tuple(SQUARES * colour + CENTRE for colour in range(len(COLOURS)))

NO_STACKS: Final[tuple[Stack, ...]] = ((),) * (SQUARES * len(COLOURS))


class Phase(StrEnum):
    """The phases of a game: setup phases (LL-1.13), phases of a turn (LL-2.1), and the end."""

    ROLL_OFF = "roll_off"
    LAYOUT = "layout"
    DEAL = "deal"
    ROLL = "roll"
    REROLL = "reroll"
    DOUBLES = "doubles"
    ACT = "act"
    OVER = "over"


class Face(IntEnum):
    """The faces of the Treehouse die (LL-1.4)."""

    TIP = 0
    DIG = 1
    SWAP = 2
    HOP = 3
    AIM = 4
    WILD = 5


class Roll(NamedTuple):
    """The dice of a turn: two numbers, and the face of the Treehouse die."""

    first: int
    second: int
    face: Face

    @property
    def points(self) -> int:
        """The movement points of the turn: the greater number, or 7 with TIP (LL-2.3, LL-3.6)."""
        return MAX_POINTS if self.face is Face.TIP else max(self.first, self.second)

    @property
    def doubles(self) -> bool:
        """Return whether the player may roll again: equal numbers without TIP (LL-2.4, LL-3.8)."""
        return self.first == self.second and self.face is not Face.TIP


class Setting(NamedTuple):
    """The colours of the seats and the options on which the rules depend.

    `colours` has the colour of each seat. `cap` is the maximum number of turns; 0 means no limit
    (LL-5.3). `own_turn` is True if a seat can win only in its own turn (option nest_timing,
    LL-5.5).
    """

    colours: tuple[int, ...]
    cap: int = 0
    own_turn: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Looney Ludo.

    Attributes:
        setting: Colours and options.
        slots: The slot (place on the table) of each board, by colour.
        turned: The orientation of each board in quarter turns clockwise, by colour.
        stacks: The pieces on each square, by the number of the square. This number is 9 times the
            colour of the board plus the printed number.
        phase: The random draw or move that is due.
        to_act: The seat to act; 0 before the starting seat is known and after the end.
        roll: The dice of the turn, or None before the roll and after the end.
        played: The number of turns played.
        left: The seats that have left, in order of leaving.
        tied: The seats that are to roll for the start; empty once the starting seat is known.
        winner: The winner's seat; 0 before the end and if the game is drawn.
        cause: The reason why the game has ended, such as `nest`; empty before the end.
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
        """The number of seats, including those that have left."""
        return len(self.setting.colours)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left, in seat order."""
        return tuple(Seat(seat) for seat in range(1, self.seats + 1) if seat not in self.left)

    @property
    def colour(self) -> int:
        """The colour of the seat to act."""
        return self.setting.colours[self.to_act - 1]


@dataclass(frozen=True, slots=True)
class Walk:
    """A step in which a piece moves one space (LL-2.7).

    `piece` is the number of the piece, with the colour OWN if the piece is the mover's own.
    `direction` is an index of `boards.DIRECTIONS`.
    """

    piece: int
    direction: int


@dataclass(frozen=True, slots=True)
class Climb:
    """A step in which a covered piece moves to the top of its stack (LL-2.9).

    `piece` is the number of the piece, with the colour OWN if the piece is the mover's own.
    """

    piece: int


@dataclass(frozen=True, slots=True)
class Tip:
    """The action TIP, which gives the turn 7 movement points.

    TIP is a step only if WILD was rolled (LL-2.17). A rolled TIP needs no step (LL-2.12).
    """


@dataclass(frozen=True, slots=True)
class Dig:
    """The action DIG, which lets the mover move pieces of other players, too.

    DIG is a step only if WILD was rolled (LL-2.17). A rolled DIG needs no step (LL-2.13).
    """


@dataclass(frozen=True, slots=True)
class Swap:
    """The action SWAP: two boards, sorted by letter, exchange slots (LL-2.14)."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Hop:
    """The action HOP: a board moves to a slot and makes quarter turns clockwise (LL-2.15).

    A hop can change the numbers of slots. `slot` is the slot's number before the turn.
    """

    board: int
    slot: int
    turns: int


@dataclass(frozen=True, slots=True)
class Aim:
    """The action AIM: boards rotate in their slots (LL-2.16).

    `turns` has pairs of a board and its quarter turns clockwise, sorted by the boards' letters.
    """

    turns: tuple[tuple[int, int], ...]


Step: TypeAlias = Walk | Climb | Tip | Dig | Swap | Hop | Aim


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """A whole turn as a sequence of steps. A turn without steps is a pass (LL-2.21).

    If doubles wait for a decision, playing the turn also decides to keep them.
    """

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """The decision to keep doubles. The player's turn follows as another move (LL-7.12)."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """The decision to roll both number dice again after doubles (LL-2.4)."""


Move: TypeAlias = WholeTurn | Keep | Reroll


def letter_key(board: int) -> str:
    """Return the letter of the board, by which boards are sorted in notation (LL-7.10)."""
    return LETTERS[board]
