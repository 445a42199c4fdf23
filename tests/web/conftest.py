"""Pages in a real browser: Debian's chromium, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("no chromium is installed")
    async with async_playwright() as started:
        opened = await started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            await opened.close()
