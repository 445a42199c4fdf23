"""What a position and a move of Logan Stones are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from pbem.games.game import Seat
from pbem.games.logan_stones.reached import Reached
from pbem.games.logan_stones.stones import Stone

NO_CAP: Final = 0
"""The last ply where there is none (LS-5.2)."""

LAST_ADD: Final = 16
"""LS-2.2: the ply that empties the second hand."""


class Rules(NamedTuple):
    """The options of a match that play depends on."""

    stone_set: str = "6x3"
    cap: int = 100
    repetition: bool = True
    memory_aid: bool = True


class Held(NamedTuple):
    """LS-1.9: a hand stone with its number; its upper face is the shown one."""

    number: int
    stone: Stone


Hand: TypeAlias = tuple[Held, ...]


class Pattern(NamedTuple):
    """LS-4.6: what makes two positions equal, wherever the island lies.

    `steps` are the distances from the first space to each, `faces` both faces of each stone.
    """

    to_act: int
    steps: tuple[int, ...]
    faces: str


@dataclass(frozen=True, slots=True)
class Position:
    """All that the rules need to go on; before the deal there is no stone at all.

    `spaces` holds the island in order, `stones` what lies there. `ply` is the number of plies
    played. `reached` has every counted position, in order and as often as it was reached (LS-4.5).
    `winner` is 0 and `cause` is empty until the game has ended.
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
        """LS-1.1: the seat that moves next, if the game goes on."""
        return Seat(self.ply % 2 + 1)

    @property
    def hand(self) -> Hand:
        """The hand of the seat to move."""
        return self.hands[self.ply % 2]

    @property
    def dealt(self) -> bool:
        """Whether the stones are dealt."""
        return bool(self.spaces)

    @property
    def island(self) -> dict[int, Stone]:
        """The stones by space, in order."""
        return dict(zip(self.spaces, self.stones, strict=True))


@dataclass(frozen=True, slots=True)
class Add:
    """LS-2.3: a hand stone comes to the island, by its number."""

    number: int
    to: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """LS-2.4: a stone of the island moves to another space."""

    start: int
    to: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """LS-2.6: a stone of the island is turned over in its place."""

    at: int


Move: TypeAlias = Add | Shift | Flip


def pattern(to_act: int, spaces: tuple[int, ...], stones: tuple[Stone, ...]) -> Pattern:
    """LS-4.6: the position without where it lies and without what anybody has seen."""
    first = spaces[0]
    return Pattern(
        to_act,
        tuple([at - first for at in spaces]),
        "".join([stone.top + stone.under for stone in stones]),
    )


def other(seat: int) -> int:
    """The other seat."""
    return 3 - seat
