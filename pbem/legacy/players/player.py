"""The state of a player, and how every event changes it: `evolve`, and `replay` as its fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from functools import reduce
from typing import Final
from zoneinfo import ZoneInfo

from pbem.legacy.hours import Hours, Span
from pbem.names import MatchId, PlayerId
from pbem.legacy.players.events import (
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
    NameCorrected,
    PlayerBanned,
    PlayerBlocked,
    PlayerForgotten,
    PlayerInvited,
    PlayerPardoned,
    PlayerReported,
    PlayerUnblocked,
    QuietHoursChosen,
    RegistrationAsked,
    ReplyAddressRenewed,
    RestDaysChosen,
    StandstillBegun,
    StandstillEnded,
    WishChosen,
)
from pbem.legacy.players.wishes import wished

# --- standstill ----------------------------------------------------------------------------------
# How long clocks may stand still since mail to their player comes back: not for ever.
#
# Whoever is losing can make mail bounce as often as they like, or have their server take it late,
# and a mailbox that is dead stays dead. So there is one allowance a player, over all suspensions
# and all matches.

MOST: Final = timedelta(days=14)
"""So long the clocks of a player may stand (PLAY 3), in any time as long as `WITHIN`."""

WITHIN: Final = timedelta(days=365)


def stood(standstills: Iterable[Span], now: datetime) -> timedelta:
    """How much of the allowance is used up; what lies longer back counts no more."""
    used, counted = timedelta(0), now - WITHIN
    for begin, end in sorted(standstills):  # they may overlap: each moment counts once
        if begin > now:
            break  # our own clock was ahead
        used += max(timedelta(0), end - max(begin, counted))
        counted = max(counted, end)
    return used


def standstill(standstills: Iterable[Span], since: datetime, now: datetime) -> Span | None:
    """From when to when clocks stand for mail that has come back since a time; None: not at all.

    What they have counted since then is within it.
    """
    left = MOST - stood(standstills, now)
    if left <= timedelta(0):
        return None
    begin = max(min(since, now), now - left)
    return begin, begin + left


def delayed(standstills: Iterable[Span], begin: datetime, end: datetime) -> Span | None:
    """As much of a delay, its last part, as the allowance leaves; None: nothing."""
    before = tuple(standstills)
    left = MOST - stood(before, end)
    if stood((*before, (begin, end)), end) <= MOST:
        return begin, end
    return (max(begin, end - left), end) if left > timedelta(0) else None


def standing(standstills: Iterable[Span], now: datetime) -> Span | None:
    """The standstill that is not over."""
    return next((one for one in standstills if one[0] <= now < one[1]), None)


def ended(standstills: tuple[Span, ...], at: datetime) -> tuple[Span, ...]:
    """The standstills when mail arrives again: what is left of the newest is kept for later."""
    return tuple((begin, max(begin, min(end, at))) for begin, end in standstills)


# --- leave ---------------------------------------------------------------------------------------
# The leave that a player has: earned with time, charged by the day, given back where not used.

AT_FIRST: Final = 10
"""Days of leave that a player has at first (PLAY 3)."""

CAP: Final = 30
"""Days of leave that a player has at most; at the cap none is earned."""

EARNED_IN: Final = timedelta(days=12)
"""How long it takes to earn a day."""

A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Account:
    """So many days as of a time, from which on the next day is being earned."""

    days: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Leave:
    """A span in which a player is away, and the days that it was charged with."""

    begin: datetime
    end: datetime
    days: int


def opened(at: datetime) -> Account:
    """The account of somebody who has just become a player."""
    return Account(AT_FIRST, at)


def days_left(account: Account, now: datetime) -> int:
    """The days that can be spent at a time."""
    return min(CAP, account.days + _earned(account, now))


def charged(account: Account, days: int, now: datetime) -> Account:
    """The account after so many days were spent; or given back, where they are negative."""
    left = days_left(account, now)
    # A day that is nearly earned stays so; but at the cap nothing was being earned.
    # Nor does one wait for a time that a clock of ours that was ahead thought to be.
    since = now if left == CAP else min(now, account.since + _earned(account, now) * EARNED_IN)
    return Account(min(CAP, left - days), since)


def unused(leave: Leave, now: datetime) -> int:
    """The days of a leave that have not begun yet."""
    begun = -((leave.begin - now) // A_DAY) if now > leave.begin else 0
    return max(0, leave.days - begun)


def _earned(account: Account, now: datetime) -> int:
    return max(0, (now - account.since) // EARNED_IN)


# --- player --------------------------------------------------------------------------------------


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
            | PlayerReported()
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


# --- digest time ---------------------------------------------------------------------------------
# When a player's next digest is due.


def next_digest(chosen: Mapping[str, str], now: datetime) -> datetime | None:
    """The next time of day that was wished for, in the player's zone; None without a digest."""
    value = wished(chosen, "digest")
    if value == "off":
        return None
    zone = ZoneInfo(wished(chosen, "tz"))
    today = now.astimezone(zone).date()
    for day in (today, today + timedelta(days=1)):
        at = datetime.combine(day, time.fromisoformat(value), tzinfo=zone).astimezone(UTC)
        if at > now:
            return at
    raise AssertionError("tomorrow is later than now")


# --- reply times ---------------------------------------------------------------------------------
# How long what was sent to a player is worth something.

OLD_ASKS: Final = timedelta(days=14)
"""So long whoever orders something at the old address of a seat is asked whether it was they."""
