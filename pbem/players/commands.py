"""What somebody wants of a player's own stream; `decide` accepts it with events or refuses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.names import Digest, MatchId, PlayerId
from pbem.players.operator_acts import ActCommand


@dataclass(frozen=True, kw_only=True, slots=True)
class AskRegistration:
    """A stranger wrote to the public address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Invite:
    """`by` wants to play with this player."""

    by: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirm:
    """A letter came back through the player's own reply address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseName:
    """Be called so; the name is sealed beforehand."""

    name: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """No invitations from this player."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Unblock:
    """Invitations from this player again."""

    player: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class RenewReplyAddress:
    """Fresh reply addresses, of this generation; those before are dead."""

    generation: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Mute:
    """Read nothing of what these others say in a match."""

    match: MatchId
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Unmute:
    """Read again what these others say in a match."""

    match: MatchId
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SuspendAddress:
    """Mail came back too often, the first of it made at a time."""

    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ArriveLate:
    """A server answered that it took a mail to the player later, and did at last."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ResumeAddress:
    """The player wrote."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RefuseInvitations:
    """Never again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WelcomeInvitations:
    """Invitations again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseWish:
    """Send me mails so; `value` as typed, `name` as in the table of wishes."""

    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Forget:
    """Be nobody any more, since the player or the operator wants it so."""

    by: Literal["player", "operator"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseRestDays:
    """Let no clock of mine count on these weekdays (Monday is 0)."""

    days: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChooseQuietHours:
    """Let no clock of mine count between these hours (from, to; or none)."""

    hours: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanLeave:
    """I am away from `begin` to `end`, which is charged with so many days."""

    begin: datetime
    end: datetime
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class EndLeave:
    """I am back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SpendLeave:
    """A match would be lost at `begin`; nothing happens where so many days are not left."""

    begin: datetime
    days: int = 1


AwayCommand: TypeAlias = ChooseRestDays | ChooseQuietHours | PlanLeave | EndLeave | SpendLeave

Command: TypeAlias = (
    AskRegistration
    | Invite
    | Confirm
    | ChooseName
    | Block
    | Unblock
    | RenewReplyAddress
    | Mute
    | Unmute
    | SuspendAddress
    | ArriveLate
    | ResumeAddress
    | RefuseInvitations
    | WelcomeInvitations
    | Forget
    | ActCommand
    | ChooseWish
    | AwayCommand
)
