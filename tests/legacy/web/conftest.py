"""A club with pages, and a real browser: Debian's chromium, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.legacy.browsing import LONGEST
from tests.legacy.web.site import Site, open_site

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One for all tests of a process, which share nothing in it: each page has its own profile."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("no chromium is installed")
    async with async_playwright() as started:
        opened = await started.chromium.launch(
            executable_path=path, args=["--no-sandbox"], timeout=LONGEST
        )
        try:
            yield opened
        finally:
            await opened.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """It has no page when a test begins, and must have none when it ends."""
    yield chromium
    left = chromium.contexts
    for context in left:
        await context.close()
    assert not left, "a page was left open: it asks for things in the next test"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """Pages of a club of its own."""
    opened = open_site(tmp_path)
    async with opened.client:
        yield opened
    opened.club.house.db.close()
