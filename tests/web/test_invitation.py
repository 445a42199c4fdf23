from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import httpx

from tests.conversations.runner import Conversation
from tests.web.played import browse, find_link, play

LINK = "register ann bob\nann writes\n    new logger link\n"


async def send_address(browser: httpx.AsyncClient, link: str, address: str) -> httpx.Response:
    return await browser.post(link, data={"address": address})


async def count_questions(club: Conversation, address: str) -> int:
    await club.service.run_until_idle()
    new = list((club.folder / "out" / "new").iterdir())
    mails = [path.read_bytes() for path in new]
    return sum(b"X-PBEM-Kind: question" in mail and address.encode() in mail for mail in mails)


async def test_the_page_says_who_plays_and_with_which_clock(tmp_path: Path) -> None:
    script = "register ann\nann writes\n    new landrush link seats=3 time=fast\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        page = (await browser.get(find_link(club, "ann", "/join/"))).text
        [text] = re.findall(r"<h1>(.*)</main>", page, re.DOTALL)
        assert "far: Ann." in text
        assert "2 seats" in text
        assert "1 day on the clock" in text


async def test_the_page_says_the_same_of_known_and_unknown_addresses(tmp_path: Path) -> None:
    script = f"{LINK}emil writes\n    hello\ncleo writes\n    hello\ncleo replies\n    never\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        link, pages = find_link(club, "ann", "/join/"), []
        # He got an email from us today, which is nobody else's business.
        assert (await send_address(browser, link, "emil@example.info")).status_code == 200
        assert await count_questions(club, "emil@example.info") == 1
        before = await count_questions(club, "cleo@example.com")
        club.now += timedelta(days=2)  # her mailbox may get emails again
        for address in ("bob@example.net", "dora@example.edu", "cleo@example.com"):
            answer = await send_address(browser, link, address)
            assert answer.status_code == 200
            pages.append(answer.text.replace(address, "ADDRESS"))
        assert len(set(pages)) == 1
        assert await count_questions(club, "cleo@example.com") == before  # she wants no emails


async def test_a_player_is_asked_once_a_day_whatever_is_typed(tmp_path: Path) -> None:
    script = f"{LINK}ann writes\n    new landrush link\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        before = await count_questions(club, "bob@example.net")
        texts = " ".join(mail.text for mail in club.received)
        links = sorted(set(re.findall(r"https:\S+/join/\S+", texts)))
        assert len(links) == 2
        for link in [*links, *links]:
            answer = await send_address(browser, link, "bob@example.net")
            assert answer.status_code == 200
        assert await count_questions(club, "bob@example.net") == before + 1
        for _ in range(2):
            await send_address(browser, links[0], "dora@example.edu")
        club.now += timedelta(days=2)  # a limit of each mailbox is over, but the question is open
        await send_address(browser, links[0], "dora@example.edu")
        assert await count_questions(club, "dora@example.edu") == 1


async def test_nobody_is_asked_when_no_seat_is_open(tmp_path: Path) -> None:
    script = f"{LINK}bob writes\n    join {{M1}}\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        answer = await send_address(browser, find_link(club, "ann", "/join/"), "dora@example.edu")
        assert answer.status_code == 200
        assert 'name="address"' not in answer.text
        assert await count_questions(club, "dora@example.edu") == 0


NO_ADDRESSES = ["", "bob", "games@pbem.example", "bob@localhost", "a@b c@d.example"]


async def test_no_address(tmp_path: Path) -> None:
    async with play(LINK, tmp_path) as club, browse(club) as browser:
        for typed in NO_ADDRESSES:
            answer = await send_address(browser, find_link(club, "ann", "/join/"), typed)
            assert answer.status_code == 422, typed
            assert 'role="alert"' in answer.text
            assert 'name="address"' in answer.text


async def test_forms_have_a_limit_of_their_own(tmp_path: Path) -> None:
    script = f"setting stranger_emails 2\n\n{LINK}wait 2 days\n"
    async with play(script, tmp_path) as club, browse(club) as browser:
        link = find_link(club, "ann", "/join/")
        answers = [await send_address(browser, link, f"dora{n}@example{n}.edu") for n in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 422]
