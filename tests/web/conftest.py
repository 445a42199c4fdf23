from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.web.played import browse, play


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that opens the pages of a service without players."""
    async with play("", tmp_path) as club, browse(club) as opened:
        yield opened
