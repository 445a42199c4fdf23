"""The service as a process among servers that hang: it leaves within ten seconds all the same."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.wiring.process import AT_LATEST
from tests.cli.service import ADDRESS, Service
from tests.relays import relay
from tests.servers import HOST, free_port

AT_MOST = 10.0
"""Seconds in which the service has to be gone; a service manager kills what takes longer."""

LETTER = (
    f"From: Ann <ann@example.net>\r\nTo: {ADDRESS}\r\nSubject: hello\r\n"
    "Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@example.net>\r\n\r\ngames\r\n"
)

ONE_READER = "[limits]\nreading_processes = 1\n"
"""A second process that reads would cost as much as the service, and is as idle."""

SMTP = '\n[smtp]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'


@pytest.fixture
def letter(service: Service) -> Path:
    """A letter that the service will answer."""
    incoming = service.folder / "mail/in/new"
    incoming.mkdir(parents=True)
    (incoming / "1.letter").write_text(LETTER)
    return incoming


def settings(service: Service, *tables: str, maildir: bool = True) -> None:
    own = '[maildir]\nincoming = "mail/in"\n' if maildir else ""
    log = '[log]\nformat = "json"\n'
    site = f'[site]\naddress = "{ADDRESS}"\n'
    service.write("\n".join([site, own, log, ONE_READER, *tables]))


class Process:
    """`pbem serve`, and what it says."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self.process, self._log = process, log
        self.seconds = 0.0

    @property
    def events(self) -> list[str]:
        lines = self._log.read_text().splitlines()
        return [json.loads(line)["event"] for line in lines if line.startswith("{")]

    @property
    def words(self) -> str:
        return self._log.read_text()

    async def leaves(self) -> int:
        """It is asked to stop; its exit code, if it is gone in time."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(AT_MOST):
            code = await self.process.wait()
        self.seconds = time.monotonic() - began
        assert self.seconds < AT_MOST
        return code


@contextlib.asynccontextmanager
async def serving(service: Service, *program: str) -> AsyncIterator[Process]:
    log = service.folder / "serve.log"
    arguments = program or ("-m", "pbem")
    with log.open("wb") as opened:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *arguments, "--config", str(service.config), "serve"),
            stdout=opened,
            stderr=opened,
        )
    running = Process(process, log)
    try:
        await until(lambda: "serving" in running.events)
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def until(holds: object, seconds: float = 120) -> None:
    assert callable(holds)
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for is another process's
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "stage",
    ["connect", "EHLO", "DATA", "trickle"],
)
@pytest.mark.slow
@pytest.mark.usefixtures("letter")
async def test_where_the_relay_hangs(service: Service, stage: str) -> None:
    async with relay(hangs_at=stage, hangs_for=lambda _: True) as server:
        settings(service, SMTP.format(port=server.port))
        async with serving(service) as process:
            await until(lambda: server.hanging)
            assert await process.leaves() == 0
            assert process.events[-1] == "stopped"


@pytest.mark.usefixtures("letter")
async def test_a_mail_that_was_under_way_is_sent_again_the_same(service: Service) -> None:
    async with relay(hangs_at="dot", hangs_for=lambda _: True) as server:
        settings(service, SMTP.format(port=server.port))
        async with serving(service) as process:
            await until(lambda: server.hanging)
            assert await process.leaves() == 0
            patient = process.seconds
        server.hangs_at = ""
        async with serving(service) as process:
            await until(lambda: server.mails)
            assert await process.leaves() == 0
            # Less than the patience that is had with what hangs: seconds, on any machine.
            assert process.seconds < patient
            assert "runner_left" not in process.events
            assert process.events[-1] == "stopped"
        assert len(server.tried) == 2
        assert server.tried[0] == server.tried[1]
        assert len(server.mails) == 1


IMAP = (
    '[imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "u"\n'
    'password_file = "secret"\n'
)


class HangingImap:
    """Says so much, a line for each that it hears, and nothing more."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.heard = list(lines), 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            for line in self.lines:
                writer.write(f"{line}\r\n".encode())
                await reader.readline()
                self.heard += 1
            self.heard += 1
            await reader.read()
        writer.close()


@contextlib.asynccontextmanager
async def listening(server: HangingImap) -> AsyncIterator[int]:
    opened = await asyncio.start_server(server.talk, HOST, 0)
    try:
        yield opened.sockets[0].getsockname()[1]
    finally:
        opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("lines", [(), ("* OK IMAP4rev1 ready",)])
async def test_where_the_mailbox_hangs(service: Service, lines: tuple[str, ...]) -> None:
    (service.folder / "secret").write_text("x")
    (service.folder / "secret").chmod(0o600)
    imap = HangingImap(*lines)
    async with relay() as server, listening(imap) as port:
        settings(service, IMAP.format(port=port), SMTP.format(port=server.port), maildir=False)
        async with serving(service) as process:
            await until(lambda: imap.heard > len(lines))
            assert await process.leaves() == 0


TALK = ("MAIL FROM:<a@x.example>", f"RCPT TO:<{ADDRESS}>", "DATA")


@contextlib.asynccontextmanager
async def half_a_letter(port: int, *, after: str = "") -> AsyncIterator[None]:
    """A mail server that says the first words of a letter to ours, `after` a whole one perhaps."""
    reader, writer = await asyncio.open_connection(HOST, port)
    for line in ("", "LHLO me", *((*TALK, f"{after}.") if after else ()), *TALK):
        writer.write(f"{line}\r\n".encode() if line else b"")
        while b"-" in (await reader.readline())[3:4]:
            pass
    writer.write(b"Subject: half a le")
    try:
        yield
    finally:
        writer.close()


@pytest.mark.slow
@pytest.mark.usefixtures("letter")
async def test_where_a_mail_server_hangs_in_the_middle_of_a_letter(service: Service) -> None:
    port = free_port()
    async with relay() as server:
        lmtp = f"[lmtp]\nenabled = true\nport = {port}\n"
        settings(service, SMTP.format(port=server.port), lmtp)
        async with serving(service) as process, half_a_letter(port):
            await until(lambda: server.mails)
            assert await process.leaves() == 0


async def test_where_all_servers_hang_at_once(service: Service) -> None:
    """What each of them may hang at stands in the slow tests around."""
    (service.folder / "secret").write_text("x")
    (service.folder / "secret").chmod(0o600)
    imap, port = HangingImap("* OK IMAP4rev1 ready"), free_port()
    lmtp = f"[lmtp]\nenabled = true\nport = {port}\n"
    async with (
        relay(hangs_at="trickle", hangs_for=lambda _: True) as server,
        listening(imap) as mailbox,
    ):
        tables = (IMAP.format(port=mailbox), SMTP.format(port=server.port), lmtp)
        settings(service, *tables, maildir=False)
        async with serving(service) as process, half_a_letter(port, after=LETTER):
            await until(lambda: server.hanging and imap.heard > 1)
            assert await process.leaves() == 0
            assert process.events[-1] == "stopped"


@pytest.mark.slow
@pytest.mark.usefixtures("letter")
async def test_where_the_command_for_a_token_hangs(service: Service, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    command = tmp_path / "token"
    command.write_text(f"#!/bin/sh\ntouch {asked}\nexec sleep 1000\n")
    command.chmod(0o700)
    async with relay() as server:
        login = f'user = "u"\ntoken_command = "{command}"\n'
        settings(service, SMTP.format(port=server.port) + login)
        async with serving(service) as process:
            await until(asked.exists)
            assert await process.leaves() == 0


@pytest.mark.slow
@pytest.mark.usefixtures("letter")
async def test_where_a_token_is_asked_for_in_a_thread(service: Service) -> None:
    # Python would wait for its threads, and a thread that waits for a server is not to be ended.
    (service.folder / "refresh").write_text("x")
    (service.folder / "refresh").chmod(0o600)
    tokens = HangingImap()
    async with relay() as server, listening(tokens) as port:
        login = (
            f'user = "u"\ntoken_url = "http://127.0.0.1:{port}/"\nclient_id = "x"\n'
            'refresh_token_file = "refresh"\n'
        )
        settings(service, SMTP.format(port=server.port) + login)
        async with serving(service) as process:
            await until(lambda: tokens.heard)
            assert await process.leaves() == 0


PATCHED = """
import sys, time
from pbem.wiring import process
process.AT_LATEST = {at_latest}
{patch}
from pbem.__main__ import main
main()
"""

UNIT_OF_WORK = """
from pbem.store.mails import inbox
inbox.prune = lambda *_: (print('in', flush=True), time.sleep(600))
"""
ENDLESS_UNIT = """
from pbem.store.mails import inbox
def prune(*_):
    print('in', flush=True)
    while True: pass
inbox.prune = prune
"""
ENDLESS_MAIL = """
from pbem.notices.rendering.render import Renderer
def render(*_):
    print('in', flush=True)
    while True: pass
Renderer.render = render
"""


@pytest.mark.parametrize(
    ("patch", "at_latest"),
    [
        pytest.param(UNIT_OF_WORK, AT_LATEST, marks=pytest.mark.slow),
        pytest.param(ENDLESS_UNIT, AT_LATEST, marks=pytest.mark.slow),
        (ENDLESS_MAIL, 0.5),
        pytest.param(ENDLESS_MAIL, AT_LATEST, marks=pytest.mark.slow),
    ],
    ids=["sleeping unit", "endless unit", "endless mail for a moment", "endless mail"],
)
@pytest.mark.usefixtures("letter")
async def test_where_pbem_itself_hangs_it_says_at_what(
    service: Service, patch: str, at_latest: float
) -> None:
    """An endless loop costs a processor all the time that it has: one is given little of it."""
    assert AT_LATEST < AT_MOST
    async with relay() as server:
        settings(service, SMTP.format(port=server.port))
        program = PATCHED.format(patch=patch, at_latest=at_latest)
        async with serving(service, "-c", program) as process:
            await until(lambda: "in\n" in process.words)
            assert await process.leaves() == 1
            assert "most recent call first" in process.words
    async with relay() as server:
        settings(service, SMTP.format(port=server.port))
        async with serving(service) as process:
            await until(lambda: server.mails)
            assert await process.leaves() == 0
