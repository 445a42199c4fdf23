"""The same form, sent again and again: one letter at most, at no cost to whoever it is of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Connection, text

from pbem.mail.addresses import Purpose
from pbem.mail.automatic import STOPS
from pbem.players.wishes import STOPPABLE, wished
from pbem.web import letters
from tests.clubs.club import ANN, BOB
from tests.web.site import Site, begin, open_site

OFTEN: Final = 25
FEW: Final = 6
"""Letters that one may send in an hour here."""

PRESSED: Final = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    opened = open_site(tmp_path, letters_per_hour=FEW)
    async with opened.client:
        await begin(opened)
        await opened.club.wait(hours=2)
        yield opened
    opened.club.house.db.close()


async def received(site: Site) -> int:
    """Letters of pages in the inbox."""

    def count(conn: Connection) -> int:
        found = conn.execute(text("select count(*) from inbox where account = 'web'"))
        return int(found.scalar_one())

    return await asyncio.wrap_future(site.club.house.db.read(count))


async def press(site: Site, path: str, form: dict[str, str], times: int = OFTEN) -> set[int]:
    """Send a form so often, each time from elsewhere."""
    answers = set()
    for number in range(times):
        site.client._transport.client = (f"192.0.2.{number % 250}", 1)  # type: ignore[attr-defined]
        answers.add((await site.post(path, form)).status_code)
    return answers


async def plays(site: Site) -> None:
    """Ann's move is taken, whatever was pressed before."""
    await site.club.answer(ANN, "place a1")
    assert (await site.match()).course.ply == 1


@pytest.mark.parametrize("number", range(len(STOPS)), ids=STOPS)
async def test_a_stop_pressed_often_makes_one_letter_and_no_mail(site: Site, number: int) -> None:
    path = await site.path(Purpose.STOP, number=number)
    wish = STOPPABLE[STOPS[number]]
    await site.club.answer(ANN, f"start {STOPS[number]}" if wish != "digest" else "digest 18:00")
    await site.club.wait(hours=2)
    was, sent = await received(site), len(site.club.postbox.sent)
    assert await press(site, path, PRESSED) == {200}
    assert wished((await site.row(ANN)).wishes, wish) == "off"
    assert await received(site) == was + 1
    assert len(site.club.postbox.sent) == sent
    await plays(site)


@pytest.mark.parametrize("number", range(len(STOPS)), ids=STOPS)
async def test_what_is_off_already_makes_no_letter(site: Site, number: int) -> None:
    path = await site.path(Purpose.STOP, number=number)
    await site.club.answer(ANN, f"stop {STOPS[number]}")
    was, sent = await received(site), len(site.club.postbox.sent)
    assert await press(site, path, PRESSED, 3) == {200}
    assert await received(site) == was
    assert len(site.club.postbox.sent) == sent


async def test_presses_while_nobody_reads_letters_are_one_letter(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "WAITS", 0.01)
    path = await site.path(Purpose.STOP, number=STOPS.index("chat"))
    was, sent = await received(site), len(site.club.postbox.sent)
    for _ in range(20):
        assert (await site.client.post(path, data=PRESSED)).status_code == 200
    assert await received(site) == was + 1
    await site.club.work()
    assert (await site.row(ANN)).wishes == {"chat": "off"}
    assert len(site.club.postbox.sent) == sent


async def test_who_starts_again_can_stop_again(site: Site) -> None:
    path = await site.path(Purpose.STOP, number=STOPS.index("news"))
    for _ in range(2):
        await press(site, path, PRESSED, 1)
        assert (await site.row(ANN)).wishes["news"] == "off"
        await site.club.answer(ANN, "start news")
        assert (await site.row(ANN)).wishes["news"] == "on"


async def test_who_was_only_invited_can_stop_all_mail(site: Site) -> None:
    guest = "dora@example.org"
    await site.club.answer(ANN, f"new logger with {guest}")
    assert site.club.mails(guest)
    await press(site, await site.path(Purpose.STOP, guest), PRESSED, 1)
    assert (await site.row(guest)).wishes == {"everything": "off"}


@pytest.mark.parametrize("sent", ["#1 place a1", "say hello", "games", "ressign", "place c3"])
async def test_a_form_sent_often_is_one_letter(site: Site, sent: str) -> None:
    path = await site.path(Purpose.ACT)
    form = await site.form(path, sent)
    was, mails = await received(site), len(site.club.postbox.sent)
    await press(site, path, form, 1)
    once = len(site.club.postbox.sent)
    assert once > mails
    assert await press(site, path, form) == {200}
    assert await received(site) == was + 1
    assert len(site.club.postbox.sent) == once
    if not sent.startswith("#"):
        await plays(site)


FEEDS = {Purpose.CALENDAR: "/calendar.ics", Purpose.FEED: "/boards.atom"}


@pytest.mark.parametrize("purpose", [Purpose.VIEW, Purpose.SEAT, Purpose.PLAYER, *FEEDS])
async def test_what_only_shows_takes_no_form(site: Site, purpose: Purpose) -> None:
    path = await site.path(purpose, BOB)
    path += FEEDS.get(purpose, "")
    was, sent = await received(site), len(site.club.postbox.sent)
    assert await press(site, path, {"text": "resign"}) == {405}
    assert (await received(site), len(site.club.postbox.sent)) == (was, sent)
