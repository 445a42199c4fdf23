"""A disk that has room, whatever that of the machine has; and a club that is watched."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clubs.club import Club, open_club


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


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()
