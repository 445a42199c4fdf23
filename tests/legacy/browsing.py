"""Pages in a real browser that leave nothing behind, neither open nor under way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

LONGEST: Final = 240_000
"""Milliseconds until a wait in a browser ends: it is for what never comes, on any machine."""

expect.set_options(timeout=LONGEST)


@asynccontextmanager
async def page_in(
    browser: Browser, answered: Callable[[Route], Awaitable[None]] | None = None, **wishes: Any
) -> AsyncIterator[Page]:
    """A page of its own profile; where `answered` is given, it answers all that the page asks."""
    page = await browser.new_page(**wishes)
    page.set_default_timeout(LONGEST)
    try:
        if answered is not None:
            await page.route("**/*", answered)
        yield page
    finally:
        # What the browser asks for by itself, an icon say, may come when the test is over, and be
        # under way when what answers is closed: it would fail in whatever test comes next.
        await page.unroute_all(behavior="ignoreErrors")
        await page.close()


def faults_of(page: Page) -> list[str]:
    """What goes wrong on a page, as it is told on its console; they come as they happen."""
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    return faults
