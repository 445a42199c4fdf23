"""Positions and turns of Logan Stones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from pbem.games.game import Seat
from pbem.games.logan_stones.position_history import PositionHistory
from pbem.games.logan_stones.stones import Stone

NO_CAP: Final = 0  # value of `Rules.cap` if the number of turns is not limited (LS-5.2)

LAST_ADD: Final = 16  # turn that empties the hand of seat 2 (LS-2.2)


class Rules(NamedTuple):
    """The options of a match on which the rules depend.

    `stone_set` names the stones in play (LS-5.7): `6x3` has six kinds of stones, three of each.
    `cap` is the greatest number of turns, or NO_CAP. `repetition` says whether a repeated position
    ends the game as a draw. `memory_aid` says whether the board shows players the lower faces that
    they have already seen.
    """

    stone_set: str = "6x3"
    cap: int = 100
    repetition: bool = True
    memory_aid: bool = True


class HandStone(NamedTuple):
    """A stone in a hand, with its number (LS-1.9). All players see the stone's upper face."""

    number: int
    stone: Stone


Hand: TypeAlias = tuple[HandStone, ...]


class Pattern(NamedTuple):
    """A key for finding repetitions: positions with equal keys count as the same (LS-4.6).

    The key does not depend on where the island lies.

    Attributes:
        to_act: The seat to move.
        steps: For each space of the island, the difference from the first space.
        faces: The upper and lower face of each stone in the same order, as in `RPSS` for two.
    """

    to_act: int
    steps: tuple[int, ...]
    faces: str


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Logan Stones. Before the deal, there are no stones.

    Attributes:
        rules: The options of the match.
        spaces: The spaces of the island, ascending.
        stones: The stone on each of these spaces.
        hands: The hands of seats 1 and 2.
        ply: The number of turns played.
        history: The patterns of all positions so far that count for repetition, including this one
            (LS-4.5), oldest first.
        winner: The winner's seat; 0 before the end and if the game is drawn.
        cause: The reason why the game has ended, such as `line`; empty before the end.
    """

    rules: Rules
    spaces: tuple[int, ...] = ()
    stones: tuple[Stone, ...] = ()
    hands: tuple[Hand, Hand] = ((), ())
    ply: int = 0
    history: PositionHistory[Pattern] = field(default_factory=PositionHistory)
    winner: int = 0
    cause: str = ""

    @property
    def to_act(self) -> Seat:
        """The seat to move, or after the end the seat that would be next (LS-1.1)."""
        return Seat(self.ply % 2 + 1)

    @property
    def hand(self) -> Hand:
        """The hand of the seat to move."""
        return self.hands[self.ply % 2]

    @property
    def is_dealt(self) -> bool:
        """Return whether the stones have been dealt."""
        return bool(self.spaces)

    @property
    def island(self) -> dict[int, Stone]:
        """The stones of the island by space, in ascending order."""
        return dict(zip(self.spaces, self.stones, strict=True))


@dataclass(frozen=True, slots=True)
class Add:
    """A turn that puts a stone of the hand on a `space` of the island (LS-2.3).

    `number` is the number of the stone. `turned` is True if the stone is put down with its other
    face up.
    """

    number: int
    space: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """A turn that moves a stone of the island to another space (LS-2.4).

    `turned` is True if the stone is put down with its other face up.
    """

    start: int
    end: int
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """A turn that turns over a stone of the island in its place (LS-2.6)."""

    space: int


Move: TypeAlias = Add | Shift | Flip


def pattern(to_act: int, spaces: tuple[int, ...], stones: tuple[Stone, ...]) -> Pattern:
    """Return the key by which repetitions of the position are recognised (LS-4.6).

    `spaces` must be ascending and not empty, with `stones` in the same order.
    """
    first = spaces[0]
    return Pattern(
        to_act,
        tuple([space - first for space in spaces]),
        "".join([stone.top + stone.bottom for stone in stones]),
    )


def other(seat: int) -> int:
    """Return the seat of the opponent of `seat`."""
    return 3 - seat
