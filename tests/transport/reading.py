"""Read a mailbox as the service does: store a batch, mark it read, continue behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pbem.names import Checkpoint
from pbem.transport import Batch, FetchedMessage, Mailbox, TransportError


async def read_messages(
    mailbox: Mailbox,
    count: int,
    checkpoint: Checkpoint | None = None,
    *,
    after_batch: Callable[[Batch], None] = lambda _: None,
    extra_seconds: float = 0.0,
    within: float = 10.0,
) -> list[FetchedMessage]:
    """Return so many messages, and all others that come within the extra seconds."""
    messages: list[FetchedMessage] = []
    try:
        async with asyncio.timeout(within) as timeout:
            while len(messages) < count or extra_seconds:
                try:
                    batch = await mailbox.fetch_new(checkpoint)
                    if batch is None:
                        await mailbox.wait_for_new(0.3)
                        continue
                except TransportError:
                    await asyncio.sleep(0.02)
                    continue
                messages += batch.messages
                checkpoint = batch.checkpoint
                assert all(message.uid <= checkpoint.uid for message in batch.messages)
                await mailbox.mark_read(batch)
                after_batch(batch)
                if len(messages) >= count and extra_seconds:
                    timeout.reschedule(asyncio.get_running_loop().time() + extra_seconds)
    except TimeoutError:
        pass
    return messages
