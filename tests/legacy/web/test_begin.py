"""Beginning by a form: it is a stranger's letter, and asks for consent as any other."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from pbem.legacy.mail.addresses import Purpose
from pbem.legacy.matches.match import Status
from pbem.legacy.web.begin import BEGINNING
from tests.legacy.clubs.club import ANN, BOB, CLEO, open_club
from tests.legacy.web.site import PUBLIC, Site, begin

NEW = {"address": CLEO, "what": "bot", "game": "logger"}


async def sent(site: Site, **fields: str) -> tuple[int, str]:
    """Send the form, and let the service work; status and title of the answer."""
    answer = await site.client.post("/begin", data=fields)
    for _ in range(3):
        await site.club.work()
    return answer.status_code, re.findall(r"<h1>(.*?)</h1>", answer.text)[0]


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_a_match_begins_when_the_address_has_said_yes(site: Site, lang: str) -> None:
    site.client.headers["Accept-Language"] = lang
    status, title = await sent(site, **NEW)
    assert (status, title) == (
        200,
        "Look into your mail" if lang == "en" else "Sieh in deine Mails",
    )
    [asked] = site.club.mails(CLEO)
    words = "Reply with", "new Logger with bot"
    if lang == "de":
        words = "Antworte", "neu Logger mit bot"
    assert all(one in asked.text for one in words), asked.text
    await site.club.answer(CLEO, "yes")
    match = await site.match()
    assert (match.game.key, match.status) == ("logger", Status.RUNNING)


@pytest.mark.parametrize(
    ("lang", "game", "level", "order"),
    [
        ("en", "logger", "strong", "new Logger with bot strong"),
        ("en", "logger", "medium", "new Logger with bot"),
        ("de", "logan-stones", "easy", "neu Logan Stones mit bot leicht"),
        ("de", "landrush", "strong", "neu Landrush mit bot"),
    ],
)
async def test_a_bot_has_the_level_that_is_chosen(
    site: Site, lang: str, game: str, level: str, order: str
) -> None:
    site.client.headers["Accept-Language"] = lang
    await sent(site, **NEW | {"what": f"bot-{level}", "game": game})
    [asked] = site.club.mails(CLEO)
    assert order in " ".join(asked.text.split())
    await site.club.answer(CLEO, "yes")
    match = await site.match()
    has = "medium" if game == "landrush" else level
    assert f"bot-{has}-1" in match.table.players
    words = {"easy": "Roboter (leicht)", "medium": "Roboter (mittel)"}
    name = words[has] if lang == "de" else f"Robot ({has})"
    assert name in site.club.last(CLEO).text
    page = (await site.client.get("/")).text
    assert name in page


async def test_a_friend_hears_of_it_only_after_the_yes(site: Site) -> None:
    await sent(site, **NEW | {"what": "friend", "friend": BOB})
    assert not site.club.mails(BOB)
    await site.club.answer(CLEO, "yes")
    assert len(site.club.mails(BOB)) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"address": "cleo"},
        {"address": "cleo@x.example\r\nBcc: bob@x.example"},
        {"address": "games@pbem.example"},
        {"address": f"{'c' * 300}@x.example"},
        {"what": "friend", "friend": "bob, ann@x.example"},
        {"what": "friend"},
        {"what": "resign"},
        {"what": "bot-best"},
        {"game": "chess"},
    ],
)
async def test_what_is_no_address_and_no_order_writes_to_nobody(
    site: Site, fields: dict[str, str]
) -> None:
    status, _ = await sent(site, **NEW | fields)
    assert status == 400
    assert not site.club.postbox.sent


async def test_so_many_forms_an_hour_and_then_a_mail(site: Site) -> None:
    for number in range(int(BEGINNING.room)):
        assert (await sent(site, **NEW | {"address": f"c{number}@x.example"}))[0] == 200
    before = len(site.club.postbox.sent)
    answer = await site.client.post("/begin", data=NEW)
    assert answer.status_code == 429
    assert 'href="mailto:games@pbem.example?subject=new%20Logger%20with%20bot' in answer.text
    await site.club.work()
    assert len(site.club.postbox.sent) == before


@pytest.mark.parametrize("host", ["gmail.example", "{number}.example"])
async def test_a_flood_of_forms_leaves_letters_their_answers(site: Site, host: str) -> None:
    strangers = site.club.house.settings.strangers
    most, letters = strangers.forms_per_domain, strangers.mails_per_domain
    if "{" in host:
        most, letters = strangers.forms_per_day, strangers.mails_per_day
    transport = site.client._transport
    assert isinstance(transport, httpx.ASGITransport)
    for number in range(letters + 1):
        transport.client = (f"192.0.2.{number}", 1)
        fields = NEW | {"address": f"c{number}@{host.format(number=number)}"}
        assert (await site.client.post("/begin", data=fields)).status_code == 200
    await site.club.work()
    assert len(site.club.postbox.sent) == most
    real = f"real@{host.format(number=0)}"
    await site.club.write(real, "new logger with bot")
    assert len(site.club.mails(real)) == 1


ELSEWHERE = (
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    {"Sec-Fetch-Site": "same-site", "Origin": PUBLIC},
    {"Origin": "https://evil.example"},
    {"Origin": f"{PUBLIC}.evil.example"},
)
HERE: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": PUBLIC},
    {"Origin": "null"},
    {},
)


async def test_no_page_of_another_site_sends_forms(site: Site) -> None:
    await begin(site)
    tried = (await site.get("/try/logger")).headers["location"]
    form = await site.form(await site.path(Purpose.ACT), "say hello")
    before = len(site.club.postbox.sent)
    for path, fields in (
        ("/begin", NEW),
        ("/begin", {"what": "page", "address": CLEO}),
        (tried, {"text": "plant a1"}),
        (await site.path(Purpose.ACT), form),
    ):
        for headers in ELSEWHERE:
            answer = await site.client.post(path, data=fields, headers=headers)
            assert (answer.status_code, answer.headers.get("location")) == (403, None)
    await site.club.work()
    assert len(site.club.postbox.sent) == before
    for headers in HERE:
        answer = await site.client.post("/begin", data=NEW, headers=headers)
        assert answer.status_code == 200


async def test_a_mail_program_stops_mail_from_wherever_it_is(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.STOP)
    answer = await site.client.post(path, data={}, headers=ELSEWHERE[0])
    assert answer.status_code == 200


async def test_who_plays_here_gets_the_page_of_their_boards(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.PLAYER)
    known, _ = await sent(site, address=ANN, what="page")
    unknown, _ = await sent(site, address="nobody@x.example", what="page")
    assert known == unknown == 200
    assert path not in str(site.club.mails(ANN)[-1])
    await site.club.answer(ANN, "yes")
    assert f"{PUBLIC}{path}" in site.club.mails(ANN)[-1].text


async def test_the_page_comes_in_no_thread_of_a_match(site: Site) -> None:
    await begin(site)
    path = await site.path(Purpose.PLAYER)
    before = len(site.club.mails(ANN))
    await site.club.answer(ANN, "page")
    [mail] = site.club.mails(ANN)[before:]
    text = mail.text
    assert f"{PUBLIC}{path}" in text
    assert "give it to nobody" in " ".join(text.split())
    assert "/act/" not in text
    assert "Logger" not in mail.subject


async def test_where_there_are_no_pages_the_boards_come_by_mail(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    await club.write(ANN, "new logger with bot")
    await club.answer(ANN, "yes")
    await club.write(ANN, "page")
    await club.answer(ANN, "yes")
    assert "There are no pages here." in " ".join(club.last(ANN).text.split())
    club.house.db.close()
