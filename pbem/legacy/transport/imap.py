"""Reading a mailbox over IMAP, for ever and through every fault of server and network."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeVar

import structlog

from pbem.legacy.transport import (
    REACHED,
    AfterReading,
    Batch,
    Checkpoint,
    Fetched,
    LoginRefused,
    Probe,
    TransportError,
)
from pbem.legacy.transport.imap_connection import (
    ImapConnection,
    Refused,
    Selected,
    open_connection,
    uid_set,
)
from pbem.legacy.transport.server import Backoff, Server

log = structlog.stdlib.get_logger(__name__)

BATCH: Final = 50
BATCH_BYTES: Final = 8 * 1024 * 1024
HEADER: Final = "BODY.PEEK[HEADER]<0.65536>"
TRIES: Final = 3
"""How often a mail that the server lists but does not give is asked for before it is left out."""
SWEEP_SECONDS: Final = 3600.0
SWEPT: Final = frozenset({"move", "delete"})
"""After these nothing that was read is left, so that what lies there is swept now and then."""
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for what, in seconds."""

    answer: float = 30.0
    """Without a byte from the server, after which the connection counts as lost."""
    idle: float = 300.0
    """For one IDLE, before a look all the same; providers end it after 10 to 30 minutes."""
    poll: float = 30.0
    """Between two looks where the server has no IDLE."""
    first_pause: float = 1.0
    longest_pause: float = 300.0
    """Before connecting again after a fault: doubled each time from the first to the longest."""
    refused_pause: float = 300.0
    longest_refused_pause: float = 3600.0
    """The same after a refused login: who hammers is locked out."""


@dataclass(slots=True)
class _Place:
    """How far one reader has come, and which mails it could not get."""

    checkpoint: Checkpoint
    failures: Counter[int] = field(default_factory=Counter)
    next_sweep: float = 0.0


class ImapMailbox:
    """One folder of one account, as a `Mailbox`.

    What has been read is told by the checkpoint alone. Flagging, moving and deleting come after the
    consumer's commit, fail without harm, and are made up for by an hourly sweep.
    """

    def __init__(
        self,
        server: Server,
        *,
        account: str,
        mailbox: str = "INBOX",
        max_bytes: int = 1_000_000,
        after_reading: AfterReading = "keep",
        archive: str = "Archive",
        after_days: int = 0,
        patience: Patience | None = None,
    ) -> None:
        """`after_days`: read mail is moved or deleted once it has lain there for so long."""
        self._server = server
        self._account = account
        self._mailbox = mailbox
        self._max_bytes = max_bytes
        self._after_reading = after_reading
        self._archive = archive
        self._after_days = after_days
        self._patience = patience or Patience()
        self.state = "connecting"

    async def batches(self, checkpoint: Checkpoint | None) -> AsyncGenerator[Batch, None]:
        """New mails, as `Mailbox.batches` has it; it never ends by itself.

        After a change of UIDVALIDITY the whole folder is read again: the consumer knows its mails.
        """
        place = _Place(checkpoint or Checkpoint(self._account, self._mailbox, 0, 0))
        wishes = self._patience
        backoff = Backoff(wishes.first_pause, wishes.longest_pause)
        refused = Backoff(wishes.refused_pause, wishes.longest_refused_pause)
        while True:
            try:
                connection = await open_connection(self._server, patience=wishes.answer)
                try:
                    selected = await connection.select(self._mailbox)
                    self._tell_back(backoff, refused)
                    self._resume(place, selected)
                    async with aclosing(self._read(connection, place, backoff)) as batches:
                        async for batch in batches:
                            yield batch
                finally:
                    connection.close()
            except LoginRefused as error:
                self.state = str(error)
                if not refused.failures:
                    # The message says all; a traceback would only frighten the operator.
                    log.error("imap_login_refused", account=self._account, why=str(error))  # noqa: TRY400 - see above
                await asyncio.sleep(refused.next())
            except TransportError as error:
                self.state = str(error)
                if not backoff.failures:
                    log.warning("imap_lost", account=self._account, why=str(error))
                await asyncio.sleep(backoff.next())

    def _tell_back(self, backoff: Backoff, refused: Backoff) -> None:
        if backoff.failures or refused.failures:
            log.info("imap_back", account=self._account)
        refused.reset()

    def _resume(self, place: _Place, selected: Selected) -> None:
        known = place.checkpoint.uidvalidity
        if known == selected.uidvalidity:
            return
        if known:
            log.warning("imap_uidvalidity_changed", account=self._account, mailbox=self._mailbox)
        place.checkpoint = Checkpoint(self._account, self._mailbox, selected.uidvalidity, 0)
        place.failures.clear()

    async def _read(
        self, connection: ImapConnection, place: _Place, backoff: Backoff
    ) -> AsyncGenerator[Batch, None]:
        """Look, yield what is there, wait; until the connection is lost."""
        while True:
            await self._sweep(connection, place)
            behind = place.checkpoint.uid
            listed = await connection.search(f"UID {behind + 1}:*")
            # RFC 3501 6.4.8: n:* names the last mail even where its uid is below n.
            uids = [uid for uid in listed if uid > behind]
            for start in range(0, len(uids), BATCH):
                chunk = uids[start : start + BATCH]
                async with aclosing(self._read_chunk(connection, place, chunk)) as batches:
                    async for batch in batches:
                        yield batch
            backoff.reset()
            self.state = REACHED
            if not uids:
                # News that came during the search ends the wait at once.
                await connection.wait_for_news(self._patience.idle, self._patience.poll)

    async def _read_chunk(
        self, connection: ImapConnection, place: _Place, uids: Sequence[int]
    ) -> AsyncGenerator[Batch, None]:
        sizes = await _one_by_one_if_refused(connection.sizes, uids)
        for group in self._by_bytes(uids, sizes):
            raws = await self._fetch(connection, group, sizes)
            stuck = await self._first_stuck(connection, place, [u for u in group if u not in raws])
            end = group[-1] if stuck is None else stuck - 1
            mails = tuple(
                self._fetched(place, uid, raws[uid], sizes.get(uid, 0))
                for uid in group
                if uid in raws and uid <= end
            )
            following = replace(place.checkpoint, uid=end)
            if mails:
                yield Batch(mails, following)
            # Asked for more: the consumer has committed these.
            place.checkpoint = following
            if mails and not self._after_days:
                await self._put_away(connection, [mail.uid for mail in mails])
            if stuck is not None:
                raise TransportError(f"{self._server} lists mail {stuck} but does not give it")

    def _by_bytes(self, uids: Sequence[int], sizes: Mapping[int, int]) -> Iterator[list[int]]:
        """Runs of uids whose mails are together small enough to be held in memory."""
        group: list[int] = []
        total = 0
        for uid in uids:
            size = min(sizes.get(uid, 0), self._max_bytes)
            if group and total + size > BATCH_BYTES:
                yield group
                group, total = [], 0
            group.append(uid)
            total += size
        if group:
            yield group

    async def _fetch(
        self, connection: ImapConnection, uids: Sequence[int], sizes: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Uid -> the whole mail, or the headers of an oversize one; without those that are gone."""
        big = [uid for uid in uids if sizes.get(uid, 0) > self._max_bytes]
        small = [uid for uid in uids if sizes.get(uid, 0) <= self._max_bytes]
        raws = await _one_by_one_if_refused(connection.bodies, small)
        heads = await _one_by_one_if_refused(partial(connection.bodies, section=HEADER), big)
        return raws | heads

    async def _first_stuck(
        self, connection: ImapConnection, place: _Place, missing: Sequence[int]
    ) -> int | None:
        """The first mail that is not gone and yet was not given, if it shall be asked for again."""
        if not missing:
            return None
        for uid in await connection.search(f"UID {uid_set(missing)}"):
            place.failures[uid] += 1
            if place.failures[uid] < TRIES:
                return uid
            # A mail that its server cannot give must not keep the others from being read.
            log.error("imap_mail_left_out", account=self._account, uid=uid)
            if self._after_reading in SWEPT:
                await self._mark_unread(connection, uid)
        return None

    async def _mark_unread(self, connection: ImapConnection, uid: int) -> None:
        """Flag a mail that was left out: what is flagged is not put away at a new start either."""
        try:
            await connection.flag([uid], r"\Flagged")
        except Refused as error:
            log.error("imap_not_flagged", account=self._account, uid=uid, why=str(error))  # noqa: TRY400 - the server's words say all

    def _fetched(self, place: _Place, uid: int, raw: bytes, size: int) -> Fetched:
        return Fetched(
            account=self._account,
            mailbox=self._mailbox,
            uidvalidity=place.checkpoint.uidvalidity,
            uid=uid,
            raw=raw,
            oversize=size if size > self._max_bytes else None,
        )

    async def _sweep(self, connection: ImapConnection, place: _Place) -> None:
        """Put away what is due by its age, or was read before a crash; never what was left out."""
        now = time.monotonic()
        swept = self._after_reading in SWEPT
        if not swept or now < place.next_sweep or not place.checkpoint.uid:
            return
        criteria = f"UID 1:{place.checkpoint.uid} UNFLAGGED"
        if self._after_days:
            day = datetime.now(UTC) - timedelta(days=self._after_days)
            criteria += f" BEFORE {day.day}-{MONTHS[day.month - 1]}-{day.year}"
        found = await connection.search(criteria)
        uids = [uid for uid in found if place.failures[uid] < TRIES]
        for start in range(0, len(uids), BATCH):
            await self._put_away(connection, uids[start : start + BATCH])
        place.next_sweep = now + SWEEP_SECONDS

    async def _put_away(self, connection: ImapConnection, uids: Sequence[int]) -> None:
        """Cosmetics: a server that says no is told to the log, and reading goes on."""
        try:
            match self._after_reading:
                case "keep":
                    pass
                case "seen":
                    await connection.flag(uids, r"\Seen")
                case "move":
                    await connection.move(uids, self._archive)
                case "delete":
                    await connection.delete(uids)
        except Refused as error:
            log.warning("imap_not_put_away", account=self._account, why=str(error))

    async def probe(self) -> Probe:
        """Connect, log in, open the folder; LoginRefused or TransportError if one of them fails."""
        connection = await open_connection(self._server, patience=self._patience.answer)
        try:
            selected = await connection.select(self._mailbox)
            return Probe(
                greeting=connection.greeting,
                encryption=connection.encryption,
                capabilities=tuple(sorted(connection.capabilities)),
                facts={
                    "mails": selected.exists,
                    "uidvalidity": selected.uidvalidity,
                    "uidnext": selected.uidnext,
                },
            )
        finally:
            connection.close()


_Value = TypeVar("_Value", int, bytes)


async def _one_by_one_if_refused(
    ask: Callable[[Sequence[int]], Awaitable[dict[int, _Value]]], uids: Sequence[int]
) -> dict[int, _Value]:
    """Some servers refuse a whole FETCH for the sake of one mail that they cannot read."""
    if not uids:
        return {}
    try:
        return {uid: value for uid, value in (await ask(uids)).items() if uid in uids}
    except Refused:
        if len(uids) == 1:
            return {}
    found: dict[int, _Value] = {}
    for uid in uids:
        found |= await _one_by_one_if_refused(ask, [uid])
    return found
