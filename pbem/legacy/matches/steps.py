"""What a match goes through, and what may wait in it: its status, steps, offers, held moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import ChanceDrawn, Event, HintGiven
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


CLAIMED: Final = "claimed"
"""The text of a step by which a draw was claimed, and not agreed on."""


VOIDED, ADJUDICATED = "voided", "adjudicated"
"""Terminations that no game knows: an operator's."""


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


@dataclass(frozen=True, slots=True)
class Comment:
    """What was said after the end of the move that was ply `ply`; None: of the whole match.

    `behind` is how many messages had been said in the match before it.
    """

    author: PlayerId
    ply: Ply | None
    text: Digest
    behind: int = 0


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


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pause of so many days that a seat asks for, at a version, and who has agreed to it."""

    seat: Seat
    days: int
    version: int
    accepted: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """All clocks stand, until then at the longest; the version of the match when that began."""

    since: datetime
    until: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Request:
    """A seat asks to go back to after `ply` plies; the version it was made at."""

    seat: Seat
    ply: Ply
    version: int


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint that was given, and the position that it is for."""

    hint: HintGiven
    position: Any


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Steps that were taken back for a seat, to after `ply` plies, at a version of the match.

    `kept` is the number of steps after which they stood.
    """

    seat: Seat
    ply: Ply
    version: int
    kept: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldMove:
    """A move in the correction window; `version` is that of the match when it was held.

    `move` is the digest of what it is, and `letter` that of the letter which brought it. It goes
    out only if its player says so where it is `asked`. From `free` on their clock runs.
    """

    seat: Seat
    ply: Ply
    move: Digest
    received: datetime
    until: datetime
    version: int
    letter: str = ""
    asked: bool = False
    free: datetime | None = None

    def made(self, now: datetime) -> datetime:
        """When it counts as made, if it goes out now."""
        late = now - self.free if self.free is not None else timedelta(0)
        return self.received + max(late, timedelta(0))


@dataclass(frozen=True, slots=True)
class HeldResignation:
    """A seat leaves at `until`; `version` is that of the match when it first said so.

    `condition`: it had decided so for this case.
    """

    seat: Seat
    until: datetime
    version: int
    condition: bool = False
