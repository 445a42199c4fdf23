from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

import pytest

from pbem.errors import ConfigError
from pbem.legacy.transport import Envelope, LoginRefused, Sender, TransportError
from pbem.legacy.transport.server import Server
from pbem.legacy.transport.smtp import SmtpSender
from pbem.legacy.transport.smtp_wire import on_the_wire
from tests.legacy.servers import HOST, certificate, free_port, needs_smtp_sink, sink, smtp_sink

if TYPE_CHECKING:
    from pathlib import Path

MAIL = b"Subject: x\r\n\r\nhello\r\n"

plainly_and_pipelined = pytest.mark.parametrize(
    "pipelining", [False, True], ids=["plainly", "pipelined"]
)


def letter(*recipients: str, data: bytes = MAIL) -> Envelope:
    return Envelope("games@example.org", recipients or ("a@example.org",), data)


def sender(port: int, **wishes: object) -> SmtpSender:
    given: dict[str, object] = {"timeout": 20.0, "data_timeout": 20.0, "local_hostname": "me"}
    server = Server(host=HOST, port=port, security="none")
    return SmtpSender(server, **(given | wishes))  # type: ignore[arg-type]


async def kinds(way: Sender, envelope: Envelope) -> dict[str, tuple[str, int | None]]:
    async with asyncio.timeout(60):
        results = await way.send(envelope)
    return {recipient: (result.kind, result.code) for recipient, result in results.items()}


@pytest.mark.parametrize(
    ("data", "wire"),
    [
        (b"a\r\n", b"a\r\n.\r\n"),
        (b"a", b"a\r\n.\r\n"),
        (b"", b"\r\n.\r\n"),
        (b".\r\n", b"..\r\n.\r\n"),
        (b"a\n.b\r.c\r\n", b"a\r\n..b\r\n..c\r\n.\r\n"),
        (b"a\r\r\n.\r\n", b"a\r\n\r\n..\r\n.\r\n"),
        (b"x.\r\n..\r\n", b"x.\r\n...\r\n.\r\n"),
    ],
)
def test_dots_and_line_ends_are_made_fit_for_the_wire(data: bytes, wire: bytes) -> None:
    assert on_the_wire(data) == wire  # RFC 5321 4.5.2


@plainly_and_pipelined
async def test_the_bytes_arrive_as_they_were_given(*, pipelining: bool) -> None:
    data = b"Subject: x\r\n\r\n.\r\n..\r\n.dot\r\n" + bytes(range(128, 256)) + b"\r\n"
    async with sink(pipelining=pipelining) as server:
        way = sender(server.port)
        assert await kinds(way, letter(data=data)) == {"a@example.org": ("sent", 250)}
        assert server.mails == [("games@example.org", ("a@example.org",), data)]
        await way.aclose()


@plainly_and_pipelined
async def test_each_recipient_has_a_result_of_its_own(*, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        server.rcpt = {"b@x": "451 later", "c@x": "550 5.1.1 never", "d@x": "553 5.7.1 not you"}
        way = sender(server.port)
        assert await kinds(way, letter("a@x", "b@x", "c@x", "d@x")) == {
            "a@x": ("sent", 250),
            "b@x": ("transient", 451),
            "c@x": ("permanent", 550),
            "d@x": ("transient", 553),
        }
        assert [mail[1] for mail in server.mails] == [("a@x",)]
        await way.aclose()


@plainly_and_pipelined
async def test_where_all_are_refused_the_connection_goes_on_with_the_next_mail(
    *, pipelining: bool
) -> None:
    async with sink(pipelining=pipelining) as server:
        server.rcpt = {"c@x": "550 never"}
        way = sender(server.port)
        assert await kinds(way, letter("c@x")) == {"c@x": ("permanent", 550)}
        assert await kinds(way, letter("a@x")) == {"a@x": ("sent", 250)}
        assert server.connections == 1
        await way.aclose()


@plainly_and_pipelined
@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("451 busy", ("transient", 451)),
        ("554 spam", ("permanent", 554)),
        ("550 5.4.5 Daily user sending limit exceeded", ("transient", 550)),
        ("421 leaving", ("transient", 421)),
        ("250 drop", ("ambiguous", None)),
        ("450 hang", ("ambiguous", None)),
    ],
)
async def test_what_comes_behind_the_final_dot(
    answer: str, result: tuple[str, int | None], *, pipelining: bool
) -> None:
    async with sink(pipelining=pipelining) as server:
        server.data = [answer]
        way = sender(server.port, data_timeout=0.2)
        assert await kinds(way, letter()) == {"a@example.org": result}
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        await way.aclose()


@plainly_and_pipelined
async def test_what_was_refused_is_told_apart(*, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        server.data, server.rcpt = ["554 5.7.1 spam"], {"c@x": "550 5.1.1 never"}
        way = sender(server.port)
        both = await way.send(letter("a@x", "c@x"))
        assert {to: result.after_data for to, result in both.items()} == {"a@x": True, "c@x": False}
        await way.aclose()


@plainly_and_pipelined
@pytest.mark.parametrize("answer", ["550 5.7.1 over quota", "553 5.7.1 not your address", "451 no"])
async def test_what_is_said_of_us_is_nobodys_dead_address(answer: str, *, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        server.mail = [answer]
        way = sender(server.port)
        assert await kinds(way, letter()) == {"a@example.org": ("transient", int(answer[:3]))}
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        await way.aclose()


@plainly_and_pipelined
async def test_a_kept_connection_that_the_server_closed_costs_no_mail(*, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        way = sender(server.port)
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        server.kick()
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        assert server.connections == 2
        await way.aclose()


@plainly_and_pipelined
async def test_421_on_a_kept_connection_means_a_new_one_at_once(*, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        way = sender(server.port)
        await kinds(way, letter())
        server.mail = ["421 too many mails on this connection"]
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        server.mail = ["421 leaving", "421 leaving"]
        assert await kinds(way, letter()) == {"a@example.org": ("transient", 421)}
        assert len(server.mails) == 2
        await way.aclose()


async def test_no_more_connections_are_kept_than_allowed() -> None:
    async with sink() as server:
        way = sender(server.port, connections=2)
        async with asyncio.timeout(60):
            await asyncio.gather(*(way.send(letter()) for _ in range(5)))
        await until(lambda: server.open == 2)
        assert (len(server.mails), server.connections) == (5, 5)
        await way.aclose()


async def test_an_idle_connection_is_closed_after_a_while() -> None:
    async with sink() as server:
        way = sender(server.port, idle_seconds=0.1)
        await kinds(way, letter())
        assert server.open == 1
        await until(lambda: server.open == 0)
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        await way.aclose()
        await until(lambda: server.open == 0)


async def until(holds: object, seconds: float = 3.0) -> None:
    assert callable(holds)
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for is the server's
            await asyncio.sleep(0.01)


@plainly_and_pipelined
async def test_a_cancelled_send_leaves_no_half_said_connection_behind(*, pipelining: bool) -> None:
    async with sink(pipelining=pipelining) as server:
        server.data = ["250 hang"]
        way = sender(server.port)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await way.send(letter())
        assert await kinds(way, letter()) == {"a@example.org": ("sent", 250)}
        assert server.connections == 2
        await way.aclose()


async def test_a_server_that_is_away_is_transient_and_found_again() -> None:
    port = free_port()
    way = sender(port)
    assert await kinds(way, letter()) == {"a@example.org": ("transient", None)}
    with pytest.raises(TransportError):
        await way.probe()


OPTIONS = [
    (letter(), {"SIZE"}),
    (letter(data=b"Subject: x\r\n\r\n\xc3\xb6\r\n"), {"SIZE", "BODY=8BITMIME"}),
    (letter(data=b"Subject: \xc3\xb6\r\n\r\n"), {"SIZE", "BODY=8BITMIME", "SMTPUTF8"}),
    (letter("ö@example.org"), {"SIZE", "SMTPUTF8"}),
]


@pytest.mark.parametrize(("envelope", "options"), OPTIONS)
async def test_extensions_are_used_only_where_the_mail_needs_them(
    envelope: Envelope, options: set[str]
) -> None:
    async with sink() as server:
        way = sender(server.port)
        assert {kind for kind, _ in (await kinds(way, envelope)).values()} == {"sent"}
        used = {"SIZE" if option.startswith("SIZE=") else option for option in server.options[0]}
        assert used == options
        await way.aclose()


@pytest.mark.parametrize("address", ["ö@example.org"])
async def test_an_address_that_the_server_cannot_take_is_permanent(address: str) -> None:
    async with sink(enable_SMTPUTF8=False) as server:
        way = sender(server.port)
        assert await kinds(way, letter(address)) == {address: ("permanent", None)}
        await way.aclose()


@pytest.mark.parametrize("address", ["a@x>\r\nRCPT TO:<b@x", "a@x> SIZE=1 <b", "a\0@x"])
async def test_an_address_cannot_bring_commands_with_it(address: str) -> None:
    async with sink() as server:
        way = sender(server.port)
        assert await kinds(way, letter(address)) == {address: ("permanent", None)}
        assert not server.mails
        await way.aclose()


class Keys:
    """aiosmtpd asks it who may log in."""

    def __init__(self, password: bytes) -> None:
        self.password = password
        self.asked = 0

    def __call__(self, mechanism: str, login: bytes, password: bytes) -> bool:
        del mechanism, login
        self.asked += 1
        return password == self.password


def login(port: int, password: str, **wishes: object) -> SmtpSender:
    server = Server(host=HOST, port=port, security="none", user="u", password=password)
    return SmtpSender(server, timeout=20.0, local_hostname="me", **wishes)  # type: ignore[arg-type]


async def test_a_refused_login_is_transient_for_the_mail_and_not_tried_again_soon() -> None:
    keys = Keys(b"right")
    async with sink(auth_callback=keys, auth_require_tls=False) as server:
        way = login(server.port, "wrong")
        assert await kinds(way, letter()) == {"a@example.org": ("transient", 535)}
        asked = keys.asked
        results = await way.send(letter())
        assert [result.kind for result in results.values()] == ["transient"]
        assert keys.asked == asked
        with pytest.raises(LoginRefused, match="535"):
            await way.probe()
        right = login(server.port, "right")
        assert await kinds(right, letter()) == {"a@example.org": ("sent", 250)}
        await right.aclose()


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_tls_is_used_and_the_certificate_checked(tmp_path: Path, security: str) -> None:
    cert, key = certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    wishes = {"require_starttls": True, "tls_context": context} if security == "starttls" else {}
    listening = context if security == "tls" else None
    async with sink(ssl_listen=listening, **wishes) as server:  # type: ignore[arg-type]
        for ca_file, expected in ((cert, "sent"), (None, "transient")):
            target = Server(host=HOST, port=server.port, security=security, ca_file=ca_file)  # type: ignore[arg-type]
            way = SmtpSender(target, timeout=20.0, local_hostname="me")
            results = await way.send(letter())
            assert [result.kind for result in results.values()] == [expected]
            if expected == "sent":
                assert (await way.probe()).encryption.startswith("TLSv1.")
            await way.aclose()


def test_a_password_never_goes_unencrypted_to_another_machine() -> None:
    with pytest.raises(ConfigError, match="without TLS"):
        Server(host="mail.example.org", port=25, security="none")


SINK_FAILURES = [
    # (options of smtp-sink, what becomes of the mail)
    (("-r", "RCPT"), ("transient", 450)),
    (("-f", "RCPT"), ("permanent", 500)),
    (("-r", "DATA"), ("transient", 450)),
    (("-f", "."), ("permanent", 500)),
    (("-r", "."), ("transient", 450)),
    (("-Q", "."), ("transient", 421)),
    (("-q", "."), ("ambiguous", None)),
    (("-q", "DATA"), ("transient", None)),
    (("-q", "MAIL"), ("transient", None)),
    (("-W", ".:5"), ("ambiguous", None)),
    (("-e",), ("sent", 250)),
]


@needs_smtp_sink
@pytest.mark.parametrize(("options", "result"), SINK_FAILURES)
async def test_every_failure_of_smtp_sink_has_its_result(
    options: tuple[str, ...], result: tuple[str, int | None]
) -> None:
    with smtp_sink(*options) as port:
        way = sender(port, data_timeout=0.5)
        assert await kinds(way, letter()) == {"a@example.org": result}
        await way.aclose()
