"""Time that clocks counted and nobody could use is given back: late mails, and our own absence."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import Rejection
from pbem.matches.commands import CreditClock
from pbem.names import MatchId
from pbem.notices import codec
from pbem.notices.news import TurnPrompt
from pbem.notices.replies import DailyDigest
from pbem.players.commands import ArriveLate
from pbem.runners.clock_back import set_right
from pbem.runners.clocks import RUNNING
from pbem.runners.held_timers import VACANCY
from pbem.runners.patience import STALE
from pbem.runners.taking import Taking
from pbem.store import ahead, runner_state, views
from pbem.store.database import fault_of_the_disk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from pbem.notices.notice import Notice
    from pbem.runners.house import House, Loaded
    from pbem.store.outbox import OutboxRow

GRACE: Final = timedelta(minutes=10)
"""A mail may take so long, and we may be away so long, before time is given back (PLAY 3)."""

ALIVE: Final = "alive"
"""The runner's name under which the service notes that it is there."""

_PUT_OFF: Final = re.compile(r"4\d\d\b")
"""What a server answered that took no mail for now; where it gave no answer it was away."""

log = structlog.get_logger("pbem.credits")


def credit_late_mail(conn: Connection, house: House, row: OutboxRow, sent_at: datetime) -> None:
    """The relay took a prompt late: its reader's clock did not know that it ran."""
    if row.recipient is None or sent_at - row.queued_at <= GRACE:
        return
    matches = [*_prompted(codec.load(row.notices))]
    if not matches:
        return
    taking = Taking(conn=conn, house=house, cause=f"late:{row.id}", now=sent_at)
    begin = row.queued_at
    if _PUT_OFF.match(row.smtp_reply or ""):
        # Perhaps it was the reader's own server that said so: then they could say it in each turn.
        late = ArriveLate(begin=begin, end=sent_at)
        spans = taking.decide_player(row.recipient, late).standstills
        begin = next((first for first, last in spans if last == sent_at), sent_at)
    command = CreditClock(player=row.recipient, begin=begin, end=sent_at, reason="late_mail")
    for match in matches:
        try:
            taking.decide(match, command)
        except Rejection:
            continue  # no clocks, or the match is over
    if taking.has_changes:
        taking.close()


def _prompted(notices: Iterable[Notice]) -> Iterator[MatchId]:
    """The matches whose boards a mail shows to whoever is to move."""
    for notice in notices:
        match notice:
            case TurnPrompt(match=match):
                yield match
            case DailyDigest(matches=matches):
                yield from matches
            case _:
                pass


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
        what = f"the clock was ahead, at {newest:%Y-%m-%d %H:%M:%S}"
        if state is None or state.what != what or state.last_at > now:
            changed = await set_right(house, newest, now)
    await asyncio.wrap_future(
        house.db.write(lambda conn: runner_state.note(conn, ALIVE, now, what))
    )
    return changed


def _put_off(conn: Connection, *, since: datetime, by: timedelta) -> None:
    """Who could not answer a challenge, or take a seat over, meanwhile has the time again."""
    ahead.put_off_timers(conn, since, by=by, kinds=[STALE, VACANCY])


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
            if fault_of_the_disk(error):
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
    taking = Taking(conn=conn, house=house, cause=cause, now=until)
    found = taking.match(match)
    if found.clocks is None:
        return []
    for seat in sorted(found.clocks.running):
        player = found.player_at(seat)
        taking.decide(match, CreditClock(player=player, begin=since, end=until, reason="downtime"))
    taking.close()
    return taking.changed
