"""`./run`: a pbem command works where it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OWN = Path(sys.executable).parent.parent == ROOT / ".venv" and (ROOT / ".venv/stamp").exists()

pytestmark = pytest.mark.skipif(not OWN, reason="these tests were not started by ./run")


def called(folder: Path, *words: str, code: int = 0) -> str:
    """What `run` says, called in a folder."""
    environment = {name: value for name, value in os.environ.items() if "PBEM" not in name}
    done = subprocess.run(
        [ROOT / "run", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_init_writes_where_it_is_called(tmp_path: Path) -> None:
    service = tmp_path / "my club"
    service.mkdir()
    (service / "typing.py").write_text("raise SystemExit('imported from the caller')")
    called(service, "init", "--yes", "--address", "games@example.org", "--maildir", "mail")
    assert {path.name for path in service.iterdir()} >= {"config.toml", "keys.toml", "pbem.db"}
    assert "all is well" in called(service, "check")
    assert not (ROOT / "config.toml").exists()


def test_files_are_named_from_where_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "my.toml").write_text('site.address = "games@example.org"')
    said = called(tmp_path, "--config", "mine/my.toml", "status", code=1)
    assert f"there is no database at {tmp_path}/mine/pbem.db" in said
