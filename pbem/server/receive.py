"""Fetch new messages, and store them unprocessed (commit A of docs/architecture.md)."""

from __future__ import annotations

from functools import partial

from pbem.mail.inbound import inbox_key
from pbem.service.app import App
from pbem.store import inbox
from pbem.store.heartbeats import FETCH, note_heartbeat
from pbem.store.inbox import ReceivedMessage
from pbem.transport import Mailbox


async def receive_new_messages(app: App, mailbox: Mailbox) -> int:
    """Fetch and store messages until none are left, and return the number of new messages.

    The checkpoint is committed with the messages. After that, the messages are marked as read on
    the server. After a crash before the commit, the messages are fetched again.
    """
    count = 0
    while True:
        checkpoint, began = await app.database.read(inbox.find_checkpoint), app.now()
        batch = await mailbox.fetch_new(checkpoint)
        if batch is None:
            await app.database.write(partial(note_heartbeat, name=FETCH, at=began))
            return count
        account = batch.checkpoint.account
        messages = [
            ReceivedMessage(
                inbox_key(account, message.raw), account, message.raw, is_cut=message.is_oversized
            )
            for message in batch.messages
        ]
        count += await app.database.write(
            partial(
                inbox.store_messages,
                messages=messages,
                checkpoint=batch.checkpoint,
                received_at=began,
            )
        )
        await mailbox.mark_read(batch)
