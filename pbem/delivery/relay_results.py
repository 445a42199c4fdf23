"""What became of a mail that was handed to the relay, and when it is tried again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.delivery.bounces import note_bounce
from pbem.delivery.late_mails import credit_late_mail
from pbem.delivery.lateness import is_late
from pbem.store import scopes
from pbem.store.mails import outbox
from pbem.store.people import personal
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.installation import House
    from pbem.transport import Result

RETRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
GIVE_UP: Final = timedelta(days=4)
A_SECOND: Final = timedelta(seconds=1)

TOGETHER: Final = 10
"""Mails that are noted at once, as many as are written at once."""

A_MOMENT: Final = 0.05
"""Seconds that a mail waits to be noted with others: who is killed then sends it once more."""

log = structlog.get_logger("pbem.delivery")


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that the relay took in good time, and its words."""

    row: OutboxRow
    result: Result
    now: datetime


@dataclass(slots=True)
class _Batch:
    """Mails that are noted together, as soon as there are enough of them."""

    mails: list[SentMail] = field(default_factory=list)
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

    async def note(self, mail: SentMail, *, more: bool) -> None:
        """Note it; `more`: others are under way, for which it waits a moment.

        What fails then fails for all of them.
        """
        batch = self._batch
        batch.mails.append(mail)
        if batch.written is None:
            batch.written = asyncio.create_task(self._write(batch))
        if not more or len(batch.mails) >= TOGETHER:
            self.hurry()
        await asyncio.shield(batch.written)

    def hurry(self) -> None:
        """Wait for no others."""
        self._batch.complete.set()
        self._batch = _Batch()

    async def _write(self, batch: _Batch) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(A_MOMENT):
                await batch.complete.wait()
        if batch is self._batch:
            self.hurry()
        note = partial(_note_sent, mails=batch.mails)
        await asyncio.wrap_future(self._house.db.write(note, scopes.NOTES))


def _note_sent(conn: Connection, *, mails: Sequence[SentMail]) -> None:
    outbox.sent(conn, {one.row.id: (words_of(one.result), one.now) for one in mails})
    for one in mails:
        _log(one.row, one.result)


def is_plainly_sent(row: OutboxRow, result: Result, now: datetime) -> bool:
    """Whether nothing else comes of it than that it was sent."""
    return result.kind == "sent" and row.kind != "farewell" and not is_late(row, now)


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
        outbox.sent(conn, {row.id: (reply, now)})
        credit_late_mail(conn, house, row, now)
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
        if result.kind == "permanent":
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

    A relay that cannot be used is looked for soon, and so is one that hung up on the mail once: it
    may be starting again. One that gives no answer about the mail is asked as seldom as one that
    says "later".
    """
    if result.kind == "permanent" or now - row.queued_at > GIVE_UP:
        return None
    if result.cause == "relay":
        return now + pause
    if result.cause == "answer" and result.code is None and row.attempts == 1:
        return now + A_SECOND
    return now + RETRIES[min(row.attempts, len(RETRIES)) - 1]
