"""Matches whose rules are not there, or have failed: noted, told of, and let go on once they are.

What their clocks counted meanwhile is given back, as after an absence of ours.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING, Final

import structlog

from pbem.legacy.foreign.record import faults
from pbem.games import GAMES
from pbem.games.still import STILL
from pbem.games.waiting import HERE
from pbem.legacy.matches.challenges import LINK_LASTS
from pbem.legacy.matches.match import Status
from pbem.names import is_bot
from pbem.legacy.notices.personal import MatchesGoOn, MatchesStandStill
from pbem.legacy.store import still
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.still import Standing
from pbem.legacy.store.upkeep.condition import put_off_timers
from pbem.legacy.transaction.installation import find_match, match_stream
from pbem.legacy.transaction.player_clocks import catch_up
from pbem.legacy.transaction.timers import RESIGNATION, STALE
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Connection

    from pbem.names import MatchId, PlayerId
    from pbem.legacy.transaction.installation import House, Loaded

TRY_AGAIN: Final = timedelta(hours=1)
"""How long a match stands still at least, while the service runs: rules that failed once may do so
at the next move again, and each time is a mail to everybody."""

EVERY: Final = 15.0
"""Seconds between two looks."""

_WORDS: Final = 200

log = structlog.get_logger("pbem.games")


async def look_after_games(house: House, *, at_start: bool = False) -> int:
    """Let matches stand still whose rules are away, and go on whose rules are back; how many.

    `at_start`: whoever has begun the service may have mended something, so that all are tried.
    """
    noted = house.still.take()
    known = await asyncio.wrap_future(house.db.read(still.standing))
    if not noted and not known and not at_start:
        return 0
    missing = await asyncio.wrap_future(house.db.read(_missing)) if at_start else {}
    stood = {one.match for one in known}
    new = {match: name for match, name in {**missing, **noted}.items() if match not in stood}
    if new:
        await asyncio.wrap_future(house.db.write(partial(let_stand, house=house, new=new)))
    changed = len(new)
    now = house.now()
    for one in known:
        if at_start or abs(now - one.since) >= TRY_AGAIN:  # our clock may have gone back
            changed += await _try(house, one)
    return changed


async def keep_games(house: House, stop: asyncio.Event) -> None:
    """Look after games of others until `stop` is set."""
    at_start = True
    while not stop.is_set():
        await look_after_games(house, at_start=at_start)
        at_start = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EVERY):
                await stop.wait()


def _missing(conn: Connection) -> Mapping[MatchId, str]:
    """Matches that go on by rules which are not installed, or could not be loaded."""
    return {
        match: name
        for name in still.rulesets(conn)
        if name not in GAMES
        for match in still.of_rulesets(conn, [name])
    }


def why_away(ruleset: str) -> str:
    """Why a ruleset cannot be used, for the operator, in a line."""
    fault = GAMES.faults.get(ruleset)
    if fault is not None:
        return _last_line(str(fault))
    failing = next((one for one in faults() if one.ruleset == ruleset), None)
    if failing is not None:
        return f"{failing.hook}(): {_last_line(failing.why)}"
    return "failed" if ruleset in GAMES else "not installed"


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:_WORDS] if lines else ""


def let_stand(
    conn: Connection, house: House, new: Mapping[MatchId, str], since: datetime | None = None
) -> None:
    """Matches, with their rulesets, stand still from now on, or since a time when none was played.

    Everybody who plays in them is told once.
    """
    now = house.now()
    stood = {one.match for one in still.standing(conn)}
    for match in stood & new.keys():
        still.reach_back(conn, match, since or now)
    new = {match: name for match, name in new.items() if match not in stood}
    if not new:
        return
    txn = Transaction(conn=conn, house=house, cause=_cause("stands", new, now), now=now)
    for match, ruleset in new.items():
        why = why_away(ruleset)
        still.stop(conn, Standing(match, ruleset, since or now, why))
        log.error("match_stands_still", match=match, ruleset=ruleset, why=why)
    for (player, title), names in _concerned(conn, house, new).items():
        txn.tell(player, MatchesStandStill(names=tuple(names), title=title))
    txn.close()


def _wait_on(conn: Connection, house: House, one: Standing, stood: timedelta) -> None:
    """What waits for somebody's word waits on for as long as nobody could give it.

    What came due meanwhile was put off (runners/timers.py), and waits no longer than at first.
    """
    longest = {
        STALE: max(timedelta(days=house.settings.limits.challenge_days), LINK_LASTS),
        RESIGNATION: timedelta(hours=house.settings.matches.resign_hours),
    }
    for kind, most in longest.items():
        by, stream = max(timedelta(0), min(stood, most)), match_stream(one.match)
        put_off_timers(conn, one.since, by=by, kinds=[kind], stream=stream)


def _cause(what: str, matches: Iterable[MatchId], now: datetime) -> str:
    return f"{what}:{now.isoformat()}:{min(matches)}"


def _concerned(
    conn: Connection, house: House, matches: Iterable[MatchId]
) -> dict[tuple[PlayerId, str], list[MatchId]]:
    """Who plays in them, by game."""
    found: dict[tuple[PlayerId, str], list[MatchId]] = {}
    for match in matches:
        loaded = find_match(conn, match, house.cache)
        if loaded is not None:
            for player in filterfalse(is_bot, dict.fromkeys(loaded.match.table.players)):
                found.setdefault((player, loaded.match.game.title), []).append(match)
    return found


async def _try(house: House, one: Standing) -> int:
    if one.ruleset not in GAMES:
        # What has ended without its rules, by the operator, stands still no more.
        await asyncio.wrap_future(house.db.write(partial(still.drop_ended, match=one.match)))
        return 0
    if any(fault.ruleset == one.ruleset for fault in faults()):
        return 0
    try:
        changed = await asyncio.wrap_future(house.db.write(partial(_go_on, house=house, one=one)))
    except Exception as error:
        if fault_of_the_store(error):
            raise
        log.exception("still_failed", match=one.match)
        return 0
    house.cache.keep_all(changed)
    return 1


def _go_on(conn: Connection, *, house: House, one: Standing) -> Sequence[Loaded]:
    """A match goes on if its rules say whose turn it is, and what may be done."""
    HERE.failed = ""
    loaded = find_match(conn, one.match, house.cache)
    if loaded is None:
        still.go_on(conn, one.match)
        return ()
    match, now = loaded.match, house.now()
    if match.status is Status.RUNNING:
        position = match.course.position
        if position is STILL or (match.to_act and not match.game.legal(position)) or HERE.failed:
            return ()
    txn = Transaction(conn=conn, house=house, cause=_cause("goes_on", [one.match], now), now=now)
    found = txn.match(one.match)
    if found.status in (Status.RUNNING, Status.CHALLENGE):
        for player in filterfalse(is_bot, dict.fromkeys(found.table.players)):
            txn.tell(player, MatchesGoOn(matches=(one.match,), title=found.game.title))
    if found.status is Status.RUNNING:
        catch_up(txn, one.match, since=min(one.since, now))
    _wait_on(conn, house, one, now - one.since)
    still.go_on(conn, one.match)
    txn.close()
    log.info("match_goes_on", match=one.match, ruleset=one.ruleset)
    return txn.changed
