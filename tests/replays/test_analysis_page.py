"""What decided a match, on the page of a seat: for who has played, and for nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.bots.luck import seeded
from pbem.mail.addresses import Purpose
from pbem.runners import analyses as runner
from tests.clubs.club import ANN, BOB
from tests.runners.test_analyses import Here
from tests.web.site import Site, begin, open_site

ASKED = "?analysis="


@pytest.fixture
async def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.setattr(runner, "THINKING", Here())
    opened = open_site(tmp_path)
    async with opened.client:
        yield opened
    opened.club.house.db.close()


async def over(site: Site) -> None:
    """Some moves of a match that Bob gives up."""
    await begin(site)
    for number in range(8):
        match = await site.match()
        legal = match.game.legal(match.course.position)
        move = match.game.notation(legal[seeded(f"{number}")(len(legal))])
        await site.club.answer((ANN, BOB)[number % 2], move)
    await site.club.answer(BOB, "resign yes")


async def test_a_button_asks_for_it_and_the_page_shows_it(site: Site) -> None:
    await over(site)
    path = await site.path(Purpose.ACT)
    before = (await site.get(path)).text
    assert "What decided it?" in before
    assert "Nobody has asked for the analysis" in (await site.get(path + ASKED)).text
    sent = await site.post(path, await site.form(path, "analysis"))
    assert sent.status_code == 200
    await site.club.think()
    after = (await site.get(path)).text
    assert f'href="{path}{ASKED}"' in after
    page = (await site.get(path + ASKED)).text
    assert "Who led, and when" in page
    turns = page.count("<figcaption>Better: ")
    assert turns == page.count("<figcaption>Played: ") > 0
    assert page.count("<svg") == 2 * turns + 1
    assert "<form" not in page
    assert len(page.encode()) < 120_000


async def test_before_the_end_there_is_neither_button_nor_page(site: Site) -> None:
    await begin(site)
    await site.club.answer(ANN, "place a1")
    path = await site.path(Purpose.ACT)
    assert "What decided it" not in (await site.get(path)).text
    page = (await site.get(path + ASKED)).text
    assert "Who led" not in page
    assert "button at its end" not in page


async def test_nobody_else_is_shown_it(site: Site) -> None:
    await over(site)
    await site.club.answer(ANN, "analysis")
    await site.club.think()
    for purpose in (Purpose.VIEW, Purpose.SEAT):
        page = (await site.get(await site.path(purpose) + ASKED)).text
        assert "Who led" not in page
        assert "What decided" not in page
    bobs = (await site.get(await site.path(Purpose.ACT, BOB) + ASKED)).text
    assert "Who led" in bobs


async def test_looking_at_it_asks_for_nothing(site: Site) -> None:
    await over(site)
    path = await site.path(Purpose.ACT)
    for _ in range(3):
        await site.get(path + ASKED)
    await site.club.work()
    assert "Nobody has asked" in (await site.get(path + ASKED)).text
