"""The relay: how many mails it bears, what the provider allows, and what became of each mail."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.legacy.delivery.bounces import note_bounce, refuses_address
from pbem.legacy.delivery.digests import credit_late_mail
from pbem.games.waiting import NotYet
from pbem.legacy.mail.addresses import message_id
from pbem.legacy.notices import codec
from pbem.legacy.notices.personal import SendingCapNear
from pbem.legacy.store import scopes
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.mails import leases, outbox
from pbem.legacy.store.mails.leases import A_DAY, RETRIES, Cap, caps_of, pause_after
from pbem.legacy.store.mails.outbox import QueuedMail
from pbem.legacy.store.people import personal, rates
from pbem.legacy.transaction.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.mails.outbox import OutboxRow
    from pbem.legacy.transaction.installation import House
    from pbem.legacy.transport import Result


# --- relay results -------------------------------------------------------------------------------
# What became of a mail that was handed to the relay, and when it is tried again.

GIVE_UP: Final = timedelta(days=4)
A_SECOND: Final = timedelta(seconds=1)

TOGETHER: Final = 10
"""Mails that are noted at once, as many as are written at once."""

A_MOMENT: Final = 0.05
"""Seconds that a mail waits to be noted with others: who is killed then sends it once more."""

log = structlog.get_logger("pbem.legacy.delivery")


@dataclass(slots=True)
class _Batch:
    """Mails that are noted together, each with the relay's words and when they came."""

    replies: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    complete: asyncio.Event = field(default_factory=asyncio.Event)
    written: asyncio.Task[None] | None = None


class SentMails:
    """Notes mails that were sent, together with those that are sent a moment later.

    Whoever waits for `note` knows that it has been committed.
    """

    def __init__(self, house: House) -> None:
        """Nothing is to be noted yet."""
        self._house = house
        self._batch = _Batch()

    async def note(self, row: OutboxRow, result: Result, now: datetime, *, more: bool) -> None:
        """Note one; `more`: others are under way, for which it waits a moment.

        What fails then fails for all of them.
        """
        batch = self._batch
        batch.replies[row.id] = (words_of(result), now)
        if batch.written is None:
            batch.written = asyncio.create_task(self._write(batch))
        if not more or len(batch.replies) >= TOGETHER:
            batch.complete.set()
        await asyncio.shield(batch.written)
        _log(row, result)

    def hurry(self) -> None:
        """Wait for no others."""
        self._batch.complete.set()

    async def _write(self, batch: _Batch) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(A_MOMENT):
                await batch.complete.wait()
        self._batch = _Batch()
        note = partial(outbox.sent, replies=batch.replies)
        smtp = self._house.settings.smtp
        if smtp.max_mails_per_hour or smtp.max_mails_per_day:
            note = partial(_note_sent, house=self._house, replies=batch.replies)
        await asyncio.wrap_future(self._house.db.write(note, scopes.NOTES))


def _note_sent(
    conn: Connection, *, house: House, replies: Mapping[int, tuple[str, datetime]]
) -> None:
    """The relay took these; caps count them from now on as sent, and no more as under way."""
    outbox.sent(conn, replies)
    _count(conn, house, replies, max(at for _, at in replies.values()))


def _count(conn: Connection, house: House, mails: Collection[int], now: datetime) -> None:
    smtp = house.settings.smtp
    if smtp.max_mails_per_hour or smtp.max_mails_per_day:
        leases.count_tried(conn, mails, now)


def words_of(result: Result) -> str:
    """The relay's words, with its code."""
    return f"{result.code or ''} {result.text}".strip()


def _log(row: OutboxRow, result: Result) -> None:
    told = {"mail": row.id, "kind": row.kind, "result": result.kind, "code": result.code}
    if result.kind == "sent":
        log.info("mail", **told)
    else:
        log.warning("mail", **told, why=result.text)


def note_result(
    conn: Connection,
    *,
    house: House,
    now: datetime,
    row: OutboxRow,
    result: Result,
    pause: timedelta,
) -> datetime | None:
    """Note it; when the mail is tried again, if it is.

    `now` is when the result came, and `pause` how long a relay that cannot be used is let alone.
    """
    reply, next_at = words_of(result), None
    if result.kind == "sent":
        _note_sent(conn, house=house, replies={row.id: (reply, now)})
        try:
            with conn.begin_nested():
                credit_late_mail(conn, house, row, now)
        except Exception as error:
            if isinstance(error, NotYet) or fault_of_the_store(error):
                raise
            # It is sent all the same: else it would go out again and again.
            log.exception("late_mail_not_credited", mail=row.id)
    else:
        next_at = _next_attempt(row, result, now, pause)
        outbox.failed(
            conn,
            row.id,
            permanent=next_at is None,
            reply=reply,
            next_at=next_at,
            untried=result.cause == "relay",
        )
        if result.cause != "relay":
            _count(conn, house, [row.id], now)
        if result.kind == "permanent" and refuses_address(
            result.text, after_data=result.after_data
        ):
            _refused(conn, house, row, now)
    _log(row, result)
    if row.kind == "farewell":
        personal.drop_farewells(conn)
    return next_at


def _refused(conn: Connection, house: House, row: OutboxRow, now: datetime) -> None:
    """The relay refuses the address for good: that is a bounce that needs no mail."""
    if row.recipient is not None and row.to_address is None:
        txn = Transaction(conn=conn, house=house, cause=f"refused:{row.id}", now=now)
        note_bounce(txn, row.recipient, row.queued_at)
        txn.close()


def _next_attempt(
    row: OutboxRow, result: Result, now: datetime, pause: timedelta
) -> datetime | None:
    """RFC 5321 4.5.4.1: try for some days, ever more seldom; None: it is given up.

    A mail that grew old before it was written, or while the relay was away, has all its tries.
    A relay that cannot be used is looked for soon, and so is one that hung up on the mail once: it
    may be starting again. One that gives no answer about the mail is asked as seldom as one that
    says "later".
    """
    is_old = now - row.queued_at > GIVE_UP and row.attempts > len(RETRIES)
    if result.kind == "permanent" or is_old:
        return None
    if result.cause == "relay":
        return now + pause
    if result.cause == "answer" and result.code is None and row.attempts == 1:
        return now + A_SECOND
    return now + pause_after(row.attempts)


# --- relay state ---------------------------------------------------------------------------------
# How the relay is doing: how many connections it bears, and when it is looked for again.

LONGEST_PAUSE: Final = timedelta(minutes=1)
STEADY: Final = 20
"""Mails in a row after which one connection more is tried again."""


@dataclass(slots=True)
class Relay:
    """What the newest results say of the server itself; of single mails it knows nothing."""

    connections: int
    width: int = field(init=False)
    """How many mails may be under way at once."""
    closed_until: float = 0.0
    """When it may be asked again, by the loop's clock, which never goes back."""
    _failures: int = 0
    _well: int = 0

    def __post_init__(self) -> None:
        """Begin with all connections that the settings allow."""
        self.width = self.connections

    def note(self, result: Result, now: float, *, others: int) -> timedelta:
        """Take in a result, while so many others are under way; how long its mail waits for it.

        A server that refuses one connection and bears others is full; one that bears none is away,
        and is looked for soon at first, then ever more seldom.
        """
        if result.cause == "relay":
            self._well = 0
            if others:
                self.width = max(1, min(self.width, others))
                return A_SECOND
            self._failures += 1
            pause = min(self._failures * A_SECOND, LONGEST_PAUSE)
            self.closed_until = now + pause.total_seconds()
            return pause
        if result.cause == "answer" and result.code is not None:
            self._failures, self.closed_until = 0, 0.0
            self._well += 1
            if self._well >= STEADY and self.width < self.connections:
                self.width, self._well = self.width + 1, 0
        return timedelta(0)


# --- sending quota -------------------------------------------------------------------------------
# What the provider lets us send: turns first, an alert in time, and what is above waits.

SHORTEST, LONGEST = timedelta(seconds=30), timedelta(minutes=5)
"""How long mails wait until it is tried whether one of them may go."""


def lease(
    conn: Connection,
    house: House,
    *,
    due: datetime,
    limit: int,
    lease_for: timedelta,
    besides: Collection[str],
    known: Collection[int] | None = None,
) -> list[OutboxRow]:
    """The next mails that were due, as many as the caps leave; with caps, turns come first.

    `known`: what else is leased to us we do not know of, and it is due like the others.
    """
    if known is not None:
        leases.take_back(conn, known, due, house.worker)
    now, smtp = house.now(), house.settings.smtp
    take = partial(
        leases.lease, conn, now=due, lease_for=lease_for, besides=besides, worker=house.worker
    )
    if not smtp.max_mails_per_hour and not smtp.max_mails_per_day:
        return take(limit=limit)
    caps = list(caps_of(smtp.max_mails_per_hour, smtp.max_mails_per_day))
    room = min(cap.most - cap.used(conn, now) for cap in caps)
    if room < 1:
        _wait(conn, caps, now)
        return []
    rows = take(limit=min(limit, room), turns_first=True)
    for cap in caps:
        _tell_if_near(conn, house, cap, now)
    return rows


def _wait(conn: Connection, caps: list[Cap], now: datetime) -> None:
    """Nothing may go: all that is due waits until the first of it may."""
    slot = max(cap.per // cap.most for cap in caps if cap.used(conn, now) >= cap.most)
    until = now + min(max(slot, SHORTEST), LONGEST)
    waiting = outbox.postpone(conn, now=now, until=until, why="waits for our own cap")
    for cap in caps:
        full = cap.used(conn, now) >= cap.most
        if waiting and full and _first(conn, f"cap-reached:{cap.name}", now, cap.per):
            log.warning("mail_cap_reached", period=cap.name, most=cap.most, waiting=waiting)


def _tell_if_near(conn: Connection, house: House, cap: Cap, now: datetime) -> None:
    """Once in the cap's time in the log; once a day by mail, if the operator has an address."""
    used = cap.used(conn, now)
    if not cap.is_near(used) or not _first(conn, f"cap-near:{cap.name}", now, cap.per):
        return
    log.warning("mail_cap_near", period=cap.name, used=used, most=cap.most)
    contact = house.settings.site.contact
    if not contact or not _first(conn, "cap-mail", now, A_DAY):
        return
    cause = f"cap-near:{cap.name}:{now.isoformat()}:operator"
    alert = QueuedMail(
        key=cause,
        message_id=message_id(house.keys, cause=cause, domain=house.domain),
        recipient=None,
        to_address=contact,
        kind="alert",
        notices=codec.dump([SendingCapNear(period=cap.name, used=used, most=cap.most)]),
    )
    outbox.queue(conn, [alert], now)


def _first(conn: Connection, key: str, now: datetime, per: timedelta) -> bool:
    """Whether this has not happened for so long."""
    return rates.take(conn, key, now=now, capacity=1, per=per)
