"""Positions and turns of Logan Stones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from pbem.games.game import Seat
from pbem.games.logan_stones.reached import Reached
from pbem.games.logan_stones.stones import Stone

NO_CAP: Final = 0
"""The value of `Rules.cap` without a cap (LS-5.2)."""

LAST_ADD: Final = 16
"""The ply that empties the second hand (LS-2.2)."""


class Rules(NamedTuple):
    """The options of a match that the rules depend on."""

    stone_set: str = "6x3"
    cap: int = 100
    repetition: bool = True
    memory_aid: bool = True


class Held(NamedTuple):
    """A stone in hand with its number; its upper face is the shown one (LS-1.9)."""

    number: int
    stone: Stone


Hand: TypeAlias = tuple[Held, ...]


class Pattern(NamedTuple):
    """A key that two positions share if they are equal for repetition (LS-4.6).

    It does not depend on the place of the island. `steps` has the distances from the first space to
    each, `faces` both faces of each stone.
    """

    to_act: int
    steps: tuple[int, ...]
    faces: str


@dataclass(frozen=True, slots=True)
class Position:
    """A position; without any stones before the deal.

    Attributes:
        rules: The options of the match.
        spaces: The spaces of the island, ascending.
        stones: The stone on each of them.
        hands: The hands of seats 1 and 2.
        ply: The number of plies played.
        reached: Every counted position, as often as it was reached (LS-4.5).
        winner: The winner's seat; 0 before the end and in a draw.
        cause: The termination; empty before the end.
    """

    rules: Rules
    spaces: tuple[int, ...] = ()
    stones: tuple[Stone, ...] = ()
    hands: tuple[Hand, Hand] = ((), ())
    ply: int = 0
    reached: Reached[Pattern] = field(default_factory=Reached)
    winner: int = 0
    cause: str = ""

    @property
    def to_act(self) -> Seat:
        """The seat that moves next if the game goes on (LS-1.1)."""
        return Seat(self.ply % 2 + 1)

    @property
    def hand(self) -> Hand:
        """The hand of the seat to move."""
        return self.hands[self.ply % 2]

    @property
    def dealt(self) -> bool:
        """Whether the stones have been dealt."""
        return bool(self.spaces)

    @property
    def island(self) -> dict[int, Stone]:
        """The stones of the island by space, in ascending order."""
        return dict(zip(self.spaces, self.stones, strict=True))


@dataclass(frozen=True, slots=True)
class Add:
    """A hand stone is put on the island, by its number (LS-2.3)."""

    number: int
    to: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """A stone of the island moves to another space (LS-2.4)."""

    start: int
    to: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """A stone of the island is turned over in its place (LS-2.6)."""

    at: int


Move: TypeAlias = Add | Shift | Flip


def pattern(to_act: int, spaces: tuple[int, ...], stones: tuple[Stone, ...]) -> Pattern:
    """Return the repetition key of a position (LS-4.6)."""
    first = spaces[0]
    return Pattern(
        to_act,
        tuple([at - first for at in spaces]),
        "".join([stone.top + stone.under for stone in stones]),
    )


def other(seat: int) -> int:
    """Return the other seat."""
    return 3 - seat
