"""`pbem web` as a process, and what `pbem check` says of it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.legacy.cli.service import Service
from tests.legacy.servers import free_port


def test_it_serves_until_it_is_asked_to_leave(service: Service, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    service.write(service.config.read_text() + f'[web]\nlisten = "127.0.0.1:{port}"\n')
    with log.open("wb") as opened:
        process = subprocess.Popen(
            [sys.executable, "-m", "pbem.legacy", "--config", str(service.config), "web"],
            stderr=opened,
            stdout=opened,
        )
    try:
        end = time.monotonic() + 120
        while b"serving_pages" not in log.read_bytes():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=120) as answer:
            page = answer.read().decode()
        (path,) = re.findall(r'href="(/view/[^"]+)"', page)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=120) as answer:
            assert b"<svg" in answer.read()
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    finally:
        process.kill()
    said = log.read_text()
    assert "kind" in said
    assert path.rpartition("/")[2] not in said


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("https://games.example.org", False),
        ("http://127.0.0.1:8080", False),
        ("http://games.example.org", True),
        ("http://127.0.0.1.example.org", True),
    ],
)
def test_the_doctor_says_whether_pages_are_secret_on_the_way(
    service: Service, *, address: str, wrong: bool
) -> None:
    service.write(service.config.read_text() + f'[web]\npublic_url = "{address}"\n')
    said = service.run("check", "--offline", code=1 if wrong else 0)
    assert f"mails lead to {address}" in said
    assert ("TLS" in said) is wrong


@pytest.mark.parametrize(
    "setting",
    [
        'listen = "8080"',
        'listen = "127.0.0.1"',
        'public_url = "games.example.org"',
        'public_url = "https://games.example.org/club"',
        'public_url = "https://a b"',
    ],
)
def test_settings_that_lead_nowhere_are_told(service: Service, setting: str) -> None:
    service.write(service.config.read_text() + f"[web]\n{setting}\n")
    said = service.run("status", code=1)
    assert "web" in said
    assert "as in https://" in said or "like 127.0.0.1:8080" in said
