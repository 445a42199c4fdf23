"""docs/runbook.md: each alarm is caused, comes, and goes once its cause is mended.

`pbem status --check`, metrics and readiness say the same then. A service runs on servers of
loopback, with times of tenths of seconds in place of minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import Connection, text
from starlette.requests import Request

from pbem import health
from pbem.config.settings import Imap, Metrics, Settings, Smtp
from pbem.config.settings import Watch as Wishes
from pbem.errors import PbemError
from pbem.health import CHECKS, PAGES_NEED
from pbem.names import MatchId
from pbem.notices.rendering.render import Renderer
from pbem.runners import alarms, supervise, watch
from pbem.store import runner_state, still, timers
from pbem.store.mails import inbox, leases
from pbem.transaction.installation import House
from pbem.transport import REACHED, Envelope
from pbem.transport.loopback import Loopback, loopback
from pbem.web.live import Health
from pbem.wiring import watching
from pbem.wiring.process import clock
from pbem.wiring.service import run
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.health.conftest import Disk
from tests.servers import HOST, Sink, free_port, sink

PAGE: Final = Path(__file__).parents[2] / "docs" / "runbook.md"
PASSWORD: Final = "hunter2"
A_MOMENT: Final = timedelta(seconds=0.3)
HOURLY: Final = 50


class Gate:
    """A port that leads to another, until it is shut: then who came through is out, too."""

    def __init__(self, port: int, behind: int) -> None:
        self._port, self._behind = port, behind
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass, HOST, self._port)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(HOST, self._behind)
        self._writers += [writer, back]
        for one, other in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._copy(one, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
        writer.close()

    def shut(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        for task in self._tasks:
            task.cancel()


@dataclass
class Running:
    """A service that runs, and what causes faults of it."""

    house: House
    club: Club
    servers: Loopback
    relay: Sink
    patch: pytest.MonkeyPatch
    told: Path
    mailbox: Gate

    def write(self, statement: str) -> None:
        self.do(lambda conn: conn.execute(text(statement)))

    def do(self, unit: Callable[[Connection], object]) -> None:
        self.house.db.write(unit).result()

    async def letter(self, writer: str) -> None:
        """A letter from somebody unknown, which is to be answered."""
        raw = self.club.letter(writer, GAMES, "hello").as_bytes()
        await self.servers.deliver(Envelope(writer, [GAMES], raw))

    async def hears(self, line: str) -> None:
        """Wait until the operator has been told this."""
        async with asyncio.timeout(60):
            while line not in self._lines():  # noqa: ASYNC110 - a file
                await asyncio.sleep(0.02)

    async def says(self, name: str, *, well: bool) -> None:
        """Wait until all who are asked say so of a check."""
        ready = well or name not in PAGES_NEED
        want = (well, well, ready)
        found: tuple[bool | None, ...] = ()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(60):
                while found != want:
                    found = (self._status(name), self._metric(name), await self._is_ready())
                    await asyncio.sleep(0.02)
        assert found == want

    def _status(self, name: str) -> bool | None:
        """As `pbem status --check` judges."""
        judged = {
            one.name: one.well for one in health.checks(health.look(self.house.settings, clock()))
        }
        return judged.get(name)

    def _metric(self, name: str) -> bool | None:
        shown = self.told.with_name("metrics")
        found = re.search(
            rf'^pbem_check_well{{check="{name}"}} (\S+)$', shown.read_text(), re.MULTILINE
        )
        return None if found is None else float(found[1]) == 1

    async def _is_ready(self) -> bool:
        pages = Health(self.house)
        return (await pages.readyz(Request({"type": "http"}))).status_code == 200

    def _lines(self) -> list[str]:
        return self.told.read_text().splitlines() if self.told.exists() else []


def hasten(patch: pytest.MonkeyPatch) -> None:
    """Tenths of seconds in place of minutes."""
    for name in ("MAILBOX", "LETTERS", "MAILS", "TIMERS"):
        patch.setattr(health, name, A_MOMENT)
    for module in (health, watch):
        patch.setattr(module, "ANSWERS", 0.3)
    patch.setattr(health, "SILENT", timedelta(seconds=0.6))
    patch.setattr(watching, "LOOKS", 0.05)
    patch.setattr(alarms, "CALM", timedelta(0))
    patch.setattr(supervise, "NOTED", timedelta(seconds=0.05))
    patch.setattr(supervise, "LOOK_ANYWAY", 0.2)
    patch.setattr(leases, "RETRIES", (timedelta(seconds=0.2),))
    patch.setattr(shutil, "disk_usage", lambda _: Disk(1000, 500, 500))


def settings_of(club: Club, imap: int, smtp: int, folder: Path) -> Settings:
    command = folder / "tell"
    command.write_text(f'#!/bin/sh\necho "$PBEM_CHECK $PBEM_STATE" >> "{folder}/told"\n')
    command.chmod(0o700)
    login = {"host": HOST, "security": "none", "user": GAMES, "password": PASSWORD}
    return club.house.settings.model_copy(
        update={
            "imap": Imap.model_validate({**login, "port": imap, "poll_seconds": 1}),
            "smtp": Smtp.model_validate(
                {"host": HOST, "security": "none", "port": smtp, "max_mails_per_hour": HOURLY}
            ),
            "watch": Wishes(alert_command=str(command)),
            "metrics": Metrics(textfile=folder / "metrics"),
        }
    )


def reached(club: Club) -> bool:
    """Whether the service has been looked at while its mailbox was reached."""
    return REACHED in {one.what for one in club.house.db.read(runner_state.signs).result().values()}


@pytest.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    hasten(monkeypatch)
    club, imap_port, stop = open_club(tmp_path, clock=clock), free_port(), asyncio.Event()
    async with loopback({GAMES: PASSWORD}) as servers, sink() as relay:
        mailbox = Gate(imap_port, servers.imap_port)
        await mailbox.open()
        settings = settings_of(club, imap_port, relay.port, tmp_path)
        object.__setattr__(club.house, "settings", settings)
        serving = asyncio.create_task(run(club.house, stop))
        told = tmp_path / "told"
        async with asyncio.timeout(60):
            while not reached(club):  # noqa: ASYNC110 - it has looked, and all is well
                await asyncio.sleep(0.02)
        yield Running(club.house, club, servers, relay, monkeypatch, told, mailbox)
        stop.set()
        await serving
        mailbox.shut()
    club.house.db.close()


# --- what can go wrong, and how it is mended -----------------------------------------------------

Fault = Callable[[Running], "contextlib.AbstractAsyncContextManager[Any]"]


@contextlib.asynccontextmanager
async def damaged(service: Running) -> AsyncIterator[None]:
    """The beginning of the file, of which those who have opened it still know."""
    file = Path(str(service.house.settings.store.database))
    service.house.db.empty_journal()
    with file.open("r+b") as opened:  # noqa: ASYNC230 - a moment
        whole = opened.read(100)
        opened.seek(0)
        opened.write(b"x" * 100)
        opened.flush()
        yield
        opened.seek(0)
        opened.write(whole)


@contextlib.asynccontextmanager
async def not_writable(service: Running) -> AsyncIterator[None]:
    """A file that belongs to somebody else: for root, who may all, only as if."""
    with service.patch.context() as patched:
        patched.setattr(os, "access", lambda path, _: not str(path).endswith("-shm"))
        yield


@contextlib.asynccontextmanager
async def writer_stuck(service: Running) -> AsyncIterator[None]:
    free = threading.Event()
    held = service.house.db.write(lambda _: free.wait(60))
    try:
        yield
    finally:
        free.set()
    held.result()


@contextlib.asynccontextmanager
async def mailbox_down(service: Running) -> AsyncIterator[None]:
    service.mailbox.shut()
    yield
    await service.mailbox.open()


@contextlib.asynccontextmanager
async def letters_not_taken(service: Running) -> AsyncIterator[None]:
    with service.patch.context() as patched:
        patched.setattr(inbox, "claim", _nothing)
        await service.letter(ANN)
        yield


@contextlib.asynccontextmanager
async def smtp_refusing(service: Running) -> AsyncIterator[None]:
    service.relay.data[:] = ["451 4.3.0 later"] * 10_000
    await service.letter(ANN)
    await service.letter(BOB)
    yield
    service.relay.data.clear()


@contextlib.asynccontextmanager
async def smtp_not_letting_us_in(service: Running) -> AsyncIterator[None]:
    service.relay.mail[:] = ["550 5.7.1 you are on a blocklist, ann@example.org"] * 10_000
    await service.letter(ANN)
    await service.letter(BOB)
    yield
    service.relay.mail.clear()


@contextlib.asynccontextmanager
async def template_broken(service: Running) -> AsyncIterator[None]:
    with service.patch.context() as patched:
        patched.setattr(Renderer, "render", _fails)
        await service.letter(ANN)
        yield


@contextlib.asynccontextmanager
async def timers_not_fired(service: Running) -> AsyncIterator[None]:
    with service.patch.context() as patched:
        patched.setattr(timers, "due", _nothing)
        now = service.house.now()
        timer = timers.Timer("x", now, None, "reminder", {"match": "NOSUCH", "seat": 1})
        service.do(partial(timers.set_timers, wanted=[timer]))
        yield
    service.do(partial(timers.cancel, key="x"))


@contextlib.asynccontextmanager
async def cap_used_up(service: Running) -> AsyncIterator[None]:
    service.do(partial(leases.count_tried, mails=range(HOURLY), now=service.house.now()))
    yield
    service.write("DELETE FROM rate")  # as an hour does


@contextlib.asynccontextmanager
async def rules_away(service: Running) -> AsyncIterator[None]:
    one = still.Standing(MatchId("K7QX2"), "nine-1", service.house.now(), "not installed")
    service.do(partial(still.stop, one=one))
    yield
    service.do(partial(still.go_on, match=one.match))


@contextlib.asynccontextmanager
async def disk_nearly_full(service: Running) -> AsyncIterator[None]:
    with service.patch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: Disk(1000, 960, 40))
        yield


def _nothing(*_: object, **__: object) -> list[object]:
    return []


def _fails(*_: object) -> None:
    raise PbemError("a template of the operator's has a fault")


CAUSES: Final = [
    ("schema", damaged),
    ("writer", writer_stuck),
    ("writer", not_writable),
    ("mailbox", mailbox_down),
    ("letters", letters_not_taken),
    ("mails", smtp_refusing),
    ("mails", smtp_not_letting_us_in),
    ("mails", template_broken),
    ("timers", timers_not_fired),
    ("caps", cap_used_up),
    ("games", rules_away),
    ("disk", disk_nearly_full),
]


@pytest.mark.parametrize(("name", "fault"), CAUSES, ids=[fault.__name__ for _, fault in CAUSES])
async def test_an_alarm_comes_and_goes(running: Running, name: str, fault: Fault) -> None:
    async with fault(running):
        await running.hears(f"{name} wrong")
        await running.says(name, well=False)
    await running.hears(f"{name} well")
    await running.says(name, well=True)


def test_every_check_is_caused_and_has_its_section() -> None:
    assert list(dict.fromkeys(name for name, _ in CAUSES)) == list(CHECKS)
    sections = re.findall(r"^## `(\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == list(CHECKS)
