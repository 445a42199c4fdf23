"""The IMAP mailbox against a real server, Dovecot."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from pbem.transport import Batch, MailboxError, TransportError
from pbem.transport.imap import ImapMailbox
from tests.transport.dovecot import Dovecot, run_dovecot
from tests.transport.reading import read_messages

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.server

RAW = [b"Subject: %d\r\n\r\n.\r\n\xff\xfe )\r\n{3}\r\n" % number for number in range(120)]


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    with run_dovecot() as running:
        yield running


def make_mailbox(server: Dovecot) -> ImapMailbox:
    return ImapMailbox(server.make_server())


async def fetch(mailbox: ImapMailbox) -> Batch:
    batch = await mailbox.fetch_new(None)
    assert batch is not None
    return batch


async def test_dovecot_gives_each_message_once_and_byte_for_byte(dovecot: Dovecot) -> None:
    dovecot.deliver(*RAW)
    mailbox = make_mailbox(dovecot)
    messages = await read_messages(mailbox, 120, extra_seconds=0.2, within=60)
    # Dovecot numbers files that it finds at once in an order of its own.
    assert sorted(message.raw for message in messages) == sorted(RAW)
    assert [message.uid for message in messages] == list(range(1, 121))
    async with asyncio.timeout(30):
        while len(list((dovecot.maildir / "cur").glob("*S"))) < 120:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await mailbox.close()


async def test_a_password_has_other_letters_than_those_of_ascii() -> None:
    with run_dovecot(password="geheim-ä€") as dovecot:
        mailbox = make_mailbox(dovecot)
        assert await mailbox.fetch_new(None) is None
        await mailbox.close()


async def test_a_message_at_dovecot_ends_the_wait(dovecot: Dovecot) -> None:
    mailbox = make_mailbox(dovecot)
    dovecot.deliver(RAW[0])
    batch = await fetch(mailbox)
    assert await mailbox.fetch_new(batch.checkpoint) is None
    waiting = asyncio.ensure_future(mailbox.wait_for_new(120.0))
    await asyncio.sleep(0.3)
    started = time.monotonic()
    tagged = "games+k7qx2.2.hscv3ifp64ef5laf@example.org"
    await asyncio.to_thread(dovecot.deliver_by_lmtp, tagged, RAW[1])
    await waiting
    assert time.monotonic() - started < 60.0
    following = await mailbox.fetch_new(batch.checkpoint)
    assert following is not None
    assert following.messages[0].raw.endswith(RAW[1])
    await mailbox.close()


async def test_nothing_is_lost_when_dovecot_is_killed(dovecot: Dovecot) -> None:
    dovecot.deliver(*RAW[:60])

    def restart(batch: Batch) -> None:
        if batch.checkpoint.uid == 50:
            dovecot.kill()
            dovecot.deliver(*RAW[60:])
            asyncio.get_running_loop().run_in_executor(None, dovecot.start)

    mailbox = make_mailbox(dovecot)
    messages = await read_messages(mailbox, 120, after_batch=restart, within=120)
    # Dovecot numbers files that it finds at once in an order of its own.
    assert sorted(message.raw for message in messages) == sorted(RAW)
    await mailbox.close()


async def test_dovecot_gives_the_headers_of_an_oversized_message(dovecot: Dovecot) -> None:
    dovecot.deliver(RAW[0], b"Subject: big\r\n\r\n" + b"x" * 70 + b"\r\n" * 600_000)
    mailbox = make_mailbox(dovecot)
    batch = await fetch(mailbox)
    assert [message.is_oversized for message in batch.messages] == [False, True]
    assert batch.messages[1].raw == b"Subject: big\r\n\r\n"
    await mailbox.close()


async def test_a_mailbox_that_is_nearly_full_is_an_error_in_the_log(dovecot: Dovecot) -> None:
    mailbox = make_mailbox(dovecot)
    await mailbox.check()
    dovecot.deliver(b"Subject: big\r\n\r\n" + b"x" * 70 + b"\r\n" * 4_900_000)
    with capture_logs() as entries:
        for _ in range(2):
            await fetch(mailbox)
    [entry] = entries  # not at each fetch
    assert (entry["log_level"], entry["event"]) == ("error", "mailbox_nearly_full")
    with pytest.raises(MailboxError, match="93% of the quota of games@"):
        await mailbox.check()
    await mailbox.close()


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_the_certificate_of_dovecot_is_checked(security: str, dovecot: Dovecot) -> None:
    port = dovecot.imaps_port if security == "tls" else dovecot.imap_port
    options: dict[str, Any] = {"security": security, "port": port}
    known = ImapMailbox(dovecot.make_server(**options, ca_file=dovecot.certificate))
    assert await known.fetch_new(None) is None
    await known.close()
    with pytest.raises(TransportError, match="certificate"):
        await ImapMailbox(dovecot.make_server(**options)).fetch_new(None)
