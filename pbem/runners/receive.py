"""Receive letters, then take them one by one: from raw bytes to committed events and owed mails."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import StreamConflict
from pbem.intake.intent import Intent, lane_of, scope_of
from pbem.intake.sender import Known
from pbem.intake.take_letter import ReadAgain, Taken, take, tell_set_aside
from pbem.mail.letter import UnreadableLetter, head_of, mail_key
from pbem.runners.readers import LetterReader, ReadersBroken, ReadingFailed, ThreadReader
from pbem.store import scopes
from pbem.store.damage import words_of
from pbem.store.database import fault_of_the_store
from pbem.store.mails import inbox, unknown_letters
from pbem.store.mails.inbox import InboxRow, Received
from pbem.transaction.installation import House
from pbem.transport import Checkpoint

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.transport import Batch, Fetched, Mailbox

TOGETHER: Final = 50
"""Letters that are claimed at once."""

ATTEMPTS: Final = 3
"""A letter that fails so often is shunted, and the others go on."""

READINGS: Final = 3
"""A letter whose match moves on while it is read is read again so often."""

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
    return await _store([_kept(mail, house) for mail in batch.mails], checkpoint, house)


async def store_letter(mail: Fetched, house: House) -> int:
    """Commit one letter that was handed to us, without a checkpoint; 1 if it is new, else 0."""
    return await _store([_kept(mail, house)], None, house)


async def _store(letters: list[Received], checkpoint: inbox.Checkpoint | None, house: House) -> int:
    def unit(conn: Connection) -> int:
        return inbox.receive(conn, letters, checkpoint, house.now())

    return await asyncio.wrap_future(house.db.write(unit, scopes.OWN_ROWS))


def _kept(mail: Fetched, house: House) -> Received:
    letter = received(mail)
    if house.worker is None:
        return letter
    return replace(letter, lane=lane_of(mail.raw, mail.envelope_to, house.keys))


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


async def take_waiting(
    house: House, reader: LetterReader | None = None, *, tell: Callable[[], None] = lambda: None
) -> int:
    """Take every letter that waits, in the order of receipt; how many there were.

    `tell` is called after each batch of them: what they ask for need not wait for the last letter.

    A letter that fails waits for its next attempt and holds up nobody; the attempt was counted and
    committed before it began, so that a letter which kills the process is shunted in the end, too.
    """
    reader = reader or ThreadReader(house)
    taken = 0
    while rows := await _claim(house):
        claimed = asyncio.get_running_loop().time()
        again: list[InboxRow] = []
        stale = Stale()
        reading = [asyncio.create_task(_read(reader, row)) for row in rows]
        read = [(row, await one) for row, one in zip(rows, reading, strict=True)]
        units = [(row, _write(house, row, what, stale, claimed)) for row, what in read]
        faults = [await _settle(house, reader, row, unit, again) for row, unit in units]
        behind = [await _take_again(house, reader, row, claimed) for row in again]
        for fault in filter(None, [*faults, *behind]):
            raise fault
        taken += len(rows)
        tell()
        if house.arrived.add(sum(len(row.raw) for row in rows)):
            await _bound_unknown(house)
    return taken


async def _bound_unknown(house: House) -> None:
    """No flood of people whom nobody knows fills the disk."""
    most = house.settings.strangers.letters_megabytes * 1_000_000
    gone = await asyncio.wrap_future(house.db.write(lambda conn: unknown_letters.trim(conn, most)))
    if gone:
        log.warning("unknown_letters_dropped", letters=gone, megabytes=most // 1_000_000)


async def _claim(house: House) -> list[InboxRow]:
    def unit(conn: Connection) -> list[InboxRow]:
        return inbox.claim(conn, TOGETHER, house.worker)

    return await asyncio.wrap_future(house.db.write(unit, scopes.CLAIMS))


async def _read(reader: LetterReader, row: InboxRow) -> Intent | Exception:
    """What a letter says, or why it says nothing: that is settled in its unit like everything else.

    Whatever fails here fails for this letter alone: what rose out of here would end the taking of
    all letters, again and again.
    """
    try:
        return await reader.read(row)
    except (UnreadableLetter, ReadingFailed) as error:
        return error
    except Exception as error:  # noqa: BLE001 - it is raised again in the unit
        return error


@dataclass(slots=True)
class Stale:
    """What letters of a batch that have to be read again are about.

    Letters about the same are read again behind them: the order of receipt decides.
    """

    names: set[str] = field(default_factory=set)

    def holds(self, intent: Intent) -> bool:
        """Whether a letter is about any of it."""
        return not self.names.isdisjoint(_about(intent))

    def add(self, intent: Intent) -> None:
        """What this letter is about."""
        self.names.update(_about(intent))


def _about(intent: Intent) -> Iterator[str]:
    """The matches that a letter speaks of, and its writer."""
    if intent.consulted is not None:
        yield from (name for name, _ in intent.consulted.versions)
    if isinstance(intent.sender, Known):
        yield intent.sender.player.id
    elif intent.letter.sender is not None:
        yield intent.letter.sender.casefold()


def _write(
    house: House, row: InboxRow, read: Intent | Exception, stale: Stale, claimed: float
) -> asyncio.Future[Taken]:
    unit = partial(_unit, house=house, row=row, read=read, stale=stale)
    scope = scopes.OWN_ROWS if isinstance(read, Exception) else scope_of(read)
    taken = asyncio.wrap_future(house.db.write(unit, scope))
    taken.add_done_callback(partial(_count, house, claimed))
    return taken


def _count(house: House, claimed: float, taken: asyncio.Future[Taken]) -> None:
    """What was committed is counted, and a turn is timed."""
    if taken.cancelled() or taken.exception() is not None:
        return
    house.tally.letters[taken.result().disposition] += 1
    if taken.result().changed:
        house.tally.turn(taken.get_loop().time() - claimed)


def _unit(
    conn: Connection, *, house: House, row: InboxRow, read: Intent | Exception, stale: Stale
) -> Taken:
    if isinstance(read, UnreadableLetter):
        return Taken.settled(conn, row, "unreadable", code=str(read))
    if isinstance(read, Exception):
        raise read
    if stale.holds(read):
        stale.add(read)
        raise ReadAgain
    try:
        return take(conn, house, row, read)
    except ReadAgain:
        stale.add(read)
        raise


async def _take_again(
    house: House, reader: LetterReader, row: InboxRow, claimed: float
) -> Exception | None:
    """Read a letter by the facts as they are now, until they hold while it is taken."""
    for _ in range(READINGS):
        again: list[InboxRow] = []
        unit = _write(house, row, await _read(reader, row), Stale(), claimed)
        fault = await _settle(house, reader, row, unit, again)
        if not again:
            return fault
    await _set_aside(house, reader, row, "its match moved on whenever it had been read")
    return None


async def _settle(
    house: House,
    reader: LetterReader,
    row: InboxRow,
    unit: asyncio.Future[Taken],
    again: list[InboxRow],
) -> Exception | None:
    """Note what became of the letter; a fault of disk or readers is given back: it has none."""
    try:
        taken = await unit
    except (ReadAgain, StreamConflict):
        log.info("conflict", mail=row.key)
        again.append(row)
    except ReadingFailed as error:
        await _set_aside(house, reader, row, str(error))
    except Exception as error:
        if isinstance(error, ReadersBroken) or fault_of_the_store(error):
            return error
        log.exception("letter_failed", mail=row.key, attempt=row.attempts)
        if row.attempts >= ATTEMPTS:
            reason = words_of(error) or f"{type(error).__name__}: {error}"
            await _set_aside(house, reader, row, reason)
    else:
        for loaded in taken.changed:
            house.cache.keep(loaded)
        log.info("letter", mail=row.key, **taken.record)
    return None


async def _set_aside(house: House, reader: LetterReader, row: InboxRow, reason: str) -> None:
    """Keep a letter for the operator, and tell its writer if its headers say who that is."""
    log.error("letter_shunted", mail=row.key, reason=reason)
    shunt = partial(_shunt, row=row, reason=reason)
    await asyncio.wrap_future(house.db.write(shunt, scopes.OWN_ROWS))
    house.tally.letters["shunted"] += 1
    intent = await _read(reader, replace(row, raw=head_of(row.raw)))
    if isinstance(intent, Exception):
        return
    try:
        await asyncio.wrap_future(
            house.db.write(partial(tell_set_aside, house=house, row=row, intent=intent))
        )
    except Exception:
        log.exception("not_told", mail=row.key)


def _shunt(conn: Connection, *, row: InboxRow, reason: str) -> None:
    inbox.shunt(conn, row.key, reason)
