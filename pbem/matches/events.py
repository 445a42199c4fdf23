"""What happens to a match, as past-tense facts; together they are its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.matches.operator_events import ActEvent, Eyes, Visible
from pbem.matches.seat_events import PrivateEvent, SeatEvent, SecondThought
from pbem.names import Digest, MatchId, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeIssued:
    """A player asked others for a match.

    `players` is everybody with the challenger, in the order in which they sit unless it is drawn.
    `secret_commitment` is that of the chain of secret draws, where the game has them. `open_seats`
    more are for anybody who joins. A `private` match is watched by nobody, an `unrated` one changes
    no ratings. `time` is the time control in hours, bank/increment/cap. `stand_in` is the level of
    the bot that plays on for who goes; empty: the seat leaves. `asks` is how reliable and good who
    joins must be. A `tournament` set it. `protocol`: what draws are bound to (docs/fairness.md).
    """

    visible = Visible(Eyes.EVERYBODY)
    ruleset: str
    options: Mapping[str, str]
    challenger: PlayerId
    players: tuple[PlayerId, ...]
    seats_drawn: bool
    commitment: str
    links: int
    protocol: int
    secret_commitment: str = ""
    rematch_of: MatchId | None = None
    open_seats: int = 0
    private: bool = False
    unrated: bool = False
    time: str = "none"
    stand_in: str = ""
    asks: Mapping[str, int] = field(default_factory=dict)
    tournament: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTaken:
    """A player accepted, or took an open seat: the next one after those who are in already.

    `words` are the player's own, `letter` is the digest of the letter's Message-ID and Date: both
    enter the draws of the start. It is empty where there was no such letter, or it had neither.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    words: str = ""
    letter: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatGivenUp:
    """A player who had taken an open seat left it before the start; it is open again."""

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationDeclined:
    """A player does not want this match."""

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeClosed:
    """The challenge will not become a match."""

    visible = Visible(Eyes.EVERYBODY)
    reason: Literal["declined", "withdrawn", "expired"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceDrawn:
    """A provable draw (docs/fairness.md). `ply` is the number of plies played before it."""

    visible = Visible(Eyes.EVERYBODY)
    ply: Ply
    index: int
    link: str
    digest: str
    asked: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceSealed:
    """A secret draw: its outcome and link are sealed (docs/fairness.md) and shown at the end."""

    visible = Visible(Eyes.EVERYBODY)
    ply: Ply
    index: int
    digest: str
    asked: str
    sealed: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceRevealed:
    """A secret draw is opened after the end: whoever kept the digest can check it."""

    visible = Visible(Eyes.EVERYBODY)
    index: int
    link: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceCommitted:
    """Another chain will follow the one that nears its end: draw `first` is the first from it."""

    visible = Visible(Eyes.EVERYBODY)
    commitment: str
    links: int
    first: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchStarted:
    """The seats are fixed: `players` in seat order, from seat 1."""

    visible = Visible(Eyes.EVERYBODY)
    ruleset: str
    options: Mapping[str, str]
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePlayed:
    """A ply, in canonical notation. `typed` is the span that was read as the move.

    `comment` is what the player wrote around it, sealed. The server played it by itself if `forced`
    (nothing else was legal), `standing` (the seat's order) or `condition` (the seat had named what
    the others played). `bank` is what its clock has left after it, in seconds, where it ran;
    `received` when it came; `letter` the digest of its letter, which later draws are bound to.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    seat: Seat
    ply: Ply
    notation: str
    typed: str = ""
    comment: Digest | None = None
    forced: bool = False
    standing: bool = False
    bank: int | None = None
    received: datetime | None = None
    condition: bool = False
    letter: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawOffered:
    """A seat offered a draw after `ply` plies."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawAccepted:
    """A seat accepted the draw that was offered; when all have, the match ends."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawDeclined:
    """A seat declined the draw that was offered, for all."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatResigned:
    """A seat gave up after `ply` plies; `condition`: it had decided so for this case."""

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTimedOut:
    """A seat lost on time after `ply` plies."""

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class HoursChosen:
    """A seat's rest days (Monday is 0) and quiet hours (from, to; or none), from a turn on."""

    visible = Visible(Eyes.OWN_ALONE)
    seat: Seat
    tz: str
    rest_days: tuple[int, ...]
    quiet: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveBegun:
    """A seat is away from `begin` to `end`; `by_itself`: a day of leave saved it from losing."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    begin: datetime
    end: datetime
    by_itself: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveEnded:
    """A seat is back, before its leave was over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineSet:
    """A seat's clock runs since `since` with `bank` seconds, and will be over at `due`."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    since: datetime
    bank: int
    due: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockStopped:
    """A seat's clock stands with `bank` seconds left, since it need not act any more."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockPaused:
    """A seat's clock stands with `bank` seconds left: mail comes back, or all agreed on a pause."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int
    reason: Literal["unreachable", "operator", "agreed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockResumed:
    """What stopped a seat's clock is over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    reason: Literal["unreachable", "operator", "agreed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockCredited:
    """A seat got back the seconds that its clock had counted from `begin` to `end`.

    Its mail went out late, or came back (`unreachable`), or the service was down.
    """

    visible = Visible(Eyes.TABLE)
    seat: Seat
    begin: datetime
    end: datetime
    seconds: int
    reason: Literal["late_mail", "downtime", "unreachable"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockSetRight:
    """The service's clock had been ahead: a seat's runs anew, with what it had left at a time."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    at: datetime
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineMissed:
    """A seat's time was over at `due`."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    due: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageSaid:
    """Somebody in the match said something to the others; the text is sealed."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchBegan:
    """Somebody who does not play wants to be told of every move."""

    visible = Visible(Eyes.OWN_ALONE)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchEnded:
    """A spectator went away, or is not welcome any more."""

    visible = Visible(Eyes.OWN_ALONE)
    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEnded:
    """The match is over: a placing for every seat (1 is best, equals share), and the cause.

    `people` are those who have played with each other, with what each did in `record`: place among
    them, turns, turns that came late, and 1 for who lost on time. `unrated` is why no rating goes
    by it, or empty.
    """

    visible = Visible(Eyes.EVERYBODY)
    placings: tuple[int, ...]
    termination: str
    people: tuple[PlayerId, ...] = ()
    record: tuple[tuple[int, ...], ...] = ()
    unrated: str = ""


ClockEvent: TypeAlias = (
    HoursChosen
    | LeaveBegun
    | LeaveEnded
    | DeadlineSet
    | ClockStopped
    | ClockPaused
    | ClockResumed
    | ClockCredited
    | ClockSetRight
    | DeadlineMissed
)
"""What changes the clocks and nothing else."""

Event: TypeAlias = (
    ClockEvent
    | SeatEvent
    | SecondThought
    | ActEvent
    | SeatTimedOut
    | ChallengeIssued
    | SeatTaken
    | SeatGivenUp
    | InvitationDeclined
    | ChallengeClosed
    | ChanceDrawn
    | ChanceSealed
    | ChanceRevealed
    | ChanceCommitted
    | MatchStarted
    | MovePlayed
    | PrivateEvent
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | SeatResigned
    | MessageSaid
    | WatchBegan
    | WatchEnded
    | MatchEnded
)
