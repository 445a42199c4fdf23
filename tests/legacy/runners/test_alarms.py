"""Alarms: a command is run when something turns wrong, and when it is well again."""

from __future__ import annotations

import asyncio
import os
import shlex
import stat
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.legacy.health import Check, Facts
from pbem.legacy.runners import alarms as module
from pbem.legacy.runners.alarms import CALM, RETRY, STEADY, Alarms
from pbem.legacy.runners.watch import Report
from pbem.legacy.store import runner_state
from tests.legacy.clubs.club import Clock, Club, open_club

SCRIPT = """#!/bin/sh
echo "$PBEM_CHECK $PBEM_STATE $PBEM_WORDS" >> {folder}/told
env > {folder}/env
cat > {folder}/stdin
"""
DAY = timedelta(hours=24)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


class Desk:
    """An operator with a command, which notes what it was told."""

    def __init__(self, club: Club, folder: Path, script: str = SCRIPT) -> None:
        self.club, self.folder = club, folder
        self.command = folder / "tell me"
        self.command.write_text(script.format(folder=shlex.quote(str(folder))))
        self.command.chmod(self.command.stat().st_mode | stat.S_IXUSR)
        self.alarms = self.begun()

    def begun(self) -> Alarms:
        """As after a new start."""
        return Alarms(self.club.house, [str(self.command)], DAY)

    async def hear(
        self, *checks: Check, looks: int = STEADY, alarms: Alarms | None = None
    ) -> list[str]:
        """So many looks find this; what was told by then, all in all."""
        alarms, clock = alarms or self.alarms, self.club.clock
        assert isinstance(clock, Clock)
        for _ in range(looks):
            clock.time += timedelta(seconds=15)
            await alarms.hear(Report(at=clock.time, checks=checks, facts=Facts(at=clock.time)))
            if alarms._telling is not None:
                await alarms._telling
        return self.told

    def wait(self, time: timedelta) -> None:
        assert isinstance(self.club.clock, Clock)
        self.club.clock.time += time

    @property
    def told(self) -> list[str]:
        file = self.folder / "told"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def desk(club: Club, tmp_path: Path) -> Desk:
    return Desk(club, tmp_path)


BAD = Check("disk", well=False, words="1% of the disk are free", advice="make room")
GOOD = Check("disk", well=True, words="50% of the disk are free")
FULL, ROOM = "disk wrong 1% of the disk are free: make room", "disk well 50% of the disk are free"


async def test_it_is_told_once_that_something_is_wrong_and_once_that_it_is_well(desk: Desk) -> None:
    assert await desk.hear(GOOD, looks=5) == []
    assert await desk.hear(BAD, looks=9) == [FULL]
    assert await desk.hear(GOOD, looks=9) == [FULL, ROOM]
    assert await desk.hear(BAD) == [FULL, ROOM, FULL]


async def test_what_is_wrong_for_one_look_wakes_nobody(desk: Desk) -> None:
    for _ in range(3):
        assert await desk.hear(BAD, looks=STEADY - 1) == []
        assert await desk.hear(GOOD, looks=1) == []


async def test_what_is_well_for_one_look_lets_nobody_sleep(desk: Desk) -> None:
    await desk.hear(BAD)
    desk.wait(CALM)
    for _ in range(3):
        assert await desk.hear(GOOD, looks=STEADY - 1) == [FULL]
        assert await desk.hear(BAD, looks=1) == [FULL]


async def test_what_stays_wrong_is_told_again_after_a_day(desk: Desk) -> None:
    await desk.hear(BAD)
    desk.wait(DAY - timedelta(minutes=5))
    assert await desk.hear(BAD) == [FULL]
    desk.wait(timedelta(minutes=5))
    assert await desk.hear(BAD) == [FULL, FULL]


async def test_a_new_start_tells_nothing_twice_and_knows_what_was_wrong(desk: Desk) -> None:
    await desk.hear(BAD)
    assert await desk.hear(BAD, looks=9, alarms=desk.begun()) == [FULL]
    assert await desk.hear(GOOD, looks=9, alarms=desk.begun()) == [FULL, ROOM]
    assert await desk.hear(GOOD, looks=9, alarms=desk.begun()) == [FULL, ROOM]


async def test_of_several_processes_one_tells(desk: Desk) -> None:
    others = [desk.begun() for _ in range(3)]
    for _ in range(4):
        for one in others:
            await desk.hear(BAD, looks=1, alarms=one)
    assert desk.told == [FULL]


async def test_one_process_alone_calls_nothing_well_at_once(desk: Desk) -> None:
    other = desk.begun()
    await desk.hear(GOOD, looks=9, alarms=other)
    await desk.hear(BAD)
    assert await desk.hear(GOOD, looks=2, alarms=other) == [FULL]


async def test_each_check_is_told_of_itself(desk: Desk) -> None:
    away = Check("mailbox", well=False, words="away", advice="wait")
    assert await desk.hear(BAD, away) == [FULL, "mailbox wrong away: wait"]


async def test_what_the_command_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "hunter2")
    monkeypatch.setenv("SMTP_TOKEN", "hunter3")
    await desk.hear(BAD)
    names = {line.partition("=")[0] for line in (desk.folder / "env").read_text().splitlines()}
    ours = {"PBEM_CHECK", "PBEM_STATE", "PBEM_WORDS", "PBEM_SINCE", "PBEM_TITLE"}
    assert {name for name in names if name.startswith("PBEM")} == ours
    assert "hunter" not in (desk.folder / "env").read_text()
    assert (desk.folder / "stdin").read_text() == (
        f"Club: disk is wrong since 2026-11-21T12:00:15Z: {BAD.line}\n"
    )


async def test_a_command_that_fails_is_run_again_later(desk: Desk) -> None:
    desk.command.write_text(f"{desk.command.read_text()}\nexit 3\n")
    with capture_logs() as logs:
        assert await desk.hear(BAD, looks=5) == [FULL]
    assert [(one["event"], one["why"]) for one in logs] == [("alarm_not_told", "it ended with 3")]
    desk.wait(RETRY)
    assert await desk.hear(BAD) == [FULL, FULL]


async def test_what_nobody_was_told_of_is_not_called_well(desk: Desk) -> None:
    works = desk.command.read_text()
    desk.command.write_text("#!/bin/sh\nexit 3\n")
    await desk.hear(BAD, looks=5)
    desk.command.write_text(works)
    desk.wait(RETRY)
    assert await desk.hear(GOOD, looks=9) == []
    assert await desk.hear(GOOD, looks=9, alarms=desk.begun()) == []
    assert await desk.hear(BAD) == [FULL]


async def test_what_somebody_was_told_of_is_called_well_though_the_telling_failed_since(
    desk: Desk,
) -> None:
    works = desk.command.read_text()
    assert await desk.hear(BAD) == [FULL]
    desk.command.write_text("#!/bin/sh\nexit 3\n")
    desk.wait(DAY)
    assert await desk.hear(BAD, looks=3) == [FULL]
    desk.command.write_text(works)
    desk.wait(RETRY)
    assert await desk.hear(GOOD, looks=9) == [FULL, ROOM]


async def test_a_command_that_is_not_there_is_told_in_the_log(desk: Desk) -> None:
    desk.command.unlink()
    with capture_logs() as logs:
        await desk.hear(BAD)
    assert "cannot be run: No such file or directory" in logs[0]["why"]


async def test_a_command_that_hangs_is_ended_with_what_it_has_started(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.3)
    desk = Desk(club, tmp_path, "#!/bin/sh\nsleep 900 &\necho $! > {folder}/child\nsleep 900\n")
    began = time.monotonic()
    with capture_logs() as logs:
        await desk.hear(BAD)
    assert time.monotonic() - began < 300
    assert "did not end within" in logs[0]["why"]
    child = int((tmp_path / "child").read_text())
    async with asyncio.timeout(120):
        while _runs(child):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_whoever_hears_does_not_wait_for_the_command(club: Club, tmp_path: Path) -> None:
    desk = Desk(club, tmp_path, "#!/bin/sh\nsleep 60\n")
    began = time.monotonic()
    for number in range(3):
        at = club.house.now() + timedelta(seconds=number)
        await desk.alarms.hear(Report(at=at, checks=(BAD,), facts=Facts(at=at)))
        await asyncio.sleep(0.05)
    await desk.alarms.close()
    assert time.monotonic() - began < 300


async def test_it_is_told_although_nothing_can_be_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(runner_state, "leave_sign", fails)
        assert await desk.hear(BAD, looks=9) == [FULL]
        assert await desk.hear(GOOD, looks=9) == [FULL, ROOM]
