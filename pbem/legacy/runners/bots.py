"""Let bots act: each duty is a command like any other, on the same path from replay on.

What a bot is asked stands in a timer beside the events that ask it, so that no crash loses it. It
is looked for outside of any unit of work and carried out only if the match still stands as it did;
its cause is made of match and version, so that nothing is done twice.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, assert_never

import structlog
from pebble import ProcessExpired

from pbem.legacy.bots.hints import hint
from pbem.legacy.bots.levels import EASY, choice_of, takes_long
from pbem.bots.luck import seed_of_move, seeded
from pbem.errors import StreamConflict
from pbem.fairness import bots_salt
from pbem.games import GAMES, is_ours
from pbem.games.game import Ply, Seat
from pbem.games.still import STILL, rules_away
from pbem.legacy.matches import agreements, decide, resigning, seats
from pbem.legacy.matches.events import HintGiven
from pbem.legacy.matches.hints import give_hint
from pbem.legacy.matches.table import Duty, duty, level_of
from pbem.legacy.matches.unfolding import Act
from pbem.names import MatchId
from pbem.legacy.store import scopes, timers
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.log.sealed import seed_of_bots
from pbem.legacy.store.mails import waiting_mails
from pbem.legacy.transaction.installation import Loaded, load_match, match_stream
from pbem.legacy.transaction.transaction import Transaction
from pbem.legacy.transport.apart import Apart, Rank

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.errors import Facts
    from pbem.names import PlayerId
    from pbem.legacy.store.timers import Timer
    from pbem.legacy.transaction.installation import House

TOGETHER: Final = 50
"""Matches in which bots act at once. A match waits for its own bot, and for no other."""

A_FEW: Final = 5
"""Where several processes work, each takes so many at a time and leaves something to others."""

ENDING: Final = 1.0
"""Seconds that bots have at the end of the service; what they had to do stands in its timer."""

SOON: Final = timedelta(minutes=1)
"""When another process lets a bot act whose move none has made since."""

SEARCH_SECONDS: Final = 5.0
"""A bot that has not chosen by then plays as an easy one does."""

HINT_SECONDS: Final = 20.0
"""Whoever waits for a hint reads a mail; one that is not found by then is what is seen at once."""

THINKING: Final = Apart(max(1, (os.cpu_count() or 1) - 1), nice=10)
"""Where bots think that look far."""

PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 60))
"""A bot that fails tries again, ever more seldom; the match waits, and nobody else does."""

log = structlog.get_logger("pbem.bots")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A move that a bot has chosen, by how many plays; `cut`: an easy one chose it in its place."""

    text: str
    plays: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a bot is to do in a match as it stood when it was read, if anything."""

    loaded: Loaded
    duty: Duty | None
    seed: str
    """What the chance of this match's bots is made of: nobody may know it before the end."""


class Acting:
    """The bots that are acting, each in a task of its own: a quick one waits for no slow one."""

    def __init__(self, house: House, told: Callable[[], None] = lambda: None) -> None:
        """Nobody acts so far; `told` is called whenever somebody has."""
        self._house, self._told = house, told
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._fault: Exception | None = None

    async def start_due(self) -> int:
        """Let every bot act that is asked to and does not yet; how many began.

        Raises a fault of the store that one met.
        """
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        room, began = TOGETHER - len(self._tasks), 0
        for timer in await _due(self._house, TOGETHER, room) if room > 0 else ():
            if timer.key not in self._tasks and began < room:
                self._tasks[timer.key] = asyncio.create_task(self._act(timer))
                began += 1
        return began

    async def _act(self, timer: Timer) -> None:
        try:
            await _try_to_act(self._house, timer)
        except Exception as fault:  # noqa: BLE001 - raised where the runner begins again
            self._fault = fault
        finally:
            del self._tasks[timer.key]
            self._told()

    async def close(self) -> None:
        """End what is under way: it is done again when the service begins anew."""
        tasks = [*self._tasks.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=ENDING)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def act_due(house: House) -> int:
    """Let every bot act that is asked to, once, one after the other; how many there were.

    So what happens to many matches has the same order every time.
    """
    due = await _due(house, TOGETHER, TOGETHER)
    for timer in due:
        await _try_to_act(house, timer)
    return len(due)


async def _due(house: House, most: int, room: int) -> list[Timer]:
    """What asks bots to act; where others work on the database, it is ours for a while."""
    now = house.now()
    if house.worker is None:
        wanted = house.db.read(partial(timers.due, now=now, limit=most, of_bots=True))
    else:
        few = min(A_FEW, room)
        claim = partial(timers.claim_bots, now=now, limit=few, until=now + SOON)
        wanted = house.db.write(claim, scopes.CLAIMS)
    return await asyncio.wrap_future(wanted)


async def _try_to_act(house: House, timer: Timer) -> None:
    """Let a bot act; what goes wrong is tried again. Raises what is the store's fault."""
    try:
        await _act(house, timer)
    except StreamConflict:
        log.info("conflict", key=timer.key)  # the timer is still due
    except Exception as error:
        if fault_of_the_store(error):
            raise
        log.exception("bot_failed", key=timer.key)
        unit = partial(_put_off, timer=timer, now=house.now())
        await asyncio.wrap_future(house.db.write(unit, scopes.OWN_ROWS))


async def _act(house: House, timer: Timer) -> None:
    match = MatchId(str(timer.facts["match"]))
    plan = await asyncio.wrap_future(house.db.read(partial(_plan, house=house, match=match)))
    chosen: _Chosen | HintGiven | None = None
    if plan.duty is not None and plan.duty.what == "hint":
        chosen = await _hint(plan.loaded, plan.duty.player)
    elif plan.duty is not None and plan.duty.what == "play":
        chosen = await _move(plan.loaded, level_of(plan.loaded.match, plan.duty.player), plan.seed)
    unit = partial(_carry_out, house=house, timer=timer, plan=plan, chosen=chosen)
    scope = scopes.Scope(frozenset({match_stream(match)}))
    for loaded in await asyncio.wrap_future(house.db.write(unit, scope)):
        house.cache.keep(loaded)
        log.info("bot", match=loaded.match.id, version=loaded.head.version)


def _plan(conn: Connection, *, house: House, match: MatchId) -> _Plan:
    loaded = load_match(conn, match, house.cache)
    if loaded.match.course.position is STILL:
        house.still.note(match, loaded.match.terms.ruleset)
        raise rules_away(loaded.match.game.title)
    return _Plan(loaded, duty(loaded.match), seed_of_bots(conn, match))


async def _move(loaded: Loaded, level: str, secret: str) -> _Chosen:
    """The move that a bot chooses: mail goes on meanwhile.

    Its chance is that of the match's bots and the head of its history: the same on every try, and
    nothing that anybody could know.
    """
    match = loaded.match
    seed = seed_of_move(secret, match.id, loaded.head.version, loaded.head.hash)
    choose = partial(_chosen, level, match.terms.ruleset, match.course.position, seed)
    # Rules of others are where bots think, and what is hidden there has its worlds.
    if is_ours(match.game) and not takes_long(level, match.game, len(match.table.players)):
        return await asyncio.to_thread(choose)
    try:
        return await THINKING.do(choose, SEARCH_SECONDS, rank=Rank.MOVE)
    except (TimeoutError, ProcessExpired) as error:
        log.warning("bot_slow", match=match.id, level=level, why=type(error).__name__)
        easy = partial(_chosen, EASY, match.terms.ruleset, match.course.position, seed)
        return replace(await asyncio.to_thread(easy), cut=True)


def _chosen(level: str, ruleset: str, position: Any, seed: str) -> _Chosen:
    game = GAMES[ruleset]
    choice = choice_of(level, game, position, seeded(seed))
    return _Chosen(game.notation(choice.move), choice.plays)


async def _hint(loaded: Loaded, player: PlayerId) -> HintGiven:
    """What whoever asked is told: the same on every try.

    It is no move of a bot's, so that its chance need not be secret.
    """
    match, ply = loaded.match, loaded.match.course.ply
    seat = match.seat_of(player)
    if seat is None:
        raise LookupError(f"{player} sits in no seat")
    seed = f"hint {match.id} {ply} {len(match.table.hints)}"
    find = partial(_found, match.terms.ruleset, match.course.position, seat, ply, seed)
    try:
        return await THINKING.do(find, HINT_SECONDS, rank=Rank.HINT)
    except (TimeoutError, ProcessExpired) as error:
        log.warning("hint_slow", match=match.id, why=type(error).__name__)
        return await asyncio.to_thread(find, quick=True)


def _found(
    ruleset: str, position: Any, seat: Seat, ply: Ply, seed: str, *, quick: bool = False
) -> HintGiven:
    game = GAMES[ruleset]
    found = hint(game, position, seat, seeded(seed), quick=quick)
    reasons = [(one, 0) for one in found.now] + [(one, 1) for one in found.later]
    return HintGiven(
        seat=seat,
        ply=ply,
        notation=game.notation(found.move),
        why=found.why,
        whom=found.whom,
        terms=tuple(one.term for one, _ in reasons),
        changes=tuple((int(one.seat), one.had, one.has, later) for one, later in reasons),
        replies=tuple(map(game.notation, found.replies)),
    )


def _act_of(asked: Duty, ply: Ply, chosen: _Chosen | HintGiven | None) -> Act:
    match asked.what:
        case "accept":
            return partial(seats.accept, player=asked.player)
        case "decline_draw":
            return partial(agreements.answer_draw, player=asked.player, accept=False)
        case "resign":
            return partial(resigning.resign, player=asked.player)
        case "hint":
            return partial(give_hint, hint=chosen if isinstance(chosen, HintGiven) else None)
        case "play":
            text = chosen.text if isinstance(chosen, _Chosen) else ""
            return partial(decide.play, player=asked.player, text=text, ply=ply)
    assert_never(asked.what)


def _carry_out(
    conn: Connection,
    *,
    house: House,
    timer: Timer,
    plan: _Plan,
    chosen: _Chosen | HintGiven | None,
) -> list[Loaded]:
    match, now = plan.loaded.match, house.now()
    found = load_match(conn, match.id, house.cache)
    if found.head.version != plan.loaded.head.version:
        return []  # whoever was first has set the timer anew
    timers.fire(conn, timer.key, max(now, timer.due_at))
    if plan.duty is None:
        return []
    facts: Facts | None = None
    if isinstance(chosen, _Chosen):
        salt = bots_salt(plan.seed, found.head.version)
        facts = {"plays": chosen.plays, "cut": chosen.cut, "salt": salt}
    txn = Transaction(
        conn=conn,
        house=house,
        cause=f"{timer.key}:{found.head.version}",
        now=now,
        actor=plan.duty.player,
        chosen=facts,
    )
    txn.know(found)
    txn.decide(match.id, _act_of(plan.duty, Ply(found.match.course.ply + 1), chosen))
    txn.close()
    return txn.changed


def _put_off(conn: Connection, *, timer: Timer, now: datetime) -> None:
    tries = timer.facts.get("tries")
    tries = tries if isinstance(tries, int) else 0
    due_at = now + PAUSES[min(tries, len(PAUSES) - 1)]
    facts: Facts = {"match": str(timer.facts["match"]), "tries": tries + 1}
    timers.set_timer(conn, timer.key, due_at, timer.stream, timer.kind, facts)
    waiting_mails.release(conn, timer.stream or "", now)  # they are about what came before
