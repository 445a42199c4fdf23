"""Addresses: several of one player, and those from which mail comes back."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.legacy.store.people import roster
from pbem.legacy.transport import Envelope, Result
from tests.legacy.clubs.club import ANN, BOB, Club, open_club
from tests.legacy.clubs.hostile import with_settings
from tests.legacy.clubs.kept import kept

WORK = "ann@work.example"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def at_play(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")


async def bounce(club: Club, reader: str, earlier: int = 0) -> None:
    """The last mail to somebody, or one earlier, comes back for good: a report of RFC 3464."""
    mails = [envelope for envelope in club.envelopes if reader in envelope.rcpt_to]
    sent = mails[-1 - earlier]
    report = (
        f"From: MAILER-DAEMON@mx.example\r\nTo: {sent.mail_from}\r\nSubject: failed\r\n"
        f"Message-ID: <{club.written}@mx.example>\r\nAuto-Submitted: auto-replied\r\n"
        "Return-Path: <>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nNo such user.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        f"Final-Recipient: rfc822; {reader}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    await club.post(report.encode())


async def test_another_address_may_play_once_it_has_answered(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1", sender=WORK)
    assert "place e1" not in club.last(BOB).text
    await club.insist(ANN, f"address add {WORK}")
    assert "Reply with" in club.last(WORK).text
    await club.answer(WORK, "yes")
    assert WORK in club.last(ANN).text
    prompt = next(mail for mail in reversed(club.mails(ANN)) if "[Logger" in mail.subject)
    to = re.search(r"[\w.+-]+@[\w.]+", prompt.reply_to)
    assert to is not None
    await club.post(club.letter(WORK, to[0], "e1").as_bytes())
    assert "place e1" in club.last(BOB).text


async def test_an_address_of_somebody_else_cannot_be_added_and_nobody_learns_that(
    club: Club,
) -> None:
    await at_play(club)
    before = len(club.mails(BOB))
    await club.insist(ANN, f"address add {BOB}")
    assert len(club.mails(BOB)) == before
    assert "A mail went to" in club.last(ANN).text


async def test_the_third_bounce_suspends_and_a_letter_brings_back(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "e1")
    prompt = club.last(BOB)
    for earlier in range(2):
        await bounce(club, BOB, earlier)
    assert "comes back" not in club.last(ANN).text
    await bounce(club, BOB, 2)
    assert "comes back" in club.last(ANN).text
    mails = len(club.mails(BOB))
    await club.answer(ANN, "say are you there?")
    assert len(club.mails(BOB)) == mails
    to = re.search(r"[\w.+-]+@[\w.]+", prompt.reply_to)
    assert to is not None
    await club.post(club.letter(BOB, to[0], "a5").as_bytes())
    assert len(club.mails(BOB)) > mails
    assert any("can be reached again" in mail.text for mail in club.mails(ANN))
    assert not any("can be reached again" in mail.text for mail in club.mails(BOB))


@kept
async def suspended(club: Club) -> None:
    """Bob is to move, and three mails to him have come back."""
    await at_play(club)
    await club.answer(ANN, "e1")
    for earlier in range(3):
        await bounce(club, BOB, earlier)
    assert "comes back" in club.last(ANN).text


async def test_who_was_suspended_is_asked_when_a_fresh_mail_comes(club: Club) -> None:
    await suspended(club)
    await club.write(BOB, "start")
    asked = club.last(BOB)
    assert "Was this you?" in asked.text
    assert "none is sent" in " ".join(asked.text.split())
    assert not any("can be reached again" in mail.text for mail in club.mails(ANN))
    await club.answer(BOB, "yes")
    assert any("can be reached again" in mail.text for mail in club.mails(ANN))
    assert club.last(BOB).text.count("Your mail comes again.") == 1
    assert club.last(BOB).text.count("1 match waits for you") == 1
    before = len(club.mails(BOB))
    await club.answer(ANN, "say are you there?")
    assert len(club.mails(BOB)) == before + 1


async def test_who_was_suspended_is_asked_once_a_day(club: Club) -> None:
    await suspended(club)
    before = len(club.mails(BOB))
    for _ in range(3):
        await club.write(BOB, "games")
    assert len(club.mails(BOB)) == before + 1
    await club.wait(days=1)
    await club.write(BOB, "games")
    assert len(club.mails(BOB)) == before + 2


async def test_the_question_to_a_dead_address_is_told_to_nobody(club: Club) -> None:
    await suspended(club)
    before = len(club.mails(ANN))
    await club.write(BOB, "games")
    await bounce(club, BOB)
    assert len(club.mails(ANN)) == before


async def test_a_fresh_mail_that_proves_its_sender_brings_back_at_once(club: Club) -> None:
    await suspended(club)
    site = club.house.settings.site.model_copy(update={"authserv_id": "mx.pbem.example"})
    with_settings(club, club.house.settings.model_copy(update={"site": site}))
    passed = "mx.pbem.example; dmarc=pass header.from=example.net"
    await club.write(BOB, "start", Authentication_Results=passed)
    assert any("can be reached again" in mail.text for mail in club.mails(ANN))
    assert any("Your mail comes again." in mail.text for mail in club.mails(BOB))


async def test_an_invited_player_whose_mail_came_back_is_welcomed_all_the_same(club: Club) -> None:
    await club.write(ANN, f"new logger with {BOB}")
    await club.answer(ANN, "yes")
    for _ in range(2):
        await club.wait(days=1)
        await club.answer(ANN, f"new logger with {BOB}")
    for earlier in range(3):
        await bounce(club, BOB, earlier)
    row = await club.read(lambda conn: roster.player_by_address(conn, BOB))
    assert row is not None
    assert row.suspended  # type: ignore[attr-defined]
    await club.wait(days=1)
    await club.write(BOB, "games")
    assert "Do you want to play" in club.last(BOB).text
    await club.answer(BOB, "yes")
    assert len(club.mails(BOB)) > 2


async def test_a_forged_bounce_counts_for_nobody(club: Club) -> None:
    await at_play(club)
    sent = club.envelopes[-1]
    forged = re.sub(r"\.[a-z0-9]+@", ".aaaaaaaaaaa@", sent.mail_from)
    club.envelopes.append(Envelope(forged, (BOB,), b""))
    for _ in range(4):
        await bounce(club, BOB)
    assert not any("comes back" in mail.text for mail in club.mails(ANN))


async def test_a_relay_that_refuses_the_address_counts_as_a_bounce(club: Club) -> None:
    await at_play(club)

    def verdict(envelope: Envelope) -> Result:
        refused = envelope.rcpt_to[0] == BOB
        return Result("permanent", 550, "no such user") if refused else Result("sent", 250, "ok")

    club.postbox.verdict = verdict
    await club.answer(ANN, "e1")
    await club.answer(ANN, "say one")
    await club.answer(ANN, "say two")
    assert any("comes back" in mail.text for mail in club.mails(ANN))


async def test_why_tells_the_rule_and_plays_nothing(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "why c3")
    assert "LG-8.14" in club.last(ANN).text or "corner" in club.last(ANN).text
    await club.answer(ANN, "why e1")
    assert "you may play" in club.last(ANN).text
    assert "place e1" not in club.last(BOB).text


async def test_a_move_in_a_sentence_is_played(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "I'll play e1, please.")
    assert "place e1" in club.last(BOB).text


async def test_a_move_in_the_subject_is_played(club: Club) -> None:
    await at_play(club)
    prompt = club.last(ANN)
    to = re.search(r"[\w.+-]+@[\w.]+", prompt.reply_to)
    assert to is not None
    letter = club.letter(ANN, to[0], "\n", Subject=f"Re: {prompt.subject} e1")
    letter["In-Reply-To"] = prompt.message_id
    await club.post(letter.as_bytes())
    assert "place e1" in club.last(BOB).text


async def test_a_move_that_may_be_meant_is_asked_about(club: Club) -> None:
    await at_play(club)
    await club.answer(ANN, "Should I take e1 or what do you think?")
    assert "Your move" not in club.last(BOB).text
    await club.answer(ANN, "yes")
    assert "place e1" in club.last(BOB).text
