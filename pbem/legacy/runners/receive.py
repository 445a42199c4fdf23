"""Receive letters, then take them one by one: from raw bytes to committed events and owed mails."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import structlog

from pbem.errors import StreamConflict
from pbem.legacy.intake.intent import Intent, lane_of, scope_of
from pbem.legacy.intake.sender import Known
from pbem.legacy.intake.take_letter import ReadAgain, Taken, take, tell_set_aside
from pbem.legacy.mail.letter import UnreadableLetter, head_of, mail_key
from pbem.legacy.runners.readers import LetterReader, ReadersBroken, ReadingFailed, ThreadReader
from pbem.legacy.store import scopes
from pbem.legacy.store.damage import words_of
from pbem.legacy.store.database import fault_of_the_store
from pbem.legacy.store.log.event_log import AlreadyAppended
from pbem.legacy.store.mails import claims, inbox, unknown_letters
from pbem.legacy.store.mails.inbox import NotClaimed, Received
from pbem.legacy.transaction.installation import House
from pbem.legacy.transport import Checkpoint

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pbem.legacy.store.mails.inbox import InboxRow
    from pbem.legacy.transport import Fetched, Mailbox

TOGETHER: Final = 50
"""Letters that are claimed at once."""

ATTEMPTS: Final = 3
"""A letter that fails so often is shunted, and the others go on."""

READINGS: Final = 3
"""A letter whose match moves on while it is read is read again so often."""

ENDINGS: Final = 10
"""A letter that is begun oftener, and nobody is told how it ends, is shunted unread. They are more
than ATTEMPTS: what else ends the service, such as a mail that it writes, is no letter's fault."""

BEGUN_OFTEN: Final = "the service has ended whenever it was taken"
"""Why a letter is set aside that has had its attempts, none of which told how it had failed."""

_ATTEMPTS = attrgetter("attempts")

log = structlog.get_logger("pbem.legacy.intake")


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
            new = await store(batch.mails, batch.checkpoint, house)
            log.info("received", account=account, mails=len(batch.mails), new=new)
            if new:
                wake.set()


async def store(mails: Sequence[Fetched], checkpoint: Checkpoint | None, house: House) -> int:
    """Commit letters, with the checkpoint of their mailbox; how many of them are new."""
    shared = house.worker is not None
    letters = [
        received(mail, lane_of(mail.raw, mail.envelope_to, house.keys) if shared else None)
        for mail in mails
    ]
    where = None if checkpoint is None else inbox.Checkpoint(**asdict(checkpoint))
    keep = partial(inbox.receive, letters=letters, checkpoint=where, now=house.now())
    return await asyncio.wrap_future(house.db.write(keep, scopes.OWN_ROWS))


async def store_letter(mail: Fetched, house: House) -> int:
    """Commit one letter that was handed to us, without a checkpoint; 1 if it is new, else 0."""
    return await store([mail], None, house)


def received(mail: Fetched, lane: str | None = None) -> Received:
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
        lane=lane,
    )


# --- taking: commit B ------------------------------------------------------------


async def take_waiting(
    house: House, reader: LetterReader | None = None, wakes: Iterable[asyncio.Event] = ()
) -> int:
    """Take every letter that waits, in the order of receipt; how many there were.

    `wakes` are set after each batch of them: what they ask for need not wait for the last letter.

    A letter that fails waits for its next attempt and holds up nobody; the attempt was counted and
    committed before it began, so that a letter which kills the process is shunted in the end, too.
    """
    reader = reader or ThreadReader(house)
    taken, most = 0, TOGETHER
    if house.unblamed:
        await _give_back(house)
    claim = partial(inbox.claim, worker=house.worker)
    while rows := await asyncio.wrap_future(
        house.db.write(partial(claim, limit=most), scopes.CLAIMS)
    ):
        most = TOGETHER
        if max(map(_ATTEMPTS, rows)) >= ATTEMPTS:
            rows, most = await _apart(house, reader, rows), 1
        claimed = asyncio.get_running_loop().time()
        again: list[InboxRow] = []
        stale: set[str] = set()
        read = await asyncio.gather(*map(reader.read, rows), return_exceptions=True)
        units = [_write(house, row, what, stale) for row, what in zip(rows, read, strict=True)]
        faults = [
            await _settle(house, reader, row, unit, claimed, again)
            for row, unit in zip(rows, units, strict=True)
        ]
        behind = [await _take_again(house, reader, row, claimed) for row in again]
        for fault in filter(None, [*faults, *behind]):
            house.unblamed.extend(rows)
            raise fault
        taken += len(rows)
        for event in wakes:
            event.set()
        if house.arrived.add(sum(len(row.raw) for row in rows)):
            await _bound_unknown(house)
    return taken


async def _apart(house: House, reader: LetterReader, rows: list[InboxRow]) -> list[InboxRow]:
    """The letters that are taken next where some were tried often: those go one by one.

    A process that ends takes all that it has begun along, and one of them alone is to blame. What
    was begun more often is set aside and not looked at, but for its headers, once that is kept.
    """
    due = [row for row in rows if row.attempts <= ENDINGS]
    last = next((n for n, row in enumerate(due) if row.attempts >= ATTEMPTS), len(due))
    now, later = due[: last or 1], due[last or 1 :]
    if later:
        house.unblamed.extend(later)
        await _give_back(house)
    for row in rows:
        if row.attempts > ENDINGS and (fault := await _set_aside(house, reader, row, BEGUN_OFTEN)):
            house.unblamed.extend(now)
            raise fault
    return now


async def _give_back(house: House) -> None:
    """Do not count tries of letters that were none."""
    rows = list(house.unblamed)
    await asyncio.wrap_future(house.db.write(partial(claims.give_back, rows=rows), scopes.CLAIMS))
    house.unblamed.clear()


async def _bound_unknown(house: House) -> None:
    """No flood of people whom nobody knows fills the disk."""
    most = house.settings.strangers.letters_megabytes * 1_000_000
    gone = await asyncio.wrap_future(house.db.write(lambda conn: unknown_letters.trim(conn, most)))
    if gone:
        log.warning("unknown_letters_dropped", letters=gone, megabytes=most // 1_000_000)


def _write(
    house: House, row: InboxRow, read: Intent | BaseException, stale: set[str]
) -> asyncio.Future[Taken]:
    """Take a letter by what it says; why it says nothing is settled in a unit like all else.

    `stale` is what letters of its batch that have to be read again are about. Letters about the
    same are read again behind them: the order of receipt decides.
    """
    unit = partial(_unit, house=house, row=row, read=read, stale=stale)
    scope = scopes.OWN_ROWS if isinstance(read, BaseException) else scope_of(read)
    return asyncio.wrap_future(house.db.write(unit, scope))


def _unit(
    conn: Connection,
    *,
    house: House,
    row: InboxRow,
    read: Intent | BaseException,
    stale: set[str],
) -> Taken:
    if isinstance(read, UnreadableLetter):
        return Taken.settled(conn, row, "unreadable", code=str(read))
    if isinstance(read, BaseException):
        raise read
    if stale and not stale.isdisjoint(_about(read)):
        stale.update(_about(read))
        raise ReadAgain
    try:
        return take(conn, house, row, read)
    except ReadAgain:
        stale.update(_about(read))
        raise


def _about(intent: Intent) -> Iterator[str]:
    """The matches that a letter speaks of, and its writer."""
    if intent.consulted is not None:
        yield from (name for name, _ in intent.consulted.versions)
    if isinstance(intent.sender, Known):
        yield intent.sender.player.id
    elif intent.letter.sender is not None:
        yield intent.letter.sender.casefold()


async def _take_again(
    house: House, reader: LetterReader, row: InboxRow, claimed: float
) -> Exception | None:
    """Read a letter by the facts as they are now, until they hold while it is taken."""
    for _ in range(READINGS):
        again: list[InboxRow] = []
        [read] = await asyncio.gather(reader.read(row), return_exceptions=True)
        unit = _write(house, row, read, set())
        fault = await _settle(house, reader, row, unit, claimed, again)
        if not again:
            return fault
    return await _set_aside(house, reader, row, "its match moved on whenever it had been read")


async def _settle(  # noqa: PLR0917 - what is known of a letter
    house: House,
    reader: LetterReader,
    row: InboxRow,
    unit: asyncio.Future[Taken],
    claimed: float,
    again: list[InboxRow],
) -> Exception | None:
    """Note what became of the letter; a fault of disk or readers is given back: it has none.

    What others have taken meanwhile stays as they have left it: nothing of our try is kept.
    """
    try:
        taken = await unit
    except (ReadAgain, StreamConflict):
        log.info("conflict", mail=row.key)
        again.append(row)
    except NotClaimed:
        log.warning("letter_is_others", mail=row.key)
    except AlreadyAppended as error:
        log.warning("letter_was_done", mail=row.key, why=str(error))
        done = partial(inbox.settle, key=row.key, state="done", disposition="done", claimed=row)
        fault = await _closed(house, row, done)
        return None if isinstance(fault, NotClaimed) else fault
    except Exception as error:
        if isinstance(error, ReadersBroken) or fault_of_the_store(error):
            return error
        log.exception("letter_failed", mail=row.key, attempt=row.attempts)
        if row.attempts >= ATTEMPTS:
            name = "" if isinstance(error, ReadingFailed) else f"{type(error).__name__}: "
            return await _set_aside(house, reader, row, words_of(error) or f"{name}{error}")
    else:
        for loaded in taken.changed:
            house.cache.keep(loaded)
        house.tally.letters[taken.disposition] += 1
        if taken.changed:
            house.tally.turn(unit.get_loop().time() - claimed)
        log.info("letter", mail=row.key, **taken.record)
    return None


async def _closed(
    house: House, row: InboxRow, unit: Callable[[Connection], None]
) -> Exception | None:
    """Settle a letter for which nothing more is done; why it is not: others have it, or a fault."""
    try:
        await asyncio.wrap_future(house.db.write(unit, scopes.OWN_ROWS))
    except NotClaimed as others:
        log.warning("letter_is_others", mail=row.key)
        return others
    except Exception as error:  # noqa: BLE001 - it is told once the others have been taken
        return error
    return None


async def _set_aside(
    house: House, reader: LetterReader, row: InboxRow, reason: str
) -> Exception | None:
    """Keep a letter for the operator, and tell its writer if its headers say who that is.

    Gives back a fault of the disk.
    """
    shunt = partial(inbox.shunt, key=row.key, reason=reason, claimed=row)
    if (fault := await _closed(house, row, shunt)) is not None:
        return None if isinstance(fault, NotClaimed) else fault
    log.error("letter_shunted", mail=row.key, reason=reason)
    house.tally.letters["shunted"] += 1
    try:
        intent = await reader.read(replace(row, raw=head_of(row.raw)))
    except Exception:  # noqa: BLE001 - then nobody can be told
        return None
    try:
        await asyncio.wrap_future(
            house.db.write(partial(tell_set_aside, house=house, row=row, intent=intent))
        )
    except Exception:
        log.exception("not_told", mail=row.key)
    return None
