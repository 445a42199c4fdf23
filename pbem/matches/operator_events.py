"""What operators do to a match, as past-tense facts; and who may see which kind of event."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pbem.games.game import Outcome, Ply, Seat
from pbem.names import Digest, PlayerId

# --- visibility ----------------------------------------------------------------------------------
# Who may know that something happened, and read the texts that it names: said by its class.


class Eyes(Enum):
    """For whose eyes something is, beside those whose own it is: while the match runs, and after.

    EVERYBODY: those who watch, too. TABLE: those who play, and everybody after the end.
    TABLE_ALONE: those who play, and nobody else ever. OWN: nobody, and everybody after the end.
    OWN_ALONE: nobody ever; the operator may read it after the end. PRIVATE: the operator neither.
    """

    EVERYBODY = "everybody"
    TABLE = "table"
    TABLE_ALONE = "table alone"
    OWN = "own"
    OWN_ALONE = "own alone"
    PRIVATE = "private"

    def may_see(self, *, seated: bool, over: bool) -> bool:
        """Whether somebody else may: who sits at the table or not, before or after the end."""
        match self:
            case Eyes.EVERYBODY:
                return True
            case Eyes.TABLE:
                return seated or over
            case Eyes.TABLE_ALONE:
                return seated
            case Eyes.OWN:
                return over
            case Eyes.OWN_ALONE | Eyes.PRIVATE:
                return False


@dataclass(frozen=True, slots=True)
class Visible:
    """For whose eyes the events of a class are, and the sealed texts that they name."""

    event: Eyes
    texts: Eyes = Eyes.OWN_ALONE


# --- operator events -----------------------------------------------------------------------------
# What an operator does to a match: events with their author and reason.
#
# They compensate what went wrong and never delete; the reason is sealed like every text that people
# write, and goes to the players.


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchVoided:
    """The operator ended the match without a result; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchAdjudicated:
    """The operator decided the match; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    placings: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClocksHalted:
    """The operator let all clocks stand; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ClocksReleased:
    """The operator let the clocks run again; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadlineMoved:
    """The operator gave a seat another deadline, in `bank` seconds; `author` is who did it."""

    visible = Visible(Eyes.TABLE, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    seat: Seat
    bank: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatReassigned:
    """The operator let `player` play on in the seat of `left`; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    seat: Seat
    player: PlayerId
    left: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchRolledBack:
    """The operator let the match be as it was after `ply` plies; `author` is who did it.

    `seat` is whose move was the first that went. Moves stay in the log, and draws stay used.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    ply: Ply
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchUnrated:
    """No rating goes by a match that has ended; `author` is who said so."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentRemoved:
    """The operator took away comment number `number` (from 1), by `writer`; `author` is who did it.

    Its text is forgotten with it.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.OWN_ALONE)
    author: str
    reason: Digest
    number: int
    writer: PlayerId


ActEvent: TypeAlias = (
    CommentRemoved
    | MatchUnrated
    | MatchVoided
    | MatchAdjudicated
    | ClocksHalted
    | ClocksReleased
    | DeadlineMoved
    | SeatReassigned
    | MatchRolledBack
)
"""Acts of the operator. What follows from them is said by events of its own."""

VOIDED, ADJUDICATED = "voided", "adjudicated"
"""Terminations that no game knows."""


def verdict_of(event: MatchVoided | MatchAdjudicated, seats: int) -> Outcome:
    """How the match is to end by an act; without a result all share a place."""
    if isinstance(event, MatchVoided):
        return Outcome((1,) * seats, VOIDED)
    return Outcome(event.placings, ADJUDICATED)
