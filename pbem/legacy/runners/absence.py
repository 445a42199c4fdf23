"""Our own clock and our own absence: waits that are brought back, time that is given back."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import Rejection
from pbem.games.still import AWAY
from pbem.legacy.intake.letters import LETTERS
from pbem.legacy.matches import timing
from pbem.legacy.matches.challenges import LINK_LASTS
from pbem.legacy.matches.clocks import is_ahead
from pbem.legacy.matches.courtesies import LONGEST_PAUSE
from pbem.names import MatchId
from pbem.legacy.players.player import MOST
from pbem.legacy.runners.standing_still import let_stand
from pbem.legacy.runners.watch import ALIVE, was_ahead
from pbem.legacy.store import runner_state, scopes, timers, views
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.upkeep import condition
from pbem.legacy.transaction.coalescing import AT_LAST, DIGEST
from pbem.legacy.transaction.player_clocks import RUNNING, STANDSTILL
from pbem.legacy.transaction.timers import HELD, LEFT_BEHIND, PAUSE, QUESTIONS_LIVE, RESIGNATION, STALE
from pbem.legacy.transaction.tournaments import LOOK_AGAIN, RESULT, SEASON, TABLES
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from pbem.legacy.transaction.installation import House, Loaded


# --- clock back ----------------------------------------------------------------------------------
# Our own clock was ahead and has gone back: what waits for times that never were waits no more.

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
    condition.drop_buckets(conn, now, longest=A_DAY)
    condition.bring_letters(conn, now)
    condition.bring_mails(conn, now, lease=A_MOMENT, held=A_DAY + AT_LAST)
    condition.bring_timers(conn, now, by=was - now, longest=_longest(house))
    condition.bring_questions(conn, now, longest=QUESTIONS_LIVE)


GO_WITH_OTHERS: Final = {"deadline", "reminder", SEASON}
"""Timers of clocks, which are set right themselves, and of the days that a tournament has named."""


def _longest(house: House) -> Mapping[str, timedelta]:
    """How far ahead timers are set, by their kind, but for those that go with something else."""
    settings = house.settings
    return {
        "forced": timedelta(0),
        timers.BOT: A_MOMENT,
        HELD: A_DAY,
        RESIGNATION: timedelta(hours=settings.matches.resign_hours),
        PAUSE: timedelta(days=LONGEST_PAUSE),
        LEFT_BEHIND: A_MOMENT,
        STALE: max(timedelta(days=settings.limits.challenge_days), LINK_LASTS),
        DIGEST: A_DAY + AN_HOUR,
        STANDSTILL: MOST,
        LETTERS: AN_HOUR,
        RESULT: timedelta(0),
        TABLES: LOOK_AGAIN,
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
            txn.decide(match, timing.set_clock_right, player=found.player_at(seat))
    txn.close()
    return txn.changed


# --- clock credits -------------------------------------------------------------------------------
# Our own absence: time that clocks counted meanwhile is given back.

credits_log = structlog.get_logger("pbem.credits")


async def note_alive(house: House) -> int:
    """Note that we are there; where we were away for long, credit every clock that ran.

    Where our own clock has gone back, what it had timed is set right. How many matches were
    changed. The note is written last: who is killed in between does it again, and no time is given
    back twice.
    """
    now = house.now()
    state = await asyncio.wrap_future(house.db.read(partial(runner_state.state, runner=ALIVE)))
    newest = await asyncio.wrap_future(house.db.read(partial(condition.newest_time, runner=ALIVE)))
    changed, what = 0, "alive"
    if state is not None and now - state.last_at > runner_state.GRACE:
        credits_log.warning("was_away", since=state.last_at.isoformat(), until=now.isoformat())
        changed = await _credit_all(house, state.last_at, now)
        absent = partial(_put_off, since=state.last_at, by=now - state.last_at)
        await asyncio.wrap_future(house.db.write(absent))
    elif newest is not None and newest - now > runner_state.GRACE:
        # Our note is of now: what lies ahead from then on is the newest event, if anything does.
        event = await asyncio.wrap_future(house.db.read(condition.newest_event))
        what = was_ahead(newest if event is None or event - now <= runner_state.GRACE else event)
        if state is None or state.what != what or state.last_at > now:
            changed = await set_right(house, newest, now)
    note = partial(runner_state.note, runner=ALIVE, now=now, what=what)
    await asyncio.wrap_future(house.db.write(note, scopes.NOTES))
    return changed


def _put_off(conn: Connection, *, since: datetime, by: timedelta) -> None:
    """Who could not answer a challenge meanwhile has the time again."""
    condition.put_off_timers(conn, since, by=by, kinds=[STALE])


async def _credit_all(house: House, since: datetime, until: datetime) -> int:
    rows = await asyncio.wrap_future(house.db.read(partial(views.match_ids, statuses=RUNNING)))
    units = [
        asyncio.wrap_future(
            house.db.write(partial(_credit, house=house, match=match, since=since, until=until))
        )
        for match in rows
    ]
    credited = 0
    for match, unit in zip(rows, units, strict=True):
        try:
            changed = await unit
        except Exception as error:
            if fault_of_the_store(error):
                raise
            # A match that cannot be read must not keep the deadlines of all others from being due.
            credits_log.exception("credit_failed", match=match)
        else:
            house.cache.keep_all(changed)
            credited += len(changed)
    return credited


def _credit(
    conn: Connection, *, house: House, match: MatchId, since: datetime, until: datetime
) -> list[Loaded]:
    cause = f"downtime:{since.isoformat()}:{match}"
    txn = Transaction(conn=conn, house=house, cause=cause, now=until)
    found = txn.match(match)
    if found.clocks is None:
        return []
    try:
        for seat in sorted(found.clocks.running):
            player = found.player_at(seat)
            txn.decide(
                match, timing.credit_clock, player=player, begin=since, end=until, reason="downtime"
            )
    except Rejection as rejection:
        if rejection.code != AWAY:
            raise
        # Our absence began what goes on now that the rules are away: all of it is given back.
        let_stand(conn, house, {match: found.terms.ruleset}, since)
        return []
    txn.close()
    return txn.changed
