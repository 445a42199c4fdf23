"""The page of a link in a real browser: seen at once, filled in and sent, also without scripts."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from pbem.matches.match import Status
from tests.browsing import faults_of, page_in
from tests.clubs.club import CLEO
from tests.links.inviting import invited, match_of
from tests.web.site import PUBLIC, Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page, Route

pytestmark = pytest.mark.browser

SIZES = ((390, 844), (1280, 800), (320, 640))
_PASSED_ON = ("accept-language", "content-type", "origin", "sec-fetch-site")


@asynccontextmanager
async def opened(
    browser: Browser, site: Site, path: str, **wishes: Any
) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page of a site that no server serves, and what goes wrong on it."""

    async def served(route: Route) -> None:
        asked = route.request
        headers = {name: one for name, one in asked.headers.items() if name in _PASSED_ON}
        answer = await site.client.request(
            asked.method, asked.url, headers=headers, content=asked.post_data_buffer
        )
        await route.fulfill(
            status=answer.status_code, headers=dict(answer.headers), body=answer.content
        )

    async with page_in(browser, served, **wishes) as page:
        faults = faults_of(page)
        await page.goto(PUBLIC + path)
        yield page, faults


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_what_is_to_be_done_is_on_the_first_screen(
    browser: Browser, site: Site, width: int, height: int, scheme: str
) -> None:
    path = await invited(site, "new looney ludo link")
    size = {"width": width, "height": height}
    async with opened(browser, site, path, viewport=size, color_scheme=scheme) as (page, faults):
        for name in ("Take the seat", "Try it now"):
            box = await page.get_by_role("link", name=name).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
            assert box["height"] >= 44
        for field in await page.locator("form :is(input, button)").all():
            box = await field.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        assert await page.evaluate("document.documentElement.scrollWidth") == width
        board = await page.locator(".sample svg").bounding_box()
        assert board is not None
        assert board["y"] < height
        assert faults == []


@pytest.mark.parametrize("scripts", [True, False])
async def test_the_seat_is_asked_for_by_keys_alone(
    browser: Browser, site: Site, *, scripts: bool
) -> None:
    path = await invited(site)
    async with opened(browser, site, path, java_script_enabled=scripts) as (page, faults):
        await page.get_by_label("Your mail address").focus()
        await page.keyboard.type(CLEO)
        await page.keyboard.press("Tab")
        await page.keyboard.type("Cleopatra")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Look into your mail")
        await site.club.work()
        await site.club.answer(CLEO, "yes")
        assert (await match_of(site, path)).status is Status.RUNNING
        await page.get_by_role("link", name="Back to the invitation").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("The seat is taken")
        assert [one for one in faults if "410" not in one] == []
