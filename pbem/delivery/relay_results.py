"""What became of a mail that was handed to the relay, and when it is tried again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import structlog

from pbem.delivery.bounces import note_bounce
from pbem.delivery.late_mails import credit_late_mail
from pbem.store.mails import outbox
from pbem.store.people import personal
from pbem.transaction.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.store.mails.outbox import OutboxRow
    from pbem.transaction.installation import House
    from pbem.transport import Result

RETRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
GIVE_UP: Final = timedelta(days=4)
A_SECOND: Final = timedelta(seconds=1)

log = structlog.get_logger("pbem.delivery")


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
    reply = f"{result.code or ''} {result.text}".strip()
    told = {"mail": row.id, "kind": row.kind, "result": result.kind, "code": result.code}
    next_at = None
    if result.kind == "sent":
        outbox.sent(conn, {row.id: reply}, at=now)
        credit_late_mail(conn, house, row, now)
        log.info("mail", **told)
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
        log.warning("mail", **told, why=result.text)
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
