"""`pbem demo` at a terminal: it is left at once and cleanly, whenever Ctrl-C comes."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.legacy.cli.service import run

PROMPT = b"your answer> "
AT_MOST = 30.0
"""Seconds in which it has to be gone on a machine that is busy; else it takes less than one."""

LONGEST = 120.0


@dataclass
class Left:
    """How it ended: exit code, seconds after Ctrl-C, what was said after it, files that stayed."""

    code: int
    seconds: float
    said: bytes
    stayed: list[str]
    as_before: bool


def _as_run_starts_it() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def left(
    folder: Path,
    *options: str,
    at: bytes = b"",
    typed: bytes = b"",
    after: float = 0,
    by: signal.Signals = signal.SIGINT,
) -> Left:
    """Start the demo, wait for what it says, type, and some time later press Ctrl-C, or end it."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    demo = subprocess.Popen(
        [sys.executable, "-m", "pbem.legacy", "demo", "--lang", "en", *options],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TMPDIR": str(folder)},
        start_new_session=True,
        preexec_fn=_as_run_starts_it,  # noqa: PLW1509 - this process has no other threads yet
    )
    said = b""

    def listen(seconds: float) -> None:
        nonlocal said
        if select.select([ours], [], [], seconds)[0]:
            said += os.read(ours, 65536)

    until = time.monotonic() + LONGEST
    while at not in said and time.monotonic() < until:
        listen(0.1)
    os.write(ours, typed)
    pressing = time.monotonic() + after
    while time.monotonic() < pressing:
        listen(0.01)
    heard, pressed = len(said), time.monotonic()
    os.killpg(demo.pid, by)
    while demo.poll() is None and time.monotonic() < pressed + LONGEST:
        listen(0.01)
    seconds = time.monotonic() - pressed
    listen(0)
    alike = termios.tcgetattr(theirs) == before
    os.close(theirs)
    os.close(ours)
    with pytest.raises(ProcessLookupError):
        os.killpg(demo.pid, 0)
    stayed = [path.name for path in folder.iterdir() if path.name.startswith("pbem-")]
    return Left(demo.wait(), seconds, said[heard:], stayed, alike)


STARTS = b"Starting mail servers"


@pytest.mark.parametrize(
    ("at", "typed", "after"),
    [
        (PROMPT, b"", 0),
    ],
)
def test_ctrl_c_leaves_at_once_and_leaves_nothing(
    tmp_path: Path, at: bytes, typed: bytes, after: float
) -> None:
    found = left(tmp_path, at=at, typed=typed, after=after)
    assert found.code in (-signal.SIGINT, 128 + signal.SIGINT)
    assert found.seconds < AT_MOST
    assert b"Traceback" not in found.said
    assert b"Error" not in found.said
    assert found.stayed == []
    assert found.as_before


WEB = b"Ctrl-C ends"


def test_the_demo_of_pages_is_left_at_once_too(tmp_path: Path) -> None:
    found = left(tmp_path, "--web", at=WEB)
    assert found.code == 128 + signal.SIGINT
    assert found.seconds < AT_MOST
    assert found.stayed == []


def _started(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pbem.legacy", "demo", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def test_two_demos_at_a_time_show_pages_that_wait_for_a_move(tmp_path: Path) -> None:
    demos = {
        by: _started(tmp_path, "--web", "--lang", lang)
        for by, lang in ((signal.SIGTERM, "en"), (signal.SIGHUP, "de"))
    }
    try:
        for demo in demos.values():
            assert demo.stdout is not None
            address = next(line for line in demo.stdout if b"http://" in line).decode().strip()
            with urlopen(address, timeout=LONGEST) as page:  # noqa: S310 - a page of our own
                said = page.read().decode()
            assert re.search(r'id="taps"', said)
        for by, demo in demos.items():
            asked = time.monotonic()
            demo.send_signal(by)
            assert demo.wait(LONGEST) == 128 + by
            assert time.monotonic() - asked < AT_MOST
    finally:
        for demo in demos.values():
            demo.kill()
            demo.communicate()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("pbem-")] == []


def test_where_nobody_reads_any_more_it_ends(tmp_path: Path) -> None:
    demo = _started(tmp_path, "--auto")
    assert demo.stdout is not None
    assert demo.stdout.readline() == b"\n"
    demo.stdout.close()
    assert demo.wait(LONGEST) == 128 + signal.SIGTERM
    assert demo.stderr is not None
    with demo.stderr as errors:
        assert errors.read() == b""
    assert list(tmp_path.iterdir()) == []


def _told(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pbem.legacy", "demo", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=3 * LONGEST,  # a season, on a machine that has much else to do
    )


def test_a_season_shows_its_mails_and_who_goes_up_and_keeps_them_all(tmp_path: Path) -> None:
    done = _told("--season", "--lang", "de", "--mails", str(tmp_path / "mails"))
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout
    assert "Du bist bei spring dabei" in told
    # Of each kind what matters: a turn, an end, both groups, the next season of both people.
    whole = [line for line in told.splitlines() if line.startswith("Subject: ")]
    assert sum("Saison 1 beginnt" in line for line in whole) == 1
    assert sum("Saison 1" in line and "beginnt" not in line for line in whole) == 2
    assert sum("Saison 2 beginnt" in line for line in whole) == 2
    both = told[told.index("Subject: So steht spring") :]
    assert both.index("Gruppe 1") < both.index("Gruppe 2") < both.index("Saison 2 beginnt")
    assert sum(" x " in f"{line} " for line in both[: both.index("Saison 2")].splitlines()) == 8
    assert "12 Partien" in told[-400:]
    (mails,) = re.findall(r"(\d+) Mails", told)
    kept = sorted((tmp_path / "mails").iterdir())
    assert len(kept) == int(mails)
    assert {path.stem.partition("-")[2] for path in kept} == {"alice", "bob", "games"}
    assert b"text/html" in kept[-1].read_bytes()


def _refused(*options: str, code: int = 1) -> str:
    """What is said where no demo begins, which takes no process of its own."""
    refused = run("demo", *options)
    assert refused.exit_code == code
    return " ".join(refused.stderr.split())


def test_mails_are_kept_in_no_folder_that_has_something_in_it(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    assert "is not empty" in _refused("--auto", "--mails", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_language_that_there_is_not_is_told_with_those_that_there_are() -> None:
    assert "en, de" in _refused("--lang", "xx")


def test_a_game_that_there_is_not_is_told_with_those_that_there_are() -> None:
    said = _refused("loney", "ludo", code=2)
    for title in ("Logger", "Landrush", "Logan Stones", "Did you mean Looney Ludo?"):
        assert title in said


def test_without_a_terminal_it_says_that_it_plays_by_itself_and_in_whose_language(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pbem.legacy", "demo", "logger", "--lang", "de"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
    ) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        subjects = (line for line in demo.stdout if line.startswith("Subject: "))
        assert "Subject: Deine Einladung zu Logger" in "".join(next(subjects) for _ in range(4))
        assert demo.stderr.readline().startswith("Hier ist kein Terminal")
        demo.terminate()
