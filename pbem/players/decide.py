"""From a command and the state of a player to events, or a Rejection that says why not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.players.commands import (
    ArriveLate,
    AskRegistration,
    AwayCommand,
    Block,
    ChooseName,
    ChooseQuietHours,
    ChooseRestDays,
    ChooseWish,
    Command,
    Confirm,
    EndLeave,
    Forget,
    Invite,
    Mute,
    PlanLeave,
    RefuseInvitations,
    RenewReplyAddress,
    ResumeAddress,
    SpendLeave,
    SuspendAddress,
    Unblock,
    Unmute,
    WelcomeInvitations,
)
from pbem.players.events import (
    AddressConfirmed,
    AddressResumed,
    AddressSuspended,
    ChatMuted,
    ChatUnmuted,
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
from pbem.players.operator_acts import Ban, CorrectName, Pardon, acted
from pbem.players.player import A_DAY, Player, delayed, standstill, unused
from pbem.players.wishes import BY_NAME, stops_all, wished

# --- away ----------------------------------------------------------------------------------------
# What a player decides of rest days, quiet hours and leave.

STEADY: Final = timedelta(days=7)
"""What does not count changes no more often: else each day could become a rest day."""


def decide_away(command: AwayCommand, player: Player, now: datetime) -> list[Event]:
    """The events of a command about times that do not count. Raises Rejection."""
    match command:
        case ChooseRestDays(days=days):
            if days == player.rest_days:
                return []
            require_steady(player, "rest", now)
            return [RestDaysChosen(days=days, at=now)]
        case ChooseQuietHours(hours=hours):
            if hours == player.quiet_hours:
                return []
            require_steady(player, "quiet", now)
            return [QuietHoursChosen(hours=hours, at=now)]
        case PlanLeave():
            return _plan(command, player, now)
        case EndLeave():
            return _end(player, now)
        case SpendLeave(begin=begin, days=days):
            if player.leave_left(now) < days:
                return []
            return [LeaveSpent(begin=begin, end=begin + days * A_DAY, days=days)]


def require_steady(player: Player, what: str, now: datetime) -> None:
    """`rest`, `quiet` or `tz` may be changed again when it has stood for a while.

    Raises Rejection `hours_chosen_lately`.
    """
    chosen = player.hours_chosen.get(what)
    if chosen is not None and chosen <= now < chosen + STEADY:
        raise Rejection("hours_chosen_lately", what=what, again=(chosen + STEADY).isoformat())


def _plan(command: PlanLeave, player: Player, now: datetime) -> list[Event]:
    for away in player.leave:
        if away.begin < command.end and command.begin < away.end:
            raise Rejection(
                "already_away",
                begin=away.begin.isoformat(),
                end=away.end.isoformat(),
                begun=away.begin <= now,
            )
    left = player.leave_left(now)
    if command.days > left:
        raise Rejection("leave_too_long", days=command.days, left=left)
    return [LeavePlanned(begin=command.begin, end=command.end, days=command.days, at=now)]


def _end(player: Player, now: datetime) -> list[Event]:
    standing = [one for one in player.leave if one.end > now]
    if not standing:
        raise Rejection("not_away")
    return [LeaveCutShort(at=now, days_back=sum(unused(one, now) for one in standing))]


# --- decide --------------------------------------------------------------------------------------


def decide(command: Command, player: Player, *, now: datetime) -> list[Event]:  # noqa: C901, PLR0911, PLR0912 - a case a command
    """The events that carry out a command; none where it changes nothing."""
    match command:
        case AskRegistration():
            return [] if player.version else [RegistrationAsked()]
        case Invite(by=by):
            # One answer for "not you" and "nobody": a block is nobody else's business.
            # Who has stopped all mail would never answer.
            gone = player.forgotten or player.banned
            refuses = gone or player.refuses_invitations or stops_all(player.wishes)
            if refuses or by in player.blocked:
                raise Rejection("invitations_refused")
            return [] if player.version else [PlayerInvited(by=by)]
        case Confirm():
            return [] if player.confirmed else [AddressConfirmed(at=now)]
        case ChooseName(name=name):
            return [NameChosen(name=name)]
        case Block(player=other):
            if other == player.id:
                raise Rejection("cannot_block_yourself")
            return [] if other in player.blocked else [PlayerBlocked(blocked=other)]
        case Unblock(player=other):
            return [PlayerUnblocked(unblocked=other)] if other in player.blocked else []
        case RenewReplyAddress(generation=generation):
            return [ReplyAddressRenewed(generation=generation)]
        case Mute(match=match, players=others):
            fresh = tuple(one for one in others if (match, one) not in player.muted)
            return [ChatMuted(match=match, muted=fresh)] if fresh else []
        case Unmute(match=match, players=others):
            again = tuple(one for one in others if (match, one) in player.muted)
            return [ChatUnmuted(match=match, unmuted=again)] if again else []
        case SuspendAddress(since=since):
            return [] if player.suspended else _suspend(player, since, now)
        case ArriveLate(begin=begin, end=end):
            span = delayed(player.standstills, begin, end)
            return [StandstillBegun(begin=span[0], until=span[1])] if span is not None else []
        case ResumeAddress():
            return _resume(player, now) if player.suspended else []
        case Ban() | Pardon() | CorrectName():
            return [*acted(command, banned=player.banned)]
        case Forget(by=forgotten_by):
            return [] if player.forgotten else [PlayerForgotten(by=forgotten_by)]
        case RefuseInvitations():
            return [] if player.refuses_invitations else [InvitationsRefused()]
        case WelcomeInvitations():
            return [InvitationsWelcomed()] if player.refuses_invitations else []
        case ChooseWish(name=name, value=typed):
            return _choose(player, name, typed, now)
        case ChooseRestDays() | ChooseQuietHours() | PlanLeave() | EndLeave() | SpendLeave():
            return decide_away(command, player, now)


def _suspend(player: Player, since: datetime, now: datetime) -> list[Event]:
    """The clocks stand still for what is left of the allowance, however often mail comes back."""
    span = standstill(player.standstills, since, now)
    if span is None:
        return [AddressSuspended()]
    return [AddressSuspended(), StandstillBegun(begin=span[0], until=span[1])]


def _resume(player: Player, now: datetime) -> list[Event]:
    if player.standing(now) is None:
        return [AddressResumed()]
    return [AddressResumed(), StandstillEnded(at=now)]


def _choose(player: Player, name: str, typed: str, now: datetime) -> list[Event]:
    value = BY_NAME[name].read(typed)
    if wished(player.wishes, name) == value:
        return []
    chosen: list[Event] = [WishChosen(name=name, value=value)]
    if name == "tz" and (player.rest_days or player.quiet_hours):
        require_steady(player, "tz", now)
        chosen.append(HoursMoved(tz=value, at=now))
    return chosen
