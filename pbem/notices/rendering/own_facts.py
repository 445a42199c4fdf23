"""What mails say of the program, read where the program keeps it when they say it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pbem import hours
from pbem.bots import levels
from pbem.games import GAMES
from pbem.players import leave, names, reply_times, standstill


def own_facts() -> SimpleNamespace:
    """Bounds and times, by the words that templates use: numbers of days, hours, digits."""
    return SimpleNamespace(
        quiet_hours=hours.MOST_QUIET_HOURS,
        rest_days=hours.MOST_REST_DAYS,
        name_digits=names.DIGITS,
        leave_earned_days=leave.EARNED_IN.days,
        standstill_days=standstill.MOST.days,
        old_address_days=reply_times.OLD_ASKS.days,
    )


def bot_levels(key: str) -> tuple[Any, ...]:
    """The levels of bots that know a game, by its key: the one that plays unasked comes first."""
    known = next(levels.levels(game) for game in GAMES.values() if game.key == key)
    return known[::-1]
