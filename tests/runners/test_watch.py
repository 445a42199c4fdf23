"""Looks at the service: what is stuck or broken is told, and does not stop the look."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem import health
from pbem.runners import watch as watching
from pbem.runners.watch import Report, Watch
from tests.clubs.club import Club, open_club


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


class Stuck:
    """A unit of work that ends when it is let go."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.begun = threading.Event()

    def __call__(self, _: Connection) -> None:
        self.begun.set()
        self.free.wait(60)


def wrong(report: Report) -> list[str]:
    return [check.name for check in report.checks if not check.well and check.name != "disk"]


async def test_a_writer_that_is_stuck_is_told_until_it_answers(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ANSWERS", 0.05)
    monkeypatch.setattr("pbem.health.ANSWERS", 0.05)
    watch, stuck = Watch(club.house), Stuck()
    try:
        held = club.house.db.write(stuck)
        stuck.begun.wait(60)
        reports = [await watch.look() for _ in range(2)]
        assert [(one.answers, wrong(one)) for one in reports] == [(False, ["writer"])] * 2
        assert reports[-1].unanswered >= 0.1
    finally:
        stuck.free.set()
    held.result()
    assert (await watch.look()).answers  # and how long it has taken is still told
    report = await watch.look()
    assert (report.answers, wrong(report)) == (True, [])


async def test_a_reader_that_is_stuck_is_told(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    watch, stuck = Watch(club.house), Stuck()
    try:
        held = club.house.db.read(stuck)
        stuck.begun.wait(60)
        report = await watch.look()
        assert (report.answers, wrong(report)) == (True, ["schema"])
        assert "does not answer" in report.facts.unfit
    finally:
        stuck.free.set()
    held.result()
    assert wrong(await watch.look()) == []


async def test_a_database_that_keeps_nothing_is_told_and_answers(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("disk full, letter of ann@example.org")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    watch = Watch(club.house)
    with monkeypatch.context() as patched:
        patched.setattr(watching, "note_signs", fails)
        report = await watch.look()
    assert (report.answers, wrong(report)) == (True, ["writer"])
    assert "the disk is full: make room" in str(report.checks)
    assert "ann" not in str(report.checks)
    assert wrong(await watch.look()) == []


async def test_who_hears_badly_holds_up_nobody(club: Club) -> None:
    heard: list[Report] = []

    async def deaf(_: Report) -> None:
        raise RuntimeError("no")

    async def hear(report: Report) -> None:
        heard.append(report)

    keeping = asyncio.create_task(Watch(club.house, every=0.0, hearers=[deaf, hear]).keep())
    async with asyncio.timeout(60):
        while len(heard) < 2:  # noqa: ASYNC110 - it only looks
            await asyncio.sleep(0.01)
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    assert [wrong(report) for report in heard[:2]] == [[], []]
