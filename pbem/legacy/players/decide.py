"""What is decided of a player's own stream: each function gives its events, or raises Rejection.

They are given the player as it stands and the time; no event means that nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from pbem.errors import Rejection
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.players.events import (
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
from pbem.legacy.players.player import A_DAY, Player, delayed, standstill, unused
from pbem.legacy.players.wishes import BY_NAME, stops_all, wished

Act: TypeAlias = Callable[[Player, datetime], Sequence[Event]]
"""A function that decides, with all that it is to decide on."""

# --- coming and going ----------------------------------------------------------------------------


def ask_registration(player: Player, _: datetime) -> list[Event]:
    """A stranger wrote to the public address."""
    return [] if player.version else [RegistrationAsked()]


def invite(player: Player, _: datetime, *, by: PlayerId) -> list[Event]:
    """`by` wants to play with this player."""
    # One answer for "not you" and "nobody": a block is nobody else's business.
    # Who has stopped all mail would never answer.
    gone = player.forgotten or player.banned
    refuses = gone or player.refuses_invitations or stops_all(player.wishes)
    if refuses or by in player.blocked:
        raise Rejection("invitations_refused")
    return [] if player.version else [PlayerInvited(by=by)]


def confirm(player: Player, now: datetime) -> list[Event]:
    """A letter came back through the player's own reply address."""
    return [] if player.confirmed else [AddressConfirmed(at=now)]


def forget(player: Player, _: datetime, *, by: Literal["player", "operator"]) -> list[Event]:
    """Be nobody any more, since the player or the operator wants it so."""
    return [] if player.forgotten else [PlayerForgotten(by=by)]


def ban(player: Player, _: datetime, *, author: str, reason: Digest) -> list[Event]:
    """Carry out no letter of this player any more."""
    return [] if player.banned else [PlayerBanned(author=author, reason=reason)]


def pardon(player: Player, _: datetime, *, author: str, reason: Digest) -> list[Event]:
    """Let a banned player play again."""
    return [PlayerPardoned(author=author, reason=reason)] if player.banned else []


# --- names and addresses -------------------------------------------------------------------------


def choose_name(_: Player, _now: datetime, *, name: Digest) -> list[Event]:
    """Be called so; the name is sealed beforehand."""
    return [NameChosen(name=name)]


def correct_name(
    _: Player, _now: datetime, *, author: str, reason: Digest, name: Digest
) -> list[Event]:
    """Call a player otherwise, as the operator does; the name is sealed beforehand."""
    return [NameCorrected(author=author, reason=reason, name=name)]


def renew_reply_address(_: Player, _now: datetime, *, generation: int) -> list[Event]:
    """Fresh reply addresses, of this generation; those before are dead."""
    return [ReplyAddressRenewed(generation=generation)]


def suspend_address(player: Player, now: datetime, *, since: datetime) -> list[Event]:
    """Mail came back too often, the first of it made at a time.

    The clocks stand still for what is left of the allowance, however often mail comes back.
    """
    if player.suspended:
        return []
    span = standstill(player.standstills, since, now)
    if span is None:
        return [AddressSuspended()]
    return [AddressSuspended(), StandstillBegun(begin=span[0], until=span[1])]


def resume_address(player: Player, now: datetime) -> list[Event]:
    """The player wrote."""
    if not player.suspended:
        return []
    if player.standing(now) is None:
        return [AddressResumed()]
    return [AddressResumed(), StandstillEnded(at=now)]


def arrive_late(player: Player, _: datetime, *, begin: datetime, end: datetime) -> list[Event]:
    """A server answered that it took a mail to the player later, and did at last."""
    span = delayed(player.standstills, begin, end)
    return [StandstillBegun(begin=span[0], until=span[1])] if span is not None else []


# --- others --------------------------------------------------------------------------------------


def block(player: Player, _: datetime, *, other: PlayerId) -> list[Event]:
    """No invitations from this other player."""
    if other == player.id:
        raise Rejection("cannot_block_yourself")
    return [] if other in player.blocked else [PlayerBlocked(blocked=other)]


def unblock(player: Player, _: datetime, *, other: PlayerId) -> list[Event]:
    """Invitations from this other player again."""
    return [PlayerUnblocked(unblocked=other)] if other in player.blocked else []


def refuse_invitations(player: Player, _: datetime) -> list[Event]:
    """Never again."""
    return [] if player.refuses_invitations else [InvitationsRefused()]


def welcome_invitations(player: Player, _: datetime) -> list[Event]:
    """Invitations again."""
    return [InvitationsWelcomed()] if player.refuses_invitations else []


def report(_: Player, _now: datetime, *, match: MatchId, other: PlayerId, said: int) -> list[Event]:
    """Tell the operator of this other player, and of so many messages of theirs in a match."""
    return [PlayerReported(match=match, reported=other, said=said)]


def mute(
    player: Player, _: datetime, *, match: MatchId, others: tuple[PlayerId, ...]
) -> list[Event]:
    """Read nothing of what these others say in a match."""
    fresh = tuple(one for one in others if (match, one) not in player.muted)
    return [ChatMuted(match=match, muted=fresh)] if fresh else []


def unmute(
    player: Player, _: datetime, *, match: MatchId, others: tuple[PlayerId, ...]
) -> list[Event]:
    """Read again what these others say in a match."""
    again = tuple(one for one in others if (match, one) in player.muted)
    return [ChatUnmuted(match=match, unmuted=again)] if again else []


# --- wishes, hours, leave ------------------------------------------------------------------------

STEADY: Final = timedelta(days=7)
"""What does not count changes no more often: else each day could become a rest day."""


def choose_wish(player: Player, now: datetime, *, name: str, value: str) -> list[Event]:
    """Send me mails so; `value` as typed, `name` as in the table of wishes."""
    value = BY_NAME[name].read(value)
    if wished(player.wishes, name) == value:
        return []
    chosen: list[Event] = [WishChosen(name=name, value=value)]
    if name == "tz" and (player.rest_days or player.quiet_hours):
        require_steady(player, "tz", now)
        chosen.append(HoursMoved(tz=value, at=now))
    return chosen


def choose_rest_days(player: Player, now: datetime, *, days: tuple[int, ...]) -> list[Event]:
    """Let no clock of mine count on these weekdays (Monday is 0)."""
    if days == player.rest_days:
        return []
    require_steady(player, "rest", now)
    return [RestDaysChosen(days=days, at=now)]


def choose_quiet_hours(player: Player, now: datetime, *, hours: tuple[int, ...]) -> list[Event]:
    """Let no clock of mine count between these hours (from, to; or none)."""
    if hours == player.quiet_hours:
        return []
    require_steady(player, "quiet", now)
    return [QuietHoursChosen(hours=hours, at=now)]


def require_steady(player: Player, what: str, now: datetime) -> None:
    """`rest`, `quiet` or `tz` may be changed again when it has stood for a while.

    Raises Rejection `hours_chosen_lately`.
    """
    chosen = player.hours_chosen.get(what)
    if chosen is not None and chosen <= now < chosen + STEADY:
        raise Rejection("hours_chosen_lately", what=what, again=(chosen + STEADY).isoformat())


def plan_leave(
    player: Player, now: datetime, *, begin: datetime, end: datetime, days: int
) -> list[Event]:
    """I am away from `begin` to `end`, which is charged with so many days."""
    for away in player.leave:
        if away.begin < end and begin < away.end:
            raise Rejection(
                "already_away",
                begin=away.begin.isoformat(),
                end=away.end.isoformat(),
                begun=away.begin <= now,
            )
    left = player.leave_left(now)
    if days > left:
        raise Rejection("leave_too_long", days=days, left=left)
    return [LeavePlanned(begin=begin, end=end, days=days, at=now)]


def end_leave(player: Player, now: datetime) -> list[Event]:
    """I am back."""
    standing = [one for one in player.leave if one.end > now]
    if not standing:
        raise Rejection("not_away")
    return [LeaveCutShort(at=now, days_back=sum(unused(one, now) for one in standing))]


def spend_leave(player: Player, now: datetime, *, begin: datetime, days: int = 1) -> list[Event]:
    """A match would be lost at `begin`; nothing happens where so many days are not left."""
    if player.leave_left(now) < days:
        return []
    return [LeaveSpent(begin=begin, end=begin + days * A_DAY, days=days)]
