"""Fetch new messages and keep them, before anything is done with them (commit A)."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.inbound import inbox_key
from pbem.service.app import App
from pbem.store import inbox
from pbem.store.inbox import ReceivedMessage
from pbem.transport import Checkpoint, Mailbox


async def receive_new_messages(app: App, mailbox: Mailbox) -> int:
    """Fetch until the mailbox has nothing new. Return how many messages were new to us.

    The checkpoint is committed with the messages; only then are they marked on the server. A crash
    before the commit makes the server give them again.
    """
    new = 0
    while True:
        checkpoint = await app.database.read(inbox.find_checkpoint)
        began: datetime = app.now()
        batch = await mailbox.fetch_new(None if checkpoint is None else _to_transport(checkpoint))
        if batch is None:
            await app.database.write(
                lambda conn, began=began: inbox.note_complete_fetch(conn, began)  # type: ignore[misc]
            )
            return new
        where = batch.checkpoint
        messages = [
            ReceivedMessage(
                inbox_key(where.account, message.raw),
                where.account,
                message.raw,
                is_cut=message.is_oversized,
            )
            for message in batch.messages
        ]
        kept = inbox.Checkpoint(where.account, where.mailbox, where.uidvalidity, where.uid)
        new += await app.database.write(
            lambda conn, messages=messages, kept=kept, began=began: inbox.store_messages(  # type: ignore[misc]
                conn, messages, checkpoint=kept, received_at=began
            )
        )
        await mailbox.mark_read(batch)


def _to_transport(checkpoint: inbox.Checkpoint) -> Checkpoint:
    return Checkpoint(
        account=checkpoint.account,
        mailbox=checkpoint.mailbox,
        uidvalidity=checkpoint.uidvalidity,
        uid=checkpoint.uid,
    )
