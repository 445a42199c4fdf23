"""The service as a process: it works, says so, and leaves when it is asked to."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.legacy.cli.service import ADDRESS, Service

LETTER = (
    f"From: Cleo <cleo@example.net>\r\nTo: {ADDRESS}\r\nSubject: hello\r\n"
    "Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@example.net>\r\n\r\ngames\r\n"
)


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def serve(service: Service, log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as opened:
        return subprocess.Popen(
            [sys.executable, "-m", "pbem.legacy", "--config", str(service.config), "serve"],
            stderr=opened,
            stdout=opened,
        )


def with_one_reader(service: Service) -> None:
    """No test but those of the processes needs a second, which costs as much as the service."""
    service.write(service.config.read_text() + "[limits]\nreading_processes = 1\n")


# Each test below, and each of the end, asks by SIGTERM.
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_letter_is_answered_and_the_service_leaves_when_asked(
    service: Service, tmp_path: Path, number: signal.Signals
) -> None:
    incoming, outgoing = service.folder / "mail/in/new", service.folder / "mail/out/new"
    incoming.mkdir(parents=True)
    (incoming / "1.letter").write_text(LETTER)
    service.write(service.config.read_text() + '[log]\nformat = "json"\n')
    process = serve(service, tmp_path / "log")
    try:
        until(lambda: outgoing.exists() and any(outgoing.iterdir()))
        process.send_signal(number)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.wait()
    (sent,) = outgoing.iterdir()
    assert b"To: Cleo <cleo@example.net>" in sent.read_bytes()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [lines[0]["event"], lines[-1]["event"]] == ["serving", "stopped"]
    assert "cleo" not in (tmp_path / "log").read_text()
    assert "stranger" in service.run("mails")
    status = service.run("status")
    assert "letters" in status
    assert re.search(r"reading .* 2 processes, at most [\d+ ]+ MiB", status), status


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that a process has started, and that still run."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(pid) for pid in found]


def runs(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system has no /proc")
def test_no_process_is_left_behind_when_the_service_is_killed(
    service: Service, tmp_path: Path
) -> None:
    outgoing = service.folder / "mail/out/new"
    (service.folder / "mail/in/new").mkdir(parents=True)
    process = serve(service, tmp_path / "log")
    try:
        (service.folder / "mail/in/new/1.letter").write_text(LETTER)
        until(lambda: outgoing.exists() and any(outgoing.iterdir()))
        started = children(process)
    finally:
        process.kill()
        process.wait()
    assert len(started) >= 2
    until(lambda: not any(map(runs, started)))


def answered(service: Service, log: Path) -> list[bytes]:
    """Serve until there is an answer, and stop; the answers, which are taken away."""
    outgoing = service.folder / "mail/out/new"
    process = serve(service, log)
    try:
        until(lambda: outgoing.exists() and any(outgoing.iterdir()))
    finally:
        process.terminate()
        assert process.wait(120) == 0
    files = list(outgoing.iterdir())
    answers = [file.read_bytes() for file in files]
    for file in files:
        file.unlink()
    return answers


def test_mail_that_came_since_the_backup_is_read_again(service: Service, tmp_path: Path) -> None:
    incoming = service.folder / "mail/in/new"
    incoming.mkdir(parents=True)
    with_one_reader(service)
    service.run("backup", str(tmp_path / "backup"))
    # Somebody whom the backup knows: a stranger would get another id, and so another Message-ID.
    (incoming / "1.letter").write_text(LETTER.replace("Cleo <cleo@", "Ann <ann@"))
    (first,) = answered(service, tmp_path / "log")
    for lost in ("pbem.db", "pbem.db-wal", "pbem.db-shm", "keys.toml"):
        (service.folder / lost).unlink(missing_ok=True)
    service.run("restore", str(tmp_path / "backup"))
    assert service.run("mails") == "There are none.\n"
    (again,) = answered(service, tmp_path / "log")

    def message_id(mail: bytes) -> list[bytes]:
        return [line for line in mail.splitlines() if line.startswith(b"Message-ID:")]

    assert len(message_id(first)) == 1
    assert message_id(again) == message_id(first)


def test_a_damaged_row_is_logged_in_words(service: Service, tmp_path: Path) -> None:
    """A service goes on beside a row that cannot be read, and its log does not repeat the row."""
    with_one_reader(service)
    incoming, outgoing = service.folder / "mail/in/new", service.folder / "mail/out/new"
    incoming.mkdir(parents=True)
    (incoming / "1.letter").write_text(LETTER)
    with closing(sqlite3.connect(service.database)) as conn, conn:
        conn.execute(
            "INSERT INTO timer VALUES ('k', '2026-11-21T12:00:00.000000Z', NULL, 'deadline', "
            "CAST(x'5a7978777675ff' AS TEXT), NULL)"
        )
    process = serve(service, tmp_path / "log")
    try:
        until(lambda: outgoing.exists() and any(outgoing.iterdir()))
        until(lambda: "a text in the database is damaged" in (tmp_path / "log").read_text())
    finally:
        process.terminate()
        assert process.wait(120) == 0
    logged = (tmp_path / "log").read_text()
    assert "Zyxwvu" not in logged
    assert "Traceback" not in logged
