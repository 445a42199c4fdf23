"""Keep the runners running: each in a task of its own, begun again when it fails."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.health import STALE, is_recent
from pbem.runners.absence import note_alive
from pbem.runners.bots import act_due
from pbem.runners.crew import ROLES, Crew, Role
from pbem.runners.deliver import Delivery
from pbem.runners.housekeeping import keep_house
from pbem.runners.readers import ThreadReader
from pbem.runners.receive import receive, take_waiting
from pbem.runners.timers import fire_due
from pbem.runners.watch import ALIVE, HOUSEKEEPING_EVERY, Watch
from pbem.store import runner_state, scopes, timers
from pbem.store.database import fault_of_the_store
from pbem.store.mails import inbox, leases
from pbem.store.people import roster
from pbem.store.runner_state import mark_of
from pbem.transport import REACHED

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.runners.readers import LetterReader
    from pbem.transaction.installation import House
    from pbem.transport import Mailbox, Sender

READING: Final = "reading"
"""Those who read letters stand among the runners that `pbem status` lists."""

LOOK_ANYWAY: Final = 20.0
"""Seconds after which a runner looks for work without having been woken."""

PEEK: Final = 0.5
"""Seconds between two looks at what another process may have put there: letters from pages."""

_LATER: Final = datetime(9999, 1, 1, tzinfo=UTC)

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
    for name in runners:
        await _note(house, name, "started")
    runners["watch"] = (watch or Watch(house)).keep
    longest = LONGEST_WAIT if crew is None else LONGEST_OF_CREW
    tasks = [
        asyncio.create_task(_keep(name, runner, stop, longest)) for name, runner in runners.items()
    ]
    await stop.wait()
    for event in (wakes.letters, wakes.mails, wakes.timers, wakes.bots):
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
    take = _take(house, wakes, reader)
    letters = _Work("letters", take, wakes.letters, _nothing_due, _letter_waits)
    yield "letters", "letters", partial(_loop, house, letters, stop)
    delivery = Delivery(house, sender, wake=wakes.mails.set)
    yield "send", "send", partial(_send_mails, house, delivery, wakes.mails, stop)
    fire = _fire(house, [mailbox for _, _, mailbox in mailboxes], wakes)
    deadlines = _Work("deadlines", fire, wakes.timers, timers.next_due)
    yield "timers", "deadlines", partial(_loop, house, deadlines, stop)
    bots = _Work("bots", _let_act(house, wakes), wakes.bots, partial(timers.next_due, of_bots=True))
    yield "bots", "bots", partial(_loop, house, bots, stop)
    yield "timers", "housekeeping", partial(_keep_house, house, stop)
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


def _take(house: House, wakes: Wakes, reader: LetterReader) -> Callable[[], Awaitable[int]]:
    def tell() -> None:
        wakes.mails.set()
        wakes.timers.set()
        wakes.bots.set()

    noted: list[datetime] = []

    async def work() -> int:
        taken = await take_waiting(house, reader, tell=tell)
        now = house.now()
        if house.worker is None or not noted or abs(now - noted[-1]) > NOTED:
            await _note(house, READING, reader.describe())
            noted[:] = [now]
        return taken

    return work


async def _send_mails(
    house: House, delivery: Delivery, wake: asyncio.Event, stop: asyncio.Event
) -> None:
    """Start mails as connections become free; what is under way at the end has a while to end."""
    clock = asyncio.get_running_loop().time
    noted = clock()
    try:
        while not stop.is_set():
            wake.clear()
            started = await delivery.start_due()
            pause = None if started else await delivery.pause()
            try:
                async with asyncio.timeout(_bounded(house, pause)):
                    await wake.wait()
            except TimeoutError:
                noted = 0.0 if house.worker is None else noted
            if clock() - noted > NOTED.total_seconds():
                await _note(house, "send", delivery.summary)
                noted = clock()
    finally:
        if stop.is_set():
            await delivery.close(MAILS_END)


def _bounded(house: House, pause: float | None) -> float:
    """Seconds to wait at most: nobody wakes us for what another process has brought."""
    longest = LOOK_ANYWAY if house.worker is None else PEEK
    return longest if pause is None else min(max(pause, SHORTEST), longest)


def _fire(house: House, ways_in: Sequence[Mailbox], wakes: Wakes) -> Callable[[], Awaitable[int]]:
    noted: list[datetime] = []

    async def work() -> int:
        if not await _are_heard(house, ways_in):
            # Who cannot be heard is not late: nothing falls due, and this is an absence of ours.
            await asyncio.sleep(UNHEARD)
            return 0
        # Before anything falls due: an absence of ours is nobody's lost time.
        now = house.now()
        if not noted or abs(now - noted[-1]) > NOTED:
            await note_alive(house)
            noted[:] = [now]
        fired = await fire_due(house)
        if fired:
            wakes.letters.set()  # one may have waited for it
            wakes.mails.set()
            wakes.bots.set()
        return fired

    return work


async def _are_heard(house: House, ways_in: Sequence[Mailbox]) -> bool:
    """Whether mail can come in: by us, or by the process that reads the mailboxes for all."""
    if house.worker is None:
        return all(mailbox.state == REACHED for mailbox in ways_in)
    noted = await asyncio.wrap_future(house.db.read(runner_state.states))
    ways = [one for one in noted if one.runner.startswith("receiving ")]
    reached = (one.last_at for one in ways if one.what == REACHED)
    return not ways or any(is_recent(at, house.now(), STALE) for at in reached)


def _let_act(house: House, wakes: Wakes) -> Callable[[], Awaitable[int]]:
    async def work() -> int:
        acted = await act_due(house)
        if acted:
            wakes.mails.set()
            wakes.timers.set()
        return acted

    return work


@dataclass(frozen=True, slots=True)
class _Work:
    """What a runner does, who wakes it, and when the store has something for it next.

    `waits` is asked every moment where other processes bring work, of which none wakes us.
    """

    name: str
    work: Callable[[], Awaitable[int]]
    wake: asyncio.Event
    next_due: Callable[[Connection], datetime | None]
    waits: Callable[[Connection], bool] | None = None


def _nothing_due(conn: Connection) -> None:
    """Letters are there or not: none is due later."""
    del conn


def _letter_waits(conn: Connection) -> bool:
    return inbox.waits_since(conn, _LATER)


async def _woken(house: House, runner: _Work) -> None:
    """Wait until somebody wakes a runner, or there is work that nobody has told it of."""
    waits = runner.waits
    if waits is None:
        await runner.wake.wait()
        return
    while True:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PEEK):
                await runner.wake.wait()
                return
        if await asyncio.wrap_future(house.db.read(waits)):
            return


async def _loop(house: House, runner: _Work, stop: asyncio.Event) -> None:
    """Work while there is work, then wait to be woken or for what is due next."""
    clock = asyncio.get_running_loop().time
    noted = clock()
    while not stop.is_set():
        runner.wake.clear()
        count = await runner.work()
        if count:
            if house.worker is None or clock() - noted > NOTED.total_seconds():
                await _note(house, runner.name, f"{count} done")
                noted = clock()
            continue
        try:
            async with asyncio.timeout(await _pause(house, runner)):
                await _woken(house, runner)
        except TimeoutError:
            if house.worker is None or clock() - noted > NOTED.total_seconds():
                await _note(house, runner.name, "waiting")
                noted = clock()


async def _pause(house: House, runner: _Work) -> float:
    """Seconds until the next thing is due, but a look is taken now and then all the same."""
    due = await asyncio.wrap_future(house.db.read(runner.next_due))
    return _bounded(house, None if due is None else (due - house.now()).total_seconds())


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
                await _note(house, name, noted)


async def _keep_house(house: House, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await keep_house(house)
        await _note(house, "housekeeping", "waiting")
        try:
            async with asyncio.timeout(HOUSEKEEPING_EVERY.total_seconds()):
                await stop.wait()
        except TimeoutError:
            continue


async def _note(house: House, name: str, what: str) -> None:
    """For `pbem status`."""
    runner = name if house.worker is None else f"{name}{mark_of(house.worker)}"
    note = partial(runner_state.note, runner=runner, now=house.now(), what=what)
    await asyncio.wrap_future(house.db.write(note, scopes.NOTES))


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
