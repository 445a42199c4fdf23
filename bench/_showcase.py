"""Writes the picture at the top of README.md: `./run dev python -m bench._showcase`.

It is a mail of a recorded match, made by what makes mails: so it stays true. It needs chromium.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.async_api import async_playwright

from pbem.notices.rendering.render import Renderer
from pbem.notices.views.view import build
from pbem.replays import raster
from tests.notices.game_mails import GAME_MAILS
from tests.words.table import HEIGHT, WIDTH

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
MAIL: Final = "late_in_logger"


def written(folder: Path) -> Path:
    """A turn's mail as its reader's mail program shows it, with the picture beside it."""
    notices, about, who = GAME_MAILS[MAIL]
    wishes = replace(who.wishes, html=True, pictures="on")
    about = replace(about, page="https://games.example.org/")
    mail = Renderer().render(build(notices, replace(who, wishes=wishes), about))
    html = mail.html or ""
    for picture in mail.pictures:
        image = folder / "board.png"
        image.write_bytes(raster.png(picture.svg))
        html = html.replace(f"cid:{picture.cid}", image.as_uri())
    page = folder / "mail.html"
    page.write_text(html, encoding="utf-8")
    return page


async def main() -> None:
    """Take the picture of a phone's screen."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        async with async_playwright() as started:
            browser = await started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            await page.goto(written(Path(name)).as_uri())
            await page.screenshot(path=FOLDER / "mail.png")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
