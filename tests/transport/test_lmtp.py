from __future__ import annotations

import asyncio
import contextlib
import importlib
import smtplib
import sys
from typing import TYPE_CHECKING

import pytest

from pbem.errors import ConfigError
from pbem.transport import Fetched
from pbem.transport.lmtp import Bounds, lmtp_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAIL = b"Subject: x\r\n\r\n.\r\n..\r\n\xff\xfe" + b"y" * 5000 + b"\r\n"


def test_without_its_package_the_operator_reads_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "aiosmtpd.lmtp", None)
    monkeypatch.delitem(sys.modules, "pbem.transport.lmtp")
    with pytest.raises(ConfigError, match=r"pip install 'pbem\[lmtp\]'"):
        importlib.import_module("pbem.transport.lmtp")


class Intake:
    """Takes mail for players who exist; may be told to fail."""

    def __init__(self) -> None:
        self.mails: list[Fetched] = []
        self.faults: list[Exception] = []
        self.pause = 0.0

    def accept(self, recipient: str) -> str | None:
        if recipient.startswith("bug"):
            raise RuntimeError(recipient)
        return None if recipient.startswith("games") else "nobody\r\n250 of that name"

    async def deliver(self, mail: Fetched) -> None:
        await asyncio.sleep(self.pause)
        if self.faults:
            raise self.faults.pop()
        self.mails.append(mail)


async def talk(port: int, *lines: bytes, data: bytes = b"") -> list[str]:
    """The answers to these commands and this mail, as a mail server sees them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(line + b"\r\n" for line in lines) + data + b"QUIT\r\n")
    answers = (await reader.read()).decode().splitlines()
    writer.close()
    await writer.wait_closed()
    return [answer for answer in answers if answer[3:4] == " "]


def codes(answers: list[str]) -> list[int]:
    return [int(answer[:3]) for answer in answers]


async def test_a_mail_is_acknowledged_only_once_it_is_committed() -> None:
    intake = Intake()
    intake.pause = 0.1

    def send(port: int) -> int:
        with smtplib.LMTP("127.0.0.1", port) as client:
            assert client.sendmail("a@example.org", ["games+t1@example.org"], MAIL) == {}
            return len(intake.mails)

    async with lmtp_server(intake.accept, intake.deliver, account="lmtp") as port:
        assert await asyncio.to_thread(send, port) == 1
    (mail,) = intake.mails
    assert mail.raw == b"Return-Path: <a@example.org>\r\n" + MAIL
    assert (mail.account, mail.envelope_to) == ("lmtp", "games+t1@example.org")


async def test_strangers_are_refused_in_one_line_and_faults_are_for_later() -> None:
    intake = Intake()
    async with lmtp_server(intake.accept, intake.deliver, account="lmtp") as port:
        answers = await talk(
            port,
            b"LHLO me",
            b"MAIL FROM:<a@x>",
            b"RCPT TO:<nobody@x>",
            b"RCPT TO:<bug@x>",
            b"DATA",
        )
    assert codes(answers) == [220, 250, 250, 550, 451, 503, 221]
    assert answers[3] == "550 5.1.1 nobody 250 of that name"


async def test_each_recipient_has_a_reply_of_its_own() -> None:
    intake = Intake()
    intake.faults = [OSError("the disk is full")]
    async with lmtp_server(intake.accept, intake.deliver, account="lmtp") as port:
        answers = await talk(
            port,
            b"LHLO me",
            b"MAIL FROM:<>",
            b"RCPT TO:<games+1@x>",
            b"RCPT TO:<games+2@x>",
            b"DATA",
            data=b"Subject: x\r\n\r\n.\r\n",
        )
    assert codes(answers) == [220, 250, 250, 250, 250, 354, 451, 250, 221]  # RFC 2033 4.2
    assert [mail.envelope_to for mail in intake.mails] == ["games+2@x"]
    assert intake.mails[0].raw.startswith(b"Return-Path: <>\r\nSubject: x\r\n")


@pytest.mark.parametrize("shape", [lambda n: b"y" * n + b"\r\n", lambda n: b"y\r\n" * (n // 3)])
async def test_too_much_is_refused_once_for_each_recipient(shape: Callable[[int], bytes]) -> None:
    intake = Intake()
    async with lmtp_server(intake.accept, intake.deliver, account="l", max_bytes=10_000) as port:
        answers = await talk(
            port,
            b"LHLO me",
            b"MAIL FROM:<a@x>",
            b"RCPT TO:<games+1@x>",
            b"RCPT TO:<games+2@x>",
            b"DATA",
            data=shape(30_000) + b".\r\n",
        )
        declared = await talk(port, b"LHLO me", b"MAIL FROM:<a@x> SIZE=30000")
    assert codes(answers) == [220, 250, 250, 250, 250, 354, 552, 552, 221]
    assert codes(declared)[2] == 552
    assert not intake.mails


async def test_recipients_are_limited() -> None:
    intake = Intake()
    async with lmtp_server(intake.accept, intake.deliver, account="l", max_recipients=2) as port:
        rcpts = [b"RCPT TO:<games+%d@x>" % number for number in range(4)]
        answers = await talk(port, b"LHLO me", b"MAIL FROM:<a@x>", *rcpts)
    assert codes(answers) == [220, 250, 250, 250, 250, 452, 452, 221]


async def test_it_listens_on_a_unix_socket_too(tmp_path: Path) -> None:
    intake = Intake()
    path = tmp_path / "lmtp"

    def send() -> None:
        with smtplib.LMTP(str(path)) as client:
            client.sendmail("a@example.org", ["games@example.org"], MAIL)

    async with lmtp_server(intake.accept, intake.deliver, account="l", path=path) as port:
        await asyncio.to_thread(send)
    assert (port, len(intake.mails)) == (0, 1)


async def test_a_port_that_somebody_has_is_told() -> None:
    intake = Intake()
    async with lmtp_server(intake.accept, intake.deliver, account="l") as port:
        with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{port}: .*in use"):
            async with lmtp_server(intake.accept, intake.deliver, account="l", port=port):
                pass


# --- bounds --------------------------------------------------------------------------------------


async def test_beyond_the_bound_a_client_is_told_to_come_later_and_others_go_on() -> None:
    intake = Intake()
    bounds = Bounds(connections=3)
    async with lmtp_server(intake.accept, intake.deliver, account="l", bounds=bounds) as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for reader, _ in held:
            assert (await reader.readline()).startswith(b"220 ")
        for _ in range(5):
            assert codes(await talk(port)) == [421]
        held[0][1].close()
        await held[0][1].wait_closed()
        assert await eventually_welcome(port)
        _, *rest = held
        for _, writer in rest:
            writer.write(b"QUIT\r\n")
        for reader, writer in rest:
            assert b"221 " in await reader.read()
            writer.close()


async def eventually_welcome(port: int) -> bool:
    """Whether there is a place, once the server has seen that one is free."""
    for _ in range(100):
        if codes(await talk(port))[:1] == [220]:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_many_that_come_at_once_are_no_more_than_the_bound() -> None:
    intake = Intake()
    bounds = Bounds(connections=4)
    async with lmtp_server(intake.accept, intake.deliver, account="l", bounds=bounds) as port:
        came = await asyncio.gather(
            *(asyncio.open_connection("127.0.0.1", port) for _ in range(20))
        )
        said = [await reader.readline() for reader, _ in came]
        assert sum(line.startswith(b"220 ") for line in said) == 4
        assert sum(line.startswith(b"421 ") for line in said) == 16
        for _, writer in came:
            writer.close()


async def all_of(reader: asyncio.StreamReader) -> bytes:
    """What is said before the end; one that comes while bytes are under way may be abrupt."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := await reader.read(1000):
            said += piece
    return said


async def drip(port: int, pieces: list[bytes], pause: float) -> bytes:
    """All that is said to a client that sends one piece after the other, as long as it may."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = asyncio.create_task(all_of(reader))
    for piece in pieces:
        if said.done():
            break
        writer.write(piece)
        await asyncio.sleep(pause)
    writer.close()
    return await said


async def test_a_silent_client_is_let_go() -> None:
    intake = Intake()
    bounds = Bounds(idle=0.2)
    async with lmtp_server(intake.accept, intake.deliver, account="l", bounds=bounds) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        said = await reader.read()
        assert said.splitlines()[-1].startswith(b"421 4.4.2 nothing")
        writer.close()


@pytest.mark.parametrize(
    "pieces",
    [
        [b"NOOP\r\n"] * 2000,
        [b"L"] * 2000,
        [b"LHLO me\r\nMAIL FROM:<a@x>\r\nRCPT TO:<games@x>\r\nDATA\r\n", *[b"y"] * 2000],
        [b"LHLO me\r\nMAIL FROM:<a@x>\r\nRCPT TO:<games@x>\r\nDATA\r\n", *[b"y\r\n"] * 2000],
        [b"LHLO me\r\n", *[b"MAIL FROM:<a@x>\r\nRSET\r\n"] * 2000],
    ],
    ids=["noop", "line", "data", "lines", "reset"],
)
async def test_a_client_that_drips_is_let_go_whatever_it_drips(pieces: list[bytes]) -> None:
    intake = Intake()
    bounds = Bounds(idle=30, a_mail=0.4)
    async with lmtp_server(intake.accept, intake.deliver, account="l", bounds=bounds) as port:
        said = await drip(port, pieces, 0.02)
    assert said.splitlines()[-1][:4] in (b"421 ", b"220 ")  # the last words may be lost on the way
    assert not intake.mails


async def test_who_hands_over_mail_after_mail_stays_and_our_own_time_does_not_count() -> None:
    intake = Intake()
    intake.pause = 0.5
    bounds = Bounds(idle=0.4, a_mail=0.4)
    one = b"MAIL FROM:<a@x>\r\nRCPT TO:<games@x>\r\nDATA\r\nSubject: x\r\n\r\n.\r\n"
    async with lmtp_server(intake.accept, intake.deliver, account="l", bounds=bounds) as port:
        answers = await talk(port, b"LHLO me", data=one * 3)
    assert codes(answers) == [220, 250, *[250, 250, 354, 250] * 3, 221]
    assert len(intake.mails) == 3
