"""What must not shake the service: each such mail gets what it deserves, mostly silence."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.intake import read_letter
from pbem.intake.intent import Intent
from pbem.intake.take_letter import Taken, take
from pbem.mail.letter import Letter, UnreadableLetter
from pbem.names import MatchId
from pbem.runners import receive
from pbem.runners.receive import store_letter
from pbem.store import views
from pbem.store.mails import inbox
from pbem.store.mails.inbox import InboxRow
from pbem.transaction.installation import House
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, GAMES, Club, open_club
from tests.clubs.hostile import at_play

EVE = "eve@example.com"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Ann and Bob at play, Ann to place her logger."""
    one = open_club(tmp_path)
    await at_play(one)
    yield one
    one.house.db.close()


def name_of(club: Club) -> MatchId:
    found = re.search(r"\[Logger (\w{5})\]", club.last(ANN).subject)
    assert found is not None
    return MatchId(found[1])


async def ply(club: Club) -> int:
    name = name_of(club)
    row = await club.read(lambda conn: views.match_row(conn, name))
    assert isinstance(row, views.MatchRow)
    return row.ply


async def newest(club: Club) -> inbox.InboxLine:
    lines = await asyncio.wrap_future(club.house.db.read(lambda conn: inbox.listed(conn, limit=1)))
    return lines[0]


def seat_address(club: Club, reader: str) -> str:
    return parseaddr(club.last(reader).reply_to)[1]


# --- whose mail it is ----------------------------------------------------------------------------


async def test_a_stranger_gets_one_welcome_a_day(club: Club) -> None:
    # MAIL 4: at most one.
    for text in ("Hello?", "Anybody there?", "new logger with ann@example.org"):
        await club.write(EVE, text)
    assert len(club.mails(EVE)) == 1


async def test_two_mails_for_one_ply_play_once_and_the_second_is_told_why(club: Club) -> None:
    prompt = club.last(ANN)
    await club.answer(ANN, "e1")
    letter = club.letter(ANN, parseaddr(prompt.reply_to)[1], "a1")
    letter["In-Reply-To"] = prompt.message_id
    await club.post(letter.as_bytes())
    assert await ply(club) == 1
    assert "Not your turn yet in Logger 99WSQ against Bob: Bob is to move" in club.last(ANN).text


async def test_the_same_mail_over_another_way_is_the_same_mail(club: Club) -> None:
    # MAIL 4: known by sender, Date, Message-ID, Subject and body, whatever relays wrote on top.
    letter = club.letter(ANN, seat_address(club, ANN), "e1").as_bytes()
    await club.post(letter)
    count = len(club.postbox.mails)
    await club.post(
        b"Received: from elsewhere by somewhere; Sat, 21 Nov 2026 12:00:00 +0000\r\n" + letter
    )
    assert len(club.postbox.mails) == count
    assert await ply(club) == 1


async def test_no_to_a_doubted_mail_closes_the_question(club: Club) -> None:
    address = seat_address(club, ANN)
    await club.post(club.letter(EVE, address, "e1").as_bytes())
    assert club.mails(EVE) == []
    await club.answer(ANN, "no")
    await club.answer(ANN, "yes")
    assert await ply(club) == 0


# --- programs that write -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<list.example.org>"},
        {"Return_Path": "<>"},
    ],
    ids=lambda headers: str(next(iter(headers))),
)
async def test_a_vacation_responder_is_neither_carried_out_nor_answered(
    club: Club, headers: dict[str, str]
) -> None:
    count = len(club.postbox.mails)
    letter = club.letter(ANN, seat_address(club, ANN), "e1", **headers)
    await club.post(letter.as_bytes())
    assert len(club.postbox.mails) == count
    assert await ply(club) == 0
    assert (await newest(club)).disposition == "automatic"


@pytest.mark.parametrize("subject", ["Out of office: Re: your move", "Automatic reply: [Logger]"])
async def test_a_responder_is_known_by_its_subject(club: Club, subject: str) -> None:
    count = len(club.postbox.mails)
    letter = club.letter(ANN, seat_address(club, ANN), "e1", Subject=subject)
    await club.post(letter.as_bytes())
    assert len(club.postbox.mails) == count


async def test_a_bounce_is_not_answered(club: Club) -> None:
    count = len(club.postbox.mails)
    raw = (
        "From: Mail Delivery System <mailer-daemon@example.org>\r\n"
        f"To: {GAMES}\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\n"
        "Return-Path: <>\r\n"
        "MIME-Version: 1.0\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nIt did not work.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {BOB}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    await club.post(raw.encode())
    assert len(club.postbox.mails) == count
    assert (await newest(club)).disposition == "bounce"


# --- mails that cannot be read -------------------------------------------------------------------


async def test_a_mail_of_5_mb_is_refused_in_words_and_not_fetched(club: Club) -> None:
    letter = club.letter(ANN, seat_address(club, ANN), "e1")
    letter.set_content("")
    await club.post(letter.as_bytes(), oversize=5_000_000)
    assert await ply(club) == 0
    text = club.last(ANN).text
    assert text.startswith("Not played")
    assert re.search(r"larger|too large|big|kB|MB|kilobytes", text)


async def test_a_mail_of_5_mb_that_came_whole_is_refused_before_it_is_parsed(club: Club) -> None:
    count = len(club.postbox.mails)
    letter = club.letter(ANN, seat_address(club, ANN), "e1\n" + "x" * 70 + "\n" * 5_000_000)
    await club.post(letter.as_bytes())
    assert await ply(club) == 0
    assert len(club.postbox.mails) <= count + 1
    await club.answer(ANN, "e1")
    assert await ply(club) == 1


def nested(depth: int) -> str:
    """A mail whose parts hold one another."""
    opened = "".join(
        f"Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n"
        for level in range(depth)
    )
    return opened + "Content-Type: text/plain\r\n\r\ne1\r\n"


@pytest.mark.parametrize(
    "rest",
    [nested(2_000), "X-Long: " + "x" * 100_000 + "\r\n\r\ne1\r\n", "A: b\r\n" * 500 + "\r\ne1\r\n"],
    ids=["nested", "long header", "many headers"],
)
async def test_a_mail_beyond_the_limits_is_refused_and_holds_up_nobody(
    club: Club, rest: str
) -> None:
    # MAIL 2: limits before parsing.
    count = len(club.postbox.mails)
    head = f"From: {ANN}\r\nTo: {seat_address(club, ANN)}\r\nSubject: Re\r\nMIME-Version: 1.0\r\n"
    await club.post((head + rest).encode())
    assert (await newest(club)).disposition == "unreadable"
    assert len(club.postbox.mails) == count
    await club.answer(ANN, "e1")
    assert await ply(club) == 1


async def test_a_mail_that_raises_is_tried_three_times_shunted_and_the_others_go_on(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def poisoned(conn: Connection, house: House, row: InboxRow, intent: Intent) -> Taken:
        if intent.letter.subject == "poison":
            tried.append(row.key)
            raise RecursionError("too deep")
        return take(conn, house, row, intent)

    monkeypatch.setattr(receive, "take", poisoned)
    poison = club.letter(ANN, seat_address(club, ANN), "a1", Subject="poison")
    await store_letter(Fetched("test", "INBOX", 1, 900, poison.as_bytes(), None), club.house)
    await club.answer(ANN, "e1")
    assert len(tried) == receive.ATTEMPTS == 3
    counts = await asyncio.wrap_future(club.house.db.read(inbox.counts))
    assert counts["shunted"] == 1
    assert await ply(club) == 1


async def test_a_mail_that_cannot_be_parsed_is_settled_and_kept(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object, **__: object) -> Letter:
        raise UnreadableLetter("malformed")

    letter = club.letter(ANN, seat_address(club, ANN), "e1")
    with monkeypatch.context() as patch:
        patch.setattr(read_letter, "read_letter", unreadable)
        await club.post(letter.as_bytes())
    line = await newest(club)
    assert (line.disposition, await ply(club)) == ("unreadable", 0)
