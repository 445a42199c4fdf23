"""Fire timers that are due: each is decided like any order, on the same path from replay on.

And forget what was kept long enough: letters, sent bytes, questions, claims, empty buckets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, cast

import structlog

from pbem.legacy.delivery.bounces import end_standstill, watch_over_suspended
from pbem.legacy.delivery.digests import make_digest, remind
from pbem.errors import Rejection, StreamConflict
from pbem.games.game import Seat
from pbem.games.still import AWAY
from pbem.legacy.intake.letters import LETTERS, let_go
from pbem.legacy.matches import challenges, courtesies, decide
from pbem.legacy.matches.chance import bound_to_moves
from pbem.names import MatchId, PlayerId, TournamentId
from pbem.legacy.orders.handlers.tournaments import begin_table
from pbem.legacy.store import ratings, scopes, timers
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import inbox, waiting_mails
from pbem.legacy.store.people import rates, roster
from pbem.legacy.transaction import tournaments
from pbem.legacy.transaction.coalescing import DIGEST
from pbem.legacy.transaction.player_clocks import STANDSTILL, miss_deadline, require_going
from pbem.legacy.transaction.timers import (
    HELD,
    LEFT_BEHIND,
    PAUSE,
    QUESTIONS_LIVE,
    RESIGNATION,
    STALE,
    finish_resignation,
    leave_behind,
    play_held,
    waits_for_letters,
)
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.errors import Facts
    from pbem.legacy.store.scopes import Scope
    from pbem.legacy.store.timers import Timer
    from pbem.legacy.transaction.installation import House, Loaded

TOGETHER: Final = 50

FAULT_PAUSE: Final = timedelta(minutes=5)
"""A timer that fails is tried again so much later, until what is wrong has been mended."""

log = structlog.get_logger("pbem.deadlines")


async def fire_due(house: House) -> int:
    """Fire every timer that is due, once; how many there were.

    One that fails is put off: its match waits, and nobody else does.
    """
    wanted = partial(timers.due, now=house.now(), limit=TOGETHER)
    due = await asyncio.wrap_future(house.db.read(wanted))
    for timer in due:
        fire = partial(_fire, house=house, timer=timer)
        try:
            fired = await asyncio.wrap_future(house.db.write(fire, _scope(timer)))
            house.cache.keep_all(fired)
        except StreamConflict:
            log.info("conflict", key=timer.key)  # the timer is still due
        except Exception as error:
            if fault_of_the_store(error):
                raise
            if isinstance(error, Rejection):
                log.info("timer_waits", key=timer.key, code=error.code)  # its match stands still
            else:
                log.exception("timer_failed", key=timer.key)
            put_off = partial(_put_off, timer=timer, now=house.now())
            await asyncio.wrap_future(house.db.write(put_off, scopes.OWN_ROWS))
        else:
            log.info("timer", key=timer.key, kind=timer.kind)
    return len(due)


def _scope(timer: Timer) -> Scope:
    """What a timer touches: its match, where it is about nothing else."""
    about = timer.stream is not None and timer.kind in OF_MATCH
    return (
        scopes.Scope(frozenset({timer.stream}))
        if timer.stream is not None and about
        else scopes.ALL
    )


def _put_off(conn: Connection, *, timer: Timer, now: datetime) -> None:
    facts = cast("Facts", timer.facts)
    timers.set_timer(conn, timer.key, now + FAULT_PAUSE, timer.stream, timer.kind, facts)


def _fire(conn: Connection, *, house: House, timer: Timer) -> list[Loaded]:
    now = house.now()
    if timer.kind in (HELD, RESIGNATION) and waits_for_letters(conn, timer, now):
        return []
    if not timers.fire(conn, timer.key, now):
        return []  # somebody else was first, or it was cancelled
    txn = Transaction(conn=conn, house=house, cause=timers.cause_of(timer), now=now)
    try:
        KINDS[timer.kind](txn, timer)
    except Rejection as rejection:
        if rejection.code == AWAY:
            raise  # its match stands still: what was due is put off, and not void
        # The match went on or ended in between: there is nothing to do any more.
        log.info("timer_void", key=timer.key, code=rejection.code)
        return []
    txn.close()
    return txn.changed


def _match_of(timer: Timer) -> MatchId:
    return MatchId(str(timer.facts["match"]))


def _play_forced(txn: Transaction, timer: Timer) -> None:
    txn.decide(_match_of(timer), decide.go_on)


def _expire(txn: Transaction, timer: Timer) -> None:
    require_going(txn, _match_of(timer))  # else nobody could accept
    txn.decide(_match_of(timer), challenges.expire)


def _play_held(txn: Transaction, timer: Timer) -> None:
    play_held(txn, timer.facts)


def _finish_resignation(txn: Transaction, timer: Timer) -> None:
    finish_resignation(txn, timer.facts)


def _end_pause(txn: Transaction, timer: Timer) -> None:
    txn.decide(_match_of(timer), courtesies.end_pause)


def _leave_behind(txn: Transaction, timer: Timer) -> None:
    leave_behind(txn, timer.facts)


def _miss_deadline(txn: Transaction, timer: Timer) -> None:
    match, seat = _match_of(timer), Seat(int(str(timer.facts["seat"])))
    miss_deadline(txn, match, seat)


def _remind(txn: Transaction, timer: Timer) -> None:
    seat = Seat(int(str(timer.facts["seat"])))
    remind(txn, _match_of(timer), seat)


def _make_digest(txn: Transaction, timer: Timer) -> None:
    make_digest(txn, PlayerId(str(timer.facts["player"])))


def _end_standstill(txn: Transaction, timer: Timer) -> None:
    end_standstill(txn, PlayerId(str(timer.facts["player"])))


def _let_go(txn: Transaction, timer: Timer) -> None:
    let_go(txn, PlayerId(str(timer.facts["player"])))


def _tournament_of(timer: Timer) -> TournamentId:
    return TournamentId(str(timer.facts["tournament"]))


def _take_result(txn: Transaction, timer: Timer) -> None:
    match = txn.match(_match_of(timer))
    tournaments.take_result(txn, _tournament_of(timer), match, bound_to_moves(match))


def _take_time(txn: Transaction, timer: Timer) -> None:
    tournaments.take_time(txn, _tournament_of(timer))


def _begin_table(txn: Transaction, timer: Timer) -> None:
    begin_table(txn, _tournament_of(timer))


OF_MATCH: Final = frozenset({"forced", HELD, PAUSE, "reminder"})
"""Kinds of timers that touch nothing but their match; leave that a deadline spends holds in all."""

KINDS: Final[Mapping[str, Callable[[Transaction, Timer], None]]] = {
    "forced": _play_forced,
    HELD: _play_held,
    RESIGNATION: _finish_resignation,
    PAUSE: _end_pause,
    STALE: _expire,
    "deadline": _miss_deadline,
    "reminder": _remind,
    LEFT_BEHIND: _leave_behind,
    DIGEST: _make_digest,
    STANDSTILL: _end_standstill,
    LETTERS: _let_go,
    tournaments.RESULT: _take_result,
    tournaments.SEASON: _take_time,
    tournaments.TABLES: _begin_table,
}
"""What a timer does when it is due, by its kind. A Rejection means that it is void."""


async def keep_house(house: House) -> int:
    """Forget what `keep_mail_days` allows to; 0, since nothing waits for it."""

    def unit(conn: Connection) -> tuple[int, int, int]:
        now = house.now()
        before = now - timedelta(days=house.settings.limits.keep_mail_days)
        rates.prune_questions(
            conn, min(before + QUESTIONS_LIVE, now)
        )  # those that were asked before
        watch_over_suspended(conn)
        roster.drop_old_claims(conn, now - QUESTIONS_LIVE)
        return inbox.prune(conn, before), waiting_mails.prune(conn, before), rates.prune(conn, now)

    letters, mails, buckets = await asyncio.wrap_future(house.db.write(unit))
    if letters or mails:
        log.info("forgotten", letters=letters, mails=mails, buckets=buckets)
    await _catch_up(house)
    await asyncio.to_thread(house.db.empty_journal)
    return 0


async def _catch_up(house: House) -> None:
    """Enter what nobody has entered: matches that were imported, all where the formula is new."""
    try:
        while await asyncio.wrap_future(house.db.read(ratings.is_behind)):
            await asyncio.wrap_future(house.db.write(ratings.catch_up, scopes.OWN_ROWS))
    except Exception as error:
        if fault_of_the_store(error):
            raise
        log.exception("ratings_failed")
