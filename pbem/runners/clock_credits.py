"""Our own absence: time that clocks counted meanwhile is given back."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import structlog

from pbem.delivery.lateness import GRACE
from pbem.matches.commands import CreditClock
from pbem.names import MatchId
from pbem.runners.clock_back import set_right
from pbem.runners.signs_of_life import ALIVE, was_ahead
from pbem.store import runner_state, scopes, views
from pbem.store.database import fault_of_the_store
from pbem.store.upkeep import ahead
from pbem.transaction.challenge_expiry import STALE
from pbem.transaction.player_clocks import RUNNING
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transaction.installation import House, Loaded

log = structlog.get_logger("pbem.credits")


async def note_alive(house: House) -> int:
    """Note that we are there; where we were away for long, credit every clock that ran.

    Where our own clock has gone back, what it had timed is set right. How many matches were
    changed. The note is written last: who is killed in between does it again, and no time is given
    back twice.
    """
    now = house.now()
    state = await asyncio.wrap_future(house.db.read(partial(runner_state.state, runner=ALIVE)))
    newest = await asyncio.wrap_future(house.db.read(partial(ahead.newest, runner=ALIVE)))
    changed, what = 0, "alive"
    if state is not None and now - state.last_at > GRACE:
        log.warning("was_away", since=state.last_at.isoformat(), until=now.isoformat())
        changed = await _credit_all(house, state.last_at, now)
        absent = partial(_put_off, since=state.last_at, by=now - state.last_at)
        await asyncio.wrap_future(house.db.write(absent))
    elif newest is not None and newest - now > GRACE:
        # Our note is of now: what lies ahead from then on is the newest event, if anything does.
        event = await asyncio.wrap_future(house.db.read(ahead.newest_event))
        what = was_ahead(newest if event is None or event - now <= GRACE else event)
        if state is None or state.what != what or state.last_at > now:
            changed = await set_right(house, newest, now)
    note = partial(runner_state.note, runner=ALIVE, now=now, what=what)
    await asyncio.wrap_future(house.db.write(note, scopes.NOTES))
    return changed


def _put_off(conn: Connection, *, since: datetime, by: timedelta) -> None:
    """Who could not answer a challenge meanwhile has the time again."""
    ahead.put_off_timers(conn, since, by=by, kinds=[STALE])


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
            log.exception("credit_failed", match=match)
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
    for seat in sorted(found.clocks.running):
        player = found.player_at(seat)
        txn.decide(match, CreditClock(player=player, begin=since, end=until, reason="downtime"))
    txn.close()
    return txn.changed
