"""Keep the runners running: each in a task of its own, begun again when it fails."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.legacy.health import STALE, is_recent
from pbem.legacy.runners.absence import note_alive
from pbem.legacy.runners.analyses import analyse_due
from pbem.legacy.runners.bots import Acting
from pbem.legacy.runners.checkpoints import sign_log
from pbem.legacy.runners.crew import ROLES, Crew, Role
from pbem.legacy.runners.deliver import Delivery
from pbem.legacy.runners.readers import ThreadReader
from pbem.legacy.runners.receive import receive, take_waiting
from pbem.legacy.runners.standing_still import keep_games
from pbem.legacy.runners.timers import fire_due, keep_house
from pbem.legacy.runners.watch import ALIVE, Watch
from pbem.legacy.store import analyses, runner_state, scopes, timers
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import inbox, leases
from pbem.legacy.store.people import roster
from pbem.legacy.store.runner_state import HOUSEKEEPING_EVERY, mark_of
from pbem.legacy.transport import REACHED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.runners.readers import LetterReader
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transport import Mailbox, Sender

READING: Final = "reading"
"""Those who read letters stand among the runners that `pbem status` lists."""

LOOK_ANYWAY: Final = 20.0
"""Seconds after which a runner looks for work without having been woken."""

PEEK: Final = 0.5
"""Seconds between two looks at what another process may have put there: letters from pages."""

UNHURRIED: Final = 5.0
"""Seconds between two looks whether a match is to be analysed."""

_EVER, _LATER = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)

SHORTEST: Final = 0.05
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
LONGEST_OF_CREW: Final = 4.0
"""Where others work on the database, it is another server after a failure, and soon."""

STEADY: Final = 30.0
"""Seconds of quiet running after which a runner's next failure counts as its first."""

UNHEARD: Final = 2.0
"""Seconds between two looks whether mail can come in again."""

NOTED: Final = timedelta(seconds=15)
"""How often the service notes that it is there."""

MAILS_END: Final = 4.0
"""Seconds that mails under way have at the end of the service to be taken."""

RUNNERS_END: Final = 6.0
"""Seconds after which a runner that has not ended is left behind: it hangs at something."""

log = structlog.get_logger("pbem.supervise")


@dataclass(slots=True)
class Wakes:
    """Who wakes whom: what one runner commits is the next one's work."""

    letters: asyncio.Event = field(default_factory=asyncio.Event)
    mails: asyncio.Event = field(default_factory=asyncio.Event)
    timers: asyncio.Event = field(default_factory=asyncio.Event)
    bots: asyncio.Event = field(default_factory=asyncio.Event)
    analyses: asyncio.Event = field(default_factory=asyncio.Event)

    def bot_acted(self) -> None:
        """Mails are owed, timers set, and the next bot may be asked."""
        for event in (self.mails, self.timers, self.bots):
            event.set()


async def supervise(
    house: House,
    mailboxes: Sequence[tuple[str, str, Mailbox]],
    sender: Sender,
    stop: asyncio.Event,
    wakes: Wakes,
    *,
    reader: LetterReader | None = None,
    crew: Crew | None = None,
    roles: Collection[Role] = ROLES,
    watch: Watch | None = None,
) -> None:
    """Run everything until `stop` is set; the unit of work at hand is ended first.

    `mailboxes` has each way in with the account and name of its checkpoint; `reader` is where
    letters are read (our own thread by default), `watch` who looks at it all. A runner that fails
    is begun again; the others do not notice. With a `crew` other processes work on the same
    database, and this one does what has these `roles`.
    """
    await asyncio.wrap_future(house.db.write(roster.refold))
    runners = {
        name: runner
        for role, name, runner in _runners(
            house, mailboxes, sender, stop, wakes, reader or ThreadReader(house), crew
        )
        if role in roles
    }
    if crew is None:
        await asyncio.wrap_future(house.db.write(partial(_take_over, house=house)))
        names = [*runners, ALIVE, READING]
        await asyncio.wrap_future(house.db.write(lambda conn: runner_state.keep_only(conn, names)))
    else:
        await crew.renew()
        runners["crew"] = crew.look_around
    await _note(house, dict.fromkeys(runners, "started"))
    runners["watch"] = (watch or Watch(house)).keep
    longest = LONGEST_WAIT if crew is None else LONGEST_OF_CREW
    tasks = [
        asyncio.create_task(_keep(name, runner, stop, longest)) for name, runner in runners.items()
    ]
    await stop.wait()
    for event in (wakes.letters, wakes.mails, wakes.timers, wakes.bots, wakes.analyses):
        event.set()
    for task, name in zip(tasks, runners, strict=True):
        if name.startswith(("receiving", "crew", "watch")):
            task.cancel()  # it waits; letters that are not committed yet are fetched again
    await _end(dict(zip(runners, tasks, strict=True)))


def _runners(  # noqa: PLR0917 - what supervise has
    house: House,
    mailboxes: Sequence[tuple[str, str, Mailbox]],
    sender: Sender,
    stop: asyncio.Event,
    wakes: Wakes,
    reader: LetterReader,
    crew: Crew | None,
) -> Iterator[tuple[Role, str, Callable[[], Awaitable[None]]]]:
    """Each runner with its role and its name."""
    often = LOOK_ANYWAY if house.worker is None else PEEK
    letters = _Runner(
        "letters",
        wakes.letters,
        _letter_due,
        partial(take_waiting, house, reader, (wakes.mails, wakes.timers, wakes.bots)),
        look_every=PEEK,  # those of pages come from another process
        describe=lambda: {READING: reader.describe()},
    )
    yield "letters", "letters", partial(_loop, house, letters, stop)
    delivery = Delivery(house, sender, wake=wakes.mails.set)
    yield "send", "send", partial(_send_mails, house, delivery, wakes.mails, stop)
    deadlines = _Runner(
        "deadlines",
        wakes.timers,
        timers.next_due,
        partial(fire_due, house),
        look_every=often,
        wakes=(wakes.letters, wakes.mails, wakes.bots),  # a letter may have waited for a timer
        is_ready=_hearing(house, [mailbox for _, _, mailbox in mailboxes]),
    )
    yield "timers", "deadlines", partial(_loop, house, deadlines, stop)
    yield "bots", "bots", partial(_let_bots_act, house, Acting(house, wakes.bot_acted), wakes, stop)
    thinking = _Runner(
        "analyses",
        wakes.analyses,
        analyses.next_due,
        partial(analyse_due, house),
        look_every=UNHURRIED,  # no turn pays for what it seldom uses
        wakes=(wakes.mails,),
    )
    yield "bots", "analyses", partial(_loop, house, thinking, stop)
    yield "timers", "housekeeping", partial(_keep_house, house, stop)
    for role in ("letters", "timers", "bots"):
        yield role, "games", partial(keep_games, house, stop)
    for account, name, mailbox in mailboxes:
        receiving = partial(_receive, house, mailbox, account, name, wakes.letters)
        if crew is not None:
            receiving = partial(crew.alone, f"mailbox {account} {name}", receiving)
        yield "receive", f"receiving {account}", receiving


def _take_over(conn: Connection, *, house: House) -> None:
    """What a process that is gone was sending is sent by us."""
    for mail in leases.take_over(conn, house.now()):
        log.error("mail_ends_us", mail=mail)


async def _end(tasks: Mapping[str, asyncio.Task[None]]) -> None:
    """Let the runners end; those that hang are left behind, and begin again where they were."""
    _, hanging = await asyncio.wait(tasks.values(), timeout=RUNNERS_END)
    for name, task in tasks.items():
        if task in hanging:
            log.warning("runner_left", runner=name)
            task.cancel()
    if hanging:
        await asyncio.wait(hanging, timeout=1)


async def _send_mails(
    house: House, delivery: Delivery, wake: asyncio.Event, stop: asyncio.Event
) -> None:
    """Start mails as connections become free; what is under way at the end has a while to end."""
    clock, noted = asyncio.get_running_loop().time, -math.inf
    longest = LOOK_ANYWAY if house.worker is None else PEEK
    try:
        while not stop.is_set():
            wake.clear()
            started = await delivery.start_due()
            pause = None if started else await delivery.pause()
            if clock() - noted > NOTED.total_seconds():
                await _note(house, {"send": delivery.summary})
                noted = clock()
            pause = longest if pause is None else min(max(pause, SHORTEST), longest)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await wake.wait()
    finally:
        if stop.is_set():
            await delivery.close(MAILS_END)


async def _let_bots_act(house: House, acting: Acting, wakes: Wakes, stop: asyncio.Event) -> None:
    """Start bots as they are asked to act; what is under way at the end has a while to end."""
    runner = _Runner(
        "bots",
        wakes.bots,
        partial(timers.next_due, of_bots=True),
        acting.start_due,
        look_every=LOOK_ANYWAY if house.worker is None else PEEK,
    )
    try:
        await _loop(house, runner, stop)
    finally:
        if stop.is_set():
            await acting.close()


def _hearing(house: House, ways_in: Sequence[Mailbox]) -> Callable[[], Awaitable[bool]]:
    """Asks whether mail can come in: by us, or by the process that reads the mailboxes for all.

    Who cannot be heard is not late: nothing falls due, and this is an absence of ours.
    """
    noted: list[datetime] = []

    async def are_heard() -> bool:
        if house.worker is None:
            heard = all(mailbox.state == REACHED for mailbox in ways_in)
        else:
            states = await asyncio.wrap_future(house.db.read(runner_state.states))
            ways = [one for one in states if one.runner.startswith("receiving ")]
            reached = (one.last_at for one in ways if one.what == REACHED)
            heard = any(is_recent(at, house.now(), STALE) for at in reached)
            if not ways:  # nobody is to be heard, or who read the mailbox is gone
                heard = house.settings.mailbox is None
        # Before anything falls due: an absence of ours is nobody's lost time.
        now = house.now()
        if heard and (not noted or abs(now - noted[-1]) > NOTED):
            await note_alive(house)
            noted[:] = [now]
        return heard

    return are_heard


def _letter_due(conn: Connection) -> datetime | None:
    """Letters are there or not: none is due later."""
    return _EVER if inbox.waits_since(conn, _LATER) else None


@dataclass(frozen=True, slots=True)
class _Runner:
    """What a runner does, who wakes it and whom it wakes, and when the store has work for it next.

    It looks every so many seconds though nobody wakes it, and works only while it `is_ready`;
    `describe` is what else `pbem status` tells with it.
    """

    name: str
    wake: asyncio.Event
    next_due: Callable[[Connection], datetime | None]
    work: Callable[[], Awaitable[int]]
    look_every: float
    wakes: tuple[asyncio.Event, ...] = ()
    is_ready: Callable[[], Awaitable[bool]] | None = None
    describe: Callable[[], Mapping[str, str]] = dict


async def _loop(house: House, runner: _Runner, stop: asyncio.Event) -> None:
    """Work while there is work, then wait to be woken or for what is due next."""
    clock, noted, what = asyncio.get_running_loop().time, -math.inf, "waiting"
    while True:
        ends = stop.is_set()
        if ends or clock() - noted > NOTED.total_seconds():
            await _note(house, {runner.name: what, **runner.describe()})
            noted = clock()
        if ends:
            return
        runner.wake.clear()
        count, pause = 0, runner.look_every
        if runner.is_ready is not None and not await runner.is_ready():
            pause = UNHEARD
        elif (due := await asyncio.wrap_future(house.db.read(runner.next_due))) is not None:
            wait = (due - house.now()).total_seconds()
            if wait > 0:
                pause = min(max(wait, SHORTEST), pause)
            else:
                count = await runner.work()
        what = f"{count} done" if count else "waiting"
        if count:
            for event in runner.wakes:
                event.set()
        else:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await runner.wake.wait()


async def _receive(
    house: House, mailbox: Mailbox, account: str, name: str, wake: asyncio.Event
) -> None:
    """Receive for ever; how the mailbox is doing is noted meanwhile, since mails may be rare."""
    noting = asyncio.create_task(_note_state(house, f"receiving {account}", mailbox))
    try:
        await receive(mailbox, house, account, name, wake)
    finally:
        noting.cancel()


async def _note_state(house: House, name: str, mailbox: Mailbox) -> None:
    noted, until, clock = "", 0.0, asyncio.get_running_loop().time
    while True:
        await asyncio.sleep(min(UNHEARD, NOTED.total_seconds()))
        if mailbox.state != noted or clock() > until:  # what changes is noted soon
            noted, until = mailbox.state, clock() + NOTED.total_seconds()
            with contextlib.suppress(Exception):  # whoever receives says what is wrong
                await _note(house, {name: noted})


async def _keep_house(house: House, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await keep_house(house)
        await sign_log(house)
        await _note(house, {"housekeeping": "waiting"})
        try:
            async with asyncio.timeout(HOUSEKEEPING_EVERY.total_seconds()):
                await stop.wait()
        except TimeoutError:
            continue


async def _note(house: House, states: Mapping[str, str]) -> None:
    """Note what runners do, for `pbem status`."""
    mark = mark_of(house.worker) if house.worker is not None else ""
    now = house.now()

    def unit(conn: Connection) -> None:
        for name, what in states.items():
            runner_state.note(conn, f"{name}{mark}", now, what)

    await asyncio.wrap_future(house.db.write(unit, scopes.NOTES))


async def _keep(
    name: str, runner: Callable[[], Awaitable[None]], stop: asyncio.Event, longest: float
) -> None:
    """Begin a runner again whenever it fails, after a pause that grows up to the longest."""
    wait = FIRST_WAIT
    clock = asyncio.get_running_loop().time
    while not stop.is_set():
        began = clock()
        try:
            await runner()
        except Exception as error:
            if fault := fault_of_the_store(error):
                # A traceback would only hide it from the operator.
                log.error("database_fails", runner=name, why=fault, again_in=wait)  # noqa: TRY400 - see above
            else:
                log.exception("runner_failed", runner=name, again_in=wait)
            if clock() - began > STEADY:
                wait = FIRST_WAIT
            try:
                async with asyncio.timeout(wait):
                    await stop.wait()
            except TimeoutError:
                wait = min(2 * wait, longest)
