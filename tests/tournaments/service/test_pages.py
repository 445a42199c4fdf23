"""The page of a tournament, and the pages that lead to it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.tournaments import decide
from tests.clubs.club import Club
from tests.tournaments.service.club import (
    NAME,
    PEOPLE,
    decided,
    decides,
    join,
    opens,
    player,
    running,
    state,
)
from tests.web.site import PUBLIC, Site, open_site

ANN, BOB, CLEO, DAN, EVE, FAY = PEOPLE
WHERE = f"/tournament/{NAME}"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    one = open_site(tmp_path)
    yield one
    await one.client.aclose()
    one.club.house.db.close()


async def begins(club: Club, kind: str, *people: str, **terms: object) -> None:
    await join(club, *people)
    opens(club, kind=kind, **terms)
    for one in people:
        await club.answer(one, f"enter {NAME}")
    decides(club, decide.begin)
    await club.work()


async def plays(club: Club, *order: str) -> None:
    """All matches that are played end as this order of people says."""
    ranked = [player(club, one) for one in order]
    for match in running(club):
        own = sorted(match.table.players, key=ranked.index)
        decided(club, match.id, *(own.index(one) + 1 for one in match.table.players))
    await club.work()


async def seen(site: Site, path: str = WHERE) -> str:
    """A page without its head, in one line."""
    answer = await site.get(path)
    assert answer.status_code == 200
    return " ".join(answer.text.partition("<main")[2].split())


def rows(page: str) -> list[list[str]]:
    """The cells of the tables' rows, without their markup."""
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td>(.*?)</td>", row)]
        for row in re.findall(r"<tr><td>.*?</tr>", page)
    ]


async def test_a_league_shows_its_crosstable_and_leads_to_its_matches(site: Site) -> None:
    club = site.club
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    page = await seen(site)
    assert "season 1, as it stands now" in page.casefold()
    assert "is being played" in page
    one = running(club)[0]
    await plays(club, ANN, BOB, CLEO, DAN)
    page = await seen(site)
    assert rows(page) == [
        ["1", "Ann", "×", "1", "1", "1", "3"],
        ["2", "Bob", "0", "×", "1", "1", "2"],
        ["3", "Cleo", "0", "0", "×", "1", "1"],
        ["4", "Dan", "0", "0", "0", "×", "0"],
    ]
    assert "Season 1, as it ended" in page
    assert "Season 2 begins on" in page
    links = re.findall(r'href="(/view/[^"]+)"', page)
    assert len(links) == 6
    assert all([(await site.get(link)).status_code == 200 for link in links])
    # And from a match back to its tournament, and from the player and the club.
    found = [(await site.get(link)).text for link in links]
    there = [text for text in found if one.id in text]
    assert f'href="{WHERE}"' in there[0]
    assert f'href="{WHERE}"' in (await site.get("/")).text
    profiles = re.findall(r'href="(/profile/[^"]+)"', page)
    assert f'href="{WHERE}"' in (await site.get(profiles[0])).text


async def test_earlier_seasons_stay(site: Site) -> None:
    club = site.club
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    await plays(club, ANN, BOB, CLEO, DAN)
    decides(club, decide.begin)
    await club.work()
    page = await seen(site)
    assert f'href="{WHERE}/1"' in page
    assert "Season 2, as it stands now" in page
    assert "Season 1, as it ended" in await seen(site, f"{WHERE}/1")
    assert await seen(site, WHERE.title().replace("/T", "/t")) == page
    assert (await site.get(f"{WHERE}/3")).status_code == 404
    for where in ("/tournament/nowhere", f"{WHERE}/{'9' * 5_000}", f"{WHERE}/x", f"{WHERE}/7"):
        assert (await site.get(where)).status_code == 404


async def test_a_tie_is_told_with_its_sum(site: Site) -> None:
    club = site.club
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    ann, bob, cleo, dan = (player(club, one) for one in (ANN, BOB, CLEO, DAN))
    won = {(ann, cleo), (dan, ann), (cleo, bob), (bob, dan), (cleo, dan)}
    for match in running(club):
        one, other = match.table.players
        places = (1, 2) if (one, other) in won else (2, 1) if (other, one) in won else (1, 1)
        decided(club, match.id, *places)
    await club.work()
    page = await seen(site)
    assert "Sonneborn-Berger is 2¾ against 1¾" in page
    assert "<li>Ann: 2 + ½ × 1½ = 2¾</li>" in page


async def test_who_hides_their_profile_has_a_name_and_no_link(site: Site) -> None:
    """And who is forgotten has neither."""
    club = site.club
    await join(club, ANN, BOB, CLEO, DAN)
    await club.answer(ANN, "profile off")
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    await club.insist(DAN, "delete me")
    await club.wait(days=31)
    page = await seen(site)
    linked = re.findall(r'<a href="/profile/[^"]+">(\w+)</a>', page)
    assert sorted(linked) == ["Bob", "Cleo"]
    assert "Ann" in page
    assert "Dan" not in page


async def test_a_cup_shows_rounds_and_a_ladder_its_order(site: Site) -> None:
    club = site.club
    await begins(club, "cup", ANN, BOB, CLEO, DAN, EVE)
    page = await seen(site)
    assert "<h3>Round 1</h3>" in page
    assert "Ann goes on without a match" in page
    while state(club).season is not None:
        await plays(club, ANN, BOB, CLEO, DAN, EVE)
    page = await seen(site)
    assert page.index("<h3>Final</h3>") < page.index("<h3>Semi-finals</h3>")
    assert "Ann wins the cup" in page
    assert [row[:2] for row in rows(page)][:3] == [["1", "Ann"], ["2", "Bob"], ["3", "Cleo"]]


async def test_a_ladder_shows_who_went_up(site: Site) -> None:
    club = site.club
    await begins(club, "ladder", ANN, BOB, CLEO, DAN)
    await plays(club, DAN, CLEO, BOB, ANN)
    page = await seen(site)
    assert [row[1] for row in rows(page)] == ["Bob", "Ann", "Dan", "Cleo"]
    assert "Bob goes up by 1 place" in page
    assert "is being played" in page


async def test_mails_lead_to_it(site: Site) -> None:
    club = site.club
    await begins(club, "league", ANN, BOB, CLEO, DAN)
    mail = next(mail for mail in club.mails(ANN) if "season 1 begins" in mail.subject)
    assert f"{PUBLIC}{WHERE}" in mail.text
    assert "Open the tournament" in mail.html
