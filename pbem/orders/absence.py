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
    from pbem.transaction.transaction import Transaction


def about_hours(txn: Transaction, typed: TypedOrder) -> None:
    """Carry out an order about times that do not count. Raises Rejection."""
    match typed.order:
        case orders.RestDays(text):
            days = read_rest_days(text)
            txn.decide_player(txn.sender, commands.ChooseRestDays(days=days))
            txn.done(typed.typed, "rest_days", {"days": list(days)})
        case orders.QuietHours(text):
            hours = read_quiet_hours(text)
            txn.decide_player(txn.sender, commands.ChooseQuietHours(hours=hours))
            txn.done(typed.typed, "quiet_hours", {"hours": list(hours)})
        case orders.Away(text):
            _away(txn, typed, text)
        case orders.Back():
            _back(txn, typed)
        case _:
            raise TypeError(f"{typed.order} is about no hours")


def _back(txn: Transaction, typed: TypedOrder) -> None:
    """End a leave, and what is planned. Who was not away and writes `Back!` means no order."""
    standing = [one for one in txn.player(txn.sender).leave if one.end > txn.now]
    if not standing:
        txn.done(typed.typed, "not_away")
        return
    back = txn.decide_player(txn.sender, commands.EndLeave())
    planned = [one for one in standing if one.begin > txn.now]
    facts: Facts = {
        "left": back.leave_left(txn.now),
        "away": len(planned) < len(standing),
        "cancelled": [[one.begin.isoformat(), one.end.isoformat()] for one in planned],
    }
    txn.done(typed.typed, "back", facts)


def _away(txn: Transaction, typed: TypedOrder, text: str) -> None:
    plan = _plan(txn, text)
    away = txn.decide_player(txn.sender, plan)
    facts: Facts = {
        "begin": plan.begin.isoformat(),
        "end": plan.end.isoformat(),
        "days": plan.days,
        "left": away.leave_left(txn.now),
        "begun": plan.begin <= txn.now,
    }
    txn.done(typed.typed, "away", facts)


def _plan(txn: Transaction, text: str) -> commands.PlanLeave:
    """Whole days of the player's time zone; what begins today begins now."""
    zone = ZoneInfo(wished(txn.player(txn.sender).wishes, "tz"))
    period = read_period(text, txn.now.astimezone(zone).date())
    if isinstance(period, int):
        return commands.PlanLeave(begin=txn.now, end=txn.now + period * A_DAY, days=period)
    first, last = period
    return commands.PlanLeave(
        begin=max(txn.now, _midnight(first, zone)),
        end=_midnight(last + timedelta(days=1), zone),
        days=(last - first).days + 1,
    )


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
