from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from pbem.notifications.pictures import DrawnPicture
from pbem.web.app import create_web_app
from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.conversations.service import DrivenService
from tests.fairness_page import check_record, fenced
from tests.web.played import browse, find_link, play

TOURNAMENT = """
register ann bob cleo
operator tournament spring logger group=3 games=1 time=fast start=full
ann writes
    enter spring
bob writes
    enter spring
cleo writes
    enter spring
ann replies to turn
    resign
ann replies to question
    yes
"""


def browse_with_pictures(club: Conversation) -> httpx.AsyncClient:
    async def draw(_svg: str) -> DrawnPicture:
        return DrawnPicture(b"light", b"dark")

    assert isinstance(club.service, DrivenService)
    web = create_web_app(club.service.server.app, draw)
    return httpx.AsyncClient(transport=httpx.ASGITransport(web), base_url=PUBLIC_URL)


FOUR_PLIES = """match logger ann bob
play
    ann: place a1
    bob: place e5
    ann: b1; plant a1
    bob: e4; plant e5
"""
LONG_ENDED = f"""{FOUR_PLIES}play
    ann: a2; plant a3
operator adjudicate M1 1 2
"""


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("match logger ann bob\n", ""),  # nothing has happened in it
        (LONG_ENDED, "M1"),
        (f"{LONG_ENDED}{FOUR_PLIES}", "M2"),  # a match that runs is shown first
    ],
)
async def test_which_match_the_home_page_shows(script: str, shown: str, tmp_path: Path) -> None:
    async with play(script, tmp_path) as club, browse(club) as browser:
        page = (await browser.get("/")).text
        codes = re.findall(r'href="/view/(\w+)"', page)
        assert codes == [code for label, code in club.labels.items() if label == shown]
        assert page.count('<svg class="shape"') == 1  # a board, or else an example
        goals = re.findall(r'<p class="small">(.+)</p>', page)
        assert len(set(goals)) == len(goals) == 4


async def test_every_name_leads_to_a_page(tmp_path: Path) -> None:
    text = TOURNAMENT + "ann writes\n    new logger with bot starter=given\n"
    async with play(text, tmp_path) as club, browse(club) as browser:
        table = (await browser.get("/tournament/Spring")).text
        names = set(re.findall(r'href="(/people/[^"]*)"', table))
        assert names == {"/people/Ann", "/people/Bob", "/people/Cleo"}
        assert "1 day on the clock" in table
        assert re.findall(r"<tr>\s*<td>(\d)</td>", table) == ["1", "2", "3"]  # also of ties
        assert len(re.findall(r'href="/view/', table)) == 6  # each of three games in two rows
        assert len(re.findall(r'<td class="self">\s*</td>', table)) == 3
        rows = {name: table.partition(name)[2].partition("</tr>")[0] for name in names}
        points = {name: re.findall(r"/view/\w+.>(\d)", row) for name, row in rows.items()}
        assert points["/people/Ann"] == ["0"]  # she has resigned
        assert points["/people/Bob"] == ["1"]
        for name in (*names, "/people/Medium%20bot", "/people/Former%20player"):
            page = await browser.get(name)
            assert page.status_code == 200
            assert "@" not in re.sub(r'href="mailto:[^"]*"', "", page.text)
        own = re.findall(r"/view/(\w+)", (await browser.get("/people/Cleo")).text)
        assert set(own) == set(re.findall(r"/view/(\w+)", rows["/people/Cleo"]))
        view = re.findall(r'href="(/view/[^"]*)"', table)[0]
        linked = re.findall(r'href="(/people/[^"]*)"', (await browser.get(view)).text)
        assert len(linked) == 2
        assert set(linked) < names
        for name in ("/people/ann", "/people/%3Cb%3E"):
            assert (await browser.get(name)).status_code == 404
        assert (await browser.get("/people/")).headers["Location"] == "/ratings"
        for path in ("/rules", "/try", "/learn"):
            assert (await browser.get(path)).headers["Location"] == "/#games"
        assert (await browser.get("/tournament/winter")).status_code == 404
        person = (await browser.get("/people/Ann")).text
        assert 'href="/tournament/spring"' in person
        assert "A bot" not in person
        assert "A bot" in (await browser.get("/people/Medium%20bot")).text


async def test_all_moves_are_in_words(tmp_path: Path) -> None:
    text = "match logger ann bob\nplay\n    ann: place a1\n    bob: place e5\n"
    async with play(text, tmp_path) as club, browse(club) as browser:
        page = (await browser.get(f"/view/{club.labels['M1']}")).text
        [moves] = re.findall(r"<ol>(.*?)</ol>", page, re.DOTALL)
        assert "on a1" in moves
        assert "(place e5)" in moves


async def test_german_pages_have_german_names_headings_and_dates(tmp_path: Path) -> None:
    text = "register ann\nann writes\n    new landrush with bot starter=given\n"
    text += "ann writes\n    set language de\n"
    german = {"Accept-Language": "de"}
    async with play(text, tmp_path) as club, browse(club, headers=german) as browser:
        view = f"/view/{club.labels['M1']}"
        for path in (view, find_link(club, "ann", "/act/"), "/people/Ann", "/try/landrush"):
            page = (await browser.get(path, follow_redirects=True)).text
            page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
            for word in ("Medium bot", "Suns", "Ace", "-11-"):
                assert word not in re.sub(r'="[^"]*"', "", page), (path, word)
        assert 'href="/people/Medium%20bot"' in (await browser.get(view)).text
        assert (await browser.get("/people/Medium%20bot")).status_code == 200


async def test_links_prepare_commands_in_the_language_of_the_visitor(tmp_path: Path) -> None:
    paths = ["/", "/ratings", "/ratings/logger", "/people/Ann", "/tournaments"]
    paths += ["/tournament/autumn", "/try/logger", "/fair-play"]
    text = TOURNAMENT + "operator tournament autumn logger group=3 games=1 time=fast start=full\n"
    async with play(text, tmp_path) as club, browse(club) as browser:
        prepared = {}
        for language in ("en", "de"):
            pages = []
            for path in paths:
                page = await browser.get(path, headers={"Accept-Language": language})
                assert page.status_code < 400, path
                pages.append(page.text)
            found = re.findall(r'href="mailto:[^"]*body=([^"]*)"', "".join(pages))
            prepared[language] = {unquote(command) for command in found}
        assert {"new logger with Ann", "new logger open", "enter autumn"} <= prepared["en"]
        assert {"neu logger mit Ann", "neu logger open", "anmelden autumn"} <= prepared["de"]
        assert {command.split()[0] for command in prepared["de"]} == {"neu", "anmelden"}


async def test_ratings_and_entries_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.web.standing.MAX_BEST", 1)
    monkeypatch.setattr("pbem.store.ratings.SURE_DEVIATION", 1000.0)
    text = f"{FOUR_PLIES}operator adjudicate M1 1 2\n"
    text += "operator tournament autumn logger group=3 games=1 time=fast start=full\n"
    text += "ann writes\n    enter autumn\n"
    async with play(text, tmp_path) as club, browse(club) as browser:
        best, ranked = [(await browser.get(path)).text for path in ("/ratings", "/ratings/logger")]
        assert [page.count('scope="row"><a href="/people/') for page in (best, ranked)] == [1, 2]
        assert ["Ratings in Logger" in page for page in (best, ranked)] == [False, True]
        assert 'href="/ratings/logger"' in (await browser.get("/people/Ann")).text
        assert 'href="/people/Ann"' in (await browser.get("/tournament/autumn")).text


async def test_earlier_boards_and_the_state_of_a_match(tmp_path: Path) -> None:
    async with play(FOUR_PLIES, tmp_path) as club, browse(club) as browser:
        path = f"/view/{club.labels['M1']}"
        for step, is_shown in (("0", True), ("4", True), ("5", False), ("x", False), ("", False)):
            page = (await browser.get(path, params={"step": step})).text
            assert ("Back to the game" in page) is is_shown, step
            assert ("Free: a1" in page) is (step == "0"), step  # nobody is on the board yet
        state = (await browser.get(f"{path}/state")).text
        page = (await browser.get(path)).text
        assert f'data-state="{state}"' in page  # otherwise the page would load itself again


PRIVATE = "match logger ann bob\n    starter=given private\n"
NOT_STARTED = "register ann\nann writes\n    new logger link\n"


@pytest.mark.parametrize("text", [PRIVATE, NOT_STARTED])
async def test_private_games_are_nowhere(text: str, tmp_path: Path) -> None:
    async with play(text, tmp_path) as club, browse(club) as browser:
        code = next(email.match for email in club.received if email.match)
        for path in ("/", "/people/Ann"):
            assert code not in (await browser.get(path)).text
        for path in (f"/view/{code}", f"/view/{code}/state", f"/picture/match/{code}.png"):
            assert (await browser.get(path)).status_code == 404


async def test_previews_have_pictures_of_what_all_may_see(tmp_path: Path) -> None:
    text = "match logan stones ann bob\nann writes\n    new logger link\n"
    async with play(text, tmp_path) as club, browse_with_pictures(club) as browser:
        code = next(email.match for email in club.received if email.match)
        for path in (f"/view/{code}", find_link(club, "ann", "/join/"), "/", "/rules/landrush"):
            page = (await browser.get(path)).text
            [address] = re.findall(r'property="og:image" content="([^"]*)"', page)
            assert ("?version=" in address) is path.startswith("/view/")  # never an old board
            picture = await browser.get(address)
            assert (picture.status_code, picture.content) == (200, b"light")
            assert picture.headers["content-type"] == "image/png"
            assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
        seat = (await browser.get(find_link(club, "ann", "/act/"))).text
        assert "og:" not in seat
        assert (await browser.get("/picture/game/nothing.png")).status_code == 404
        async with browse(club) as without_pictures:
            assert "og:image" not in (await without_pictures.get("/")).text


async def test_rules_have_anchors_and_ten_lines(browser: httpx.AsyncClient) -> None:
    for key, rule in (("logger", "LG-2.9"), ("looney_ludo", "LL-1.16a")):
        page = (await browser.get(f"/rules/{key}")).text
        assert f'<strong id="{rule}">' in page
        assert page.count("<h1") == 1
        assert "<img" not in page  # the paths of pictures are those of the repository
        summary = page[: page.index("<details")]
        assert summary.count("<li>") == 10
        assert 'role="img"' in summary


async def test_the_program_of_the_fair_play_page_is_that_of_the_docs(tmp_path: Path) -> None:
    text = """
match looney ludo ann bob
ann replies
    resign
ann replies to question
    yes
ann replies to end
    record
"""
    async with play(text, tmp_path) as club, browse(club) as browser:
        assert (await browser.get("/fair-play/check_record.py")).text == fenced("python")
        [record] = club.received[-1].attachments.values()
        status, words = check_record(tmp_path, record.decode().splitlines())
        assert status == 0, words
        page = (await browser.get("/fair-play")).text
        assert "](" not in page  # no link of the docs is left as it is written there
