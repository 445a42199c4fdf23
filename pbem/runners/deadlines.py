"""Fire timers that are due: each is a command like any other, on the same path from replay on."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import Rejection
from pbem.matches import commands
from pbem.names import MatchId
from pbem.runners.held_timers import HELD, play_held, waits_for_letters
from pbem.runners.patience import STALE
from pbem.runners.taking import Taking
from pbem.store import timers

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.runners.house import House, Loaded
    from pbem.store.timers import Timer

TOGETHER: Final = 50

log = structlog.get_logger("pbem.deadlines")


async def fire_due(house: House) -> int:
    """Fire every timer that is due, once; how many there were."""
    due = await asyncio.wrap_future(
        house.db.read(lambda conn: timers.due(conn, house.now(), TOGETHER))
    )
    for timer in due:
        changed = await asyncio.wrap_future(
            house.db.write(partial(_fire, house=house, timer=timer))
        )
        for loaded in changed:
            house.cache.keep(loaded)
        log.info("timer", key=timer.key, kind=timer.kind)
    return len(due)


def _fire(conn: Connection, *, house: House, timer: Timer) -> list[Loaded]:
    now = house.now()
    if timer.kind == HELD and waits_for_letters(conn, timer, now):
        return []
    if not timers.fire(conn, timer.key, now):
        return []  # somebody else was first, or it was cancelled
    taking = Taking(conn=conn, house=house, cause=timer.key, now=now)
    try:
        taking.decide(MatchId(str(timer.facts["match"])), _command(timer))
    except Rejection as rejection:
        # The match went on or ended in between: nothing is forced any more, nor held.
        log.info("timer_void", key=timer.key, code=rejection.code)
        return []
    taking.close()
    return taking.changed


def _command(timer: Timer) -> commands.Command:
    if timer.kind == STALE:
        return commands.Expire()
    return play_held(timer) if timer.kind == HELD else commands.PlayForced()
