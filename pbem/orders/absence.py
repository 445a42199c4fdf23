"""Orders about times that do not count: leave, rest days, quiet hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.mail.verbs import wish_orders as orders
from pbem.players import commands
from pbem.players.hours_typed import read_quiet_hours, read_rest_days
from pbem.players.leave import A_DAY
from pbem.players.periods import read_period
from pbem.players.wishes import wished

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.free_text.order_lines import TypedOrder
    from pbem.transaction.transaction import Taking


def about_hours(taking: Taking, typed: TypedOrder) -> None:
    """Carry out an order about times that do not count. Raises Rejection."""
    match typed.order:
        case orders.RestDays(text):
            days = read_rest_days(text)
            taking.decide_player(taking.sender, commands.ChooseRestDays(days=days))
            taking.done(typed.typed, "rest_days", {"days": list(days)})
        case orders.QuietHours(text):
            hours = read_quiet_hours(text)
            taking.decide_player(taking.sender, commands.ChooseQuietHours(hours=hours))
            taking.done(typed.typed, "quiet_hours", {"hours": list(hours)})
        case orders.Away(text):
            _away(taking, typed, text)
        case orders.Back():
            _back(taking, typed)
        case _:
            raise TypeError(f"{typed.order} is about no hours")


def _back(taking: Taking, typed: TypedOrder) -> None:
    """End a leave, and what is planned. Who was not away and writes `Back!` means no order."""
    standing = [one for one in taking.player(taking.sender).leave if one.end > taking.now]
    if not standing:
        taking.done(typed.typed, "not_away")
        return
    back = taking.decide_player(taking.sender, commands.EndLeave())
    planned = [one for one in standing if one.begin > taking.now]
    facts: Facts = {
        "left": back.leave_left(taking.now),
        "away": len(planned) < len(standing),
        "cancelled": [[one.begin.isoformat(), one.end.isoformat()] for one in planned],
    }
    taking.done(typed.typed, "back", facts)


def _away(taking: Taking, typed: TypedOrder, text: str) -> None:
    plan = _plan(taking, text)
    away = taking.decide_player(taking.sender, plan)
    facts: Facts = {
        "begin": plan.begin.isoformat(),
        "end": plan.end.isoformat(),
        "days": plan.days,
        "left": away.leave_left(taking.now),
        "begun": plan.begin <= taking.now,
    }
    taking.done(typed.typed, "away", facts)


def _plan(taking: Taking, text: str) -> commands.PlanLeave:
    """Whole days of the player's time zone; what begins today begins now."""
    zone = ZoneInfo(wished(taking.player(taking.sender).wishes, "tz"))
    period = read_period(text, taking.now.astimezone(zone).date())
    if isinstance(period, int):
        return commands.PlanLeave(begin=taking.now, end=taking.now + period * A_DAY, days=period)
    first, last = period
    return commands.PlanLeave(
        begin=max(taking.now, _midnight(first, zone)),
        end=_midnight(last + timedelta(days=1), zone),
        days=(last - first).days + 1,
    )


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
