"""A mail to ourselves, out through our sender and in through our mailbox: `pbem check --loop`."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from typing import TYPE_CHECKING, Literal

from pbem.mail.headers import read_headers
from pbem.mail.letter import LIMITS, UnreadableLetter, read_letter
from pbem.mail.mime import parse
from pbem.transport import Checkpoint, Envelope, Mailbox, Sender, TransportError

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.transport.imap import ImapMailbox

TEXT = "This is pbem's mail to itself (`pbem check --loop`). It can be deleted.\n"


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """How a mail to ourselves came back: after so many seconds, for these recipients.

    `results` are its Authentication-Results, the topmost first.
    """

    seconds: float
    recipients: tuple[str, ...]
    results: tuple[str, ...]


def loop_mail(
    *,
    sender: str,
    returns_to: str,
    recipient: str,
    message_id: str,
    now: datetime,
    authserv_id: str = "",
) -> Envelope:
    """The mail; it says that it is automatic, so that a running service lets it be.

    `sender` and `returns_to` are those of real mails: not every provider takes them. With an
    `authserv_id` it has a forged verdict of that server on itself, as anybody could write one.
    """
    message = EmailMessage(policy=SMTP)
    if authserv_id:
        message["Authentication-Results"] = _forged(authserv_id, sender, message_id)
    message["From"] = sender
    message["To"] = recipient
    message["Date"] = now
    message["Message-ID"] = message_id
    message["Subject"] = "pbem check"
    message["Auto-Submitted"] = "auto-generated"
    message["X-PBEM"] = "check"
    message.set_content(TEXT)
    return Envelope(mail_from=returns_to, rcpt_to=[recipient], data=message.as_bytes())


def _forged(authserv_id: str, sender: str, message_id: str) -> str:
    domain = sender.rpartition("@")[2]
    return f"{authserv_id}; dmarc=pass ({_mark(message_id)}) header.from={domain}"


def _mark(message_id: str) -> str:
    """What stands in the forged verdict of this mail and in no other header."""
    return message_id.strip("<>").partition("@")[0]


Fate = Literal["believed", "buried", "removed"]


def fate_of_forgery(results: tuple[str, ...], message_id: str) -> Fate:
    """What became of the forged verdict: it would be believed, or stands below another, or is gone.

    Who reads the topmost field only is safe from those below (MAIL 3).
    """
    mark = _mark(message_id)
    if results and mark in results[0]:
        return "believed"
    return "buried" if any(mark in value for value in results) else "removed"


async def round_trip(
    envelope: Envelope,
    message_id: str,
    *,
    way_out: AbstractAsyncContextManager[Sender],
    mailbox: ImapMailbox,
    seconds: float,
) -> RoundTrip:
    """Send the mail and wait for it.

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
            raw = await _arrival(mailbox, before, message_id)
    except TimeoutError:
        raise TransportError(f"the mail did not come within {seconds:g} s") from None
    took = time.monotonic() - began
    results = read_headers(parse(raw, LIMITS)).all("authentication-results")
    return RoundTrip(took, read_letter(raw).recipients, results)


async def _arrival(mailbox: Mailbox, after: Checkpoint, message_id: str) -> bytes:
    async with aclosing(mailbox.batches(after)) as batches:
        async for batch in batches:
            for mail in batch.mails:
                try:
                    letter = read_letter(mail.raw)
                except UnreadableLetter:
                    continue
                if letter.message_id == message_id:
                    return mail.raw
    raise TransportError("the mailbox ended")
