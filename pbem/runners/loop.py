"""A mail to ourselves, out through our sender and in through our mailbox: `pbem check --loop`."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager, aclosing
from email.message import EmailMessage
from email.policy import SMTP
from typing import TYPE_CHECKING

from pbem.mail.letter import UnreadableLetter, read_letter
from pbem.transport import Checkpoint, Envelope, Mailbox, Sender, TransportError

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.transport.imap import ImapMailbox

TEXT = "This is pbem's mail to itself (`pbem check --loop`). It can be deleted.\n"


def loop_mail(
    *, sender: str, returns_to: str, recipient: str, message_id: str, now: datetime
) -> Envelope:
    """The mail; it says that it is automatic, so that a running service lets it be.

    `sender` and `returns_to` are those of real mails: not every provider takes them.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = now
    message["Message-ID"] = message_id
    message["Subject"] = "pbem check"
    message["Auto-Submitted"] = "auto-generated"
    message["X-PBEM"] = "check"
    message.set_content(TEXT)
    return Envelope(mail_from=returns_to, rcpt_to=[recipient], data=message.as_bytes())


async def round_trip(
    envelope: Envelope,
    message_id: str,
    *,
    way_out: AbstractAsyncContextManager[Sender],
    mailbox: ImapMailbox,
    seconds: float,
) -> tuple[float, tuple[str, ...]]:
    """How many seconds the mail took, and the recipients that it came back with.

    Only what arrives from now on is looked at. Raises TransportError if the mail was refused, or
    did not come within `seconds`.
    """
    facts = (await mailbox.probe()).facts
    before = Checkpoint("", "", int(facts["uidvalidity"]), int(facts["uidnext"]) - 1)
    began = time.monotonic()
    async with way_out as sender:
        for recipient, result in (await sender.send(envelope)).items():
            if result.kind != "sent":
                raise TransportError(f"the mail to {recipient} was not taken: {result.text}")
    try:
        async with asyncio.timeout(seconds):
            recipients = await _arrival(mailbox, before, message_id)
    except TimeoutError:
        raise TransportError(f"the mail did not come within {seconds:g} s") from None
    return time.monotonic() - began, recipients


async def _arrival(mailbox: Mailbox, after: Checkpoint, message_id: str) -> tuple[str, ...]:
    async with aclosing(mailbox.batches(after)) as batches:
        async for batch in batches:
            for mail in batch.mails:
                try:
                    letter = read_letter(mail.raw)
                except UnreadableLetter:
                    continue
                if letter.message_id == message_id:
                    return letter.recipients
    raise TransportError("the mailbox ended")
