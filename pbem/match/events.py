"""The events of a match: facts in the past tense, which are stored and never changed.

Events refer to players by id and to seats by number. Names, addresses and messages are stored
elsewhere, so that they can be deleted. Each event contains its outcome (random values, the time
left on a clock, the placings), so that replaying it needs nothing else.

Two event types hold secrets that not every player may know before the match ends: the values of a
sealed draw, and a standing order. Code that shows or exports events passes them through
`redact_event` first. The hashes of these events reveal nothing, because each is salted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.games.game import Ply, Seat, Viewpoint
from pbem.names import MatchId, PlayerId


class Source(StrEnum):
    """The origin of a move, such as an email, a page or a standing order."""

    EMAIL = "email"
    PAGE = "page"
    BOT = "bot"
    CONDITION = "condition"
    STANDING_ORDER = "standing_order"
    FORCED = "forced"


AUTOMATIC_SOURCES = (Source.FORCED, Source.STANDING_ORDER)  # they earn no increment


class PauseReason(StrEnum):
    """The reason for which a clock is paused."""

    VACATION = "vacation"
    BOUNCE = "bounce"  # emails to the player bounce
    GAME = "game"  # the game is not installed


class LeavingReason(StrEnum):
    """The reason for which a player left a running match before its end."""

    RESIGNED = "resigned"
    BANNED = "banned"  # by the operator
    DELETED = "deleted"  # their account


class ExtensionReason(StrEnum):
    """The reason for which a player got more time."""

    GIFT = "gift"  # from another player
    VACATION = "vacation"  # vacation days that were spent when the clock ran out
    LATE_EMAIL = "late_email"  # the email about the turn was sent late
    DOWNTIME = "downtime"  # the service was not running
    OPERATOR = "operator"


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEvent:
    """Base class of the events of a match; `at` is the time of the decision in UTC."""

    at: datetime


# --- before the start ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeIssued(MatchEvent):
    """A player proposed a match.

    `commitment` is the start of the hash chain of public random draws, in hex (docs/fairness.md).
    The event publishes it before any player has accepted, so that the server's secret cannot depend
    on anything that players send later. `sealed_commitment` is the start of the chain of sealed
    draws; empty if the game has none.

    `open_seats` is the number of seats for players who join. If `is_listed`, the challenge is shown
    to all players; otherwise only people who have the link can join. `seat_order` lists the players
    in seat order; if it is empty, seats are drawn at random or follow the order of the challenge.
    """

    challenger: PlayerId
    ruleset: str  # game and edition, as in `logger-1`; it never changes in a match
    options: dict[str, str]
    invited: tuple[PlayerId, ...]
    time_control: str  # as in `240/36/240` (hours), or `none`
    is_rated: bool
    expires: datetime
    protocol: int  # version of the computation of draws
    commitment: str
    links: int  # number of draws that each chain is made for
    sealed_commitment: str = ""
    open_seats: int = 0
    is_listed: bool = False
    is_private: bool = False  # whether spectators are excluded
    is_lesson: bool = False
    colour: str | None = None  # the challenger's choice
    seat_order: tuple[PlayerId, ...] = ()
    rematch_of: MatchId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTaken(MatchEvent):
    """A player accepted an invitation, or took an open seat.

    `message_hash` is the hash of the accepting email or page command, on which the first random
    draws depend; it is empty for bots. `colour` is the player's choice; None without one.
    """

    player: PlayerId
    message_hash: str
    colour: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatReleased(MatchEvent):
    """A player who had taken an open seat left before the start. The seat is open again."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationDeclined(MatchEvent):
    """An invited player declined the invitation, possibly after accepting it."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeClosed(MatchEvent):
    """A challenge ended without a match."""

    reason: str  # declined, withdrawn or expired


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchStarted(MatchEvent):
    """The match started with all seats taken.

    `players` are in seat order. `options` are the options of the challenge, and the players'
    colours.
    """

    players: tuple[PlayerId, ...]
    options: dict[str, str]


# --- draws ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceCommitted(MatchEvent):
    """The server committed to the next public hash chain, as the current one is nearly used up.

    `commitment` is the start of the new chain, in hex. `links` is the number of random draws for
    which the chain suffices, and `first` is the number of the first random draw from it.
    """

    commitment: str
    links: int
    first: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceRenewed(MatchEvent):
    """The service was restored from a backup, so all later random draws come from new hash chains.

    Players may have seen draws that are no longer in the log. This event commits the server to the
    new chains. The next public draw and the next sealed draw use their first links. This event is
    alone in its unit of work. Usually a draw does not depend on moves in its own unit of work. But
    until a player has sent a move after this event, it does (docs/fairness.md).
    """

    commitment: str
    sealed_commitment: str  # empty if the game has no sealed draws
    links: int  # of each chain
    number: int  # random number of the chains, from which their secrets are derived
    restored_to: datetime  # when the backup was made; what happened later is lost


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceDrawn(MatchEvent):
    """The server made a public random draw, whose `values` follow from the other fields.

    docs/fairness.md has the computation. `ply` is None for the draw of the seats, which comes
    before the match starts.
    """

    index: int  # number of the draw, and of its link in the server's hash chain, from 1
    link: str  # the link: a number that was secret until this draw, hex
    digest: str  # hash of the players' earlier actions, hex
    request: str  # canonical text of the draw, as in `roll: 2d6`
    values: tuple[int, ...]
    ply: Ply | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceSealed(MatchEvent):
    """The server made a sealed random draw, which players can check after the match by its seal.

    Until the match has ended, only the server may know `values`: `redact_event` removes them.
    `digest` and `request` are as in ChanceDrawn.
    """

    index: int  # number of the link in the chain of sealed draws, from 1
    digest: str
    request: str
    seal: str  # hash of link and values, hex
    values: tuple[int, ...] = field(repr=False)
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceRevealed(MatchEvent):
    """The server opened sealed draw number `index` after the end of the match.

    `link` is the link of the hash chain for this draw, in hex. Players can compute the `values`
    from it again.
    """

    index: int
    link: str
    values: tuple[int, ...]


# --- play ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePlayed(MatchEvent):
    """A player made a move, or the server made a move for a player who had no choice."""

    seat: Seat
    ply: Ply
    notation: str  # canonical, as `game.notation` writes it
    source: Source
    received: datetime  # when the mailbox received the move
    message_hash: str  # of the email or page command that brought it; empty without one
    bank: timedelta | None  # time left on the player's clock; None without a time control


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingOrderGiven(MatchEvent):
    """A player instructed the server how to make a certain choice each time the player has it.

    Only this player may know the order: `redact_event` removes it for all other readers.
    """

    seat: Seat
    order: str  # canonical, as `game.parse_standing_order` writes it


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawOffered(MatchEvent):
    """A player offered a draw, or claimed one that the rules grant without agreement."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawDeclined(MatchEvent):
    """A player declined the draw that was offered."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawAgreed(MatchEvent):
    """A player agreed to the draw that was offered. The match is drawn when all have agreed."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackRequested(MatchEvent):
    """A player asked the opponent to go back to the position after move or random draw `ply`."""

    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackDeclined(MatchEvent):
    """The player of `seat` declined the takeback that the opponent had requested."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchRolledBack(MatchEvent):
    """The match went back to the position after move or random draw number `ply`.

    The moves after that position stay in the log. `seat` is the seat of the player who asked to go
    back; None if the operator decided it.
    """

    ply: Ply
    seat: Seat | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatResigned(MatchEvent):
    """A player left the running match. The other players play on if the rules allow it."""

    seat: Seat
    reason: LeavingReason = LeavingReason.RESIGNED


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTimedOut(MatchEvent):
    """A player is out of the game, because the player's clock ran out.

    Too few vacation days were left to extend the deadline. The other players play on if the rules
    allow it.
    """

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatReassigned(MatchEvent):
    """The operator gave the seat of the player `former` to `player`, who continues the match."""

    seat: Seat
    player: PlayerId
    former: PlayerId


# --- clocks --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockPaused(MatchEvent):
    """A player's clock was paused.

    `until` is the time at which the pause ends at the latest, or None if there is no limit.
    """

    seat: Seat
    reason: PauseReason
    until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockResumed(MatchEvent):
    """One reason to pause a player's clock ended. The clock runs again unless another remains."""

    seat: Seat
    reason: PauseReason


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineExtended(MatchEvent):
    """A player got more time.

    `deadline` is the new deadline, or None if the player's clock does not run.
    """

    seat: Seat
    added: timedelta
    deadline: datetime | None
    reason: ExtensionReason
    giver: Seat | None = None  # the player who gave the time, if it is a gift


# --- the end -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchVoided(MatchEvent):
    """The operator declared that the match has no result, while it ran or after its end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchAdjudicated(MatchEvent):
    """The operator decided the result; `placings` are the places in seat order, 1 is best."""

    placings: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEnded(MatchEvent):
    """The match ended.

    `placings` are the places in seat order: 1 is best, and tied seats share a place. `termination`
    is the cause of the end, as the game names it, or `voided` or `adjudicated`.
    """

    placings: tuple[int, ...]
    termination: str


EVENT_TYPES: dict[str, type[MatchEvent]] = {  # by the names under which they are stored
    name: value
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, MatchEvent) and value is not MatchEvent
}


@dataclass(frozen=True, kw_only=True, slots=True)
class CausedEvent:
    """An event and the id of its cause. All events of a unit of work have the same cause."""

    event: MatchEvent
    cause: str = field(default="")


def redact_event(event: MatchEvent, seat: Viewpoint) -> MatchEvent:
    """Return the event without the values that a reader must not know before the match ends.

    `seat` is the reader's seat; None for a spectator. If this function changes an event, the caller
    must also withhold the event's salt, with which the values could be guessed.
    """
    if isinstance(event, ChanceSealed):
        return replace(event, values=())
    if isinstance(event, StandingOrderGiven) and event.seat != seat:
        return replace(event, order="")
    return event
