"""One process serves, another one waits and takes over; on SQLite it is refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from unittest.mock import Mock

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


@asynccontextmanager
async def serving(
    database: Database, name: str, log: list[str], fault: Exception | None = None
) -> AsyncIterator[None]:
    """Let a process serve, or wait until it can, and stop it at the end."""
    server, stop = FakeServer(name, log, fault), asyncio.Event()
    task = asyncio.create_task(serve_alone(database, lambda: server, stop))  # type: ignore[arg-type,return-value]
    try:
        yield
    finally:
        stop.set()
        await task


async def wait_for(log: list[str], *lines: str) -> None:
    async with asyncio.timeout(SOON):
        while tuple(log[-len(lines) :]) != lines:  # noqa: ASYNC110 - a list tells nobody
            await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standby, "LOOK_SECONDS", 0.1)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    yield opened
    opened.close()


async def test_a_second_process_on_sqlite_is_told_who_serves(database: Database) -> None:
    log = list[str]()
    async with serving(database, "first", log):
        await wait_for(log, "first serves")
        with (
            another(database) as other,
            pytest.raises(AlreadyServedError, match=r"process \d+ on"),
        ):
            await serve_alone(other, Mock(), asyncio.Event())
    assert log == ["first serves", "first ends"]
    async with serving(database, "third", log):
        await wait_for(log, "third serves")


async def test_who_waits_takes_over(postgresql_database: Database) -> None:
    log = list[str]()
    with another(postgresql_database) as other:
        async with AsyncExitStack() as waiting:
            async with serving(postgresql_database, "first", log):
                await wait_for(log, "first serves")
                await waiting.enter_async_context(serving(other, "second", log))
                await asyncio.sleep(0.5)
                assert log == ["first serves"]
            await wait_for(log, "first serves", "first ends", "second serves")


async def test_who_loses_the_lock_stops_and_waits_again(postgresql_database: Database) -> None:
    log = list[str]()
    async with serving(postgresql_database, "first", log):
        await wait_for(log, "first serves")
        with another(postgresql_database) as other:
            end_session(other)
        with pytest.raises(LockLostError):
            write(postgresql_database)
        await wait_for(log, "first serves", "first ends", "first serves")
        write(postgresql_database)


async def test_a_lock_without_an_answer_counts_as_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, log = threading.Event(), list[str]()
    monkeypatch.setattr(standby, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(FileLock, "is_held", lambda _: answer.wait(SOON))
    async with serving(database, "first", log):
        try:
            await wait_for(log, "first serves", "first ends", "first serves")
        finally:
            answer.set()


async def test_a_start_that_meets_no_database_is_repeated(postgresql_database: Database) -> None:
    log = list[str]()
    async with serving(postgresql_database, "first", log, LockLostError()):
        await wait_for(log, "first serves", "first serves")
