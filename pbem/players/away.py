"""What a player decides of rest days, quiet hours and leave."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pbem.errors import Rejection
from pbem.players.commands import (
    AwayCommand,
    ChooseQuietHours,
    ChooseRestDays,
    EndLeave,
    PlanLeave,
    SpendLeave,
)
from pbem.players.events import (
    Event,
    LeaveCutShort,
    LeavePlanned,
    LeaveSpent,
    QuietHoursChosen,
    RestDaysChosen,
)
from pbem.players.leave import A_DAY, unused
from pbem.players.player import Player

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
