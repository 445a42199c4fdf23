"""`serve` as a process: it answers emails and monitors, and stops when it is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbem.names import Checkpoint, MatchId
from pbem.notifications.renderer import Renderer
from pbem.server.faults import FaultLog
from pbem.server.listener import make_site
from pbem.server.loops import Server, repeat
from pbem.server.manager import ALIVE, READY, STOPPING, notify_manager
from pbem.server.pictures import PictureDrawer
from pbem.server.process import process_due_messages
from pbem.server.receive import receive_new_messages
from pbem.server.sending_limits import NO_SENDING_LIMITS
from pbem.service.app import App
from pbem.service.timers import find_due, make_cause
from pbem.store import inbox, waiting
from pbem.store.faults import note_fault
from pbem.store.heartbeats import FETCH, RUNNING, SERVE, find_heartbeat, note_heartbeat
from pbem.transport import Batch, LoginError, TransportError
from pbem.transport.maildir import MaildirMailbox, MaildirMailer
from tests.server.conftest import NOON, Clock

ROOT = Path(__file__).parents[2]
EMAIL = b"""\
From: Ann <ann@example.org>
To: games@pbem.example
Subject: Hello
Date: Sat, 28 Nov 2026 12:00:00 +0000
Message-ID: <1@example.org>

new logger with bot
"""


@pytest.fixture
def server(app: App, tmp_path: Path) -> Server:
    return Server(app, MaildirMailbox(tmp_path / "in"), MaildirMailer(tmp_path / "out"))


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pbem", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def deliver(maildir: Path) -> None:
    (maildir / "new").mkdir(parents=True)
    (maildir / "new/1").write_bytes(EMAIL)


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `serve` in a folder, with its log in `log`."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "pbem", "serve"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=log,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(path: Path, pattern: str) -> Path:
    deadline = time.monotonic() + 60
    while not (found := [*path.glob(pattern)]):
        assert time.monotonic() < deadline, (path.parents[1] / "log").read_text()
        time.sleep(0.05)
    return found[0]


def ask(port: int, path: str, **headers: str) -> tuple[int, str]:
    answer = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=20)
    return answer.status_code, answer.text


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    """Listen as systemd does for what services tell it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address.replace("@", "\0", 1))
        manager.setblocking(False)
        yield manager


def read_states(manager: socket.socket) -> list[str]:
    states = []
    with suppress(BlockingIOError):
        while True:
            states.append(manager.recv(99).decode())
    return states


def test_systemd_may_listen_at_an_abstract_address_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"@pbem-{os.getpid()}"
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    with listening(address) as manager:
        notify_manager(READY)
        assert read_states(manager) == [READY]
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    notify_manager(READY)


def test_serve_answers_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path, "init", "--yes", "--maildir", "mail").returncode == 0
    port = find_free_port()
    with (tmp_path / "config.toml").open("a") as config:
        config.write(
            f'[web]\nlisten = "127.0.0.1:{port}"\ntrusted_proxies = "192.0.2.9"\n'
            '[log]\nformat = "json"\n'
        )
    deliver(tmp_path / "mail/in")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with listening(str(tmp_path / "notify")) as manager, serving(tmp_path) as process:
        answer = message_from_bytes(wait_for(tmp_path / "mail/out/new", "*").read_bytes())
        assert answer["X-PBEM-Kind"] == "question"
        assert ask(port, "/readyz") == (200, "ready\n")
        status, metrics = ask(port, "/metrics")
        assert status == 200
        assert "pbem_sent_in_hour 1" in metrics.splitlines()
        for path in ("/metrics", "/readyz"):
            for header in ("X-Forwarded-For", "Forwarded"):
                assert ask(port, path, **{header: "192.0.2.1"})[0] == 404
        assert "Logger" in ask(port, "/")[1]
        forwarded = httpx.get(f"http://127.0.0.1:{port}/", headers={"X-Forwarded-Proto": "https"})
        assert "strict-transport-security" not in forwarded.headers  # the sender is no proxy
        checked = run(tmp_path, "check", NOTIFY_SOCKET="")
        assert checked.returncode == 0  # its own address is in use
        assert "ok     web" in checked.stdout
        for listen, fault in ((f"127.0.0.1:{port}", "in use"), ("", "Stop that one first.")):
            settings = {"PBEM_WEB__LISTEN": listen, "PBEM_LOG__LEVEL": "error"}
            second = run(tmp_path, "serve", NOTIFY_SOCKET="", **settings)
            assert second.returncode == 1
            assert fault in second.stderr
            assert len(second.stderr.splitlines()) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        states = read_states(manager)
    assert (states[0], states[-1]) == (READY, STOPPING)
    assert {*states[1:-1]} == {ALIVE}
    log = (tmp_path / "log").read_text()
    assert '"event": "service_stopped"' in log
    assert '"level": "error"' not in log


async def test_a_loop_that_fails_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.server.loops.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("pbem.server.loops.MAX_PAUSE", 0.03)
    stop, faults, states = asyncio.Event(), FaultLog(), list[set[str]]()
    no = TransportError("no")
    errors = iter([no, KeyError("x"), no, no, None, None, ValueError("y")])

    async def step() -> int:
        states.append({*faults._failing})
        error = next(errors, None)
        if error is not None:
            raise error
        if len(states) > 7:
            stop.set()
        return 1

    with capture_logs() as entries:
        await asyncio.wait_for(repeat("send", step, stop, faults), 10)
    failing = {"loop send"}
    assert states == [set(), *[failing] * 4, set(), set(), failing]
    assert not faults._failing
    assert [entry["retry_in"] for entry in entries] == [0.01, 0.02, 0.03, 0.03, 0.01]


async def test_a_refused_login_is_tried_again_after_minutes() -> None:
    stop = asyncio.Event()

    async def step() -> int:
        asyncio.get_running_loop().call_later(0.1, stop.set)
        raise LoginError("no")

    with capture_logs() as entries:
        await asyncio.wait_for(repeat("receive", step, stop, FaultLog()), 10)
    assert [entry["retry_in"] for entry in entries] == [300.0]


async def test_monitors_and_browsers_are_told_that_the_database_is_away(app: App) -> None:
    file = app.database.file
    assert file is not None
    app.database.engine.dispose()
    file.unlink()
    file.mkdir()
    site = httpx.ASGITransport(make_site(app, NO_SENDING_LIMITS, PictureDrawer()))
    async with httpx.AsyncClient(transport=site, base_url="http://127.0.0.1") as client:
        for path, said in (
            ("/readyz", "not ready\ndatabase: unable to open database file"),
            ("/metrics", "# database: unable to open database file"),
            ("/", "<h1>That didn't work</h1>"),
        ):
            answer = await client.get(path)
            assert answer.status_code == 503
            assert said in answer.text
        assert int((await client.get("/")).headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("template", "said"),
    [("club", "<h1>That didn't work</h1>"), ("layout", "500 Internal Server Error")],
)
async def test_a_broken_template_of_a_page_is_an_error_in_the_log(
    template: str, said: str, app: App, tmp_path: Path
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / f"pages/{template}.html.j2").write_text("{% if %}")
    app = replace(app, renderer=Renderer([tmp_path]))
    site = httpx.ASGITransport(make_site(app, NO_SENDING_LIMITS, PictureDrawer()))
    async with httpx.AsyncClient(transport=site, base_url="http://127.0.0.1") as client:
        with capture_logs() as entries:
            answer = await client.get("/")
    assert answer.status_code == 500
    assert said in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    assert {(entry["event"], entry["log_level"]) for entry in entries} == {("page_failed", "error")}


async def test_a_service_that_works_is_ready_in_spite_of_an_error(app: App) -> None:
    site = httpx.ASGITransport(make_site(app, NO_SENDING_LIMITS, PictureDrawer()))

    def note(conn: Connection) -> None:
        note_heartbeat(conn, SERVE, NOON)
        note_heartbeat(conn, FETCH, NOON)
        note_fault(conn, "timer_failed", "KeyError", NOON)

    async with httpx.AsyncClient(transport=site, base_url="http://127.0.0.1") as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert [line.partition(":")[0] for line in answer.text.splitlines()] == [
            "not ready",
            "serve",
            "mailbox",
        ]
        app.database.run(note)
        answer = await client.get("/readyz")
        assert answer.status_code == 200
        assert answer.text.startswith("ready\nerrors: timer_failed")
        assert answer.headers["cache-control"] == "no-store"


async def wait_until(is_done: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_done():  # noqa: ASYNC110 - a list tells nobody
            await asyncio.sleep(0.01)


async def test_a_service_watches_and_cleans_itself(
    server: Server, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, cleaned = list[str](), list[datetime]()

    def clean(_conn: Connection, now: datetime) -> bool:
        cleaned.append(now)
        return len(cleaned) == 1  # then more is left

    monkeypatch.setattr("pbem.server.loops.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("pbem.server.loops.notify_manager", states.append)
    monkeypatch.setattr("pbem.server.loops.retention.delete_old", clean)
    server.faults.note_error(None, "error", {"event": "disk_broken"})
    stop = asyncio.Event()
    serving = asyncio.create_task(server.serve(stop))
    await wait_until(lambda: len(cleaned) == 2)
    for number in (1, 2):
        clock.go_on(minutes=1)
        await wait_until(lambda number=number: len(states) >= number)  # type: ignore[misc]
    await wait_until(lambda: any((tmp_path / "out").glob("new/*")))
    assert len(cleaned) == 2
    clock.go_on(hours=1)
    await wait_until(lambda: len(cleaned) == 3)
    stop.set()
    await serving
    assert {*states} == {ALIVE}
    [alarm] = (tmp_path / "out").glob("new/*")
    assert b"disk_broken" in alarm.read_bytes()


async def test_the_wait_for_emails_ends_when_something_is_due(app: App, tmp_path: Path) -> None:
    waits = list[float]()

    class Mailbox(MaildirMailbox):
        async def wait_for_new(self, seconds: float) -> None:
            waits.append(seconds)

    server = Server(app, Mailbox(tmp_path / "in"), MaildirMailer(tmp_path / "out"))
    match = MatchId("K7QX2")
    for due in (None, 20, -5, 500):
        at = None if due is None else NOON + timedelta(seconds=due)
        app.database.run(lambda conn, at=at: waiting.set_timer(conn, match, at))  # type: ignore[misc]
        await server._receive()
    assert waits == [60.0, 20.0, 1.0, 60.0]


async def test_an_email_that_fails_is_tried_after_one_and_five_minutes(
    app: App, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise KeyError

    monkeypatch.setattr("pbem.server.process.process_message", fail)
    deliver(tmp_path)
    mailbox = MaildirMailbox(tmp_path)
    assert await receive_new_messages(app, mailbox) == 1
    assert [path.name for path in (tmp_path / "cur").iterdir()] == ["1:2,S"]
    tried = []
    for _ in range(15):
        tried.append(await process_due_messages(app))
        clock.go_on(minutes=1)
    assert [minute for minute, number in enumerate(tried) if number] == [0, 1, 6]


async def test_a_clock_that_is_set_back_stops_no_heartbeat(
    app: App, server: Server, clock: Clock
) -> None:
    clock.go_on(days=20)
    await server.start()
    clock.go_on(days=-20)
    await server.run_until_idle()
    assert app.database.run(lambda conn: find_heartbeat(conn, SERVE)) == NOON


async def test_a_look_at_the_mailbox_counts_from_its_beginning(
    app: App, clock: Clock, tmp_path: Path
) -> None:
    class SlowMailbox(MaildirMailbox):
        async def fetch_new(self, checkpoint: Checkpoint | None) -> Batch | None:
            clock.go_on(minutes=2)
            return await super().fetch_new(checkpoint)

    deliver(tmp_path)
    assert await receive_new_messages(app, SlowMailbox(tmp_path)) == 1
    [message] = app.database.run(lambda conn: inbox.list_messages(conn, "new", limit=9))
    fetched = app.database.run(lambda conn: find_heartbeat(conn, FETCH))
    assert (message.received_at, fetched) == (NOON, NOON + timedelta(minutes=2))


def fail_with(app: App, *statements: str) -> Exception:
    """Return what SQLite raises."""

    def execute(conn: Connection) -> None:
        for statement in statements:
            conn.exec_driver_sql(statement)

    with pytest.raises(OperationalError) as raised:
        app.database.run(execute)
    return raised.value


async def test_a_full_disk_is_one_line_of_the_log(app: App) -> None:
    full = fail_with(
        app, "PRAGMA max_page_count = 1", "CREATE TABLE large AS SELECT zeroblob(1000000)"
    )
    errors = [full, fail_with(app, "SELECT * FROM nowhere")]
    stop = asyncio.Event()

    async def step() -> int:
        if len(errors) == 1:
            stop.set()
        raise errors.pop(0)

    with capture_logs() as entries:
        await asyncio.wait_for(repeat("send", step, stop, FaultLog()), 10)
    assert [entry.get("reason") for entry in entries] == ["database or disk is full", None]
    assert [entry["log_level"] for entry in entries] == ["warning", "error"]


async def test_what_ends_the_process_waits_after_three_times(
    app: App, server: Server, clock: Clock
) -> None:

    def find_first(conn: Connection) -> str:
        due = find_due(conn, clock())
        return "" if due is None else make_cause(due)

    def prepare(conn: Connection) -> None:
        note_heartbeat(conn, FETCH, NOON)
        waiting.set_timer(conn, MatchId("K7QX2"), NOON - timedelta(minutes=2))
        waiting.set_timer(conn, MatchId("M4RST"), NOON - timedelta(minutes=1))

    app.database.run(prepare)
    first, other = "timer:K7QX2:2026-11-28T11:58", "timer:M4RST:2026-11-28T11:59"
    for waits in (False, False, False, True):
        await server.start()  # the process ends after it without a stop
        assert app.database.run(find_first).startswith(other if waits else first)
    clock.go_on(minutes=31)
    app.database.run(lambda conn: note_heartbeat(conn, FETCH, clock()))
    app.database.run(lambda conn: waiting.set_timer(conn, MatchId("M4RST"), None))
    assert "K7QX2" in app.database.run(find_first)


def is_running(app: App) -> bool:
    return app.database.run(lambda conn: find_heartbeat(conn, RUNNING)) is not None


async def test_a_stop_counts_against_nothing(app: App, server: Server) -> None:
    stop = asyncio.Event()
    serving = asyncio.create_task(server.serve(stop))
    await wait_until(lambda: is_running(app))
    stop.set()
    await serving
    assert not is_running(app)
