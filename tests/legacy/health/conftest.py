"""A disk that has room, whatever that of the machine has; and a club that is watched."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.legacy.store.database import Database
from tests.legacy import postgres
from tests.legacy.clubs.club import Club, open_club


class Disk(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A disk of 1000 bytes of which so many are free: half of them, unless a test says else."""

    def have(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(1100, 1000 - free, free))

    have(500)
    return have


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "club" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("sqlite") is not None
        engines = ["sqlite"] if marked else ["sqlite", "postgresql"]
        metafunc.parametrize("club", engines, indirect=True)


@pytest.fixture
async def club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """A club on either engine, but for tests that are marked `sqlite`."""
    url = "" if request.param == "sqlite" else postgres.new_database()
    one = open_club(tmp_path, database=lambda path: Database.open(url or path))
    yield one
    one.house.db.close()
    if url:
        postgres.drop(url)
