"""Services in folders, and the command line on them."""

from __future__ import annotations

import asyncio
import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.main import app
from tests.conversations.runner import BEGINNING
from tests.conversations.service import begin, share_renderer

CONFIG = """
[site]
address = "games@pbem.example"
contact = "operator@example.org"
[maildir]
incoming = "in"
outgoing = "out"
"""
SCRIPT = """# A match, and a player without matches
register dora
match logger ann bob
ann replies
    place a1
expect bob turn in M1
"""


class Commands:
    """Calls commands in a folder, and returns what they print."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, fails: int = 0, answers: str | None = None) -> str:
        config = ("--config", str(self.folder / "config.toml"))
        result = CliRunner().invoke(app, [*config, *words], input=answers)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == fails, result.output
        return result.output


@pytest.fixture
def pbem(tmp_path: Path) -> Commands:
    """The command line in an empty folder."""
    return Commands(tmp_path)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service on which Ann and Bob play a match."""
    folder = tmp_path_factory.mktemp("club")
    asyncio.run(begin(SCRIPT, folder).play())
    (folder / "config.toml").write_text(CONFIG)
    keys = folder / "keys.toml"
    keys.write_text(f'current = "a"\n[keys]\na = "{bytes(32).hex()}"\n')
    keys.chmod(0o600)
    return folder


@pytest.fixture
def club(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The command line of that service, an hour later."""
    monkeypatch.setattr("pbem.service.app._read_clock", read_later_clock)
    monkeypatch.setattr("pbem.service.app.find_spec", lambda _: None)  # draws no pictures
    monkeypatch.setattr("pbem.service.app.Renderer", lambda _: share_renderer(""))
    shutil.copytree(played, tmp_path / "club")
    return Commands(tmp_path / "club")


def read_later_clock() -> datetime:
    return BEGINNING + timedelta(hours=1)
