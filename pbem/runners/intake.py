"""Receive letters, then take them one by one: from raw bytes to committed events and owed mails."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import StreamConflict
from pbem.mail.letter import Letter, UnreadableLetter, mail_key, read_letter
from pbem.runners.house import House
from pbem.runners.letters import Taken, take
from pbem.store import inbox
from pbem.store.database import fault_of_the_disk
from pbem.store.inbox import InboxRow, Received
from pbem.transport import Checkpoint

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transport import Batch, Fetched, Mailbox

TOGETHER: Final = 50
"""Letters that are claimed at once."""

ATTEMPTS: Final = 3
"""A letter that fails so often is shunted, and the others go on."""

PARSE_SECONDS: Final = 20
SMALL: Final = 32_768
"""Letters up to this size are parsed at once; greater ones in a thread, under a deadline."""

log = structlog.get_logger("pbem.intake")


# --- receiving: commit A -------------------------------------------------------


async def receive(
    mailbox: Mailbox, house: House, account: str, name: str, wake: asyncio.Event
) -> None:
    """Store what arrives, raw, with the checkpoint; for ever. From then on the mail is ours.

    `account` and `name` are those of the checkpoint: whose mailbox, and which of them.
    """
    stored = await asyncio.wrap_future(
        house.db.read(partial(inbox.checkpoint, account=account, mailbox=name))
    )
    where = None if stored is None else Checkpoint(**asdict(stored))
    async with contextlib.aclosing(mailbox.batches(where)) as batches:
        async for batch in batches:
            new = await store_batch(batch, house)
            log.info("received", account=account, mails=len(batch.mails), new=new)
            if new:
                wake.set()


async def store_batch(batch: Batch, house: House) -> int:
    """Commit a batch with its checkpoint; how many of its letters are new."""
    checkpoint = inbox.Checkpoint(**asdict(batch.checkpoint))
    return await _store([received(mail) for mail in batch.mails], checkpoint, house)


async def store_letter(mail: Fetched, house: House) -> int:
    """Commit one letter that was handed to us, without a checkpoint; 1 if it is new, else 0."""
    return await _store([received(mail)], None, house)


async def _store(letters: list[Received], checkpoint: inbox.Checkpoint | None, house: House) -> int:
    def unit(conn: Connection) -> int:
        return inbox.receive(conn, letters, checkpoint, house.now())

    return await asyncio.wrap_future(house.db.write(unit))


def received(mail: Fetched) -> Received:
    """A fetched mail as a row of the inbox. Its key knows another copy of the same letter again."""
    return Received(
        key=mail_key(mail.account, mail.raw),
        account=mail.account,
        mailbox=mail.mailbox,
        uidvalidity=mail.uidvalidity,
        uid=mail.uid,
        message_id=None,
        envelope_to=mail.envelope_to,
        raw=mail.raw,
        oversize=mail.oversize,
    )


# --- taking: commit B ------------------------------------------------------------


async def take_waiting(house: House) -> int:
    """Take every letter that waits, in the order of receipt; how many there were.

    A letter that fails waits for its next attempt and holds up nobody; the attempt was counted and
    committed before it began, so that a letter which kills the process is shunted in the end, too.
    """
    taken = 0
    while rows := await _claim(house):
        parsed = [(row, await _parse(row, house)) for row in rows]
        units = [
            (
                row,
                asyncio.wrap_future(
                    house.db.write(partial(_unit, house=house, row=row, read=read))
                ),
            )
            for row, read in parsed
        ]
        faults = [await _settle(house, row, unit) for row, unit in units]
        for fault in filter(None, faults):
            raise fault
        taken += len(rows)
    return taken


async def _claim(house: House) -> list[InboxRow]:
    def unit(conn: Connection) -> list[InboxRow]:
        return inbox.claim(conn, TOGETHER)

    return await asyncio.wrap_future(house.db.write(unit))


async def _parse(row: InboxRow, house: House) -> Letter | Exception:
    """The letter, or why there is none: that is settled in its unit like everything else.

    Whatever fails here fails for this letter alone: what rose out of here would end the taking of
    all letters, again and again.
    """
    read = partial(
        read_letter,
        row.raw,
        envelope_to=row.envelope_to,
        authserv_id=house.settings.site.authserv_id or None,
        own_addresses=(house.settings.site.address,),
    )
    try:
        if len(row.raw) <= SMALL:
            return read()
        async with asyncio.timeout(PARSE_SECONDS):
            return await asyncio.to_thread(read)
    except Exception as error:  # noqa: BLE001 - it is raised again in the unit
        return error


def _unit(
    conn: Connection,
    *,
    house: House,
    row: InboxRow,
    read: Letter | Exception,
) -> Taken:
    if isinstance(read, UnreadableLetter):
        return Taken.settled(conn, row, "unreadable", code=str(read))
    if isinstance(read, Exception):
        raise read
    return take(conn, house, row, read)


async def _settle(house: House, row: InboxRow, unit: asyncio.Future[Taken]) -> Exception | None:
    """Note what became of the letter; a fault of the disk is given back: the letter has none."""
    try:
        taken = await unit
    except StreamConflict:
        # Another worker was first. The letter is still `new`, and is taken again from the replay.
        log.info("conflict", mail=row.key)
    except Exception as error:
        if fault_of_the_disk(error):
            return error
        log.exception("letter_failed", mail=row.key, attempt=row.attempts)
        if row.attempts >= ATTEMPTS:
            reason = f"{type(error).__name__}: {error}"
            await asyncio.wrap_future(house.db.write(partial(_shunt, row=row, reason=reason)))
            log.error("letter_shunted", mail=row.key, reason=reason)  # noqa: TRY400 - told above
    else:
        for loaded in taken.changed:
            house.cache.keep(loaded)
        log.info("letter", mail=row.key, **taken.record)
    return None


def _shunt(conn: Connection, *, row: InboxRow, reason: str) -> None:
    inbox.shunt(conn, row.key, reason)
