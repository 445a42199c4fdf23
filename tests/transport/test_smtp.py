from __future__ import annotations

import asyncio
import socket
import ssl
from typing import TYPE_CHECKING, Any

import pytest

from pbem.transport import (
    Envelope,
    LoginError,
    SendOutcome,
    SendResult,
    TransportError,
    smtp,
)
from pbem.transport.mail_server import MailServer
from pbem.transport.smtp import MAX_CONNECTIONS, SmtpMailer
from tests.transport.certificates import make_certificate
from tests.transport.smtp_sink import HOST, SmtpSink, run_smtp_sink

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

SENT, TRANSIENT, PERMANENT, AMBIGUOUS = SendOutcome


@pytest.fixture(autouse=True)
def time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "REPLY_SECONDS", 5.0)
    monkeypatch.setattr(smtp, "DATA_SECONDS", 0.5)


@pytest.fixture
async def sink() -> AsyncIterator[SmtpSink]:
    async with run_smtp_sink() as running:
        yield running


def make_mailer(port: int, **server: Any) -> SmtpMailer:
    given: dict[str, Any] = {"host": HOST, "port": port, "security": "none"}
    return SmtpMailer(MailServer(**(given | server)))


async def send(
    mailer: SmtpMailer,
    recipient: str = "ann@example.org",
    data: bytes = b"Subject: x\r\n\r\nhello\r\n",
) -> SendResult:
    async with asyncio.timeout(30):
        envelope = Envelope(mail_from="games@example.org", recipient=recipient, data=data)
        return await mailer.send(envelope)


async def test_the_bytes_arrive_as_they_were_given(sink: SmtpSink) -> None:
    data = b"Subject: x\r\n\r\n.\r\n..\r\n.dot\r\n" + bytes(range(128, 256)) + b"\r\n"
    mailer = make_mailer(sink.port)
    result = await send(mailer, data=data)
    assert (result.outcome, result.code) == (SENT, 250)
    assert sink.emails == [("games@example.org", "ann@example.org", data)]
    await mailer.close()


REPLIES = [
    ("mail", "451 busy", TRANSIENT, 451),
    ("mail", "550 5.7.1 over quota", TRANSIENT, 550),  # about us, not about the recipient
    ("mail", "421 leaving", TRANSIENT, 421),
    ("rcpt", "450 later", TRANSIENT, 450),
    ("rcpt", "550 5.1.1 no such user", PERMANENT, 550),
    ("rcpt", "553 5.7.1 you may not send", TRANSIENT, 553),
    ("rcpt", "550 5.7.26 not authenticated", TRANSIENT, 550),
    ("rcpt", "550 #5.7.1 you may not send", TRANSIENT, 550),
    ("rcpt", "503 bad sequence", TRANSIENT, 503),
    ("rcpt", "251 will forward", SENT, 250),
    ("data", "451 busy", TRANSIENT, 451),
    ("data", "554 spam", PERMANENT, 554),
    ("data", "550 5.4.5 daily limit exceeded", TRANSIENT, 550),
    ("data", "421 leaving", TRANSIENT, 421),
    ("data", "drop", AMBIGUOUS, None),
    ("data", "hang", AMBIGUOUS, None),
]


@pytest.mark.parametrize(("command", "reply", "outcome", "code"), REPLIES)
async def test_a_reply_has_an_outcome_and_the_next_email_is_sent(
    command: str, reply: str, outcome: SendOutcome, code: int | None, sink: SmtpSink
) -> None:
    mailer = make_mailer(sink.port)
    for _ in ("on a new connection", "on one that was used"):
        getattr(sink, f"{command}_replies").append(reply)
        result = await send(mailer)
        assert (result.outcome, result.code) == (outcome, code)
        assert (await send(mailer)).outcome is SENT
    assert sink.connections == (3 if code in (None, 421) else 1)


@pytest.mark.parametrize(
    ("limit", "value", "connections"),
    [("MAX_EMAILS", 2, 2), ("MAX_IDLE_SECONDS", 0.0, 3), ("MAX_EMAILS", 9, 1)],
)
async def test_a_connection_is_used_only_so_often_and_so_long(
    limit: str, value: float, connections: int, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pbem.transport.smtp.{limit}", value)
    mailer = make_mailer(sink.port)
    for _ in range(3):
        assert (await send(mailer)).outcome is SENT
    assert sink.connections == connections


async def test_a_server_has_longer_for_the_text_than_for_commands(
    sink: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "REPLY_SECONDS", 0.5)
    monkeypatch.setattr(smtp, "DATA_SECONDS", 20.0)
    sink.data_seconds = 0.8
    mailer = make_mailer(sink.port)
    assert (await send(mailer)).outcome is SENT


async def test_an_old_server_without_extensions_takes_emails(sink: SmtpSink) -> None:
    sink.knows_ehlo = False
    mailer = make_mailer(sink.port)
    assert (await send(mailer)).outcome is SENT


async def test_an_idle_connection_that_the_server_closed_costs_no_email(sink: SmtpSink) -> None:
    mailer = make_mailer(sink.port)
    await send(mailer)
    sink.reset_connections()
    assert (await send(mailer)).outcome is SENT
    assert len(sink.emails) == sink.connections == 2


async def test_a_new_connection_that_is_lost_before_the_data_is_transient(sink: SmtpSink) -> None:
    sink.mail_replies.append("drop")
    mailer = make_mailer(sink.port)
    result = await send(mailer)
    assert (result.outcome, result.code) == (TRANSIENT, None)
    assert sink.connections == 1
    sink.mail_replies.append("drop")
    assert (await send(mailer)).outcome is TRANSIENT
    assert not sink.emails


async def test_at_most_four_emails_are_sent_at_once(sink: SmtpSink) -> None:
    sink.data_seconds = 0.05
    mailer = make_mailer(sink.port)
    results = await asyncio.gather(*(send(mailer) for _ in range(12)))
    assert {result.outcome for result in results} == {SENT}
    assert len(sink.emails) == 12
    assert sink.connections == sink.most_at_once == MAX_CONNECTIONS


async def test_a_cancelled_email_leaves_no_reply_for_the_next(sink: SmtpSink) -> None:
    sink.data_replies.append("hang")
    mailer = make_mailer(sink.port)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await send(mailer)
    assert (await send(mailer)).outcome is SENT
    assert sink.connections == 2


async def test_a_server_that_cannot_be_reached_is_transient() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
    assert (await send(make_mailer(port))).outcome is TRANSIENT


async def test_a_server_that_never_greets_is_transient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "REPLY_SECONDS", 0.2)
    with socket.create_server((HOST, 0)) as silent:
        assert (await send(make_mailer(silent.getsockname()[1]))).outcome is TRANSIENT


@pytest.mark.parametrize(
    "address", ["a@x>\r\nRCPT TO:<b@x", "a@x\nDATA", "a\0@x", "a@x> SIZE=1 <b"]
)
async def test_an_address_cannot_contain_commands(address: str, sink: SmtpSink) -> None:
    mailer = make_mailer(sink.port)
    assert (await send(mailer, address)).outcome is PERMANENT
    assert not sink.emails


@pytest.mark.parametrize(("is_enabled", "outcome"), [(True, SENT), (False, PERMANENT)])
async def test_an_address_with_umlauts_needs_smtputf8(
    *, is_enabled: bool, outcome: SendOutcome
) -> None:
    async with run_smtp_sink(enable_SMTPUTF8=is_enabled) as sink:
        mailer = make_mailer(sink.port)
        assert (await send(mailer, "jörg@example.org")).outcome is outcome


async def test_bounces_of_an_email_without_a_sender_go_nowhere(sink: SmtpSink) -> None:
    mailer = make_mailer(sink.port)
    envelope = Envelope(mail_from="", recipient="ann@example.org", data=b"\r\n")
    assert (await mailer.send(envelope)).outcome is SENT
    assert sink.emails[0][0] in ("", "<>")  # aiosmtpd keeps it as it was written


async def test_a_refused_login_is_not_repeated_for_each_email() -> None:
    attempts = []

    def may_log_in(mechanism: str, login: bytes, password: bytes) -> bool:
        del mechanism, login
        attempts.append(password)
        return password == b"right"

    async with run_smtp_sink(auth_callback=may_log_in, auth_require_tls=False) as sink:
        wrong = make_mailer(sink.port, user="u", password="wrong")
        result = await send(wrong)
        assert (result.outcome, result.code) == (TRANSIENT, 535)
        with pytest.raises(LoginError):
            await make_mailer(sink.port, user="u", password="wrong").check()
        attempts.clear()
        assert (await send(wrong)).outcome is TRANSIENT
        assert not attempts
        right = make_mailer(sink.port, user="u", password="right")
        assert (await send(right)).outcome is SENT


async def return_token() -> str:
    return "good"


async def test_a_login_by_token() -> None:
    async with run_smtp_sink(auth_require_tls=False) as sink:
        mailer = make_mailer(sink.port, user="u", fetch_token=return_token)
        assert (await send(mailer)).outcome is SENT
        assert await mailer.check() == f"{HOST}:{sink.port}, as u"
        await mailer.close()
        sink.token, sink.token_reply = "other", "454 4.7.0 not now"
        with pytest.raises(TransportError) as raised:
            await mailer.check()
        assert not isinstance(raised.value, LoginError)
        assert (await send(mailer)).outcome is TRANSIENT
        sink.token = "good"
        assert (await send(mailer)).outcome is SENT  # it was no refusal


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_the_certificate_is_checked(security: str, tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    options: dict[str, Any] = {"ssl_context": context}
    if security == "starttls":
        options = {"require_starttls": True, "tls_context": context}
    async with run_smtp_sink(**options) as sink:
        for ca_file, outcome in ((certificate, SENT), (None, TRANSIENT)):
            mailer = make_mailer(sink.port, security=security, ca_file=ca_file)
            assert (await send(mailer)).outcome is outcome
