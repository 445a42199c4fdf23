"""The state of a player, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce

from pbem.hours import Hours, Span
from pbem.names import MatchId, PlayerId
from pbem.players.events import (
    AddressConfirmed,
    AddressResumed,
    AddressSuspended,
    AwayEvent,
    ChatMuted,
    ChatUnmuted,
    CommentsKept,
    Event,
    HoursMoved,
    InvitationsRefused,
    InvitationsWelcomed,
    LeaveCutShort,
    LeavePlanned,
    LeaveSpent,
    NameChosen,
    PlayerBlocked,
    PlayerForgotten,
    PlayerInvited,
    PlayerUnblocked,
    QuietHoursChosen,
    RegistrationAsked,
    ReplyAddressRenewed,
    RestDaysChosen,
    StandstillBegun,
    StandstillEnded,
    WishChosen,
)
from pbem.players.leave import Account, Leave, charged, days_left, opened
from pbem.players.operator_acts import NameCorrected, PlayerBanned, PlayerPardoned
from pbem.players.standstill import ended, standing
from pbem.players.wishes import wished


@dataclass(frozen=True, kw_only=True, slots=True)
class Player:
    """A player as the events make one; known from the first mail to or from an address.

    `wishes` are those that were chosen, each with its newest value. `leave` has the spans of leave
    that were planned or spent and are not over, `account` the days that are left, and
    `hours_chosen` when `rest`, `quiet` and `tz` were changed last. `suspensions` says how often
    mail to the player came back for good, `standstills` when clocks stood for it, with the one that
    may not be over.
    """

    id: PlayerId
    version: int = 0
    confirmed: bool = False
    blocked: frozenset[PlayerId] = frozenset()
    refuses_invitations: bool = False
    suspended: bool = False
    suspensions: int = 0
    standstills: tuple[Span, ...] = ()
    forgotten: bool = False
    banned: bool = False
    wishes: Mapping[str, str] = field(default_factory=dict)
    muted: frozenset[tuple[MatchId, PlayerId]] = frozenset()
    rest_days: tuple[int, ...] = ()
    quiet_hours: tuple[int, ...] = ()
    hours_chosen: Mapping[str, datetime] = field(default_factory=dict)
    account: Account | None = None
    leave: tuple[Leave, ...] = ()

    @property
    def hours(self) -> Hours:
        """When the player's clocks count; every match gets a copy."""
        quiet = (self.quiet_hours[0], self.quiet_hours[1]) if self.quiet_hours else None
        return Hours(
            tz=wished(self.wishes, "tz"),
            rest_days=self.rest_days,
            quiet=quiet,
            leave=tuple((one.begin, one.end) for one in self.leave),
        )

    def standing(self, now: datetime) -> Span | None:
        """From when to when the player's clocks stand, since mail comes back; None if they run."""
        return standing(self.standstills, now) if self.suspended else None

    def leave_left(self, now: datetime) -> int:
        """The days of leave that can be spent at a time."""
        return days_left(self.account, now) if self.account is not None else 0


def initial(player: PlayerId) -> Player:
    """A player of whom nothing is known but the name of the stream."""
    return Player(id=player)


def evolve(player: Player, event: Event) -> Player:
    """The player after an event."""
    return replace(_changed(player, event), version=player.version + 1)


def replay(player: PlayerId, events: Iterable[Event]) -> Player:
    """The player that the events make."""
    return reduce(evolve, events, initial(player))


def _changed(player: Player, event: Event) -> Player:  # noqa: C901, PLR0911, PLR0912 - a case an event
    match event:
        case (
            PlayerInvited()
            | RegistrationAsked()
            | NameChosen()
            | NameCorrected()
            | ReplyAddressRenewed()
        ):
            return player
        case AddressConfirmed(at=at):
            return replace(player, confirmed=True, account=opened(at))
        case PlayerBlocked(blocked=blocked):
            return replace(player, blocked=player.blocked | {blocked})
        case PlayerUnblocked(unblocked=unblocked):
            return replace(player, blocked=player.blocked - {unblocked})
        case CommentsKept():
            return player  # what is written around moves goes to nobody any more
        case ChatMuted(match=match, muted=others):
            return replace(player, muted=player.muted | {(match, one) for one in others})
        case ChatUnmuted(match=match, unmuted=others):
            return replace(player, muted=player.muted - {(match, one) for one in others})
        case PlayerBanned() | PlayerPardoned():
            return replace(player, banned=isinstance(event, PlayerBanned))
        case PlayerForgotten():
            return replace(player, forgotten=True)
        case AddressSuspended():
            return replace(player, suspended=True, suspensions=player.suspensions + 1)
        case AddressResumed():
            return replace(player, suspended=False)
        case StandstillBegun(begin=begin, until=until):
            return replace(player, standstills=(*player.standstills, (begin, until)))
        case StandstillEnded(at=at):
            return replace(player, standstills=ended(player.standstills, at))
        case InvitationsRefused():
            return replace(player, refuses_invitations=True)
        case InvitationsWelcomed():
            return replace(player, refuses_invitations=False)
        case WishChosen(name=name, value=value):
            return replace(player, wishes={**player.wishes, name: value})
        case (
            RestDaysChosen()
            | QuietHoursChosen()
            | HoursMoved()
            | LeavePlanned()
            | LeaveSpent()
            | LeaveCutShort()
        ):
            return _at_other_hours(player, event)


def _at_other_hours(player: Player, event: AwayEvent) -> Player:
    match event:
        case RestDaysChosen(days=days, at=at):
            return _chosen(replace(player, rest_days=days), "rest", at)
        case QuietHoursChosen(hours=hours, at=at):
            return _chosen(replace(player, quiet_hours=hours), "quiet", at)
        case HoursMoved(at=at):
            return _chosen(player, "tz", at)
        case LeavePlanned(begin=begin, end=end, days=days, at=at):
            return _away(player, Leave(begin, end, days), at)
        case LeaveSpent(begin=begin, end=end, days=days):
            return _away(player, Leave(begin, end, days), begin)
        case LeaveCutShort(at=at, days_back=days):
            return _back(player, days, at)


def _chosen(player: Player, what: str, at: datetime) -> Player:
    return replace(player, hours_chosen={**player.hours_chosen, what: at})


def _away(player: Player, leave: Leave, at: datetime) -> Player:
    account = player.account or opened(at)
    standing = tuple(one for one in player.leave if one.end > at)
    return replace(player, leave=(*standing, leave), account=charged(account, leave.days, at))


def _back(player: Player, days: int, at: datetime) -> Player:
    """What has begun is over now, and what was planned will not be."""
    account = player.account or opened(at)
    begun = tuple(replace(one, end=min(one.end, at)) for one in player.leave if one.begin < at)
    return replace(player, leave=begun, account=charged(account, -days, at))
