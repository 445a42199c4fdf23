"""The package as if it were installed: on the path, with its entry point."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.foreign.record import open_apart
from pbem.games import GAMES
from pbem.wiring.words import words_of
from tests.clubs.club import Club, open_club
from tests.foreign.conftest import forget

PACKAGE = Path(__file__).parents[1]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Chess is found by its entry point, and runs in a process of its own."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = tmp_path / "site" / f"pbem_chess-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    points = project["entry-points"]["pbem.games"]
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{lines}")
    monkeypatch.syspath_prepend(str(info.parent))
    paths = [str(info.parent), str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    forget()
    GAMES.open_with(open_apart)
    yield
    GAMES.open_with(None)
    monkeypatch.undo()
    forget()


@pytest.fixture
def club(installed: None, tmp_path: Path) -> Iterator[Club]:  # noqa: ARG001 - first of all
    """A club that has it."""
    club = open_club(tmp_path)
    club.house = replace(club.house, words=words_of())
    yield club
    club.house.db.close()
