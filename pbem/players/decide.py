"""From a command and the state of a player to events, or a Rejection that says why not."""

from __future__ import annotations

from datetime import datetime

from pbem.errors import Rejection
from pbem.players.away import decide_away, require_steady
from pbem.players.commands import (
    ArriveLate,
    AskRegistration,
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
    NameChosen,
    PlayerBlocked,
    PlayerForgotten,
    PlayerInvited,
    PlayerUnblocked,
    RegistrationAsked,
    ReplyAddressRenewed,
    StandstillBegun,
    StandstillEnded,
    WishChosen,
)
from pbem.players.operator_acts import Ban, CorrectName, Pardon, acted
from pbem.players.player import Player
from pbem.players.standstill import delayed, standstill
from pbem.players.wishes import BY_NAME, stops_all, wished


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
