"""What happens to seats, to what is regretted, for no other eyes, and as a courtesy: as facts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.matches.operator_events import Eyes, Visible
from pbem.names import Digest, PlayerId

# --- seat events ---------------------------------------------------------------------------------
# What happens to seats beside taking them: links to them, colours chosen, bots that take over.


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkMade:
    """The open seat of a challenge is for whoever has its link, and is listed nowhere.

    Nobody can take it by the link from `until` on: the challenge is closed then.
    """

    visible = Visible(Eyes.EVERYBODY)
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ColourChosen:
    """A player chose a colour of the game for the seat to come; nobody else in the match has it.

    A later choice of the same player takes its place. Whoever has chosen none by the start gets
    what is left.
    """

    visible = Visible(Eyes.EVERYBODY)
    player: PlayerId
    colour: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LessonPlanned:
    """The match is to teach its challenger the game."""

    visible = Visible(Eyes.EVERYBODY)


BeforeStart: TypeAlias = LinkMade | LessonPlanned | ColourChosen
"""What happens to the seats of a challenge beside taking them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatTakenOver:
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


# --- undo events ---------------------------------------------------------------------------------
# What happens to moves and resignations that may be regretted; events like all others.


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveHeld:
    """A move was understood at `received`; it goes out at `until`, and may be undone before.

    What it is, is sealed under `move`: nobody but its player sees it before MovePlayed names it.
    `letter` is the digest of the letter that brought it. `asked`: its player has not said plainly
    that it is meant; it goes out only if they say so, and is withdrawn at `until`. The clock counts
    it as made at `received`, and runs on from `free`.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply
    move: Digest
    received: datetime
    until: datetime
    comment: Digest | None = None
    letter: str = ""
    asked: bool = False
    free: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveWithdrawn:
    """A held move will not go out.

    It was undone, another one replaced it, it became impossible, since somebody left, or its player
    was asked whether it is meant and did not answer.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply
    move: Digest
    reason: Literal["undone", "replaced", "void", "unanswered"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationHeld:
    """A seat wants to give up; it leaves at `until`, unless it takes that back before.

    Nobody else hears of it until then. `condition`: it had decided so for this case.
    """

    visible = Visible(Eyes.OWN)
    seat: Seat
    until: datetime
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ResignationTakenBack:
    """A seat plays on after all: it said so (`undone`), or it made a move (`moved`)."""

    visible = Visible(Eyes.OWN)
    seat: Seat
    reason: Literal["undone", "moved"]


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackAsked:
    """A seat asked the other to go back to after `ply` plies, before its last move."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackDeclined:
    """A seat did not agree to the takeback that was asked for."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackGranted:
    """The other agreed: the match is as it was after `ply` plies, before the last move of `seat`.

    The moves after it stay in the log; their numbers are given again.
    """

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply


SecondThought: TypeAlias = (
    MoveHeld
    | MoveWithdrawn
    | ResignationHeld
    | ResignationTakenBack
    | TakebackAsked
    | TakebackDeclined
    | TakebackGranted
)
"""What comes of moves and resignations that are held or regretted."""


# --- private events ------------------------------------------------------------------------------
# What somebody decides or notes for no other eyes, as past-tense facts: all texts are sealed.


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingOrderGiven:
    """A seat decided something in advance; only that seat may see what, so the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    order: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsGiven:
    """A seat decided what it plays if the others play so; only that seat may see it.

    It replaces what the seat had decided so before.
    """

    visible = Visible(Eyes.OWN, texts=Eyes.OWN)
    seat: Seat
    conditions: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsDropped:
    """A seat took back what it had decided for the case that the others play so."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionsVoided:
    """What a seat had decided for the case that the others play so does not fit what they did."""

    visible = Visible(Eyes.OWN)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteKept:
    """A player wrote down something for nobody else, after `ply` plies; the text is sealed."""

    visible = Visible(Eyes.OWN, texts=Eyes.PRIVATE)
    author: PlayerId
    ply: Ply
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class HintAsked:
    """A seat that has never sat with anybody but bots asked for a move, after `ply` plies."""

    visible = Visible(Eyes.OWN)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class HintGiven:
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


PrivateEvent: TypeAlias = (
    StandingOrderGiven
    | ConditionsGiven
    | ConditionsDropped
    | ConditionsVoided
    | NoteKept
    | HintAsked
    | HintGiven
)


# --- courtesy events -----------------------------------------------------------------------------
# What players do for one another beside the board: time that is given, clocks that all let stand.


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeGiven:
    """Seat `giver` gave `seat` so many seconds; at that time `seat` then had `bank` left.

    Among more than two people it is taken off the giver's own clock, which then had `giver_bank`.
    """

    visible = Visible(Eyes.TABLE)
    seat: Seat
    giver: Seat
    seconds: int
    at: datetime
    bank: int
    giver_bank: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseProposed:
    """A seat asked the others to let all clocks stand for so many days."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseAccepted:
    """A seat agreed to the pause that was asked for; when all people have, it begins."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseDeclined:
    """A seat declined the pause that was asked for, for all, or took back that it had asked."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseBegun:
    """All have agreed: the clocks stand from `at` to `until` at the longest."""

    visible = Visible(Eyes.TABLE)
    at: datetime
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseEnded:
    """The clocks run again, since a seat said so, or (None) since the time of the pause is over."""

    visible = Visible(Eyes.TABLE)
    seat: Seat | None
    at: datetime


PauseEvent: TypeAlias = PauseProposed | PauseAccepted | PauseDeclined | PauseBegun | PauseEnded

Courtesy: TypeAlias = TimeGiven | PauseEvent
"""What players do for one another beside the board."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveCommented:
    """After the end somebody said something about the move that was ply `ply`; the text is sealed.

    `ply` 0 is the board as the match began, None the match as a whole. Whoever may see the match
    may read it.
    """

    visible = Visible(Eyes.EVERYBODY, texts=Eyes.EVERYBODY)
    author: PlayerId
    ply: Ply | None
    text: Digest


SeatEvent: TypeAlias = BeforeStart | SeatTakenOver | Courtesy | MoveCommented
"""What happens to seats beside playing."""
