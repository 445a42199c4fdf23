"""A mailbox on an IMAP server.

`fetch_new` searches for UIDs above the checkpoint's UID, asks the server for the sizes of these
messages, and fetches at most 50 messages and 8 MB at once. It uses `BODY.PEEK[]`, which does not
mark messages as read. If the UIDVALIDITY of the mailbox differs from the checkpoint's, all messages
are fetched again.

The connection stays open between fetches. If it was lost in the meantime, `fetch_new` opens a new
one at once. If that fails as well, the call raises an error, and the caller has to wait and call
again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import structlog

from pbem.names import Checkpoint
from pbem.transport import (
    BATCH_SIZE,
    MAX_MESSAGE_BYTES,
    Batch,
    FetchedMessage,
    MailboxError,
    TransportError,
)
from pbem.transport.imap_connection import CommandRefusedError, ImapConnection, open_connection
from pbem.transport.imap_protocol import ConnectionLostError
from pbem.transport.mail_server import MailServer

log = structlog.stdlib.get_logger(__name__)

BATCH_BYTES: Final = 8 * 1024 * 1024  # limit of the bytes of a batch, which is held in memory
POLL_SECONDS: Final = 30.0  # seconds between two searches if the server has no IDLE
QUOTA_SECONDS: Final = 3600.0  # seconds between two queries of the mailbox's quota
MAX_USAGE: Final = 0.9  # used part of the quota at which the operator is warned
FULL_ADVICE: Final = "Delete old emails in the mailbox; pbem needs none that it has processed"
# A message that the server lists but does not send is skipped after this number of fetches. With
# the pauses of the caller between them, this takes some minutes.
MAX_FETCH_ATTEMPTS: Final = 8

_BODY = "BODY.PEEK[]"
_HEADER = "BODY.PEEK[HEADER]<0.65536>"
_T = TypeVar("_T", int, bytes)


class ImapMailbox:
    """A `Mailbox` that is one folder of an IMAP account."""

    def __init__(self, server: MailServer, *, mailbox: str = "INBOX") -> None:
        """Store the server with the login, and the folder. The first fetch opens a connection."""
        self._server = server
        self._account = f"{server.user}@{server.host}"
        self._mailbox = mailbox
        self._open: ImapConnection | None = None
        self._quota_due_at = 0.0  # when to ask for the quota again, on the clock of `monotonic`
        self._failed_fetches: Counter[tuple[int, int]] = Counter()  # by UIDVALIDITY and UID

    async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
        """Return the next messages after a checkpoint, as described at `Mailbox.fetch_new`."""
        try:
            if self._open is not None:
                try:
                    return await self._fetch_batch(self._open, checkpoint)
                except ConnectionLostError:
                    await self.close()
            self._open = await self._connect()
            return await self._fetch_batch(self._open, checkpoint)
        except BaseException:
            # After a cancelled command, the next response would be the answer to that command.
            await self.close()
            raise

    async def find_newest(self) -> Checkpoint:
        """Return a checkpoint after the newest message, as described at `Mailbox.find_newest`."""
        await self.close()
        self._open = await self._connect()
        uids = await self._open.search("UID *")
        return self._make_checkpoint(self._open, max(uids, default=0))

    async def wait_for_new(self, seconds: float) -> None:
        """Wait until there may be new messages, as described at `Mailbox.wait_for_new`."""
        if self._open is None:
            return
        try:
            await self._open.wait_for_news(seconds, min(seconds, POLL_SECONDS))
        except BaseException:
            await self.close()
            raise

    async def mark_read(self, batch: Batch) -> None:
        r"""Set the \Seen flag on the messages of a stored batch."""
        if self._open is None or not batch.messages:
            return
        if self._open.uidvalidity != batch.checkpoint.uidvalidity:
            return  # these UIDs now name other messages
        try:
            await self._open.mark_seen(message.uid for message in batch.messages)
        except TransportError as error:
            log.warning("messages_not_marked_read", account=self._account, reason=str(error))
        except BaseException:
            await self.close()
            raise

    async def check(self) -> str:
        """Connect, log in and open the folder.

        Returns:
            The server, the folder and the user, for the operator.
        """
        await self.close()
        self._open = await self._connect()
        if shortage := await self._describe_shortage(self._open):
            raise MailboxError(shortage)
        return f"{self._server}, {self._mailbox} of {self._server.user or 'everybody'}"

    async def close(self) -> None:
        """Close the connection, if there is one."""
        if self._open is not None:
            self._open.close()
            self._open = None

    async def _connect(self) -> ImapConnection:
        connection = await open_connection(self._server)
        try:
            await connection.select(self._mailbox)
        except BaseException:
            connection.close()
            raise
        return connection

    async def _describe_shortage(self, connection: ImapConnection) -> str:
        """Return how full the mailbox is and what to do; an empty string if there is room."""
        used = await connection.find_usage(self._mailbox)
        text = f"{used:.0%} of the quota of {self._account} are used. {FULL_ADVICE}"
        return text if used >= MAX_USAGE else ""

    async def _fetch_batch(
        self, connection: ImapConnection, checkpoint: Checkpoint | None
    ) -> Batch | None:
        last_uid = 0
        if time.monotonic() >= self._quota_due_at:
            # Set before the query, so that a server that does not answer it delays one fetch only.
            self._quota_due_at = time.monotonic() + QUOTA_SECONDS
            if shortage := await self._describe_shortage(connection):
                log.error("mailbox_nearly_full", reason=shortage)
        if checkpoint is not None and checkpoint.uidvalidity == connection.uidvalidity:
            last_uid = checkpoint.uid
        listed_uids = await connection.search(f"UID {last_uid + 1}:*")
        # RFC 3501, section 6.4.8: n:* includes the last message even if its UID is below n.
        uids = [uid for uid in listed_uids if uid > last_uid][:BATCH_SIZE]
        if not uids:
            return None
        if checkpoint is not None and checkpoint.uidvalidity != connection.uidvalidity:
            log.warning("uidvalidity_changed", account=self._account, mailbox=self._mailbox)
        sizes = await _fetch_each_if_refused(connection.fetch_sizes, uids)
        uids = self._limit_bytes(uids, sizes)
        bodies = await self._fetch_bodies(connection, uids, sizes)
        missing = [uid for uid in uids if uid not in bodies]
        stuck_uid = await self._find_stuck(connection, missing)
        if stuck_uid is not None:
            uids = uids[: uids.index(stuck_uid)]
            if not uids:
                raise TransportError(f"{self._server} lists message {stuck_uid} but sends no text")
        messages = tuple(
            FetchedMessage(
                uid=uid, raw=bodies[uid], is_oversized=sizes.get(uid, 0) > MAX_MESSAGE_BYTES
            )
            for uid in uids
            if uid in bodies
        )
        return Batch(messages=messages, checkpoint=self._make_checkpoint(connection, uids[-1]))

    def _make_checkpoint(self, connection: ImapConnection, uid: int) -> Checkpoint:
        return Checkpoint(
            account=self._account,
            mailbox=self._mailbox,
            uidvalidity=connection.uidvalidity,
            uid=uid,
        )

    def _limit_bytes(self, uids: Sequence[int], sizes: Mapping[int, int]) -> list[int]:
        """Return as many of the first UIDs as fit into a batch, and at least one.

        The messages with the returned UIDs have at most `BATCH_BYTES` in total. `sizes` maps the
        UID of a message to its size in bytes.
        """
        limited: list[int] = []
        total = 0
        for uid in uids:
            total += min(sizes.get(uid, 0), MAX_MESSAGE_BYTES)
            if limited and total > BATCH_BYTES:
                break
            limited.append(uid)
        return limited

    async def _fetch_bodies(
        self, connection: ImapConnection, uids: Sequence[int], sizes: Mapping[int, int]
    ) -> dict[int, bytes]:
        """Return the bytes of each message by UID; of an oversized message, only the headers."""
        oversized = [uid for uid in uids if sizes.get(uid, 0) > MAX_MESSAGE_BYTES]
        small = [uid for uid in uids if uid not in oversized]
        bodies: dict[int, bytes] = {}
        for section, part in ((_BODY, small), (_HEADER, oversized)):
            fetch = partial(connection.fetch_bodies, section=section)
            bodies |= await _fetch_each_if_refused(fetch, part)
        return bodies

    async def _find_stuck(self, connection: ImapConnection, missing: Sequence[int]) -> int | None:
        """Return the UID of the first message that must be fetched again, or None if none must be.

        `missing` has the UIDs of messages that the server did not send. Messages that no longer
        exist are ignored. The failed attempt is counted. A message that has failed
        `MAX_FETCH_ATTEMPTS` times is skipped, so that it does not block all later messages.
        """
        if not missing:
            return None
        for uid in await connection.search(f"UID {','.join(map(str, missing))}"):
            if uid not in missing:
                continue
            key = (connection.uidvalidity, uid)
            self._failed_fetches[key] += 1
            if self._failed_fetches[key] < MAX_FETCH_ATTEMPTS:
                return uid
            log.error("message_skipped", account=self._account, mailbox=self._mailbox, uid=uid)
        return None


async def _fetch_each_if_refused(
    fetch: Callable[[Sequence[int]], Awaitable[dict[int, _T]]], uids: Sequence[int]
) -> dict[int, _T]:
    """Return the values that `fetch` returns, by UID.

    First `fetch` is called for all UIDs. If the server refuses this command, `fetch` is called for
    each UID alone. So a message that the server cannot read does not affect the other messages; it
    has no value in the result.
    """
    if not uids:
        return {}
    try:
        return {uid: value for uid, value in (await fetch(uids)).items() if uid in uids}
    except CommandRefusedError:
        if len(uids) == 1:
            return {}
    values: dict[int, _T] = {}
    for uid in uids:
        values |= await _fetch_each_if_refused(fetch, [uid])
    return values
