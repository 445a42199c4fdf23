from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pbem.mail.addresses import (
    EntrantAddress,
    Keys,
    PlayerAddress,
    Purpose,
    QuestionAddress,
    ReplyAddress,
    make_tag,
    read_tag,
    remove_tags,
)
from pbem.names import MatchId, PlayerId
from tests.conversations.runner import PUBLIC_URL, Conversation
from tests.web.played import browse, find_link, play

KEYS = Keys("a", {"a": bytes(32), "b": bytes(range(32))})
SEAT = EntrantAddress(MatchId("K7QX2"), 2, 3)
PLAYER = PlayerAddress(PlayerId("0a1b2c"), 1)
QUESTION = QuestionAddress("0123456789abcdef0123")


@pytest.mark.parametrize("address", [SEAT, PLAYER, QUESTION])
def test_a_tag_is_for_one_purpose(address: ReplyAddress) -> None:
    for purpose in Purpose:
        tag = make_tag(KEYS, address, purpose)
        for other in Purpose:
            assert read_tag(KEYS, tag, other) == (address if other is purpose else None)
        assert read_tag(Keys("a", {"a": bytes(range(32))}), tag, purpose) is None


def test_no_message_brings_a_private_link() -> None:
    for purpose in (Purpose.REPLY, Purpose.SEAT, Purpose.PLAYER, Purpose.UNSUBSCRIBE, Purpose.JOIN):
        link = f"https://games.example.org/{purpose}/{make_tag(KEYS, SEAT, purpose)}"
        shown = remove_tags(KEYS, f"Look at {link}?m=b1, please")
        assert (link in shown) is (purpose is Purpose.JOIN), purpose


STARTED = "match logger ann bob\nann replies\n    page\n"


async def open_status(club: Conversation, path: str) -> int:
    async with browse(club, follow_redirects=True) as browser:
        return (await browser.get(path)).status_code


async def test_links_of_another_player_or_kind_open_nothing(tmp_path: Path) -> None:
    async with play(STARTED, tmp_path) as club:
        seat = find_link(club, "ann", "/act/").removeprefix(f"{PUBLIC_URL}/act/")
        player = find_link(club, "ann", "/player/").removeprefix(f"{PUBLIC_URL}/player/")
        assert await open_status(club, f"/act/{seat}") == 200
        assert await open_status(club, f"/player/{player}") == 200
        wrong = [f"/player/{seat}", f"/act/{player}", f"/join/{seat}", f"/unsubscribe/{seat}"]
        wrong += [f"/act/{seat.replace('.1.', '.2.')}", f"/act/{seat[:-1]}", f"/act/{seat}a"]
        wrong += [f"/act/{make_tag(KEYS, SEAT, Purpose.SEAT)}"]  # of a match that a restore lost
        wrong += ["/act/x", "/view/ZZZZZ", "/view/%00", "/act/%2e%2e"]
        for path in wrong:
            assert await open_status(club, path) == 404, path


@pytest.mark.parametrize(
    "steps",
    [
        "operator ban ann@example.org\n",
        "operator erase ann@example.org\n",
        "ann replies\n    new address\nann replies to question\n    yes\n",
    ],
)
async def test_links_that_are_no_longer_valid_open_nothing(steps: str, tmp_path: Path) -> None:
    async with play(STARTED + steps, tmp_path) as club:
        links = [find_link(club, "ann", path) for path in ("/act/", "/player/")]
        assert [await open_status(club, path) for path in links] == [404, 404]


async def test_private_pages_are_in_no_index_and_no_preview(tmp_path: Path) -> None:
    async with play(STARTED, tmp_path) as club, browse(club) as browser:
        links = [find_link(club, "ann", path) for path in ("/act/", "/player/")]
        for link in (*links, club.received[-1].unsubscribe_page):
            page = await browser.get(link)
            assert page.headers["x-robots-tag"] == "noindex, nofollow"
            assert page.headers["cache-control"] == "private, no-cache"
            assert "og:" not in page.text
        state = await browser.get(f"{find_link(club, 'ann', '/act/')}/state")
        assert state.headers["cache-control"] == "private, no-cache"


async def test_only_those_who_get_emails_are_sent_to_their_emails(
    browser: httpx.AsyncClient,
) -> None:
    for path in ("/nonsense", "/try/nogame", "/rules/chess", "/view/ZZZZZ", "/join/a.1.b"):
        assert "email" not in (await browser.get(path)).text, path
    for path in ("/act/a.1.b", "/player/p.a.b", "/unsubscribe/a.1.b"):
        assert "email" in (await browser.get(path)).text, path
