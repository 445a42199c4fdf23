"""What becomes of letters: from the raw mail to the mails that answer it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from functools import partial
from pathlib import Path

import pytest

from pbem.legacy.mail.verbs.verb_table import VERBS
from pbem.names import MatchId
from pbem.legacy.store import views
from pbem.legacy.store.log import verify
from pbem.legacy.store.mails import inbox
from pbem.legacy.transaction.installation import verified
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def two_at_play(club: Club, *options: str) -> MatchId:
    """Ann and Bob in a match with Ann in seat 1; its name."""
    asked = " ".join(["new logger with", BOB, "seat_order=given", *options])
    await club.write(ANN, asked)
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    found = re.search(r"\[Logger (\w{5})\]", club.last(ANN).subject)
    assert found is not None
    return MatchId(found[1])


async def test_a_stranger_is_asked_first_and_then_what_was_asked_is_done(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    assert club.mails(BOB) == []
    assert len(club.mails(ANN)) == 1
    await club.answer(ANN, "yes")
    assert len(club.mails(BOB)) == 1
    assert "accept" in club.last(BOB).text


async def test_a_match_starts_when_all_have_accepted(club: Club) -> None:
    await two_at_play(club)
    assert "Your turn" in club.last(ANN).text


def every_order() -> list[str]:
    """Whatever can be written, a move among it."""
    examples = [example for verb in VERBS for example in verb.examples]
    return ["e1", "place e1", *(one.format(move="e1", answer="e1") for one in examples)]




async def test_a_move_goes_to_the_next_player_with_a_receipt(club: Club) -> None:
    name = await two_at_play(club)
    await club.answer(ANN, "Hi Bob, good luck!\n\nE1.\n\nYours, Ann")
    assert "place e1" in club.last(ANN).text
    assert "Your turn" in club.last(BOB).text
    await club.answer(BOB, "a5")
    await club.answer(ANN, "e3; plant d3")
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert row.ply == 3  # type: ignore[attr-defined]


async def test_a_refusal_tells_why_and_plays_nothing(club: Club) -> None:
    name = await two_at_play(club)
    await club.answer(ANN, "c3")
    text = club.last(ANN).text
    assert "LG-8.14" in text or "corner" in text
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert row.ply == 0  # type: ignore[attr-defined]
    await club.answer(ANN, "e1")
    assert "place e1" in club.last(ANN).text


async def test_out_of_turn_is_refused(club: Club) -> None:
    await two_at_play(club)
    await club.answer(BOB, "a5")
    assert "Ann" in club.last(BOB).text


async def test_the_same_letter_again_changes_nothing_and_sends_nothing(club: Club) -> None:
    await two_at_play(club)
    mail = club.last(ANN)
    letter = club.letter(ANN, _address(mail.reply_to), "e1")
    await club.post(letter.as_bytes())
    count = len(club.postbox.mails)
    await club.post(letter.as_bytes())
    assert len(club.postbox.mails) == count


async def test_two_letters_for_one_ply_play_once(club: Club) -> None:
    name = await two_at_play(club)
    prompt = club.last(ANN)
    for text in ("e1", "a1"):
        letter = club.letter(ANN, _address(prompt.reply_to), text)
        await club.post(letter.as_bytes())
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert row.ply == 1  # type: ignore[attr-defined]


async def test_a_stolen_address_plays_nothing_and_the_owner_is_asked(club: Club) -> None:
    name = await two_at_play(club)
    address = _address(club.last(ANN).reply_to)
    thief = "thief@example.com"
    await club.post(club.letter(thief, address, "e1").as_bytes())
    assert club.mails(thief) == []
    assert "e1" in club.last(ANN).text
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert row.ply == 0  # type: ignore[attr-defined]
    await club.answer(ANN, "yes")
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert row.ply == 1  # type: ignore[attr-defined]


async def test_automatic_mail_is_not_answered(club: Club) -> None:
    await two_at_play(club)
    count = len(club.postbox.mails)
    await club.answer(ANN, "I am away", Auto_Submitted="auto-replied")
    assert len(club.postbox.mails) == count


async def test_the_subject_keeps_the_thread(club: Club) -> None:
    await two_at_play(club)
    await club.answer(ANN, "board")
    await club.answer(ANN, "e1")
    subjects = {mail.subject for mail in club.mails(ANN)[-2:]}
    assert len(subjects) == 1


async def test_a_whole_match_ends_and_verifies(club: Club) -> None:
    name = await two_at_play(club)
    await club.answer(ANN, "e1")
    await club.answer(BOB, "resign")
    assert "yes" in club.last(BOB).text
    await club.answer(BOB, "yes")
    for reader in (ANN, BOB):
        assert "won" in club.last(reader).text
    found, _ = await asyncio.wrap_future(club.house.db.read(lambda conn: verified(conn, name)))
    assert found.findings == ()
    broken = await club.read(lambda conn: list(verify.verify(conn)))
    assert broken == []


async def test_several_orders_are_accounted_for(club: Club) -> None:
    await two_at_play(club)
    await club.answer(ANN, "e1\nsay good luck\n\nboard")
    text = club.last(ANN).text
    assert "place e1" in text
    assert "good luck" in club.last(BOB).text
    assert len([m for m in club.mails(BOB) if "good luck" in m.text]) == 1


async def test_a_letter_in_html_only_is_read(club: Club) -> None:
    await two_at_play(club)
    letter = club.letter(ANN, _address(club.last(ANN).reply_to), "")
    letter.set_content("<html><body><div>e1</div></body></html>", subtype="html")
    await club.post(letter.as_bytes())
    assert "place e1" in club.last(ANN).text


@pytest.mark.parametrize("kind", ["enveloped-data", "signed-data"])
async def test_a_closed_letter_is_told_that_it_has_no_text(club: Club, kind: str) -> None:
    await two_at_play(club)
    mail = club.last(ANN)
    letter = club.letter(ANN, parseaddr(mail.reply_to)[1], "e1")
    letter.set_content(b"e1", "application", "pkcs7-mime", params={"smime-type": kind})
    await club.post(letter.as_bytes())
    assert "no move and no order in your mail" in club.last(ANN).text
    assert "It has no text that I could read" in club.last(ANN).text


async def test_three_at_a_table(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}, {CLEO} seat_order=given vacant=leave")
    await club.answer(ANN, "yes")
    await club.answer(CLEO, "accept")
    await club.answer(BOB, "accept")
    for reader, move in ((ANN, "a1"), (BOB, "e5"), (CLEO, "a5"), (ANN, "a2; plant b2")):
        assert "Your turn" in club.last(reader).text
        await club.answer(reader, move)
    await club.answer(BOB, "resign yes")
    await club.answer(CLEO, "resign yes")
    assert "won" in club.last(ANN).text


async def test_every_letter_has_its_disposition(club: Club) -> None:
    await two_at_play(club)
    counts = await club.read(inbox.counts)
    assert counts == {"done": 3}


def _address(reply_to: str) -> str:
    found = re.search(r"[\w.+-]+@[\w.]+", reply_to)
    assert found is not None
    assert found[0] != GAMES
    return found[0]
