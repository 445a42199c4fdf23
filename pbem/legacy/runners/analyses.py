"""Let analyses of matches be made, a piece after the other, behind all else that thinks.

Each few seconds' work is kept before the next begins, so that whoever ends us loses no more.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.legacy.bots.analysis import Passed, Piece, piece, slim
from pbem.games import GAMES
from pbem.legacy.matches.match import Status
from pbem.names import MatchId
from pbem.legacy.notices.replies import AnalysisShown
from pbem.legacy.runners.bots import THINKING
from pbem.legacy.store import analyses, scopes
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.people import roster
from pbem.legacy.transaction.analyses import as_of, passed_of
from pbem.legacy.transaction.installation import find_match, match_stream
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport.apart import Rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from pbem.legacy.matches.match import Match
    from pbem.legacy.store.analyses import Kept
    from pbem.legacy.transaction.installation import House

AT_ONCE: Final = 2.0
"""Seconds of thinking after which what was found is kept, and moves have had their turn."""

SECONDS: Final = 30.0
"""A piece that takes longer has failed."""

TAKEN: Final = timedelta(minutes=1)
"""When another process goes on with one with which nobody has."""

TRIES: Final = 3
PAUSES: Final = (timedelta(minutes=1), timedelta(minutes=10))
"""One that fails is tried again, and then told to be impossible."""

log = structlog.get_logger("pbem.analyses")


async def analyse_due(house: House) -> int:
    """Go on with the analysis that was asked for first; how many there were."""
    now = house.now()
    if house.worker is None:
        wanted = house.db.read(partial(analyses.due, now=now))
    else:
        claim = partial(analyses.claim, now=now, until=now + TAKEN)
        wanted = house.db.write(claim, scopes.CLAIMS)
    kept = await asyncio.wrap_future(wanted)
    if kept is None:
        return 0
    try:
        match = await asyncio.wrap_future(house.db.read(partial(_match, house=house, kept=kept)))
        found = await _found(match, kept) if match is not None else ()
    except Exception as error:
        if fault_of_the_store(error):
            raise
        log.exception("analysis_failed", match=kept.match, tries=kept.tries + 1)
        found = None
    unit = partial(_carry_out, house=house, kept=kept, found=found)
    await asyncio.wrap_future(
        house.db.write(unit, scopes.Scope(frozenset({match_stream(kept.match)})))
    )
    return 1


def _match(conn: Connection, *, house: House, kept: Kept) -> Match | None:
    """The match, None where it is not as it was when it was asked for."""
    loaded = find_match(conn, kept.match, house.cache)
    return loaded.match if loaded is not None and _is_of(loaded.match, kept) else None


def _is_of(match: Match, kept: Kept) -> bool:
    return match.status is Status.ENDED and as_of(match) == kept.as_of


async def _found(match: Match, kept: Kept) -> tuple[Piece, ...]:
    """The next pieces. Raises what the work raised, TimeoutError, ProcessExpired."""
    passed = passed_of(match)[kept.done :]
    ruleset, of = match.terms.ruleset, kept.of
    work = partial(_pieces, ruleset, passed, kept.done, of, f"analysis {match.id} {kept.as_of}")
    return await THINKING.do(work, AT_ONCE + SECONDS, rank=Rank.ANALYSIS)


def _pieces(
    ruleset: str, passed: Sequence[Passed], done: int, of: int, seed: str
) -> tuple[Piece, ...]:
    """In the process: as many pieces as some seconds are enough for, one at least."""
    began, found = time.monotonic(), []
    for at, one in enumerate(passed, done + 1):
        found.append(piece(GAMES[ruleset], one, at, of, seed))
        if time.monotonic() - began > AT_ONCE:
            break
    return tuple(found)


def _carry_out(
    conn: Connection, *, house: House, kept: Kept, found: tuple[Piece, ...] | None
) -> None:
    """Keep what was found; tell who waits where it is all, or cannot be made."""
    there = analyses.find(conn, kept.match)
    if there is None or there.done != kept.done or there.as_of != kept.as_of:
        return  # somebody else has gone on with it, or it is another's
    loaded, now = find_match(conn, kept.match, house.cache), house.now()
    if loaded is None or not _is_of(loaded.match, there):
        analyses.drop(conn, kept.match)  # the match goes on, or has ended otherwise
        return
    if found is None:
        tries = there.tries + 1
        if tries < TRIES:
            analyses.keep(conn, replace(there, tries=tries, due_at=now + PAUSES[tries - 1]))
            return
        log.error("analysis_given_up", match=kept.match)
        analyses.keep(conn, replace(there, tries=tries, due_at=None, waits=()))
        _tell(conn, house, there, AnalysisShown(match=kept.match, failed=True))
        return
    pieces = (*there.pieces, *found)
    if len(pieces) < there.of:
        analyses.keep(conn, replace(there, pieces=pieces, done=len(pieces), due_at=now))
        return
    made = replace(there, pieces=slim(pieces), done=there.of, due_at=None, waits=())
    analyses.keep(conn, made)
    _tell(conn, house, there, AnalysisShown(match=kept.match))
    log.info("analysis", match=kept.match, pieces=there.of)


def _tell(conn: Connection, house: House, kept: Kept, notice: AnalysisShown) -> None:
    """Owe those who wait a mail; who has been forgotten meanwhile waits no more."""
    match = MatchId(kept.match)
    cause = f"analysis:{match}:{kept.as_of}:{kept.asked_at.isoformat()}"
    txn = Transaction(conn=conn, house=house, cause=cause, now=house.now())
    txn.match(match)
    there = roster.players(conn, sorted(kept.waits))
    for player in kept.waits:
        if player in there:
            txn.tell(player, notice)
    txn.close()
