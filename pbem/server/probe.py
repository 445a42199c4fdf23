"""The test email of `pbem check --loop`, which the service sends to itself.

The test email takes the same path as replies. Its recipient is a reply address that does not belong
to a player. So the test shows whether the server accepts addresses with a tag. The test email
contains a forged Authentication-Results header, in the name of our server (RFC 8601, section 5). If
that header arrives as the topmost of its kind, anyone can write as any player. A service that is
running recognizes the email as its own, and ignores it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.errors import ConfigError
from pbem.mail.addresses import (
    PlayerAddress,
    add_tag,
    make_envelope_sender,
    make_message_id,
    make_tag,
)
from pbem.mail.headers import read_headers
from pbem.mail.inbound import parse_inbound
from pbem.mail.mime import UnreadableEmailError, parse
from pbem.mail.outbound import OutboundEmail, compose
from pbem.names import Checkpoint, PlayerId
from pbem.service.app import App
from pbem.settings import Settings
from pbem.transport import Envelope, Mailbox, Mailer, SendOutcome, TransportError
from pbem.transport.factory import open_mailbox, open_mailer
from pbem.transport.imap import FULL_ADVICE

LOOK_SECONDS: Final = 5.0  # longest time between two fetches from the mailbox
TEXT: Final = "pbem has sent this email to itself, to see that its mailbox works.\n"
TAG_ADVICE: Final = (
    "site.delimiter is the sign before the tag; empty if the mailbox gets all emails of its domain"
)
REFUSAL_ADVICE: Final = (
    " `pbem serve` would try again for four days. If the answer is the same in an hour, ask the "
    "provider whether the account may send, and how much"
)
FORGERY_ADVICE: Final = (
    "Anybody can write as any player then. Let the server remove this header from emails that "
    'come in, or set site.authserv_id = ""'
)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check of `pbem check`: the check's name, its success, and a text.

    For a failure, the text contains advice.
    """

    name: str
    is_well: bool
    text: str


@dataclass(frozen=True, slots=True)
class _Probe:
    """The test email; `mark` is a random text that occurs only in its forged header."""

    message_id: str
    mark: str
    envelope: Envelope


def probe_loop(app: App, settings: Settings, *, seconds: float) -> Iterator[CheckResult]:
    """Send a test email to ourselves, and yield the results of the checks that it allows.

    `seconds` is the longest time to wait for the email.
    """
    maildir = settings.maildir
    if maildir.outgoing is not None and maildir.outgoing != maildir.incoming:
        text = "left out: emails go into a Maildir, which nobody delivers"
        yield CheckResult("loop", is_well=True, text=text)
        return
    probe = _make_probe(app)
    try:
        raw, delay = asyncio.run(_send_and_wait(settings, probe, seconds))
    except (TransportError, ConfigError) as error:
        yield CheckResult("loop", is_well=False, text=str(error))
        return
    email = parse_inbound(raw, own_address=app.site.address, authserv_id=app.site.authserv_id)
    text = f"an email to {probe.envelope.recipient} came back in {delay:.1f} s"
    has_tag = probe.envelope.recipient.casefold() in {
        address.casefold() for address in email.recipients
    }
    if not has_tag:
        text = f"{text}, but without its tag. {TAG_ADVICE}"
    yield CheckResult("loop", is_well=has_tag, text=text)
    yield _judge_headers(app.site.authserv_id, raw, probe)


def _make_probe(app: App) -> _Probe:
    site, keys = app.site, app.keys
    domain = site.address.rpartition("@")[2]
    tag = make_tag(keys, PlayerAddress(PlayerId("check")))
    address = add_tag(site.address, tag, delimiter=site.delimiter)
    message_id = make_message_id(keys, cause=f"check:{app.entropy(16).hex()}", domain=domain)
    mark = app.entropy(8).hex()
    data = compose(
        OutboundEmail(
            message_id=message_id,
            from_name=site.title,
            from_address=address,
            to_name="",
            to_address=address,
            reply_to=address,
            subject="pbem check",
            date=app.now(),
            kind="check",
            list_id=domain,
            unsubscribe=address,
            text=TEXT,
            html=f"<p>{TEXT}</p>",
            is_reply=False,
        )
    )
    if site.authserv_id:
        verdict = f"{site.authserv_id}; dmarc=pass ({mark}) header.from={domain}"
        data = f"Authentication-Results: {verdict}\r\n".encode() + data
    mail_from = make_envelope_sender(keys, site.address, message_id, delimiter=site.delimiter)
    return _Probe(message_id, mark, Envelope(mail_from=mail_from, recipient=address, data=data))


async def _send_and_wait(settings: Settings, probe: _Probe, seconds: float) -> tuple[bytes, float]:
    """Send the test email, and return its received bytes and the seconds until it arrived.

    Raises:
        TransportError: The email was refused, or did not arrive in time.
    """
    mailbox, mailer = open_mailbox(settings), open_mailer(settings)
    try:
        newest = await mailbox.find_newest()
        began = time.monotonic()
        await _send(mailer, probe)
        try:
            async with asyncio.timeout(seconds):
                return await _wait(mailbox, newest, probe), time.monotonic() - began
        except TimeoutError:
            raise TransportError(
                f"an email to {probe.envelope.recipient} was sent, but did not come back in "
                f"{seconds:g} s. Look into the spam folder. Does the server take addresses with a "
                f"tag? {TAG_ADVICE}. A server that lets new senders wait needs a longer --seconds"
            ) from None
    finally:
        await mailbox.close()
        await mailer.close()


async def _send(mailer: Mailer, probe: _Probe) -> None:
    result = await mailer.send(probe.envelope)
    if result.outcome is SendOutcome.SENT:
        return
    advice = REFUSAL_ADVICE
    if "4.2.2" in result.reply or "5.2.2" in result.reply:  # RFC 3463: mailbox full
        advice = f" {FULL_ADVICE}"
    elif result.outcome is SendOutcome.PERMANENT:
        advice = (
            f" If this is about the recipient: {TAG_ADVICE}. If about the sender: let the provider "
            "allow the account to send as all addresses of its mailbox"
        )
    reply = " ".join(map(str, filter(None, (result.code, result.reply)))).rstrip(".")
    raise TransportError(f"an email to {probe.envelope.recipient} was refused: {reply}.{advice}")


async def _wait(mailbox: Mailbox, checkpoint: Checkpoint, probe: _Probe) -> bytes:
    while True:
        batch = await mailbox.fetch_new(checkpoint)
        if batch is None:
            await mailbox.wait_for_new(LOOK_SECONDS)
            continue
        checkpoint = batch.checkpoint
        for message in batch.messages:
            try:
                headers = read_headers(parse(message.raw))
            except UnreadableEmailError:
                continue
            if headers.first.get("message-id") == probe.message_id:
                return message.raw


def _judge_headers(authserv_id: str, raw: bytes, probe: _Probe) -> CheckResult:
    """Return the check result that says whether our server let the forged header through.

    Args:
        authserv_id: The name under which our server writes the header; empty if none is trusted.
        raw: The test email as it was received.
        probe: The test email as it was sent.
    """
    results = read_headers(parse(raw)).all.get("authentication-results", ())
    writer = results[0].partition(";")[0].split()[:1] if results else []
    name = writer[0] if writer else ""
    if not authserv_id:
        text = "site.authserv_id is not set: no Authentication-Results header is believed"
        if name:
            text += f". The server writes one as {name!r}; set it, and check again"
        return CheckResult("headers", is_well=True, text=text)
    forged = f"a forged Authentication-Results header of {authserv_id!r}"
    if results and probe.mark in results[0]:
        return CheckResult(
            "headers", is_well=False, text=f"{forged} came through. {FORGERY_ADVICE}"
        )
    was_removed = all(probe.mark not in value for value in results)
    text = f"{forged} {'was removed' if was_removed else 'is below another one and is not read'}"
    if name.casefold() != authserv_id.casefold():
        text += f". The topmost one is of {name or 'nobody'!r}, so that no verdict counts"
    return CheckResult("headers", is_well=True, text=text)
