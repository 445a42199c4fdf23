from __future__ import annotations

import asyncio
import smtplib
from typing import TYPE_CHECKING

import pytest

from pbem.errors import ConfigError
from pbem.transport import Fetched
from pbem.transport.lmtp import lmtp_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAIL = b"Subject: x\r\n\r\n.\r\n..\r\n\xff\xfe" + b"y" * 5000 + b"\r\n"


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
