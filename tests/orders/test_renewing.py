"""`new address`: the old reply addresses are dead at once, and whatever was made with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.transport import Envelope, Result
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.clubs.hostile import at_play

EVE = "eve@example.org"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await at_play(one)
    yield one
    one.house.db.close()


def address(club: Club, reader: str) -> str:
    return parseaddr(club.last(reader).reply_to)[1]


async def test_it_asks_first_and_changes_nothing(club: Club) -> None:
    old = address(club, ANN)
    await club.answer(ANN, "new address")
    assert "Shall all your matches get new reply addresses?" in club.last(ANN).text
    await club.answer(ANN, "no")
    await club.post(club.letter(ANN, old, "e1").as_bytes())
    assert "place e1" in club.last(BOB).text


async def test_the_answer_comes_from_the_new_address(club: Club) -> None:
    old = address(club, ANN)
    await club.insist(ANN, "new address")
    assert "You have new reply addresses" in club.last(ANN).text
    assert address(club, ANN) != old
    await club.answer(ANN, "e1")
    assert "place e1" in club.last(BOB).text


async def test_the_old_address_is_answered_by_nothing(club: Club) -> None:
    prompt = club.last(ANN)
    old = address(club, ANN)
    await club.insist(ANN, "new address")
    count = len(club.postbox.mails)
    for sender in (ANN, EVE):
        await club.post(club.letter(sender, old, "e1").as_bytes())
    assert len(club.postbox.mails) == count
    # Neither the Message-ID nor the line in the quote of an older mail is a proof any more.
    quote = "\n".join(f"> {line}" for line in prompt.text.splitlines())
    letter = club.letter(ANN, GAMES, f"e1\n\n{quote}\n", Subject="Re: my move")
    letter["In-Reply-To"] = prompt.message_id
    await club.post(letter.as_bytes())
    assert "place e1" not in club.last(BOB).text
    assert "yes" in club.last(ANN).text  # asked whether it was she


async def test_every_match_has_new_addresses_and_the_others_keep_theirs(club: Club) -> None:
    await club.answer(BOB, f"new logger with {ANN} seat_order=given")
    await club.answer(ANN, "accept")
    before = {parseaddr(mail.reply_to)[1] for mail in club.mails(ANN)}
    bobs = {parseaddr(mail.reply_to)[1] for mail in club.mails(BOB)}
    await club.insist(ANN, "new address")
    await club.answer(BOB, "e1")
    assert address(club, ANN) not in before
    assert address(club, BOB) in bobs
    await club.answer(ANN, "games next")
    assert address(club, ANN) not in before


async def test_a_mail_that_waits_for_the_relay_is_written_anew(club: Club) -> None:
    old = address(club, ANN)

    def away(_: Envelope) -> Result:
        return Result("transient", 451, "later")

    club.postbox.verdict = away
    await club.answer(BOB, "say are you there?")
    club.postbox.verdict = lambda _: Result("sent", 250, "ok")
    await club.insist(ANN, "new address")
    for _ in range(200):
        club.clock()
    await club.work()
    late = [mail for mail in club.mails(ANN) if "are you there?" in mail.text]
    assert [parseaddr(mail.reply_to)[1] == old for mail in late] == [False]
