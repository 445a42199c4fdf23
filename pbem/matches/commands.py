"""What somebody wants of a match; `decide` accepts it with events or refuses with a Rejection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from pbem.games.game import Ply, Seat
from pbem.hours import Hours
from pbem.matches.operator_events import ActCommand
from pbem.names import Digest, MatchId, PlayerId

Pause: TypeAlias = Literal["unreachable", "operator"]
"""Why a clock stands still."""

Credit: TypeAlias = Literal["late_mail", "downtime", "unreachable"]
"""Why a clock gets time back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IssueChallenge:
    """Ask others for a match. A rematch sits as `players` says, other matches as the game says.

    `open_seats` are for anybody; nobody may watch a `private` match.
    `time` is a preset, three numbers of hours, or `none`. `stand_in` is the level of the bot that
    plays on for who goes; empty: the seat leaves. `colours` are those that players have chosen
    already, by their names in the game.
    """

    ruleset: str
    options: Mapping[str, str]
    challenger: PlayerId
    players: tuple[PlayerId, ...]
    commitment: str
    links: int
    secret_commitment: str = ""
    rematch_of: MatchId | None = None
    open_seats: int = 0
    private: bool = False
    time: str = "none"
    stand_in: str = ""
    colours: Mapping[PlayerId, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Accept:
    """Take the seat that one is invited to; `letter` is the digest of the letter that says so.

    With a `colour`, as typed, one may also have taken it before: it is changed then.
    """

    player: PlayerId
    words: str = ""
    letter: str = ""
    colour: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Join:
    """Take an open seat; `letter` and `colour` are as in `Accept`."""

    player: PlayerId
    words: str = ""
    letter: str = ""
    colour: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decline:
    """Refuse an invitation, or give an open seat back; the challenger's own is a withdrawal."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Expire:
    """End a challenge that has waited long enough."""


@dataclass(frozen=True, slots=True)
class ReadMove:
    """What a text was read as: a move of a seat in the match at a version, as the game's value.

    `tried`: it is legal, as far as the seat can know. At another version the text is read again.
    """

    text: str
    seat: Seat
    move: Any
    notation: str
    version: int
    tried: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Play:
    """Play what was typed; `ply`, if given, is the ply it is meant for, against old mail.

    `letter` is the digest of the letter that brought it, empty for a bot's. `read` is the move that
    the text is, where that is known.
    """

    player: PlayerId
    text: str
    ply: Ply | None = None
    letter: str = ""
    read: ReadMove | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """Hold a move, under the digest `sealed`; where it is `asked` it goes out by a word only."""

    play: Play
    sealed: Digest
    until: datetime
    asked: bool = False
    free: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Undo:
    """Take back one's move: at once while it is held, else if the others agree."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerTakeback:
    """Agree, or not, to the takeback that was asked for."""

    player: PlayerId
    accept: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayHeld:
    """Let the held move go out; with its `version`, its time has come, and an asked one goes."""

    player: PlayerId
    version: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AddToHeld:
    """Let a draw offer or words go out with the held move; `sealed` is the digest of all."""

    player: PlayerId
    sealed: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Resign:
    """Give up; with `until` it is held so long, and can be taken back."""

    player: PlayerId
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishResignation:
    """Make that resignation final which was held at `version`."""

    player: PlayerId
    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferDraw:
    """Offer a draw, where the game has such a thing."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerDraw:
    """Accept or decline the draw that was offered."""

    player: PlayerId
    accept: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveStandingOrder:
    """Decide something in advance. `order` is canonical; `sealed` the digest it is kept under."""

    player: PlayerId
    order: str
    sealed: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveConditions:
    """Decide what to play if the others play so; `sealed` is the digest it is kept under."""

    player: PlayerId
    sealed: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class DropConditions:
    """Take back all that was decided so."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """Say something to the others in the match; the text is sealed beforehand."""

    player: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class KeepNote:
    """Write down something for oneself; the text is sealed beforehand."""

    player: PlayerId
    text: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Watch:
    """Be told of every move of a match in which one does not play."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Unwatch:
    """Be told no more."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayForced:
    """Go on with forced plies and draws where an earlier decision stopped at its limit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseHours:
    """Let rest days and quiet hours of a player hold in this match; leave is not looked at."""

    player: PlayerId
    hours: Hours


@dataclass(frozen=True, kw_only=True, slots=True)
class BeginLeave:
    """The player is away from `begin` to `end`."""

    player: PlayerId
    begin: datetime
    end: datetime
    by_itself: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class EndLeave:
    """The player is back."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseClock:
    """Let a player's clock stand still."""

    player: PlayerId
    reason: Pause


@dataclass(frozen=True, kw_only=True, slots=True)
class ResumeClock:
    """What stopped a player's clock is over."""

    player: PlayerId
    reason: Pause


@dataclass(frozen=True, kw_only=True, slots=True)
class CreditClock:
    """Give back what a player's clock counted between two times."""

    player: PlayerId
    begin: datetime
    end: datetime
    reason: Credit


@dataclass(frozen=True, kw_only=True, slots=True)
class SetClockRight:
    """Our own clock has gone back: no clock may wait for a time that was only thought to be."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class MissDeadline:
    """The time of a seat is over."""

    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimTime:
    """Do not wait any longer for a player whose time is over; then it is as if they resigned."""

    player: PlayerId


ClockCommand: TypeAlias = (
    ChooseHours
    | BeginLeave
    | EndLeave
    | PauseClock
    | ResumeClock
    | CreditClock
    | SetClockRight
    | MissDeadline
    | ClaimTime
)

Command: TypeAlias = (
    IssueChallenge
    | Accept
    | Join
    | Decline
    | Expire
    | Play
    | Hold
    | Undo
    | AnswerTakeback
    | PlayHeld
    | Resign
    | FinishResignation
    | OfferDraw
    | AddToHeld
    | AnswerDraw
    | GiveStandingOrder
    | GiveConditions
    | DropConditions
    | Say
    | KeepNote
    | Watch
    | Unwatch
    | PlayForced
    | ClockCommand
    | ActCommand
)
