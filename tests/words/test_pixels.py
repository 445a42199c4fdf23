"""How a mail stands on a phone, as a browser lays it out: 390 x 844 points, the mail's own area."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from pbem.replays import raster
from tests.notices.test_golden import MAILS

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not raster.draws(), reason="the extra `pictures` is missing"),
]

WIDTH, HEIGHT = 390, 844

CHOICE: Final = 1_000
"""Where the first move that one can tap begins, at most."""

SMALLEST: Final = 12

TURNS: Final = [name for name in MAILS if name.startswith(("early_in_", "late_in_"))]

MEASURE: Final = """() => {
    const box = name => document.querySelector(name)?.getBoundingClientRect();
    const shown = [...document.querySelectorAll('body *')].filter(
        one => [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
    return {
        button: box('.button')?.bottom, top: box('img')?.top, bottom: box('img')?.bottom,
        choice: box('.choice')?.top, wide: document.documentElement.scrollWidth,
        letters: Math.min(...shown.map(one => parseFloat(getComputedStyle(one).fontSize))),
    };
}"""


def written(name: str, lang: str, folder: Path) -> Path:
    """A mail as a page, with its pictures beside it."""
    notices, about, who = MAILS[name]
    wishes = replace(who.wishes, html=True, pictures="on", lang=lang)
    about = replace(about, page="https://play.example.org/seat/0-TOKEN/")
    mail = Renderer().render(build(notices, replace(who, wishes=wishes), about))
    html = mail.html or ""
    for number, picture in enumerate(mail.pictures):
        image = folder / f"{number}.png"
        image.write_bytes(raster.png(picture.svg))
        html = html.replace(f"cid:{picture.cid}", image.as_uri())
    page = folder / "mail.html"
    page.write_text(html, encoding="utf-8")
    return page


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", TURNS)
async def test_board_and_choice_are_seen_without_search(
    name: str, lang: str, tmp_path: Path, browser: Browser
) -> None:
    page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    await page.goto(written(name, lang, tmp_path).as_uri())
    found: dict[str, Any] = await page.evaluate(MEASURE)
    await page.close()
    assert found["button"] < found["top"]
    # Above a board that fills the screen stands what happened.
    assert found["bottom"] <= HEIGHT or found["top"] < HEIGHT / 3
    assert found["choice"] <= CHOICE
    assert found["wide"] <= WIDTH
    assert found["letters"] >= SMALLEST
