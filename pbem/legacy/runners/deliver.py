"""Send what is owed: each connection takes the next mail that is due; what hangs leaves them.

A mail without an answer for a minute goes on waiting on a connection of its own, and as many others
go out as before. Of one reader's mails one is under way at a time, so that they keep their order
and a reader whose server hangs takes one connection at most.

A database that cannot be reached may have committed what we heard no answer to. So what was sent is
noted as soon as it answers again, and what may be leased without our knowing it is taken back.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.legacy.delivery import relay
from pbem.legacy.delivery.mail_writing import write_mails
from pbem.legacy.delivery.relay import Relay, SentMails, note_result
from pbem.legacy.store import scopes
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.mails.leases import reader_of
from pbem.legacy.store.runner_state import GRACE
from pbem.legacy.transport import Envelope, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transport import Sender

TOGETHER: Final = 10
"""Mails that are written and committed at once: who is killed in between writes few again."""

LEASE: Final = timedelta(minutes=30)
"""How long a mail is one worker's; longer than any server may take for it."""

APART_AFTER: Final = 60.0
"""Seconds after which a mail without an answer leaves the connections that all share."""

MOST_APART: Final = 20
"""Mails that hang at the same time; for one more the one that has hung longest is given up."""

GIVEN_UP: Final = "no answer yet, and others need the connection"

log = structlog.get_logger("pbem.legacy.delivery")


async def deliver_due(house: House, sender: Sender) -> int:
    """Send every mail that is due now, once; how many were tried."""
    delivery, now, tried = Delivery(house, sender), house.now(), 0
    try:
        while (started := await delivery.start_due(now)) or delivery.is_busy:
            tried += started
            if not started:
                await delivery.one_ends()
    finally:
        await delivery.close(0)
    return tried


class Delivery:
    """The mails that are under way, and those that are next."""

    def __init__(
        self,
        house: House,
        sender: Sender,
        *,
        apart_after: float = APART_AFTER,
        most_apart: int = MOST_APART,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`wake` is called whenever there may be more to start."""
        self._house, self._sender = house, sender
        self._apart_after, self._most_apart = apart_after, most_apart
        self._wake = wake
        self._clock = asyncio.get_running_loop().time
        self._relay = Relay(house.settings.smtp.connections)
        self._leased: Sequence[OutboxRow] = ()
        self._sent = SentMails(house)
        self._ready: deque[OutboxRow] = deque()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._talks: dict[int, asyncio.Future[Mapping[str, Result]]] = {}
        self._talking: set[int] = set()  # those that have a shared connection, or soon will
        self._noting: set[int] = set()
        self._apart: dict[int, None] = {}
        self._readers: dict[int, str] = {}
        self._silent: dict[str, float] = {}  # until when they get no mail, by the loop's clock
        self._ended = asyncio.Event()
        self._fault: Exception | None = None
        self._unnoted: dict[int, Callable[[Connection], object]] = {}
        self._unsure = False  # whether mails may be leased to us that we do not know of

    @property
    def is_busy(self) -> bool:
        """Whether a mail is under way."""
        return bool(self._tasks)

    @property
    def summary(self) -> str:
        """For `pbem status`."""
        hanging = f", {len(self._apart)} of them hang" if self._apart else ""
        return f"{len(self._tasks)} under way{hanging}" if self._tasks else "waiting"

    # --- what is next ----------------------------------------------------------------------------

    async def start_due(self, due: datetime | None = None) -> int:
        """Start as many mails as there are connections for; how many. What failed is raised.

        `due`: only those that were due then.
        """
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        if self._unnoted:
            await self._note_again()
        self._ended.clear()
        started = 0
        while len(self._talking) < self._relay.width and self._clock() >= self._relay.closed_until:
            if self._ready:
                mail = self._ready.popleft()
                reader = self._readers[mail.id] = reader_of(mail)
                self._talking.add(mail.id)
                self._tasks[mail.id] = asyncio.create_task(self._carry(mail, reader))
                if reader in self._silent:
                    self._set_apart(mail.id)  # it has hung before: others need not wait a minute
                started += 1
            elif not await self._fetch(due or self._house.now()):
                break
        return started

    async def _fetch(self, due: datetime) -> bool:
        """Lease a few mails and write them; False if none is due."""
        house = self._house
        if not self._leased:  # else writing them failed, which was no fault of theirs
            unsure, self._unsure = self._unsure, True
            lease = partial(
                relay.lease,
                house=house,
                due=due,
                limit=TOGETHER,
                lease_for=LEASE,
                besides=self._besides(),
                known=self._tasks.keys() | {mail.id for mail in self._ready} if unsure else None,
            )
            self._leased = await asyncio.wrap_future(house.db.write(lease, scopes.CLAIMS))
            self._unsure = False
        found = bool(self._leased)
        self._ready.extend(await write_mails(house, self._leased))
        self._leased = ()
        return found

    def _besides(self) -> Collection[str]:
        """The readers who get no other mail now."""
        now = self._clock()
        waiting = {reader_of(mail) for mail in self._ready}
        full = len(self._apart) >= self._most_apart
        silent = {one for one, until in self._silent.items() if full or until > now}
        return waiting | silent | set(self._readers.values())

    async def pause(self) -> float | None:
        """Seconds until there is something to start, or None while only an end of others tells."""
        now = self._clock()
        if len(self._talking) >= self._relay.width:
            return None
        if now < self._relay.closed_until:
            return self._relay.closed_until - now
        read = partial(outbox.next_due, besides=self._besides())
        due = await asyncio.wrap_future(self._house.db.read(read))
        waits = [until - now for until in self._silent.values() if until > now]
        if due is not None:
            waits.append((due - self._house.now()).total_seconds())
        return min(waits, default=None)

    # --- one mail --------------------------------------------------------------------------------

    async def _carry(self, mail: OutboxRow, reader: str) -> None:
        """Send, and note at once what came of it: whoever is killed in between sends it again."""
        late = asyncio.get_running_loop().call_later(self._apart_after, self._set_apart, mail.id)
        try:
            result = await self._talk(mail)
            late.cancel()
            self._noting.add(mail.id)
            await self._note(mail, result, reader)
        except Exception as error:  # noqa: BLE001 - start_due raises it
            self._fault = error
        finally:
            late.cancel()
            del self._readers[mail.id], self._tasks[mail.id]
            self._noting.discard(mail.id)
            self._hang_up(mail.id)

    def _hang_up(self, ident: int) -> None:
        """There is a connection more for others."""
        self._talking.discard(ident)
        self._apart.pop(ident, None)
        self._ended.set()
        self._wake()

    async def _talk(self, mail: OutboxRow) -> Result:
        recipient = mail.rcpt or ""
        envelope = Envelope(mail.mail_from or "", (recipient,), mail.data or b"")
        talk = self._talks[mail.id] = asyncio.ensure_future(self._sender.send(envelope))
        try:
            return (await talk)[recipient]
        except asyncio.CancelledError:
            if mail.id in self._talks:
                raise  # the service ends
            return Result("ambiguous", None, GIVEN_UP, cause="silence")
        except Exception as error:
            log.exception("send_failed")
            return Result("transient", None, f"{type(error).__name__}: {error}")
        finally:
            self._talks.pop(mail.id, None)

    async def _note(self, mail: OutboxRow, result: Result, reader: str) -> None:
        house, others = self._house, len(self._talking - {mail.id})
        now = house.now()
        house.tally.mails[result.kind] += 1
        if result.cause == "relay":
            self._give_up_longest()  # it may be the one connection too many
        pause = self._relay.note(result, self._clock(), others=others)
        note = partial(
            note_result, house=self._house, now=now, row=mail, result=result, pause=pause
        )
        on_time = mail.kind != "farewell" and now - mail.queued_at <= GRACE
        again = None
        try:
            if result.kind == "sent" and on_time:  # nothing else comes of it
                more = bool(self._ready or others)
                if more:
                    self._hang_up(mail.id)  # the next need not wait until this one is noted
                await self._sent.note(mail, result, now, more=more)
            else:
                again = await asyncio.wrap_future(house.db.write(note))
        except Exception as error:
            if fault_of_the_store(error):
                self._unnoted[mail.id] = note
            raise
        if result.cause == "silence":
            wait = (again - now).total_seconds() if again is not None else 0.0
            self._silent[reader] = self._clock() + wait
        elif result.cause == "answer":
            self._silent.pop(reader, None)

    async def _note_again(self) -> None:
        """Note what no answer came to: it may have been noted, and must not be noted twice."""
        for ident, note in list(self._unnoted.items()):
            once = partial(leases.if_leased, mail=ident, worker=self._house.worker, unit=note)
            await asyncio.wrap_future(self._house.db.write(once))
            del self._unnoted[ident]

    def _set_apart(self, ident: int) -> None:
        if ident in self._apart:
            return
        if len(self._apart) >= self._most_apart:
            self._give_up_longest()
        self._apart[ident] = None
        self._talking.discard(ident)
        log.warning("mail_hangs", mail=ident, hanging=len(self._apart))
        self._wake()

    def _give_up_longest(self) -> None:
        for ident in self._apart:
            talk = self._talks.pop(ident, None)
            if talk is not None:
                talk.cancel()
                return

    # --- ends ------------------------------------------------------------------------------------

    async def one_ends(self) -> None:
        """Wait until a mail that is under way has ended since the last start."""
        if self._tasks:
            await self._ended.wait()

    async def close(self, patience: float) -> None:
        """Let what is under way end; what has not ended by then will be sent again as it is."""
        tasks = dict(self._tasks)
        if tasks:
            self._sent.hurry()
            await asyncio.wait(tasks.values(), timeout=patience)
            for ident, task in tasks.items():
                if ident not in self._noting:  # else it is over, and would be sent again
                    task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        left = [ident for ident, task in tasks.items() if task.cancelled()]
        left += [mail.id for mail in self._ready] + [row.id for row in self._leased]
        await self._note_again()
        self._ready.clear()
        self._leased = ()
        if left:
            now, worker = self._house.now(), self._house.worker
            back = partial(leases.give_back, mails=left, now=now, worker=worker)
            await asyncio.wrap_future(self._house.db.write(back, scopes.NOTES))
