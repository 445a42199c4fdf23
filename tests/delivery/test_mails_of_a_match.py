"""How many mails a match is told in: none that says nothing new (PLAY 1)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final, cast

import pytest

from pbem.bots.levels import random_move
from pbem.mail.addresses import Purpose
from pbem.matches.match import Match, Status
from pbem.notices.codec import load
from pbem.store.mails import outbox
from tests.clubs.club import ANN, BOB, Club
from tests.web.site import Site, open_site

WINDOW: Final = 5
MOVES: Final = 28
CHOICES: Final = 375
"""With these random choices the match has so many moves."""

WISHES: Final = Counter(Account=2)
"""The answers to what both have wished."""


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    opened = open_site(tmp_path, window=WINDOW)
    async with opened.client:
        yield opened
    opened.club.house.db.close()


async def last_mail(club: Club) -> int:
    rows = cast("list[outbox.OutboxRow]", await club.read(partial(outbox.listed, limit=1)))
    return rows[0].id


async def told(club: Club, since: int = 0) -> Counter[str]:
    """The mails that were sent since one, by the kinds of what they tell."""
    sent = partial(outbox.listed, state="sent", limit=1000)
    rows = cast("list[outbox.OutboxRow]", await club.read(sent))
    return Counter(
        " ".join(type(notice).__name__ for notice in load(row.notices))
        for row in rows
        if row.id > since
    )


def chosen(match: Match, dice: random.Random) -> str:
    move = random_move(match.game, match.course.position, dice.randrange)
    return match.game.notation(move)


async def by_mail(site: Site, address: str, move: str) -> None:
    del address
    await site.club.answer(await to_move(site), move)


async def by_page(site: Site, address: str, move: str) -> None:
    path = await site.path(Purpose.ACT, address)
    page = await site.post(path, await site.form(path, move))
    assert page.status_code == 200


async def to_move(site: Site) -> str:
    match = await site.match()
    ann = await site.row(ANN)
    return ANN if match.player_at(match.to_act[0]) == ann.id else BOB


async def play_on(site: Site, how: str, *, most: int = 100) -> int:
    """Play a match to its end, or so many moves; how many there were."""
    dice, moves = random.Random(CHOICES), 0
    while (match := await site.match()).status is Status.RUNNING and moves < most:
        who, move = await to_move(site), chosen(match, dice)
        await {"mail": by_mail, "page": by_page}[how](site, who, move)
        if (await site.match()).pending.held:
            await site.club.wait(minutes=WINDOW + 1)
        moves += 1
    return moves


async def start(site: Site, wish: str = "") -> int:
    """Ann and Bob begin, and wish something; the last mail before Bob's acceptance."""
    club = site.club
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    before = await last_mail(club)
    await club.answer(BOB, "accept")
    for player in (ANN, BOB) if wish else ():
        await club.answer(player, wish)
    return before


async def test_a_match_on_pages_is_prompts_and_a_receipt_for_each_browser(site: Site) -> None:
    before = await start(site)
    assert await play_on(site, "page") == MOVES
    mails = await told(site.club, before)
    assert mails == {
        "MatchBegan": 1,
        "MatchBegan TurnPrompt": 1,
        "MoveKept": 2,
        "TurnPrompt": 3,  # nothing, or a receipt, was said of the first moves
        "TurnPrompt PagePlayed": MOVES - 4,
        "MatchOver PagePlayed": 2,
    }
    assert mails.total() <= 33


async def test_a_match_by_mail_without_receipts_is_prompts(site: Site) -> None:
    before = await start(site, "receipts off")
    assert await play_on(site, "mail") == MOVES
    mails = await told(site.club, before) - WISHES
    assert mails == {
        "MatchBegan": 1,
        "MatchBegan TurnPrompt": 1,
        "TurnPrompt": MOVES - 1,
        "MatchOver": 2,
    }
    assert mails.total() <= 32


async def test_a_match_by_mail_has_a_receipt_for_each_window(site: Site) -> None:
    before = await start(site)
    assert await play_on(site, "mail", most=6) == 6
    assert (await told(site.club, before))["MoveKept"] == 6


async def test_what_goes_out_at_once_has_no_receipt_unless_it_is_wished_for(site: Site) -> None:
    before = await start(site, "window 0")
    await play_on(site, "mail", most=4)
    assert await told(site.club, before) - WISHES == {
        "MatchBegan": 1,
        "MatchBegan TurnPrompt": 1,
        "TurnPrompt": 4,
    }
    before = await last_mail(site.club)
    await site.club.answer(ANN, "receipts on")
    await play_on(site, "mail", most=1)
    assert (await told(site.club, before))["MoveReceipt"] == 1


async def test_a_match_against_a_bot_is_its_answers(site: Site) -> None:
    club = site.club
    await club.write(ANN, "new logger with bot seat_order=given")
    await club.answer(ANN, "yes")
    before = await last_mail(club)
    moves = await play_on(site, "mail")
    mails = await told(club, before)
    assert mails == {"TurnPrompt MoveReceipt": moves - 1, "MatchOver": 1}


EXPLAINED: Final = "What these words mean:"


async def explained_to(site: Site, moves: int) -> list[bool]:
    """Whether each prompt of a new match explains the game, both players' one after the other."""
    await site.club.write(ANN, f"new logger with {BOB} seat_order=given time=none")
    await site.club.answer(ANN, "yes")  # it was she, at first and ever after
    await site.club.answer(BOB, "accept")
    found, dice = [], random.Random(CHOICES)
    for _ in range(moves):
        reader = await to_move(site)
        found.append(EXPLAINED in site.club.last(reader).text)
        await by_mail(site, reader, chosen(await site.match(), dice))
        await site.club.wait(minutes=WINDOW + 1)
    await site.club.answer(ANN, "resign yes")
    return found


async def test_a_game_is_explained_in_three_turns_and_again_after_a_year(site: Site) -> None:
    assert await explained_to(site, 8) == [True] * 6 + [False] * 2
    assert await explained_to(site, 2) == [False, False]
    await site.club.wait(days=364)
    assert await explained_to(site, 2) == [False, False]
    await site.club.wait(days=366)
    assert await explained_to(site, 8) == [True] * 6 + [False] * 2
