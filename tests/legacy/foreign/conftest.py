"""A game of others that is installed beside ours, and fails as a test wants it (package/)."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.legacy.foreign.record import close_all, open_apart
from pbem.games import GAMES
from pbem.games.packages import packages
from pbem.legacy.notices.rendering import environment, languages
from pbem.legacy.notices.views import rulebook
from pbem.legacy.runners import bots
from pbem.legacy.wiring.words import words_of
from tests.legacy.clubs.club import Club, open_club

PACKAGE = Path(__file__).parent / "package"


def forget() -> None:
    """Nothing is known of which games there are."""
    for kept in (packages, environment._environment, languages._catalogue, rulebook._rules):
        kept.cache_clear()
    close_all()
    end_thinking()


def end_thinking() -> None:
    """The processes in which bots think know the games of when they were started."""
    if bots.THINKING.started:
        pool = bots.THINKING.pool()
        bots.THINKING.forget()
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def site_of(package: Path, folder: Path) -> Path:
    """A folder with what pip would write of a package: its name and its entry points."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    points = project["entry-points"]["pbem.games"]
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{lines}")
    return folder


@pytest.fixture
def fails(tmp_path: Path) -> Callable[[str], None]:
    """Say how the game is to fail from now on: `HOOK raise|hang|die`."""
    file = tmp_path / "faults"
    return lambda how: (file.write_text(how, encoding="utf-8"), None)[1]


@pytest.fixture
def tens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Tens is installed, and runs in a process of its own."""
    monkeypatch.syspath_prepend(str(PACKAGE))
    path = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE) if path is None else f"{PACKAGE}:{path}")
    monkeypatch.setenv("TENS_FAULTS", str(tmp_path / "faults"))
    forget()
    GAMES.open_with(open_apart)
    yield
    GAMES.open_with(None)
    monkeypatch.undo()
    forget()


@pytest.fixture
def club(tens: None, tmp_path: Path) -> Iterator[Club]:  # noqa: ARG001 - it is installed first
    """A club that has it."""
    club = open_club(tmp_path)
    club.house = replace(club.house, words=words_of())
    yield club
    club.house.db.close()
