"""Trying a game in a real browser: one tap from the club's page, with and without scripts."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from pbem.wiring.pages import pages_of
from tests.web.site import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = pytest.mark.browser

SOON = 5.0
"""Seconds from the tap to the board."""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
async def test_one_tap_leads_to_a_board_on_which_a_move_is_played(
    site: Site, browser: Browser, *, scripts: bool
) -> None:
    rng = random.Random(4)
    async with pages_of(site.club.house, "127.0.0.1", 0) as address:
        page = await browser.new_page(
            java_script_enabled=scripts, viewport={"width": 390, "height": 844}
        )
        faults: list[str] = []
        page.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(address)
        began = time.monotonic()
        await page.click("a.main[href^='/try/']")
        await page.wait_for_selector("#board svg")
        assert time.monotonic() - began < SOON
        first = page.url
        for _ in range(10):
            if await page.locator("#send").count():
                break
            link = rng.choice(await page.locator(".choices a, #taps a").all())
            href = await link.get_attribute("href")
            await page.goto(urljoin(page.url, href))
        await page.click("#send button")
        await page.wait_for_url(lambda url: "?" not in url and url != first)
        assert await page.locator("#told li").count() >= 1
        played = page.url
        await page.go_back()
        await page.goto(played)
        assert await page.locator("#board svg").count()
        assert not faults
        await page.close()
