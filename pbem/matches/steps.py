"""What a match goes through: its status, the steps of its position, the offers of a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

from pbem.games import AnyGame
from pbem.games.game import Ply, Seat
from pbem.matches.events import ChanceDrawn, Event
from pbem.names import Digest, PlayerId

NO_PLY: Final = Ply(0)
"""The start: no ply has been played."""


class Status(StrEnum):
    """Where a match stands in its life."""

    NEW = "new"
    CHALLENGE = "challenge"
    OFF = "off"
    RUNNING = "running"
    ENDED = "ended"


class StepKind(StrEnum):
    """What moved the position on."""

    MOVE = "move"
    DRAW = "draw"
    LEFT = "left"
    AGREED = "agreed"
    NEWS = "news"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One change of the position: a ply, a draw within the game, a seat that left, an agreement.

    Or news of the table that belongs among them, as `event`: leave that was spent, a late flag.

    `ply` is the number of plies played after it; `before` and `after` are the game's positions.
    `text` is empty for a secret draw; a public one has its proof in `drawn`. `players` are those
    who sat there then, by seat.
    """

    kind: StepKind
    ply: Ply
    seat: Seat | None
    text: str
    before: Any
    after: Any
    move: Any = None
    forced: bool = False
    standing: bool = False
    condition: bool = False
    drawn: ChanceDrawn | None = None
    event: Event | None = None
    players: tuple[PlayerId, ...] = ()


class Sitting(Protocol):
    """What the other parts see of the table."""

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who sits there, by seat."""


class Going(Protocol):
    """What the other parts see of the course."""

    @property
    def ply(self) -> Ply:
        """How many plies have been played."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """What has moved its position."""


class Seen(Protocol):
    """What the parts of a match see of it as an event happens: how it was before."""

    @property
    def version(self) -> int:
        """How many events it has."""

    @property
    def status(self) -> Status:
        """Where it stands in its life."""

    @property
    def game(self) -> AnyGame:
        """Its rules."""

    @property
    def secrets(self) -> Mapping[str, str]:
        """The sealed texts that are known, by digest."""

    @property
    def table(self) -> Sitting:
        """Who sits there."""

    @property
    def course(self) -> Going:
        """What was played."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Which seats are to act."""

    @property
    def clocks(self) -> object | None:
        """Its clocks, if it has any."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was read already, as its game's value, and where it leads to if that is known."""

    move: Any
    after: Any = None


def since_own_move(steps: Sequence[Step], seat: Seat) -> int:
    """The number of the first step after a seat's last move."""
    for number in range(len(steps), 0, -1):
        step = steps[number - 1]
        if step.kind is StepKind.MOVE and step.seat == seat:
            return number
    return 0


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was said to all or noted for oneself after `ply` plies; the text is sealed."""

    author: PlayerId
    ply: Ply
    text: Digest


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a seat has decided for the case that the others play so; only that seat may see it.

    It speaks of the steps from number `first` on; the first `known` steps had been made when it was
    given. `after_own_move`: a move of the seat's own comes before all that it speaks of.
    """

    sealed: Digest
    first: int
    known: int
    after_own_move: bool = False


UNDONE: Final = -1


@dataclass(frozen=True, slots=True)
class Lapsed:
    """Conditions that became void after so many steps; `UNDONE`: moves were taken back."""

    conditions: Conditions
    steps: int


OPEN: Final = (Status.CHALLENGE.value, Status.RUNNING.value)
"""The words for a match that asks something of its players."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw offer that stands: whose it is, since which ply, and who has accepted it."""

    seat: Seat
    ply: Ply
    accepted: tuple[Seat, ...] = ()
