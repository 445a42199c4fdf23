"""Notices about the life of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.names import Digest, MatchId, PlayerId
from pbem.notices.traits import Place, Traits


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """You are asked for a match: accept or decline."""

    traits = Traits(waits=True, unproved=True, asks="invitation")

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeSent:
    """Your challenge went out; what happens next."""

    traits = Traits(on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationAnswered:
    """Somebody accepted, took an open seat or left it, and the match has not begun yet."""

    traits = Traits(wish="news", waits=True, on_page=True)

    match: MatchId
    player: PlayerId
    answer: Literal["accepted", "joined", "left"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeOff:
    """The challenge will not become a match: `player` declined or withdrew it.

    Where it has expired that is whoever issued it.
    """

    traits = Traits(waits=True, unproved=True, on_page=True)

    match: MatchId
    player: PlayerId
    reason: Literal["declined", "withdrawn", "expired"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchBegan:
    """All have accepted; the seats and how they were drawn."""

    traits = Traits(waits=True, lasts=True, place=Place.START, teaches=True, on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionMet:
    """What you named was played, and so was your answer: your last ply is `ply`."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnPrompt:
    """It is your turn: the board, what happened since your last one, what you can do."""

    traits = Traits(
        waits=True, place=Place.TURN, teaches=True, covers=(ConditionMet,), on_page=True
    )

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class HintAwaited:
    """You have asked for a hint, and it comes in a moment."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveReceipt:
    """Your move was played as ply `ply`."""

    traits = Traits(wish="receipts", lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveKept:
    """Your move was understood and goes out at `until`, unless you take it back.

    With it go a draw offer, and so many messages. `dropped`: what was decided for after the move
    that it replaces is void. `comment` stands in mails that were queued before 1.0, and is unread.
    """

    traits = Traits(wish="receipts", on_page=True)

    match: MatchId
    seat: Seat
    notation: str
    until: str
    draw: bool = False
    says: int = 0
    dropped: bool = False
    unread: tuple[str, ...] = ()
    comment: Digest | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PagePlayed:
    """You played a move as ply `ply` on the page, at `at`; the page was its receipt.

    No mail is made for it: the next one about the match tells it.
    """

    traits = Traits(waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply
    notation: str
    at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveReturned:
    """Your move was taken back before anybody saw it; it is your turn as before.

    `says` counts the messages that were to go out with it; `dropped`: what was decided for after it
    is void. `unanswered`: its player was asked about it, and did not answer in time.
    """

    traits = Traits(teaches=True, on_page=True)

    match: MatchId
    seat: Seat
    notation: str
    says: int = 0
    dropped: bool = False
    unanswered: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationKept:
    """You have resigned, which is final at `until` unless you take it back.

    `condition`: you had decided so for this case.
    """

    traits = Traits(
        place=Place.RESIGNATION,
        asks="resigned",
        answers=("undo", "yes"),
        own_address=True,
        on_page=True,
    )

    match: MatchId
    seat: Seat
    until: str
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationOff:
    """You do not resign after all: you took it back, you have moved, or moves were taken back."""

    traits = Traits(teaches=True, on_page=True)

    match: MatchId
    seat: Seat
    why: Literal["undone", "moved", "changed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackWanted:
    """Somebody asks to go back to after `ply` plies: accept or decline."""

    traits = Traits(asks="yes", on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackRefused:
    """A seat declined the takeback that you asked for, or moved on."""

    traits = Traits(on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MovesTakenBack:
    """All agreed: the match is as it was after `ply` plies, before the last move of `seat`."""

    traits = Traits(on_page=True)

    match: MatchId
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatFilled:
    """Somebody plays on in the seat of another: of one who went, or whom the operator replaced."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    player: PlayerId
    left: PlayerId
    why: Literal["replaced", "resigned", "decided", "time"] = "replaced"


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVacated:
    """Somebody resigned, or lost on time, and the others play on.

    `condition`: who resigned had decided so for this case.
    """

    traits = Traits(waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    timed_out: bool = False
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOver:
    """The time of a seat is over; the others may claim it or wait, it may still move."""

    traits = Traits(on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveUsed:
    """The time of a seat was over, and a day of leave was spent by itself, until `end` (ISO)."""

    traits = Traits(wish="news", waits=True, on_page=True)

    match: MatchId
    seat: Seat
    end: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawProposed:
    """Somebody offers a draw: accept or decline."""

    traits = Traits(asks="invitation", on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRefused:
    """Somebody declined your draw offer; the match goes on."""

    traits = Traits(wish="news", waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorActed:
    """The operator has done something to your match: what, and why; `due` is a time as ISO text."""

    traits = Traits()

    match: MatchId
    act: Literal[
        "voided", "adjudicated", "unrated", "halted", "released", "deadline", "seat", "back", "said"
    ]
    reason: Digest
    seat: Seat | None = None
    due: str = ""
    ply: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchOver:
    """The match has ended: placings, the last board, how to verify it, rematch."""

    traits = Traits(place=Place.END, covers=(ConditionMet, DrawRefused, MoveReceipt), on_page=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchOpened:
    """You watch a match of others: the board now, and how to stop."""

    traits = Traits()

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchWatched:
    """What happened in a match that you watch, from step number `first` on."""

    traits = Traits(waits=True, lasts=True)

    match: MatchId
    first: int


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchClosed:
    """You watch a match no more, and it was not you who ended it."""

    traits = Traits(waits=True)

    match: MatchId


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageReceived:
    """Somebody in the match says something."""

    traits = Traits(wish="chat", waits=True, lasts=True, unproved=True, on_page=True)

    match: MatchId
    author: PlayerId
    text: Digest


News: TypeAlias = (
    Invitation
    | ChallengeSent
    | InvitationAnswered
    | ChallengeOff
    | MatchBegan
    | TurnPrompt
    | HintAwaited
    | MoveReceipt
    | MoveKept
    | PagePlayed
    | MoveReturned
    | TakebackWanted
    | TakebackRefused
    | MovesTakenBack
    | ResignationKept
    | ResignationOff
    | ConditionMet
    | SeatVacated
    | SeatFilled
    | TimeOver
    | LeaveUsed
    | DrawProposed
    | DrawRefused
    | MatchOver
    | OperatorActed
    | WatchOpened
    | WatchClosed
    | MatchWatched
    | MessageReceived
)
"""What happens in matches."""
