"""A mail that ends the service while it is written, or cannot be, waits and holds up no other."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.delivery import mail_writing
from pbem.errors import PbemError
from pbem.health import checks, look, unwritten, wrong
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.views.scene import View
from pbem.runners.deliver import Delivery, deliver_due
from pbem.runners.supervise import Wakes, supervise
from pbem.store.mails import outbox
from pbem.store.mails.leases import ENDS_US
from pbem.store.mails.outbox import OutboxRow
from pbem.transport import Result
from tests.clubs.club import Clock, open_club
from tests.clubs.hostile import run_cli
from tests.delivery.test_hanging_mails import in_state, owe, rows
from tests.sampling import sampled

FORK = multiprocessing.get_context("fork")
POISON = "poison@x.example"
START = Clock().time


class Still(Clock):
    """A clock that goes on when it is told."""

    def __call__(self) -> datetime:
        return self.time


class Poisoned(Renderer):
    """Ends the process, as a lack of memory would, at the mail that tells of so many mails."""

    def __init__(self, marked: str) -> None:
        super().__init__()
        self._marked = marked

    def render(self, view: View) -> Rendered:
        rendered = super().render(view)
        if self._marked in rendered.text:
            os.kill(os.getpid(), signal.SIGKILL)
        return rendered


def is_due(row: OutboxRow, now: datetime) -> bool:
    return row.state in {"new", "leased"} or (row.next_at is not None and row.next_at <= now)


async def serve_until_sent(folder: Path, later: timedelta) -> None:
    """The service with a renderer that one mail kills, until no mail is due."""
    club = open_club(folder, clock=Still(START + later))
    club.house = replace(club.house, renderer=Poisoned("1 of the 2 mails"))
    stop = asyncio.Event()
    running = asyncio.create_task(supervise(club.house, [], club.postbox, stop, Wakes()))
    while any(is_due(row, club.house.now()) for row in rows(club)):  # noqa: ASYNC110 - the store tells nobody
        await asyncio.sleep(0.01)
    stop.set()
    await running
    club.house.db.close()


def child(folder: Path, later: timedelta) -> None:
    asyncio.run(serve_until_sent(folder, later))
    os._exit(0)


def run(folder: Path, later: timedelta = timedelta(0)) -> int | None:
    process = FORK.Process(target=child, args=(folder, later))
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
        pytest.fail("the mails do not go")
    return process.exitcode


def readers(count: int) -> Sequence[str]:
    return [f"ann{number}@x.example" for number in range(count)]


@pytest.mark.parametrize("before", sampled([14, 3, 0], 2))
def test_a_mail_that_kills_is_written_alone_and_tried_ever_more_seldom(
    tmp_path: Path, before: int
) -> None:
    club = open_club(tmp_path, clock=Still())
    owe(club, *readers(before))
    owe(club, POISON, used=1, most=2)
    owe(club, *[f"bob{number}@x.example" for number in range(5)])
    club.house.db.close()
    codes = [run(tmp_path) for _ in range(ENDS_US + 1)]
    assert codes == [-signal.SIGKILL] * ENDS_US + [0]
    times, later = ENDS_US, timedelta(0)
    for pause in (1, 5):
        club = open_club(tmp_path)
        with closing(club.house.db):
            assert in_state(club, "sent") == {row.to_address for row in rows(club)} - {POISON}
            [poison] = [row for row in rows(club) if row.to_address == POISON]
            assert poison.smtp_reply == f"writing it has ended the service {times} times"
            assert poison.next_at == START + later + timedelta(minutes=pause)
        times, later = times + 1, later + timedelta(minutes=pause)
        assert run(tmp_path, later) == -signal.SIGKILL
        assert run(tmp_path, later) == 0
    told = "1 of our mails could not be written yet, the oldest is mail"
    number = before + 1
    assert f"{told} {number}: " in run_cli(tmp_path, "status")
    run_cli(tmp_path, "resend", str(number))
    club = open_club(tmp_path)
    with closing(club.house.db):
        asyncio.run(deliver_due(club.house, club.postbox))
        assert POISON in in_state(club, "sent")
    assert told not in run_cli(tmp_path, "status")


class Failing(Renderer):
    def render(self, view: View) -> Rendered:
        raise PbemError(f"a template of ours has a fault at {view!r:.20}")


async def test_a_template_with_a_fault_delays_its_mails_and_the_operator_is_told(
    tmp_path: Path,
) -> None:
    clock = Still()
    club = open_club(tmp_path, clock=clock)
    with closing(club.house.db):
        owe(club, POISON)
        healthy, failing = club.house, replace(club.house, renderer=Failing())
        for pause in (1, 5, 15, 30, 60, 60):
            assert await deliver_due(failing, club.postbox) == 0
            [row] = rows(club)
            assert row.next_at == clock.time + timedelta(minutes=pause)
            facts = look(club.house.settings, clock.time)
            assert [one.line for one in wrong(checks(facts)) if one.name == "mails"] == [
                unwritten([row.id]).line
            ]
            clock.time += timedelta(minutes=pause)
        assert await deliver_due(healthy, club.postbox) == 1
        assert in_state(club, "sent") == {POISON}


async def test_a_mail_that_was_written_late_has_all_its_tries(tmp_path: Path) -> None:
    clock = Still()
    club = open_club(tmp_path, clock=clock)
    with closing(club.house.db):
        owe(club, POISON)
        for _ in range(3):
            await deliver_due(replace(club.house, renderer=Failing()), club.postbox)
            clock.time += timedelta(days=2)
        club.postbox.verdict = lambda _: Result("transient", 451, "greylisted, come back later")
        await deliver_due(club.house, club.postbox)
        [row] = rows(club)
        assert (row.state, row.next_at) == ("failed", clock.time + timedelta(minutes=1))


async def test_what_was_leased_and_not_sent_at_the_end_is_as_it_was(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    with closing(club.house.db):
        owe(club, *readers(8))
        held = asyncio.Event()

        class Holding:
            async def send(self, envelope: object) -> dict[str, object]:
                del envelope
                await held.wait()
                return {}

        delivery = Delivery(club.house, Holding())  # type: ignore[arg-type]
        assert await delivery.start_due() == club.house.settings.smtp.connections
        assert in_state(club, "leased") == set(readers(8))
        await delivery.close(0.1)
        assert in_state(club, "new") == set(readers(8))
        assert {row.attempts for row in rows(club)} == {0}
        before = {row.id: row.data for row in rows(club)}
        await club.work()
        assert sent(rows(club)) == before
        assert {envelope.data for envelope in club.envelopes} == set(before.values())


def sent(found: Sequence[OutboxRow]) -> dict[int, bytes | None]:
    return {row.id: row.data for row in found if row.state == "sent"}


async def test_mails_whose_bytes_could_not_be_kept_are_written_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = open_club(tmp_path)
    with closing(club.house.db):
        owe(club, *readers(2))
        delivery = Delivery(club.house, club.postbox)

        def full(*_: object) -> None:
            raise OSError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(outbox, "keep", full)
            for _ in range(4):
                with pytest.raises(OSError, match="full"):
                    await delivery.start_due()
        assert {row.attempts for row in rows(club)} == {1}
        for _ in range(2):  # one connection
            assert await delivery.start_due() == 1
            await delivery.one_ends()
        await delivery.close(5)
        assert in_state(club, "sent") == set(readers(2))


async def test_a_lost_database_is_no_mails_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads what a mail needs may find the connection gone: the mail waits as it is."""

    def fails(*_: object) -> None:
        with closing(sqlite3.connect(":memory:")) as conn:
            conn.execute("PRAGMA max_page_count = 1").close()
            conn.execute("CREATE TABLE a (b)").close()
            conn.execute("CREATE TABLE c (d)").close()

    with closing((club := open_club(tmp_path)).house.db):
        with monkeypatch.context() as patched:
            patched.setattr(mail_writing, "material", fails)
            with pytest.raises(sqlite3.OperationalError, match="full"):
                await club.write("ann@example.org", "hello")
        assert [(row.state, row.smtp_reply) for row in rows(club)] == [("new", None)]
        await club.work()
        assert [row.state for row in rows(club)] == ["sent"]
