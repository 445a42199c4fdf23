"""The boards that wait for a player, as a feed: what is in it, and what its address does not do."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from functools import partial
from xml.etree import ElementTree as ET

from pbem.mail.addresses import Purpose
from pbem.store.people import roster
from tests.clubs.club import ANN, BOB
from tests.web.site import PUBLIC, Site, begin

ATOM = "{http://www.w3.org/2005/Atom}"


async def feed_path(site: Site, reader: str = ANN) -> str:
    return f"{await site.path(Purpose.FEED, reader)}/boards.atom"


async def entries(site: Site, reader: str = ANN) -> list[dict[str, str]]:
    """The entries, by the names of their elements."""
    answer = await site.get(await feed_path(site, reader))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert answer.headers["cache-control"] == "no-store"
    feed = ET.fromstring(answer.text)  # noqa: S314 - we wrote it ourselves
    for needed in ("id", "title", "updated"):
        assert feed.findtext(ATOM + needed), needed
    found = []
    for entry in feed.iter(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        said = {one.tag.removeprefix(ATOM): one.text or "" for one in entry}
        found.append({**said, "link": link.attrib["href"]})
        assert datetime.fromisoformat(said["updated"]).tzinfo is not None
    return found


async def test_a_board_is_in_it_for_as_long_as_it_waits(site: Site) -> None:
    await begin(site)
    [entry] = await entries(site)
    assert entry["summary"].startswith("It is your turn. You have until ")
    assert entry["title"].endswith("Ann – Bob")
    assert await entries(site, BOB) == []
    assert entry == (await entries(site))[0]
    await site.club.answer(ANN, "place a1")
    await site.club.answer(ANN, "now")
    assert await entries(site) == []
    [other] = await entries(site, BOB)
    await site.club.answer(BOB, "place e5")
    await site.club.answer(BOB, "now")
    [again] = await entries(site)
    assert len({entry["id"], other["id"], again["id"]}) == 3
    assert again["updated"] > entry["updated"]


async def test_it_says_when_a_board_began_to_wait(site: Site) -> None:
    club = site.club
    await begin(site, more="seat_order=given time=none")
    await club.wait(days=2)
    await club.answer(ANN, f"new landrush with {BOB}")
    began = club.clock()
    await club.wait(days=1)
    [invitation] = await entries(site, BOB)
    assert abs(datetime.fromisoformat(invitation["updated"]) - began) < timedelta(minutes=1)
    [unclocked] = await entries(site)
    waits = began - datetime.fromisoformat(unclocked["updated"])
    assert timedelta(days=2) <= waits < timedelta(days=2, minutes=5)
    await club.answer(ANN, "say hello")
    assert await entries(site) == [unclocked]


async def test_what_waits_no_more_makes_it_no_older(site: Site) -> None:
    await begin(site)
    [entry] = await entries(site)
    await site.club.wait(hours=1)
    await site.club.answer(ANN, "place a1")
    await site.club.answer(ANN, "now")
    feed = ET.fromstring((await site.get(await feed_path(site))).text)  # noqa: S314 - it is ours
    assert feed.findtext(f"{ATOM}updated", "") > entry["updated"]


async def test_it_leads_to_what_everybody_may_see(site: Site) -> None:
    await begin(site)
    [entry] = await entries(site)
    assert entry["link"] == PUBLIC + await site.path(Purpose.VIEW)
    text = (await site.get(await feed_path(site))).text
    assert not any(f"/{kind}/" in text for kind in ("act", "seat", "player", "calendar"))
    await site.club.answer(ANN, f"new logger with {BOB} private seat_order=given")
    assert [one["link"] for one in await entries(site, BOB)] == [f"{PUBLIC}/"]


async def test_names_are_text_in_it(site: Site) -> None:
    await begin(site)
    await site.club.answer(BOB, "name Bob & Co")
    [entry] = await entries(site)
    assert entry["title"].endswith("Ann – Bob & Co")


async def test_no_mark_in_a_name_breaks_it(site: Site) -> None:
    await begin(site)
    ann = (await site.row(ANN)).id
    rename = partial(roster.rename, player=ann, name="Ann\x08 \u202eBob\u2066")
    await asyncio.wrap_future(site.club.house.db.write(rename))
    [entry] = await entries(site)
    assert entry["title"]
    text = (await site.get(await feed_path(site))).text
    assert "boards that wait for Ann Bob</title>" in text
    assert "<title>Ann Bob" in (await site.get(await site.path(Purpose.PLAYER))).text


async def test_who_knows_it_already_is_told_nothing_new(site: Site) -> None:
    await begin(site)
    path = await feed_path(site)
    tag = (await site.get(path)).headers["etag"]
    await site.club.wait(minutes=5)
    weak = f"W/{tag}"  # as a proxy that compresses passes it on
    for known in (tag, weak):
        assert (await site.get(path, headers={"If-None-Match": known})).status_code == 304


async def test_its_address_opens_nothing_else_and_ends_with_the_others(site: Site) -> None:
    await begin(site)
    path = await feed_path(site)
    assert f'href="{PUBLIC}{path}"' in (await site.get(await site.path(Purpose.PLAYER))).text
    token = path.split("/")[2]
    for kind in ("player", "stop", "act", "seat", "view"):
        assert (await site.get(f"/{kind}/{token}")).status_code in (404, 410)
    assert (await site.get(f"/calendar/{token}/calendar.ics")).status_code == 410
    player = (await site.path(Purpose.PLAYER)).split("/")[2]
    assert (await site.get(f"/feed/{player}/boards.atom")).status_code == 410
    await site.club.answer(ANN, "new address")
    await site.club.answer(ANN, "yes")
    assert (await site.get(path)).status_code == 410
