"""Our own clock was ahead and has gone back: what waits for times that never were waits no more."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.intake.waiting_letters import LETTERS
from pbem.matches.clocks.clock import is_ahead
from pbem.matches.commands import SetClockRight
from pbem.names import MatchId
from pbem.players.standstill import MOST
from pbem.store import timers, views
from pbem.store.database import fault_of_the_store
from pbem.store.upkeep import ahead
from pbem.transaction.challenge_expiry import STALE
from pbem.transaction.delivery_policy import AT_LAST, DIGEST
from pbem.transaction.player_clocks import RUNNING, STANDSTILL
from pbem.transaction.question_kinds import QUESTIONS_LIVE
from pbem.transaction.transaction import Transaction
from pbem.transaction.window_timers import HELD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from pbem.transaction.installation import House, Loaded

A_MOMENT: Final = timedelta(minutes=10)
"""So long a mail may be one worker's, and nothing that is sent waits longer by itself."""

AN_HOUR, A_DAY = timedelta(hours=1), timedelta(days=1)

log = structlog.get_logger("pbem.clock")


async def set_right(house: House, was: datetime, now: datetime) -> int:
    """Set everything right that was timed by a clock which was at `was`, and is at `now`.

    Buckets start anew, mails that wait are due, timers are brought back, and clocks of matches that
    would wait count from now on. How many matches were changed.
    """
    log.error("clock_went_back", since=was.isoformat(), until=now.isoformat())
    await asyncio.wrap_future(house.db.write(partial(_bring_back, house=house, was=was, now=now)))
    rows = await asyncio.wrap_future(house.db.read(partial(views.match_ids, statuses=RUNNING)))
    changed = 0
    for match in rows:
        unit = partial(_restart, house=house, match=match, was=was, now=now)
        try:
            loaded = await asyncio.wrap_future(house.db.write(unit))
        except Exception as error:
            if fault_of_the_store(error):
                raise
            log.exception("not_set_right", match=match)
        else:
            house.cache.keep_all(loaded)
            changed += len(loaded)
    return changed


def _bring_back(conn: Connection, *, house: House, was: datetime, now: datetime) -> None:
    ahead.drop_buckets(conn, now, longest=A_DAY)
    ahead.bring_letters(conn, now)
    ahead.bring_mails(conn, now, lease=A_MOMENT, held=A_DAY + AT_LAST)
    ahead.bring_timers(conn, now, by=was - now, longest=_longest(house))
    ahead.bring_questions(conn, now, longest=QUESTIONS_LIVE)


def _longest(house: House) -> Mapping[str, timedelta]:
    """How far ahead timers are set, by their kind. Deadlines and reminders go with their clocks."""
    settings = house.settings
    return {
        "forced": timedelta(0),
        timers.BOT: A_MOMENT,
        HELD: A_DAY,
        STALE: timedelta(days=settings.limits.challenge_days),
        DIGEST: A_DAY + AN_HOUR,
        STANDSTILL: MOST,
        LETTERS: AN_HOUR,
    }


def _restart(
    conn: Connection, *, house: House, match: MatchId, was: datetime, now: datetime
) -> list[Loaded]:
    cause = f"clock:{was.isoformat()}:{now.isoformat()}:{match}"
    txn = Transaction(conn=conn, house=house, cause=cause, now=now)
    found = txn.match(match)
    if found.clocks is None:
        return []
    for seat, clock in sorted(found.clocks.running.items()):
        if is_ahead(clock, now):
            txn.decide(match, SetClockRight(player=found.player_at(seat)))
    txn.close()
    return txn.changed
