"""What happens to a match, as past-tense facts; together they are its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.names import Digest, MatchId, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeIssued:
    """A player asked others for a match.

    `players` is everybody with the challenger, in the order in which they will sit unless the seats
    are drawn.
    """

    ruleset: str
    options: Mapping[str, str]
    challenger: PlayerId
    players: tuple[PlayerId, ...]
    seats_drawn: bool
    commitment: str
    links: int
    rematch_of: MatchId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTaken:
    """A player accepted. `words` are the player's own, and enter the draws of the start."""

    player: PlayerId
    words: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationDeclined:
    """A player does not want this match."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class ChallengeClosed:
    """The challenge will not become a match."""

    reason: Literal["declined", "withdrawn"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceDrawn:
    """A provable draw (docs/fairness.md). `ply` is the number of plies played before it."""

    ply: Ply
    index: int
    link: str
    digest: str
    asked: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchStarted:
    """The seats are fixed: `players` in seat order, from seat 1."""

    ruleset: str
    options: Mapping[str, str]
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePlayed:
    """A ply, in canonical notation. `typed` is the span that was read as the move.

    `forced` marks what the server played by itself, since nothing else was legal.
    """

    seat: Seat
    ply: Ply
    notation: str
    typed: str = ""
    forced: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatResigned:
    """A seat gave up after `ply` plies."""

    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class MessageSaid:
    """Somebody in the match said something to the others; the text is sealed."""

    author: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEnded:
    """The match is over: a placing for every seat (1 is best, equals share), and the cause."""

    placings: tuple[int, ...]
    termination: str


Event: TypeAlias = (
    ChallengeIssued
    | SeatTaken
    | InvitationDeclined
    | ChallengeClosed
    | ChanceDrawn
    | MatchStarted
    | MovePlayed
    | SeatResigned
    | MessageSaid
    | MatchEnded
)
