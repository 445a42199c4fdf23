"""The page of a link: what it shows, who may ask by its form, and that looking changes nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import httpx
import pytest

from pbem.games import GAMES
from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.matches.match import Status
from pbem.legacy.replays import raster
from pbem.legacy.store.tables import METADATA
from pbem.legacy.web.application import application
from pbem.legacy.web.begin import BEGINNING
from pbem.legacy.web.invitations import ADDRESSES
from tests.legacy.clubs.club import ANN, BOB, CLEO
from tests.legacy.links.inviting import asked, invited, match_of, name_of, said, title_of, token_of
from tests.legacy.web.site import PUBLIC, Site
from tests.legacy.web.test_begin import ELSEWHERE


def meta(page: str) -> dict[str, str]:
    """What previews read."""
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))


@pytest.mark.parametrize("game", [one.key.replace("_", " ") for one in GAMES.values()])
async def test_it_shows_the_game_its_rules_and_who_invites(site: Site, game: str) -> None:
    path = await invited(site, f"new {game} link")
    answer = await site.get(path, headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    match = await match_of(site, path)
    assert title_of(answer.text) == f"Ann invites you to {match.game.title}"
    assert len(re.findall(r"<li>", answer.text)) == 10
    assert f'href="/try/{match.game.key.replace("_", "-")}"' in answer.text
    assert "Time: everybody begins with 10 days" in answer.text
    assert match.chance.commitment in answer.text
    assert "until Saturday 5 December" in answer.text
    for other in (ANN, "@example.org", *(f"/{kind}/" for kind in Purpose if kind != "join")):
        assert other not in answer.text.replace("games@pbem.example", "")


async def test_it_is_as_wide_as_it_must_be_and_of_nobody_else(site: Site) -> None:
    path = await invited(site)
    headers = (await site.get(path)).headers
    assert "noindex" in headers["x-robots-tag"]
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"].startswith("default-src 'none';")
    robots = (await site.get("/robots.txt")).text
    assert "/join/" not in robots  # messengers that obey it would show nothing of a link
    assert "Disallow: /act/" in robots


async def test_previews_have_a_title_and_a_picture(site: Site) -> None:
    path = await invited(site)
    said = meta((await site.get(path)).text)
    assert said["og:title"] == "Ann invites you to Logger"
    assert "small forest" in said["og:description"]
    assert said["og:url"] == f"{PUBLIC}{path}"
    picture = await site.get(said["og:image"].removeprefix(PUBLIC))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert len(picture.content) < 300_000
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    assert token_of(path) not in said["og:image"]
    for wrong in ("chess.en.png", "logger.en.svg", "logger.xx.png", "logger", ".png"):
        assert (await site.get(f"/preview/{wrong}")).status_code == 404


async def test_pictures_say_their_words_in_the_language_of_the_page(site: Site) -> None:
    path = await invited(site, "new looney ludo link")
    pictures = re.compile(r"<svg.*?</svg>", re.DOTALL)
    for page in (path, "/"):
        english, german = [
            (await site.get(page, headers={"Accept-Language": lang})).text for lang in ("en", "de")
        ]
        assert pictures.findall(english) != pictures.findall(german)
    page = (await site.get(path, headers={"Accept-Language": "de"})).text
    said = meta(page)["og:image"].removeprefix(PUBLIC)
    assert said == "/preview/looney-ludo.de.png"
    other = await site.get("/preview/looney-ludo.en.png")
    assert (await site.get(said)).content != other.content


async def test_where_nothing_can_draw_there_is_no_picture(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await invited(site)
    monkeypatch.setattr("pbem.legacy.web.invitations.draws", lambda: False)
    assert raster.draws()
    assert "og:image" not in meta((await site.get(path)).text)
    assert (await site.get("/preview/logger.en.png")).status_code == 404


async def test_a_preview_is_in_the_language_of_who_invites(site: Site) -> None:
    path = await invited(site)
    await site.club.answer(ANN, "lang de")
    assert "accept-language" not in site.client.headers
    for agent, title in (
        ({}, "Ann lädt dich zu Logger ein"),
        ({"Accept-Language": "en"}, "Ann in"),
    ):
        page = await site.get(path, headers=agent)
        assert meta(page.text)["og:title"].startswith(title)


async def test_a_name_with_markup_is_text(site: Site) -> None:
    path = await invited(site)
    await site.club.answer(ANN, "name Ann & O'Hara")
    page = (await site.get(path)).text
    assert "Ann &amp; O&#39;Hara invites you" in page


async def rows(site: Site) -> dict[str, int]:
    """How many rows each table has."""

    def unit(conn):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return {
            name: len(conn.execute(table.select()).all()) for name, table in METADATA.tables.items()
        }

    counted: dict[str, int] = await site.club.read(unit)  # type: ignore[assignment]
    return counted


async def test_crawlers_change_nothing(site: Site) -> None:
    path = await invited(site)
    before, version = await rows(site), (await match_of(site, path)).version
    transport = site.client._transport
    assert isinstance(transport, httpx.ASGITransport)
    for number in range(100):
        transport.client = (f"192.0.2.{number}", 1)
        method = "GET" if number % 2 else "HEAD"
        answer = await site.client.request(method, f"{path}?address={BOB}")
        assert answer.status_code == 200
    await site.club.work()
    assert await rows(site) == before
    assert (await match_of(site, path)).version == version


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_a_seat_is_taken_by_the_form_and_a_yes(site: Site, lang: str) -> None:
    site.client.headers["Accept-Language"] = lang
    path = await invited(site)
    status, title = await asked(site, path, address=CLEO, name="Cleopatra")
    assert (status, title) == (
        200,
        {"en": "Look into your mail", "de": "Sieh in deine Mails"}[lang],
    )
    [question] = site.club.mails(CLEO)
    assert {"en": "| join ", "de": "| mitspielen "}[lang] + name_of(path) in question.text
    assert "Cleopatra" not in str(question)  # no text of whoever filled in the form
    assert token_of(path) not in str(question)
    await site.club.answer(CLEO, {"en": "yes", "de": "ja"}[lang])
    match = await match_of(site, path)
    assert match.status is Status.RUNNING
    assert (await site.row(CLEO)).name == "Cleopatra"
    assert "Cleopatra" in site.club.last(ANN).subject
    [_, begun] = site.club.mails(CLEO)
    assert {"en": "Begun:", "de": "Begonnen:"}[lang] in begun.text
    assert (await asked(site, path, address=BOB))[0] == 410
    page = await site.get(path)
    assert page.status_code == 410
    assert title_of(page.text) == {"en": "The seat is taken", "de": "Der Platz ist vergeben"}[lang]


async def test_what_it_says_when_it_is_over_offers_what_is_open(site: Site) -> None:
    path = await invited(site)
    await site.club.answer(ANN, "new looney ludo open")
    other = await site.match()
    await site.club.answer(ANN, f"{name_of(path)} link off")
    for gone in (path, "/join/k7qx2.0.aa.aaaaaaaaaaaaaaaaaaaaaaaaaa", "/join/x"):
        answer = await site.get(gone)
        assert answer.status_code == (410 if gone == path else 404)
        assert f"Looney Ludo {other.id}" in answer.text
        assert f"body=join%20{other.id}" in answer.text
        assert 'href="/#begin"' in answer.text
        assert "Try" in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert "og:title" not in answer.text


def with_pages(site: Site, **wishes: object) -> Site:
    """The same club, whose pages are served otherwise."""
    settings = site.club.house.settings
    web = settings.web.model_copy(update=wishes)
    house = replace(site.club.house, settings=settings.model_copy(update={"web": web}))
    transport = httpx.ASGITransport(application(house), client=("192.0.2.7", 1))
    return Site(
        replace(site.club, house=house), httpx.AsyncClient(transport=transport, base_url=PUBLIC)
    )


async def test_where_trying_is_off_nothing_leads_there(site: Site) -> None:
    path = await invited(site)
    other = with_pages(site, try_out=False)
    assert "/try/" not in (await other.get(path)).text
    await site.club.answer(ANN, "link off")
    assert "/try/" not in (await other.get(path)).text
    assert "/try/" in (await site.get(path)).text


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"address": "cleo"}, "This is no mail address"),
        ({"address": "cleo@x.example\r\nBcc: bob@x.example"}, "This is no mail address"),
        ({"address": "games@pbem.example"}, "This is no mail address"),
        ({"address": f"{'c' * 300}@x.example"}, "This is no mail address"),
        ({}, "This is no mail address"),
        ({"address": CLEO, "name": "visit www.evil.example"}, "This cannot be a name"),
        ({"address": CLEO, "name": "C" * 40}, "This cannot be a name"),
        ({"address": CLEO, "name": "Help"}, "Somebody is called so already"),
        ({"address": CLEO, "name": "Ann"}, "Somebody is called so already"),
    ],
)
async def test_what_cannot_be_writes_to_nobody(
    site: Site, fields: dict[str, str], title: str
) -> None:
    path = await invited(site)
    before = len(site.club.postbox.sent)
    assert await asked(site, path, **fields) == (400, title)
    assert len(site.club.postbox.sent) == before


async def test_a_name_is_one_line(site: Site) -> None:
    path = await invited(site)
    await asked(site, path, address=CLEO, name="Cleo\r\nresign")
    await site.club.answer(CLEO, "yes")
    assert (await site.row(CLEO)).name == "Cleo resign"


async def test_so_many_addresses_a_link_and_then_a_mail(site: Site) -> None:
    path, other = await invited(site), await invited(site)
    for number in range(ADDRESSES):
        for _ in range(2):  # the same address again is the same
            assert (await asked(site, path, address=f"c{number}@x.example"))[0] == 200
            move_on(site)
    before = len(site.club.postbox.sent)
    answer = await site.client.post(path, data={"address": CLEO})
    assert answer.status_code == 429
    assert f"body=join%20{token_of(path)}" in answer.text
    page = (await site.get(path)).text
    assert "<form" not in page
    assert f"body=join%20{token_of(path)}" in page
    await site.club.work()
    assert len(site.club.postbox.sent) == before
    assert (await asked(site, other, address=CLEO))[0] == 200
    await site.club.write(BOB, f"join {token_of(path)}")  # a letter of one's own is not counted
    await site.club.answer(BOB, "yes")
    assert (await match_of(site, path)).status is Status.RUNNING


def move_on(site: Site) -> None:
    """Ask from somewhere else."""
    transport = site.client._transport
    assert isinstance(transport, httpx.ASGITransport)
    number = int(transport.client[0].rpartition(".")[2]) + 1
    transport.client = (f"192.0.2.{number}", 1)


async def test_so_many_forms_an_hour_of_all_kinds_a_visitor(site: Site) -> None:
    path = await invited(site)
    new = {"what": "bot", "game": "logger"}
    for number in range(int(BEGINNING.room)):
        answer = await site.client.post("/begin", data=new | {"address": f"c{number}@x.example"})
        assert answer.status_code == 200
    answer = await site.client.post(path, data={"address": CLEO})
    assert answer.status_code == 429
    assert f"body=join%20{token_of(path)}" in answer.text
    assert "<form" in (await site.get(path)).text  # nothing is counted that was not sent


async def test_no_page_of_another_site_asks_for_a_seat(site: Site) -> None:
    path = await invited(site)
    for headers in ELSEWHERE:
        answer = await site.client.post(path, data={"address": CLEO}, headers=headers)
        assert answer.status_code == 403
    await site.club.work()
    assert not site.club.mails(CLEO)


async def test_the_form_of_the_club_makes_one(site: Site) -> None:
    assert '<option value="link">' in (await site.get("/")).text
    fields = {"address": ANN, "what": "link", "game": "logan_stones"}
    assert (await asked(site, "/begin", **fields))[0] == 200
    await site.club.answer(ANN, "yes")
    assert "Shall we play Logan Stones?" in said(site, ANN)


async def test_where_nothing_leads_to_pages_the_form_makes_none(site: Site) -> None:
    assert '<option value="link">' not in (await with_pages(site, public_url="").get("/")).text
