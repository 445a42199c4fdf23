from __future__ import annotations

import asyncio
import math
import re
import smtplib
import sys
import time
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

import pytest

from pbem.errors import ConfigError
from pbem.legacy.transport import Checkpoint, Envelope, Fetched, Mailbox, TransportError
from pbem.legacy.transport.imap import ImapMailbox, Patience
from pbem.legacy.transport.loopback import loopback
from pbem.legacy.transport.server import Server
from pbem.legacy.transport.smtp import SmtpSender
from tests.legacy.servers import (
    HOST,
    DovecotServer,
    dovecot,
    free_port,
    needs_dovecot,
    needs_postfix,
    needs_submission,
    postfix,
    sink,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAILS = [b"Subject: %d\r\n\r\n.\r\n\xff\xfe \x00 )\r\n{3}\r\n" % n for n in range(120)]
QUICK = Patience(answer=5.0, first_pause=0.05, longest_pause=0.5)


@pytest.fixture
def server() -> Iterator[DovecotServer]:
    with dovecot() as running:
        yield running


def mailbox(server: DovecotServer, **wishes: object) -> ImapMailbox:
    given: dict[str, object] = {"account": "games", "patience": QUICK}
    return ImapMailbox(server.server(), **(given | wishes))  # type: ignore[arg-type] # the tests' own wishes


async def read(box: Mailbox, number: int, checkpoint: Checkpoint | None = None) -> list[Fetched]:
    mails: list[Fetched] = []
    async with asyncio.timeout(240), aclosing(box.batches(checkpoint)) as batches:
        async for batch in batches:
            mails += batch.mails
            if len(mails) >= number:
                break
    return mails


@needs_dovecot
async def test_dovecot_gives_every_mail_once_and_byte_for_byte(server: DovecotServer) -> None:
    server.deliver(*MAILS)
    mails = await read(mailbox(server), 120)
    assert [mail.uid for mail in mails] == list(range(1, 121))
    # Dovecot shows NUL, which no mail may have, as 0x80.
    assert [mail.raw for mail in mails] == [mail.replace(b"\0", b"\x80") for mail in MAILS]


@needs_dovecot
async def test_dovecots_push_arrives_long_before_a_poll(server: DovecotServer) -> None:
    box = mailbox(server, patience=Patience(idle=60.0))
    server.deliver(MAILS[0])
    async with asyncio.timeout(240), aclosing(box.batches(None)) as batches:
        await anext(batches)
        waiting = asyncio.ensure_future(anext(batches))
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        with smtplib.LMTP(HOST, server.lmtp_port) as lmtp:
            lmtp.sendmail("a@example.org", ["games+tag@example.org"], MAILS[1])
        assert len((await waiting).mails) == 1
        assert time.monotonic() - begun < 30.0


@needs_dovecot
async def test_a_restarted_dovecot_is_found_again_soon(server: DovecotServer) -> None:
    server.deliver(*MAILS[:60])
    back = 0.0
    mails: list[Fetched] = []
    async with asyncio.timeout(240), aclosing(mailbox(server).batches(None)) as batches:
        async for batch in batches:
            mails += batch.mails
            if len(mails) == 50:
                await asyncio.to_thread(server.stop)
                server.deliver(*MAILS[60:])
                asyncio.get_running_loop().run_in_executor(None, server.start)
                back = time.monotonic()
            if len(mails) == 100:
                assert time.monotonic() - back < 30.0
            if len(mails) >= 120:
                break
    assert [mail.uid for mail in mails] == list(range(1, 121))


@needs_dovecot
async def test_lost_indexes_of_dovecot_mean_all_mails_again(server: DovecotServer) -> None:
    server.deliver(*MAILS[:10])
    first = await read(mailbox(server), 10)
    server.stop()
    server.forget_uids()
    await asyncio.sleep(1.1)  # Dovecot takes the second of the clock as the new UIDVALIDITY
    server.start()
    stored = Checkpoint("games", "INBOX", first[-1].uidvalidity, first[-1].uid)
    again = await read(mailbox(server), 10, stored)
    assert sorted(mail.raw for mail in again) == sorted(mail.raw for mail in first)
    assert again[0].uidvalidity != first[0].uidvalidity


@needs_dovecot
@pytest.mark.parametrize("after", ["keep", "seen", "move", "delete"])
async def test_what_becomes_of_read_mail_at_dovecot(server: DovecotServer, after: str) -> None:
    server.deliver(*MAILS[:3])
    box = mailbox(server, after_reading=after, archive="Gelesene Züge")
    async with asyncio.timeout(240), aclosing(box.batches(None)) as batches:
        await anext(batches)
        server.deliver(MAILS[3])
        await anext(batches)
    assert (await box.probe()).facts["mails"] == (4 if after in ("keep", "seen") else 1)
    seen = [path.name for path in (server.maildir / "cur").iterdir() if path.name.endswith("S")]
    assert len(seen) == (3 if after == "seen" else 0)
    if after == "move":
        archive = mailbox(server, mailbox="Gelesene Züge")
        assert (await archive.probe()).facts["mails"] == 3


@needs_dovecot
async def test_mail_read_before_a_crash_is_put_away_by_the_next_reader(
    server: DovecotServer,
) -> None:
    server.deliver(*MAILS[:3])
    stored = (await read(mailbox(server), 3))[-1]
    server.deliver(MAILS[3])
    checkpoint = Checkpoint("games", "INBOX", stored.uidvalidity, stored.uid)
    await read(mailbox(server, after_reading="delete"), 1, checkpoint)
    assert (await mailbox(server).probe()).facts["mails"] == 1


@needs_dovecot
async def test_read_mail_younger_than_its_days_stays(server: DovecotServer) -> None:
    server.deliver(*MAILS[:3])
    box = mailbox(server, after_reading="delete", after_days=7)
    stored = (await read(box, 3))[-1]
    server.deliver(MAILS[3])
    await read(box, 1, Checkpoint("games", "INBOX", stored.uidvalidity, stored.uid))
    assert (await box.probe()).facts["mails"] == 4


@needs_dovecot
async def test_of_an_oversize_mail_only_the_headers_come(server: DovecotServer) -> None:
    big = b"Subject: big\r\n\r\n" + b"x" * 70 + b"\r\n" * 5000
    server.deliver(MAILS[0], big)
    mails = await read(mailbox(server, max_bytes=1000), 2)
    assert (mails[0].oversize, mails[1].oversize) == (None, len(big))
    assert mails[1].raw == b"Subject: big\r\n\r\n"


@needs_dovecot
@pytest.mark.parametrize(("security", "port"), [("tls", "imaps_port"), ("starttls", "imap_port")])
async def test_tls_to_dovecot_is_used_and_the_certificate_checked(
    server: DovecotServer, security: str, port: str
) -> None:
    target = server.server(security=security, port=getattr(server, port), ca_file=server.cert)
    probe = await ImapMailbox(target, account="games", patience=QUICK).probe()
    assert probe.encryption.startswith("TLSv1.")
    stranger = server.server(security=security, port=getattr(server, port))
    with pytest.raises(TransportError, match="certificate"):
        await ImapMailbox(stranger, account="games", patience=QUICK).probe()


@needs_dovecot
@needs_postfix
async def test_a_mail_goes_through_postfix_and_dovecot_with_its_tag(server: DovecotServer) -> None:
    with postfix(server.lmtp_port) as mta:
        sender = SmtpSender(Server(host=HOST, port=mta.smtp_port, security="none"))
        tagged = "games+k7qx2.2.hscv3ifp64ef5laf@example.org"
        envelope = Envelope("a@example.org", [tagged, "b@elsewhere.org"], MAILS[0])
        results = await sender.send(envelope)
        assert {rcpt: result.kind for rcpt, result in results.items()} == {
            tagged: "sent",
            "b@elsewhere.org": "permanent",
        }
        (mail,) = await read(mailbox(server), 1)
        await sender.aclose()
    assert f"Delivered-To: {tagged}\r\n".encode() in mail.raw
    assert mail.raw.startswith(b"Return-Path: <a@example.org>\r\n")


PIPELINING = pytest.mark.parametrize("pipelining", [False, True], ids=["plainly", "pipelined"])


async def some_mails(way: SmtpSender) -> None:
    """What goes, what is refused, and what goes behind that, on one connection."""
    tagged, stranger = "games+k7qx2.2.hscv3ifp64ef5laf@example.org", "b@elsewhere.org"
    for data in (MAILS[0], b"Subject: x\r\n\r\n.\r\n..\r\n" + b"x" * 70 + b"\r\n" * 5000):
        results = await way.send(Envelope("a@example.org", [tagged, stranger], data))
        assert {to: result.kind for to, result in results.items()} == {
            tagged: "sent",
            stranger: "permanent",
        }
        (result,) = (await way.send(Envelope("a@example.org", [stranger], data))).values()
        assert result.kind == "permanent"


def is_found_odd(way: SmtpSender) -> bool:
    return way._plain_until not in (0.0, math.inf)


@needs_postfix
@PIPELINING
async def test_postfix_takes_mails_plainly_and_in_flights(*, pipelining: bool) -> None:
    with postfix(free_port()) as mta:
        target = Server(host=HOST, port=mta.smtp_port, security="none")
        way = SmtpSender(target, pipelining=pipelining)
        assert "pipelining" in (await way.probe()).capabilities
        await some_mails(way)
        assert not is_found_odd(way)
        await way.aclose()
        async with asyncio.timeout(60):
            while not (mails := re.findall(r"disconnect from .* mail=(\S+)", mta.log())):  # noqa: ASYNC110 - a log tells nobody
                await asyncio.sleep(0.05)
        log = mta.log()
    # Postfix says so of commands that came at once unasked.
    assert "improper command pipelining" not in log
    assert mails == ["4"]  # all on one connection


@needs_submission
@PIPELINING
async def test_dovecots_submission_takes_mails_plainly_and_in_flights(*, pipelining: bool) -> None:
    async with sink() as behind:
        behind.rcpt = {"b@elsewhere.org": "550 5.1.1 never"}
        with dovecot(behind.port) as server:
            target = server.server(port=server.submission_port)
            way = SmtpSender(target, pipelining=pipelining)
            assert "pipelining" in (await way.probe()).capabilities
            await some_mails(way)
            assert not is_found_odd(way)
            await way.aclose()
        assert len(behind.mails) == 2
        assert behind.mails[1][2].endswith(b".\r\n..\r\n" + b"x" * 70 + b"\r\n" * 5000)


def own_server(port: int, user: str, password: str) -> Server:
    return Server(host=HOST, port=port, security="none", user=user, password=password)


async def test_a_mail_goes_through_the_server_in_this_process_with_its_tag() -> None:
    seen: list[Envelope] = []
    users = {"games@example.org": "pw", "Alice@example.org": 'p" w\\'}
    async with loopback(users, on_mail=seen.append) as both:
        sender = SmtpSender(Server(host=HOST, port=both.smtp_port, security="none"))
        envelope = Envelope(
            "b@x.org",
            ["Games+T1@example.org", "alice@example.org", "c@x.org"],
            b"Subject: x\r\n\r\n.\r\n",
        )
        results = await sender.send(envelope)
        assert {rcpt: result.kind for rcpt, result in results.items()} == {
            "Games+T1@example.org": "sent",
            "alice@example.org": "sent",
            "c@x.org": "permanent",
        }
        for user, password in users.items():
            target = Server(
                host=HOST,
                port=both.imap_port,
                security="none",
                user=user.lower(),
                password=password,
            )
            box = ImapMailbox(target, account="a", after_reading="delete", patience=QUICK)
            (mail,) = await read(box, 1)
            rcpt = "Games+T1@example.org" if user.startswith("games") else "alice@example.org"
            trace = f"Return-Path: <b@x.org>\r\nDelivered-To: {rcpt}\r\n"
            assert mail.raw == trace.encode() + envelope.data
        await sender.aclose()
    assert [mail.data for mail in seen] == [envelope.data]


@pytest.mark.parametrize(("password", "kind"), [("pw", "sent"), ("wrong", "transient")])
async def test_who_logs_in_to_the_server_in_this_process_needs_the_password(
    password: str, kind: str
) -> None:
    async with loopback({"games@example.org": "pw"}) as both:
        sender = SmtpSender(own_server(both.smtp_port, "games@example.org", password))
        results = await sender.send(Envelope("", ["games@example.org"], MAILS[0]))
        assert [result.kind for result in results.values()] == [kind]
        await sender.aclose()


async def test_the_server_in_this_process_pushes_new_mail() -> None:
    async with loopback({"games@example.org": "pw"}) as both:
        target = own_server(both.imap_port, "games@example.org", "pw")
        box = ImapMailbox(target, account="a", after_reading="move", patience=Patience(idle=60.0))
        for number in range(3):
            await both.deliver(Envelope("", [f"games+{number}@example.org"], MAILS[number]))
        async with asyncio.timeout(240), aclosing(box.batches(None)) as batches:
            assert len((await anext(batches)).mails) == 3
            waiting = asyncio.ensure_future(anext(batches))
            await asyncio.sleep(0.2)
            await both.deliver(Envelope("", ["games@example.org"], MAILS[3]))
            assert len((await waiting).mails) == 1
        assert (await box.probe()).facts["mails"] == 1


async def test_the_server_in_this_process_ends_with_all_that_it_began() -> None:
    before = asyncio.all_tasks()
    async with loopback({"games@example.org": "pw"}) as both:
        talks = [
            await asyncio.open_connection(HOST, port) for port in (both.imap_port, both.smtp_port)
        ]
        for reader, _ in talks:
            await reader.readline()
        writer = talks[0][1]
        writer.write(b"a LOGIN games@example.org pw\r\nb SELECT INBOX\r\nc IDLE\r\n")
        await talks[0][0].readuntil(b"\r\n+ ")
    async with asyncio.timeout(10):
        for reader, writer in talks:
            with suppress(ConnectionError):
                await reader.read()
            writer.close()
        if left := asyncio.all_tasks() - before:
            await asyncio.wait(left)


@pytest.mark.parametrize("package", ["pymap", "aiosmtpd"])
async def test_who_has_no_servers_for_the_demo_is_told_what_brings_them(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [package, *(name for name in sys.modules if name.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=r"pbem\[demo\]"):
        async with loopback({"games@example.org": "pw"}):
            pass
