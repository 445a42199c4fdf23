"""What systemd hears of the service: that it is ready, lives and stops."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.legacy.config.settings import Maildir
from pbem.legacy.health import Check, Facts
from pbem.legacy.runners.watch import Report
from pbem.legacy.wiring.process import Systemd
from pbem.legacy.wiring.service import run
from tests.legacy.clubs.club import Club

pytestmark = pytest.mark.sqlite

WELL = Check("disk", well=True, words="room")
WRONG = Check("mails", well=False, words="late", advice="look")


class Ear:
    """A socket as systemd has one."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(address)
        self.heard: list[str] = []

    def listen(self) -> list[str]:
        """All lines so far."""
        while True:
            try:
                self.heard += self._socket.recv(4096).decode().split("\n")
            except BlockingIOError:
                return self.heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    one = Ear(str(tmp_path / "notify"))
    yield one
    one.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Systemd:
    return Systemd(str(tmp_path / "notify"), every=0.02)


def report(*checks: Check, answers: bool = True) -> Report:
    at = datetime(2026, 11, 21, tzinfo=UTC)
    return Report(at=at, checks=checks, facts=Facts(at=at), answers=answers)


async def test_it_hears_once_that_the_service_is_ready(ear: Ear, systemd: Systemd) -> None:
    await systemd.hear(report(WELL))
    await systemd.hear(report(WELL, WRONG))
    assert ear.listen() == [
        *("STATUS=all is well", "WATCHDOG=1", "READY=1"),
        *("STATUS=wrong: mails", "WATCHDOG=1"),
    ]


async def test_it_hears_no_sign_of_life_while_who_writes_is_stuck(
    ear: Ear, systemd: Systemd
) -> None:
    await systemd.hear(report(WRONG, answers=False))
    assert ear.listen() == ["STATUS=wrong: mails"]


async def test_nobody_has_to_listen(systemd: Systemd, tmp_path: Path) -> None:
    await systemd.hear(report(WELL))
    (tmp_path / "notify").touch()
    systemd.stopping()


def test_an_abstract_socket_has_no_file() -> None:
    name = f"pbem-test-{os.getpid()}"
    ear = Ear(f"\0{name}")
    try:
        Systemd(f"@{name}", None).stopping()
        assert ear.listen() == ["STOPPING=1"]
    finally:
        ear.close()


@pytest.mark.parametrize(
    ("more", "every"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "120000000"}, 48.0),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": str(os.getpid())}, 48.0),
        ({"WATCHDOG_USEC": "120000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_environment_says_who_wants_to_hear(more: dict[str, str], every: float | None) -> None:
    environ = {"NOTIFY_SOCKET": "/run/notify", "PATH": "/bin", **more}
    assert Systemd.of(environ) == Systemd("/run/notify", every)
    assert environ == {"PATH": "/bin"}  # no command that we start is taken for us
    assert Systemd.of(environ) is None
    assert Systemd.of({"NOTIFY_SOCKET": "vsock:2:1"}) is None


async def test_a_service_says_it_all(
    club: Club, ear: Ear, systemd: Systemd, tmp_path: Path
) -> None:
    folders = Maildir(incoming=tmp_path / "in", outgoing=tmp_path / "out")
    settings = club.house.settings.model_copy(update={"maildir": folders})
    object.__setattr__(club.house, "settings", settings)
    stop = asyncio.Event()
    running = asyncio.create_task(run(club.house, stop, systemd=systemd))
    async with asyncio.timeout(60):
        while ear.listen().count("WATCHDOG=1") < 3:  # noqa: ASYNC110 - it only listens
            await asyncio.sleep(0.01)
    assert "STOPPING=1" not in ear.listen()
    stop.set()
    await running
    assert ear.listen().count("READY=1") == 1
    assert ear.listen()[-1] == "STOPPING=1"
