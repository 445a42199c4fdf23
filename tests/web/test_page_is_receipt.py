"""What is played on a page is told by the page, and in the next mail; a new browser by mail."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.bots.levels import lively_move
from pbem.mail.addresses import Purpose
from tests.clubs.club import ANN, BOB, Clock
from tests.web.site import Site, begin, open_site

FIRST, SECOND = "e1", "a5"
MOVE = "e3; plant d3"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """Ann has played once on her page, Bob has answered by mail, and Ann is to move."""
    opened = open_site(tmp_path, window=5)
    async with opened.client:
        await begin(opened)
        await play(opened, FIRST)
        await opened.club.wait(minutes=6)
        await opened.club.answer(BOB, SECOND)
        await opened.club.wait(minutes=6)
        yield opened
    opened.club.house.db.close()


async def play(site: Site, text: str) -> str:
    """What Ann's page says when she has sent something."""
    path = await site.path(Purpose.ACT)
    return (await site.post(path, await site.form(path, text))).text


def words(text: str) -> str:
    return " ".join(text.split())


def mails(site: Site) -> list[str]:
    """What Ann got since her first move."""
    return [words(mail.text) for mail in site.club.mails(ANN)][-10:]


async def test_a_new_browser_is_told_by_mail_and_gets_a_mark_of_its_seat(tmp_path: Path) -> None:
    site = open_site(tmp_path, window=5)
    async with site.client:
        await begin(site)
        path, before = await site.path(Purpose.ACT), len(site.club.mails(ANN))
        assert "set-cookie" not in (await site.get(path)).headers
        page = await site.post(path, await site.form(path, "say hello"))
        assert "set-cookie" not in page.headers  # nothing was played
        page = await site.post(path, await site.form(path, FIRST))
        cookie = page.headers["set-cookie"].split("; ")
        assert {"HttpOnly", "Secure", "SameSite=strict", f"Path={path}"} <= set(cookie)
        assert "Held until" in words(site.club.last(ANN).text)
        assert len(site.club.mails(ANN)) == before + 2
    site.club.house.db.close()


async def test_a_known_browser_is_answered_by_the_page_alone(site: Site) -> None:
    before = len(site.club.mails(ANN))
    page = await play(site, MOVE)
    assert "Nobody has seen it yet." in page
    assert 'id="mailed"' not in page
    await site.club.wait(minutes=6)
    assert len(site.club.mails(ANN)) == before
    await site.club.answer(BOB, "a3 plant b3")
    await site.club.wait(minutes=6)
    [mail] = site.club.mails(ANN)[before:]
    assert mail.text.startswith("Your turn in Logger")
    assert f'You played "{MOVE}" on the page of Logger' in words(mail.text)
    # It is told once.
    before = len(site.club.mails(ANN))
    await site.club.answer(ANN, "board")
    assert "on the page of Logger" not in words(site.club.last(ANN).text)
    assert len(site.club.mails(ANN)) == before + 1


async def test_what_was_taken_back_on_the_page_is_told_nowhere(site: Site) -> None:
    before = len(site.club.mails(ANN))
    await play(site, MOVE)
    page = await play(site, "undo")
    assert "It is your turn" in page
    assert "Taken back: choose your move." in page
    await play(site, "stay; plant e2")
    page = await play(site, "now")
    assert "It is your turn" not in page
    assert len(site.club.mails(ANN)) == before
    await site.club.answer(BOB, "a3 plant b3")
    await site.club.wait(minutes=6)
    [mail] = site.club.mails(ANN)[before:]
    assert 'You played "stay; plant e2" on the page of Logger' in words(mail.text)
    assert MOVE not in words(mail.text.partition("For example")[0])


async def test_a_move_by_mail_tells_of_what_was_played_on_the_page(site: Site) -> None:
    await play(site, MOVE)
    await site.club.answer(ANN, "stay; plant e2")
    text = words(site.club.last(ANN).text)
    assert "Held until" in text
    assert '"stay; plant e2"' in text
    assert "on the page of Logger" not in text  # that move is gone


async def test_whose_wish_it_is_gets_a_receipt_for_each_move(site: Site) -> None:
    await site.club.answer(ANN, "receipts on")
    before = len(site.club.mails(ANN))
    await play(site, MOVE)
    assert len(site.club.mails(ANN)) == before + 1
    assert "Held until" in words(site.club.last(ANN).text)


async def test_a_browser_without_cookies_is_answered_by_mail(site: Site) -> None:
    site.client.cookies.clear()
    before = len(site.club.mails(ANN))
    await play(site, MOVE)
    assert len(site.club.mails(ANN)) == before + 1


async def test_a_forged_mark_and_that_of_another_seat_count_for_nothing(site: Site) -> None:
    [mark] = [cookie.value for cookie in site.client.cookies.jar]
    path = await site.path(Purpose.ACT, BOB)
    await play(site, MOVE)
    await site.club.wait(minutes=6)
    for value in ("x" * 26, mark, ""):
        before = len(site.club.mails(BOB))
        site.client.cookies.set("played", value or "", domain="games.pbem.example", path=path)
        await site.post(path, await site.form(path, "a3 plant b3"))
        assert len(site.club.mails(BOB)) == before + 1
        site.client.cookies.clear()
        await site.club.answer(BOB, "undo")


async def test_a_doubtful_move_on_a_page_is_told_by_mail(site: Site) -> None:
    before = len(site.club.mails(ANN))
    await play(site, f"{MOVE}\n\nNever trust a gardener.")
    assert len(site.club.mails(ANN)) == before + 1
    assert "Held until" in site.club.last(ANN).text


async def test_who_wants_no_mail_gets_none_of_it_later(site: Site) -> None:
    await play(site, MOVE)
    await site.club.answer(ANN, "stop")
    before = len(site.club.mails(ANN))
    assert isinstance(site.club.clock, Clock)
    site.club.clock.time += timedelta(days=70)
    await site.club.work()
    assert not [text for text in mails(site)[before:] if "on the page of" in text]


async def test_a_browser_that_has_not_moved_gets_no_mark(tmp_path: Path) -> None:
    # What is held was sent by mail: whoever has found the link would else be known by looking on.
    site = open_site(tmp_path, window=5)
    async with site.client:
        await begin(site)
        await site.club.answer(ANN, FIRST)
        path = await site.path(Purpose.ACT)
        page = await site.post(path, await site.form(path, "messages"))
        assert "set-cookie" not in page.headers
    site.club.house.db.close()


@pytest.mark.parametrize("game", ["landrush", "looney ludo"])
async def test_a_move_after_which_something_is_drawn_is_told_as_well(
    game: str, tmp_path: Path
) -> None:
    site = open_site(tmp_path, window=0)
    async with site.client:
        await begin(site, game, "")
        ann, dice, told, last = (await site.row(ANN)).id, random.Random(1), 0, ""
        for _ in range(12):
            match = await site.match()
            move = match.game.notation(
                lively_move(match.game, match.course.position, dice.randrange)
            )
            if match.player_at(match.to_act[0]) == ann:
                before = len(site.club.mails(ANN))
                await play(site, move)
                last = move if len(site.club.mails(ANN)) == before else ""
            else:
                await site.club.answer(BOB, move)
                told += last != "" and f'You played "{last}" on' in words(site.club.last(ANN).text)
        assert told >= 2
    site.club.house.db.close()


async def test_who_has_digests_is_told_of_each_move_by_mail(site: Site) -> None:
    await site.club.answer(ANN, "digest 18:00")
    before = len(site.club.mails(ANN))
    await play(site, MOVE)
    await site.club.wait(minutes=6)
    await site.club.wait(days=1)
    said = [words(mail.text) for mail in site.club.mails(ANN)[before:]]
    assert any(MOVE in text for text in said)


async def test_a_move_that_is_taken_back_in_the_same_form_is_told_nowhere(tmp_path: Path) -> None:
    site = open_site(tmp_path, window=5)
    async with site.client:
        await site.club.write(ANN, "new logger with bot seat_order=given")
        await site.club.answer(ANN, "yes")
        await play(site, FIRST)
        await play(site, "undo")
        page = await play(site, f"{FIRST}\nundo")
        assert "It is your turn" in page
    site.club.house.db.close()


async def test_a_move_on_a_page_is_told_though_its_prompt_is_overtaken(site: Site) -> None:
    await site.club.answer(ANN, "receipts off\ndigest 18:00")
    before = len(site.club.mails(ANN))
    await play(site, MOVE)
    await site.club.wait(minutes=6)
    await site.club.answer(BOB, "a3 plant b3")
    await site.club.wait(minutes=6)
    await site.club.answer(ANN, "e2 plant e1")
    await site.club.wait(minutes=6)
    await site.club.answer(BOB, "a4 plant a3")
    await site.club.wait(minutes=6)
    await site.club.wait(hours=24)
    told = [words(mail.text) for mail in site.club.mails(ANN)[before:]]
    assert any("on the page of Logger" in text for text in told)
