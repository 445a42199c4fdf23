"""What an event is, who may see it, and the events of which all parts of a match speak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import ClassVar, Literal

from pbem.games.game import Ply, Seat
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """What happens to a match, as a past-tense fact; all together are its stream.

    Each stands in the file of its concept, as a frozen value with what decides it, what it makes of
    the match, and whether it may stand where it does. `replay.KINDS` are all.
    """

    visible: ClassVar[Visible]


# --- the way of a match --------------------------------------------------------------------------
# What the state of a match keeps or asks for, and several concepts take notice of.


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchStarted(Event):
    """The seats are fixed: `players` in seat order, from seat 1."""

    visible = Visible(Eyes.EVERYBODY)
    ruleset: str
    options: Mapping[str, str]
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovePlayed(Event):
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
class ChanceDrawn(Event):
    """A provable draw (docs/fairness.md). `ply` is the number of plies played before it."""

    visible = Visible(Eyes.EVERYBODY)
    ply: Ply
    index: int
    link: str
    digest: str
    asked: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceSealed(Event):
    """A secret draw: its outcome and link are sealed (docs/fairness.md) and shown at the end."""

    visible = Visible(Eyes.EVERYBODY)
    ply: Ply
    index: int
    digest: str
    asked: str
    sealed: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ChanceRevealed(Event):
    """A secret draw is opened after the end: whoever kept the digest can check it."""

    visible = Visible(Eyes.EVERYBODY)
    index: int
    link: str
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HintGiven(Event):
    """A seat was told a move, in canonical notation, after `ply` plies, and `why`.

    wins: it wins at once; over: the game ends with it; saves: after most other moves seat `whom`
    could win at once, after this one not; gains: for what it changes; best: nothing is plainer.
    `terms` names what it changes of that which positions are worth, the weightiest first;
    `changes` has for each the seat whose it is, how many there were, how many there are, and 1 if
    that is so only after the others' likely answers, `replies`, else 0.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply
    notation: str
    why: Literal["wins", "over", "saves", "gains", "best"]
    whom: Seat | None = None
    terms: tuple[str, ...] = ()
    changes: tuple[tuple[int, ...], ...] = ()
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatResigned(Event):
    """A seat gave up after `ply` plies; `condition`: it had decided so for this case."""

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTimedOut(Event):
    """A seat lost on time after `ply` plies."""

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTakenOver(Event):
    """`left` resigned, or lost on time, after `ply` plies; `player`, a bot, plays on in the seat.

    `condition`: it had decided to resign in this case.
    """

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply
    player: PlayerId
    left: PlayerId
    reason: Literal["resigned", "time"]
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatReassigned(Event):
    """The operator let `player` play on in the seat of `left`; `author` is who did it."""

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    seat: Seat
    player: PlayerId
    left: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchRolledBack(Event):
    """The operator let the match be as it was after `ply` plies; `author` is who did it.

    `seat` is whose move was the first that went. Moves stay in the log, and draws stay used.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.TABLE_ALONE)
    author: str
    reason: Digest
    ply: Ply
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchEnded(Event):
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
