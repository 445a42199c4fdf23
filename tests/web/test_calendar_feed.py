"""A player's deadlines as a feed: what is in it, for whom, and what its address does not do."""

from __future__ import annotations

from typing import Any

from icalendar import Calendar

from pbem.mail.addresses import Purpose
from tests.clubs.club import ANN, BOB
from tests.web.site import PUBLIC, Site, begin


async def feed_path(site: Site, reader: str = ANN) -> str:
    return f"{await site.path(Purpose.CALENDAR, reader)}/calendar.ics"


async def events(site: Site, reader: str = ANN) -> list[Any]:
    answer = await site.get(await feed_path(site, reader))
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.headers["cache-control"] == "no-store"
    calendar: Any = Calendar.from_ical(answer.text)
    assert calendar["method"] == "PUBLISH"
    return list(calendar.walk("VEVENT"))


async def test_the_turn_is_in_it_and_goes_when_it_has_passed(site: Site) -> None:
    await begin(site)
    [event] = await events(site)
    assert await events(site, BOB) == []
    await site.club.answer(ANN, "calendar")
    ((_, data),) = site.club.last(ANN).files.items()
    mailed: Any = Calendar.from_ical(str(data))
    [same] = mailed.walk("VEVENT")
    assert (event["uid"], event.start) == (same["uid"], same.start)
    await site.club.answer(ANN, "place a1")
    assert await events(site) == []
    [other] = await events(site, BOB)
    assert other["uid"] != event["uid"]


async def test_who_knows_it_already_is_told_nothing_new(site: Site) -> None:
    await begin(site)
    path = await feed_path(site)
    tag = (await site.get(path)).headers["etag"]
    await site.club.wait(minutes=5)
    again = await site.get(path, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    await site.club.answer(ANN, "place a1")
    assert (await site.get(path, headers={"If-None-Match": tag})).status_code == 200


async def test_the_page_leads_to_it(site: Site) -> None:
    await begin(site)
    page = (await site.get(await site.path(Purpose.PLAYER))).text
    path = await feed_path(site)
    assert f'href="{PUBLIC}{path}"' in page
    assert f'href="{PUBLIC.replace("https", "webcal")}{path}"' in page


async def test_its_address_opens_nothing_else_and_ends_with_the_others(site: Site) -> None:
    await begin(site)
    path = await feed_path(site)
    token = path.split("/")[2]
    for kind in ("player", "stop", "act", "seat", "view"):
        assert (await site.get(f"/{kind}/{token}")).status_code in (404, 410)
    player = (await site.path(Purpose.PLAYER)).split("/")[2]
    assert (await site.get(f"/calendar/{player}/calendar.ics")).status_code == 410
    assert (await site.post(path, {"text": "resign yes"})).status_code == 405
    await site.club.answer(ANN, "new address")
    await site.club.answer(ANN, "yes")
    assert (await site.get(path)).status_code == 410
