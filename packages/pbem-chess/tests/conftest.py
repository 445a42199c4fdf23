"""The package as if it were installed: on the path, with its entry point."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.games import GAMES
from pbem.legacy.foreign.record import open_apart
from pbem.legacy.wiring.words import words_of
from tests.legacy.clubs.club import Club, open_club
from tests.legacy.foreign.conftest import forget, site_of

PACKAGE = Path(__file__).parents[1]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Chess is found by its entry point, and runs in a process of its own."""
    found = str(site_of(PACKAGE, tmp_path / "site"))
    monkeypatch.syspath_prepend(found)
    paths = [found, str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])]
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
