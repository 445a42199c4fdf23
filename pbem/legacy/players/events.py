"""What happens to a player, as past-tense facts; together they are the player's stream."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from pbem.names import Digest, MatchId, PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerBanned:
    """The operator lets no letter of the player be carried out; `author` is who did it."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerPardoned:
    """The operator lets the player play again; `author` is who did it."""

    author: str
    reason: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class NameCorrected:
    """The operator has called the player otherwise; name and reason are sealed."""

    author: str
    reason: Digest
    name: Digest


ActEvent: TypeAlias = PlayerBanned | PlayerPardoned | NameCorrected


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerInvited:
    """Somebody named an address that nobody had yet; it may answer, and so becomes a player."""

    by: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistrationAsked:
    """A stranger wrote to the public address; a confirmation was asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressConfirmed:
    """An answer came back through the player's own reply address: the mailbox is theirs.

    Leave is earned from then on.
    """

    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class NameChosen:
    """The player wants to be called so; the name is sealed."""

    name: Digest


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerBlocked:
    """No invitations from this player any more."""

    blocked: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerUnblocked:
    """Invitations from this player are welcome again."""

    unblocked: PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentsKept:
    """What the player wrote around moves was kept from the others, or shown to them again.

    It is not decided any more: only what stands behind `say` goes to anybody.
    """

    private: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplyAddressRenewed:
    """The player has fresh reply addresses in all matches; those of before are dead."""

    generation: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatMuted:
    """The player wants to read nothing of what these others say in a match.

    It stands here and not with the match, whose events the others may read.
    """

    match: MatchId
    muted: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatUnmuted:
    """What these others say in a match is read again."""

    match: MatchId
    unmuted: tuple[PlayerId, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressSuspended:
    """Mail to the player came back too often; none is sent until the player writes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressResumed:
    """The player wrote, and is sent mail again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerReported:
    """The player told the operator of another, and of the first `said` things they said there.

    It stands here and not with the match, whose events the other may read.
    """

    match: MatchId
    reported: PlayerId
    said: int


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationsRefused:
    """Never again: no invitation from anybody."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InvitationsWelcomed:
    """Invitations are welcome again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WishChosen:
    """The player wants mails so: a wish and its value, as in the table of wishes."""

    name: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerForgotten:
    """Name, addresses and texts of the player are gone; who writes from there is a stranger."""

    by: Literal["player", "operator"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RestDaysChosen:
    """No clock of the player counts on these weekdays (Monday is 0), in their time zone."""

    days: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class QuietHoursChosen:
    """No clock of the player counts between these hours (from, to; or none), in their time zone."""

    hours: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class HoursMoved:
    """Rest days and quiet hours are those of another time zone now, which was wished for."""

    tz: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LeavePlanned:
    """The player is away from `begin` to `end`, and was charged with so many days of leave."""

    begin: datetime
    end: datetime
    days: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveCutShort:
    """The player is back before leave was over; so many days were given back."""

    at: datetime
    days_back: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LeaveSpent:
    """Leave was spent by itself from `begin` to `end`, so that no match was lost."""

    begin: datetime
    end: datetime
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StandstillBegun:
    """Mail did not arrive: the player's clocks stand since `begin`, until `until` at most.

    It came back too often, or was taken so late by a server that answered for the player's.
    """

    begin: datetime
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class StandstillEnded:
    """Mail arrives again before the standstill was over; what is left of it is kept for later."""

    at: datetime


AwayEvent: TypeAlias = (
    RestDaysChosen | QuietHoursChosen | HoursMoved | LeavePlanned | LeaveCutShort | LeaveSpent
)

Event: TypeAlias = (
    PlayerInvited
    | RegistrationAsked
    | AddressConfirmed
    | NameChosen
    | PlayerBlocked
    | PlayerUnblocked
    | CommentsKept
    | ReplyAddressRenewed
    | ChatMuted
    | ChatUnmuted
    | AddressSuspended
    | AddressResumed
    | StandstillBegun
    | StandstillEnded
    | PlayerReported
    | InvitationsRefused
    | InvitationsWelcomed
    | PlayerForgotten
    | ActEvent
    | WishChosen
    | RestDaysChosen
    | QuietHoursChosen
    | HoursMoved
    | LeavePlanned
    | LeaveCutShort
    | LeaveSpent
)
