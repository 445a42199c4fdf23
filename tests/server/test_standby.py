"""One process serves, another one waits and takes over; on SQLite it is refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.server import standby
from pbem.server.standby import serve_alone
from pbem.store.database import Database
from pbem.store.worker_lock import AlreadyServedError, FileLock, LockLostError
from tests.store.conftest import postgresql, postgresql_database
from tests.store.test_worker_lock import another, end_session, write

__all__ = ["postgresql", "postgresql_database"]

SOON = 15.0  # seconds


class FakeServer:
    """A server that only notes when it serves."""

    def __init__(self, name: str, log: list[str], fault: Exception | None = None) -> None:
        self.name, self.log, self.fault = name, log, fault

    async def serve(self, stop: asyncio.Event) -> None:
        self.log.append(f"{self.name} serves")
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        await stop.wait()
        self.log.append(f"{self.name} ends")


def make(name: str, log: list[str]) -> Callable[[], Any]:
    return lambda: FakeServer(name, log)


async def wait_for(log: list[str], *lines: str) -> None:
    async with asyncio.timeout(SOON):
        while tuple(log[-len(lines) :]) != lines:  # noqa: ASYNC110 - a list tells nobody
            await asyncio.sleep(0.05)


async def test_a_second_process_on_sqlite_is_told_who_serves(tmp_path: Path) -> None:
    opened = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    log, stop = list[str](), asyncio.Event()
    serving = asyncio.create_task(serve_alone(opened, make("first", log), stop))
    await wait_for(log, "first serves")
    with another(opened) as other, pytest.raises(AlreadyServedError, match=r"process \d+ on .*UTC"):
        await serve_alone(other, make("second", log), stop)
    stop.set()
    await serving
    assert log == ["first serves", "first ends"]
    stop.clear()
    serving = asyncio.create_task(serve_alone(opened, make("third", log), stop))
    await wait_for(log, "third serves")
    stop.set()
    await serving
    opened.close()


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standby, "LOOK_SECONDS", 0.1)


async def test_who_waits_takes_over(postgresql_database: Database) -> None:
    log, first_stop, second_stop = list[str](), asyncio.Event(), asyncio.Event()
    with another(postgresql_database) as other:
        first = asyncio.create_task(
            serve_alone(postgresql_database, make("first", log), first_stop)
        )
        await wait_for(log, "first serves")
        second = asyncio.create_task(serve_alone(other, make("second", log), second_stop))
        await asyncio.sleep(0.5)
        assert log == ["first serves"]
        first_stop.set()
        await first
        await wait_for(log, "first serves", "first ends", "second serves")
        second_stop.set()
        await second


async def test_who_loses_the_lock_stops_and_waits_again(postgresql_database: Database) -> None:
    log, stop = list[str](), asyncio.Event()
    serving = asyncio.create_task(serve_alone(postgresql_database, make("first", log), stop))
    await wait_for(log, "first serves")
    with another(postgresql_database) as other:
        end_session(other)
    with pytest.raises(LockLostError):
        write(postgresql_database)
    await wait_for(log, "first serves", "first ends", "first serves")
    write(postgresql_database)
    stop.set()
    await serving


async def test_a_lock_without_an_answer_counts_as_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    answer = threading.Event()
    monkeypatch.setattr(standby, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(FileLock, "is_held", lambda _: answer.wait(SOON))
    log, stop = list[str](), asyncio.Event()
    serving = asyncio.create_task(serve_alone(opened, make("first", log), stop))
    try:
        await wait_for(log, "first serves", "first ends", "first serves")
    finally:
        answer.set()
        stop.set()
        await serving
        opened.close()


async def test_a_start_that_meets_no_database_is_repeated(postgresql_database: Database) -> None:
    log, stop = list[str](), asyncio.Event()
    server = FakeServer("first", log, LockLostError())
    serving = asyncio.create_task(serve_alone(postgresql_database, lambda: server, stop))  # type: ignore[arg-type,return-value]
    await wait_for(log, "first serves", "first serves")
    stop.set()
    await serving
