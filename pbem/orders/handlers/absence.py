"""Orders about times that do not count: leave, rest days, quiet hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.mail.verbs import wish_orders as orders
from pbem.mail.verbs.orders import Undo
from pbem.orders.handlers.correction_window import undo
from pbem.orders.letter_context import LetterContext
from pbem.players import commands
from pbem.players.hours_typed import read_quiet_hours, read_rest_days
from pbem.players.leave import A_DAY
from pbem.players.periods import read_period
from pbem.players.wishes import wished

if TYPE_CHECKING:
    from pbem.errors import Facts
    from pbem.mail.free_text import TypedOrder
    from pbem.transaction.transaction import Transaction


def choose_rest_days(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.RestDays
) -> None:
    """Let clocks stand on some days of the week."""
    days = read_rest_days(order.text)
    txn.decide_player(txn.sender, commands.ChooseRestDays(days=days))
    txn.done(typed.typed, "rest_days", {"days": list(days)})


def choose_quiet_hours(
    txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.QuietHours
) -> None:
    """Let clocks stand in some hours of each day."""
    hours = read_quiet_hours(order.text)
    txn.decide_player(txn.sender, commands.ChooseQuietHours(hours=hours))
    txn.done(typed.typed, "quiet_hours", {"hours": list(hours)})


def come_back(txn: Transaction, context: LetterContext, typed: TypedOrder, _: orders.Back) -> None:
    """End a leave, and what is planned; who was not away takes back the move that is held."""
    standing = [one for one in txn.player(txn.sender).leave if one.end > txn.now]
    match = context.match(context.home) if context.home is not None else None
    if not standing and match is not None and match.seat_of(txn.sender) in match.held:
        undo(txn, context, typed, Undo())
        return
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


def go_away(txn: Transaction, _: LetterContext, typed: TypedOrder, order: orders.Away) -> None:
    """Begin a leave, or plan one."""
    plan = _plan(txn, order.text)
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
