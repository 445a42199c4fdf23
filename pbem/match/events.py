"""The events of a match: facts in the past tense, which are stored and never changed.

Events name players by id and seats by number; names and addresses of people are rows elsewhere, so
that they can be deleted. Each event carries its outcome (the values that were drawn, what remains
on a clock, the placings), so that replaying them needs nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.games.game import Ply, Seat
from pbem.names import PlayerId


class Source(StrEnum):
    """Where a move came from."""

    EMAIL = "email"
    PAGE = "page"
    BOT = "bot"
    CONDITION = "condition"
    FORCED = "forced"


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEvent:
    """What all events have: the time of the decision, in UTC."""

    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeIssued(MatchEvent):
    """A player proposed a match.

    `commitment` is the start of the chain of draws, in hex (docs/fairness.md). It is published here
    because nobody has accepted yet: the secret cannot depend on what players send later.
    """

    challenger: PlayerId
    ruleset: str  # with its edition, as in `logger-1`; a match keeps it for good
    options: dict[str, str]
    invited: tuple[PlayerId, ...]
    time_control: str  # as in `240/36/240` (hours), or `none`
    is_rated: bool
    expires: datetime
    protocol: int  # of the draws
    commitment: str
    links: int  # how many draws the chain is made for


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTaken(MatchEvent):
    """An invited player accepted; `message_hash` is that of the accepting email, for the draws."""

    player: PlayerId
    message_hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationDeclined(MatchEvent):
    """An invited player declined."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeClosed(MatchEvent):
    """A challenge ended without a match."""

    reason: str  # declined, withdrawn or expired


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchStarted(MatchEvent):
    """All seats are taken; `players` are in seat order."""

    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceDrawn(MatchEvent):
    """A public draw: `values` follow from link, request and digest (docs/fairness.md).

    `ply` is None for the draw of the seats, which comes before the match starts.
    """

    index: int  # number of the link, from 1
    link: str  # hex
    digest: str  # of what players did before, hex
    request: str  # what was asked of chance, as in `roll: 2d6`
    values: tuple[int, ...]
    ply: Ply | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePlayed(MatchEvent):
    """A player made a move, or the server made the only legal one for them."""

    seat: Seat
    ply: Ply
    notation: str  # canonical, as `game.notation` writes it
    source: Source
    received: datetime  # when the mailbox received the move
    message_hash: str  # of the email or page command that brought it; empty if nobody wrote it
    bank: timedelta | None  # what remains on the player's clock; None without a time control


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatResigned(MatchEvent):
    """A player gave up; the others play on if there are at least two."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEnded(MatchEvent):
    """The result: placings by seat (1 is best, equal seats share), and the game's cause."""

    placings: tuple[int, ...]
    termination: str


EVENT_TYPES: dict[str, type[MatchEvent]] = {
    event_type.__name__: event_type
    for event_type in (
        ChallengeIssued,
        SeatTaken,
        InvitationDeclined,
        ChallengeClosed,
        MatchStarted,
        ChanceDrawn,
        MovePlayed,
        SeatResigned,
        MatchEnded,
    )
}
"""Every event type by the name under which it is stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CausedEvent:
    """An event with the id of its cause: events of one unit of work have the same cause."""

    event: MatchEvent
    cause: str = field(default="")
