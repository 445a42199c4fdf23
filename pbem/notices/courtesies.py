"""Notices about what players do for one another: time, pauses, comments; and about seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.game import Ply, Seat
from pbem.names import Digest, MatchId, PlayerId
from pbem.notices.news import (
    DrawProposed,
    DrawRefused,
    LeaveUsed,
    SeatVacated,
    TakebackRefused,
    TimeOver,
)
from pbem.notices.traits import Traits


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """Who asks for a pause of so many days, and whether the reader waits for the others, too."""

    name: str
    days: int
    agreed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeReceived:
    """The player in `seat` gave you so many seconds; your clock counts from now on with them."""

    traits = Traits(waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat
    seconds: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseWanted:
    """Somebody asks to let all clocks stand for so many days: yes or no."""

    traits = Traits(asks="yes", on_page=True)

    match: MatchId
    seat: Seat
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseRefused:
    """Somebody does not want the pause that was asked for; the clocks go on."""

    traits = Traits(wish="news", waits=True, lasts=True, on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseStarted:
    """All have agreed: the clocks stand until then at the longest (ISO)."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    until: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseOver:
    """The clocks run again: the player in `seat` said so, or (None) its time is over."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentMade:
    """Somebody said something of a move of a match that is over; `ply` None: of the match."""

    traits = Traits(wish="chat", waits=True, lasts=True, gathers=True, on_page=True)

    match: MatchId
    author: PlayerId
    ply: Ply | None
    text: Digest


Courtesies: TypeAlias = (
    TimeReceived | PauseWanted | PauseRefused | PauseStarted | PauseOver | CommentMade
)

AboutSeat: TypeAlias = (
    SeatVacated
    | DrawProposed
    | DrawRefused
    | TakebackRefused
    | TimeOver
    | LeaveUsed
    | TimeReceived
    | PauseWanted
    | PauseRefused
    | PauseOver
)
"""What is about somebody who is named by the seat alone."""
