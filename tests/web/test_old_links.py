"""What an address of a page is worth that was replaced, or has ended: what everybody may see."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Connection

from pbem.games.game import Seat
from pbem.mail.addresses import Purpose
from pbem.matches import operator_acts
from pbem.transaction.transaction import Transaction
from pbem.web import live
from tests.clubs.club import ANN, BOB, CLEO, Club
from tests.clubs.kept import kept
from tests.web.site import Site, begin, open_site

OF_SEAT: Final = (Purpose.SEAT, Purpose.ACT)
OWN: Final = (Purpose.PLAYER, Purpose.CALENDAR, Purpose.FEED, Purpose.STOP)
CAPABILITIES: Final = (*OF_SEAT, *OWN)

MOVE: Final = "1 L21"


@pytest.fixture
async def held(tmp_path: Path) -> AsyncIterator[Site]:
    """Logan Stones, in which Ann has noted something and holds a move back."""
    site = open_site(tmp_path, window=30)
    async with site.client:
        await begin(site, "logan stones", "starter=given")
        await holding(site.club)
        assert (await site.match()).pending.held
        yield site
    site.club.house.db.close()


@kept
async def holding(club: Club) -> None:
    await club.answer(ANN, "note corners matter")
    await club.answer(ANN, MOVE)


async def paths_of(site: Site) -> dict[Purpose, str]:
    """Ann's addresses of today."""
    paths = {purpose: await site.path(purpose) for purpose in CAPABILITIES}
    paths[Purpose.CALENDAR] += "/calendar.ics"
    paths[Purpose.FEED] += "/boards.atom"
    return paths


async def show_all(site: Site) -> None:
    """Others get to see Ann's addresses, in the match and outside of it."""
    before = await paths_of(site)
    await site.club.answer(ANN, "say look", Cc=BOB)
    await site.club.answer(ANN, "games")
    await site.club.write(ANN, "settings")
    await site.club.answer(ANN, "yes")
    await site.club.answer(ANN, "settings", Cc=BOB)
    after = await paths_of(site)
    assert all(before[one] != after[one] for one in CAPABILITIES)


def without(page: str, path: str) -> str:
    """A page without its own address, and without what says that this was replaced."""
    page = re.sub(r'<p class="note">.*?</p>\n', "", page, flags=re.DOTALL)
    return page.replace(path, "/here")


async def test_the_links_of_today_show_what_is_ones_own(held: Site) -> None:
    page = (await held.get(await held.path(Purpose.ACT))).text
    assert MOVE in page
    public = (await held.get(await held.path(Purpose.VIEW))).text
    assert MOVE not in public
    assert picture(page) != picture(public)


def picture(page: str) -> str:
    (found,) = re.findall(r'id="picture"[^>]*>(<svg.*?</svg>)', page, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("query", ["", "?at=0", f"?text={MOVE}", "?place=L21&text=1"])
@pytest.mark.parametrize("purpose", OF_SEAT)
async def test_a_replaced_link_of_a_seat_shows_what_everybody_sees(
    held: Site, purpose: Purpose, query: str
) -> None:
    old = (await paths_of(held))[purpose]
    await show_all(held)
    view = await held.path(Purpose.VIEW)
    answer = await held.get(old + query)
    public = await held.get(view + (query if "at=" in query else ""))
    assert answer.status_code == 200
    assert "has been replaced" in answer.text
    assert without(answer.text, old) == without(public.text, view)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("purpose", CAPABILITIES)
async def test_a_replaced_link_does_nothing_and_leads_nowhere_newer(
    held: Site, purpose: Purpose
) -> None:
    old = (await paths_of(held))[purpose]
    await show_all(held)
    answer = await held.get(old)
    assert answer.status_code == (200 if purpose in OF_SEAT else 410)
    newer = (await paths_of(held)).values()
    assert not [one for one in newer if one.split("/")[2] in answer.text]
    links = re.findall(r"/(?:act|seat|player|calendar|stop)/[a-z0-9.-]+", answer.text)
    assert {*links} <= {old}
    assert "mailto:" not in answer.text
    assert "<form" not in answer.text
    counts = (await held.match()).version, dict((await held.row(ANN)).wishes)
    form = {"text": "undo", "nonce": "0" * 32, "made": "1795262400"}
    assert (await held.post(old, form)).status_code in (405, 410)
    assert ((await held.match()).version, dict((await held.row(ANN)).wishes)) == counts


@pytest.mark.parametrize("purpose", CAPABILITIES)
async def test_the_links_of_today_work_after_others_saw_the_old_ones(
    held: Site, purpose: Purpose
) -> None:
    await show_all(held)
    assert (await held.get((await paths_of(held))[purpose])).status_code == 200


async def test_mails_carry_the_links_of_today(held: Site) -> None:
    await show_all(held)
    await held.club.answer(ANN, "settings")
    today = await paths_of(held)
    sent = held.club.postbox.sent[-1][1].replace(b"=\r\n", b"").replace(b"\r\n ", b"").decode()
    assert today[Purpose.PLAYER] in sent
    assert today[Purpose.STOP].rpartition("/")[2] in sent
    boards = (await held.get(today[Purpose.PLAYER])).text
    assert today[Purpose.CALENDAR] in boards
    assert today[Purpose.FEED] in boards
    own = f"{today[Purpose.PLAYER]}/{(await held.match()).id.lower()}"
    assert own in boards
    page = (await held.get(own)).text
    assert today[Purpose.SEAT] in page
    assert f'action="{own}"' in page


@pytest.mark.parametrize("purpose", CAPABILITIES)
async def test_an_old_link_ends_after_two_weeks(held: Site, purpose: Purpose) -> None:
    old = (await paths_of(held))[purpose]
    await show_all(held)
    await held.club.wait(days=13)
    assert (await held.get(old)).status_code == (200 if purpose in OF_SEAT else 410)
    await held.club.wait(days=2)
    answer = await held.get(old)
    assert answer.status_code == 410
    assert "/view/" not in answer.text


@pytest.mark.parametrize("purpose", CAPABILITIES)
async def test_a_new_address_ends_the_old_ones_at_once(held: Site, purpose: Purpose) -> None:
    old = (await paths_of(held))[purpose]
    await held.club.insist(ANN, "new address")
    assert (await held.get(old)).status_code == 410
    assert (await held.get(f"{old}/{(await held.match()).id}")).status_code in (404, 410)
    assert (await held.get((await paths_of(held))[purpose])).status_code == 200


@pytest.mark.parametrize("purpose", OF_SEAT)
async def test_an_old_link_of_a_private_match_shows_nothing(site: Site, purpose: Purpose) -> None:
    await begin(site, more="seat_order=given private")
    old = await site.path(purpose)
    await site.club.answer(ANN, "say look", Cc=BOB)
    assert old != await site.path(purpose)
    for path in (old, f"{old}/live"):
        assert (await site.get(path)).status_code == 410


async def test_who_lost_a_seat_sees_no_private_match_any_more(site: Site) -> None:
    await begin(site, more="seat_order=given private")
    match = await site.match()
    boards = await site.path(Purpose.PLAYER, BOB)
    own = f"{boards}/{match.id.lower()}"
    assert (await site.get(own)).status_code == 200
    await site.club.write(CLEO, "games")
    await site.club.answer(CLEO, "yes")
    cleo = (await site.row(CLEO)).id

    def replaced(conn: Connection) -> None:
        txn = Transaction(conn=conn, house=site.club.house, cause="c", now=site.club.clock())
        seat, text = Seat(2), txn.seal("why")
        txn.decide(
            match.id, operator_acts.give_seat, author="op", reason=text, seat=seat, player=cleo
        )
        txn.close()

    await asyncio.wrap_future(site.club.house.db.write(replaced))
    for path in (own, f"{own}/live"):
        assert (await site.get(path)).status_code in (404, 410)


# --- news as they happen --------------------------------------------------------------------------


async def news(site: Site, path: str, since: int = 0) -> list[int]:
    """What a stream tells until it ends."""
    answer = await site.get(f"{path}/live", params={"since": str(since)})
    if answer.status_code != 200:
        return []
    return [int(one) for one in re.findall(r"data: (\d+)", answer.text)]


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LASTS", 0.03)
    monkeypatch.setattr(live, "LOOK", 0.01)


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize("purpose", OF_SEAT)
async def test_a_replaced_link_hears_what_everybody_hears(held: Site, purpose: Purpose) -> None:
    old = (await paths_of(held))[purpose]
    await show_all(held)
    await held.club.answer(BOB, "say hello")
    public = await news(held, await held.path(Purpose.VIEW))
    assert public
    assert await news(held, old) == public
    assert await news(held, (await paths_of(held))[purpose]) > public
    await held.club.wait(days=15)
    assert await news(held, old) == []


async def test_a_stream_ends_with_its_link(held: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK", 0.01)
    path = await held.path(Purpose.ACT)
    listening = asyncio.create_task(held.get(f"{path}/live"))
    await held.club.insist(ANN, "new address")
    assert (await asyncio.wait_for(listening, 60)).status_code in (200, 410)


async def test_a_link_of_cleo_opens_nothing_of_ann(held: Site) -> None:
    await held.club.write(CLEO, "games")
    await held.club.answer(CLEO, "yes")
    token = (await held.path(Purpose.PLAYER, CLEO)).rpartition("/")[2]
    for purpose in (*CAPABILITIES, Purpose.VIEW):
        if purpose is not Purpose.PLAYER:
            assert (await held.get(f"/{purpose}/{token}")).status_code in (404, 410)
    path = f"/player/{token}/{(await held.match()).id.lower()}"
    form = {"text": "resign yes", "nonce": "0" * 32, "made": "1795262400"}
    version = (await held.match()).version
    for answer in (
        await held.get(path),
        await held.get(f"{path}/live"),
        await held.post(path, form),
    ):
        assert answer.status_code == 410
    assert (await held.match()).version == version
