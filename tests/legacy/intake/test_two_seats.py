"""One letter to two seats of the same player is taken for both matches."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.names import MatchId
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.clubs.kept import kept
from tests.legacy.intake.test_conversations import ply


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def begun(club: Club, game: str, options: str = "") -> tuple[MatchId, str]:
    """A match of Ann and Bob that has begun: its name, and Ann's address in it."""
    await club.write(ANN, f"new {game} with {BOB} {options}")
    if not club.mails(BOB) or "accept" not in club.last(BOB).text:
        await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    mails = [mail for mail in club.mails(ANN) if game.title() in mail.subject]
    found = re.search(rf"{game.title()} (\w{{5}})", mails[-1].subject)
    assert found is not None
    return MatchId(found[1]), parseaddr(mails[-1].reply_to)[1]


async def send(club: Club, text: str, *to: str, cc: str = "") -> None:
    headers = {"Cc": cc} if cc else {}
    await club.post(club.letter(ANN, ", ".join(to), text, **headers).as_bytes())


@kept
async def two(club: Club, second: str = "landrush") -> tuple[MatchId, str, MatchId, str]:
    logger, here = await begun(club, "logger", "seat_order=given")
    other, there = await begun(club, second, "seat_order=given" if second == "logger" else "")
    return logger, here, other, there


def told(club: Club, since: int) -> str:
    return " ".join(" ".join(mail.text for mail in club.mails(ANN)[since:]).split())


@pytest.mark.parametrize("copied", [False, True])
async def test_what_is_said_is_said_in_both(club: Club, *, copied: bool) -> None:
    one, here, other, there = await two(club)
    anns, bobs = len(club.mails(ANN)), len(club.mails(BOB))
    to = (here,) if copied else (here, there)
    await send(club, "say Good luck!", *to, cc=there if copied else "")
    heard = [mail.subject for mail in club.mails(BOB)[bobs:] if "| Good luck!" in mail.text]
    assert any(one in subject for subject in heard)
    assert any(other in subject for subject in heard)
    assert f'"{one} say Good luck!"' in told(club, anns)
    assert f'"{other} say Good luck!"' in told(club, anns)


async def test_a_move_is_played_where_it_can_be_read(club: Club) -> None:
    one, here, other, there = await two(club)
    was = await ply(club, other)
    for to in ((here, there), (there, here)):
        before = await ply(club, one)
        await send(club, "place e1" if to[0] == here else "e2 plant d2", *to)
        played = await ply(club, one) - before
        assert played == (1 if to[0] == here else 0)
    assert await ply(club, other) == was


async def test_a_move_that_can_be_read_in_both_is_asked_about(club: Club) -> None:
    one, here, other, there = await two(club, "logger")
    before = len(club.mails(ANN))
    await send(club, "e1\n\nsay Hello!", here, there)
    assert (await ply(club, one), await ply(club, other)) == (0, 0)
    assert f"{one}, {other}" in told(club, before) or f"{other}, {one}" in told(club, before)
    assert "| Hello!" in club.last(BOB).text
    await send(club, f"{other} e1", here, there)
    assert (await ply(club, one), await ply(club, other)) == (0, 1)


async def test_orders_of_no_match_are_carried_out_once(club: Club) -> None:
    _, here, _, there = await two(club)
    anns = len(club.mails(ANN))
    await send(club, "remind 12h\n\nsay Hello!", here, there)
    assert told(club, anns).count('- "remind 12h"') == 1
