"""What a hostile letter may try: too much, loops, regrets and poison (MAIL 3, 4)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.intake.intent import Intent
from pbem.intake.take_letter import Taken, take
from pbem.mail.letter import Letter, read_letter
from pbem.notices.rendering.render import Rendered, Renderer
from pbem.notices.views.scene import View
from pbem.runners.receive import store_letter
from pbem.store.mails import inbox
from pbem.store.people import roster
from pbem.transaction.installation import House
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.clubs.hostile import (
    THIEF,
    at_play,
    became,
    player,
    ply,
    raw,
    run_cli,
    status,
    to_of,
)

DAY = timedelta(days=1)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


# --- how much one may ask -------------------------------------------------------------------------


async def test_letters_of_one_player_are_counted_by_the_hour(tmp_path: Path) -> None:
    club = open_club(tmp_path, letters_per_hour=10)
    match = await at_play(club)
    for number in range(12):
        await club.post(raw(ANN, to_of(club.mails(ANN)[-1]), f"board {number}"))
    line = await became(club)
    assert (line.state, line.code) == ("waits", None)
    count = len(club.postbox.mails)
    await club.post(raw(ANN, to_of(club.last(ANN)), "e1"))
    assert await ply(club, match) == 0
    assert len(club.postbox.mails) == count
    # The others are not held up, nor does a thief's flood use up what the owner may send.
    await club.answer(BOB, "say Hello?")
    assert "Hello?" in club.last(ANN).text
    for number in range(20):
        await club.post(raw(THIEF, to_of(club.last(BOB)), f"board {number}"))
    await club.answer(BOB, "say Still here.")
    assert "Still here." in club.last(ANN).text
    club.house.db.close()


async def test_doubts_are_asked_once_a_day_at_most(club: Club) -> None:
    await at_play(club)
    prompt = club.last(ANN)
    before = len(club.mails(ANN))
    for number in range(8):
        await club.post(raw(THIEF, to_of(prompt), f"board {number}"))
    assert len(club.mails(ANN)) == before + 1


async def test_invitations_are_capped_for_who_sends_and_for_who_gets_them(tmp_path: Path) -> None:
    club = open_club(tmp_path, invitations_per_day=3, pending_invitations=2)
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    for number in range(5):
        await club.answer(ANN, f"new logger with zoe{number}@example.org")
    assert sum(bool(club.mails(f"zoe{number}@example.org")) for number in range(5)) == 3
    for sender in (BOB, CLEO, "dan@example.org", "eve@example.org"):
        await club.write(sender, "new logger with zoe0@example.org")
        await club.answer(sender, "yes")
        await club.wait(days=1)  # who has not answered gets one mail a day
    assert len(club.mails("zoe0@example.org")) == 2
    club.house.db.close()


async def test_withdrawn_invitations_make_no_room_for_more(club: Club) -> None:
    await club.write(ANN, "games")
    await club.answer(ANN, "yes")
    invited = 0
    for _ in range(9):
        await club.answer(ANN, "new logger with zoe@example.org")
        invited = len([mail for mail in club.mails("zoe@example.org") if "invites" in mail.subject])
        await club.answer(ANN, "withdraw")
    assert invited <= club.house.settings.limits.pending_invitations


async def test_refusals_are_answered_so_often_a_day(tmp_path: Path) -> None:
    club = open_club(tmp_path, refusals_per_day=4)
    match = await at_play(club)
    await club.answer(ANN, "receipts on")
    to, before = to_of(club.last(ANN)), len(club.mails(ANN))
    for number in range(9):
        await club.post(raw(ANN, to, f"c{number}c plant"))
    refusals = [" ".join(mail.text.split()) for mail in club.mails(ANN)[before:]]
    assert ["I do not answer any more" in text for text in refusals] == [False, False, False, True]
    assert "until Saturday 21 November, 18:0" in refusals[-1]
    await club.post(raw(ANN, to, "board"))  # what can be done is done
    await club.post(raw(ANN, to, "e1"))  # a move is always answered
    assert len(club.mails(ANN)) == before + 6
    assert "place e1" in club.last(ANN).text
    await club.answer(BOB, "a5")
    await club.post(raw(ANN, to, "e9"))
    assert await ply(club, match) == 2
    await club.wait(hours=6)
    await club.post(raw(ANN, to, "e9"))
    assert "I do not answer any more" in " ".join(club.last(ANN).text.split())
    club.house.db.close()


async def test_a_letter_of_a_thousand_orders_is_refused_as_a_whole(club: Club) -> None:
    match = await at_play(club)
    await club.answer(ANN, "e1\n\n" + "board\n\n" * 1000)
    assert await ply(club, match) == 0
    assert "orders at most" in club.last(ANN).text


async def test_a_message_of_any_length_is_not_sent_on(club: Club) -> None:
    await at_play(club)
    before = len(club.mails(BOB))
    await club.answer(ANN, "say " + "word " * 20_000)
    assert len(club.mails(BOB)) == before
    assert "letters at most" in club.last(ANN).text


# --- mail that no person wrote --------------------------------------------------------------------

AUTOMATIC = {
    "x-pbem": {"X_PBEM": "match=K7QX2"},
    "hops": {},
    "en": {"Subject": "Automatic reply: [Logger] Ann - Bob"},
    "de": {"Subject": "Automatische Antwort: Ihre Nachricht"},
    "fr": {"Subject": "=?utf-8?q?R=C3=A9ponse_automatique=C2=A0=3A_Logger?="},
    "es": {"Subject": "=?iso-8859-1?q?Respuesta_autom=E1tica=3A_Logger?="},
    "ja": {"Subject": "=?utf-8?b?6Ieq5YuV6L+U5L+hOiBMb2dnZXI=?="},
    "rfc3834": {"Auto_Submitted": "auto-replied"},
    "null sender": {"Return_Path": "<>"},
    "list": {"List_Id": "<l.example.org>"},
    "ourselves": {"From": GAMES},
}


@pytest.mark.parametrize("kind", AUTOMATIC)
async def test_automatic_mail_and_loops_are_not_answered(club: Club, kind: str) -> None:
    match = await at_play(club)
    count = len(club.postbox.mails)
    hops = b"Received: from a by b\r\n" * 51 if kind == "hops" else b""
    headers = dict(AUTOMATIC[kind])
    sender = headers.pop("From", ANN)
    await club.post(hops + raw(sender, to_of(club.last(ANN)), "e1", **headers))
    assert len(club.postbox.mails) == count
    assert await ply(club, match) == 0
    assert (await became(club)).disposition == "automatic"


async def test_our_own_mail_that_comes_back_is_not_answered(club: Club) -> None:
    await at_play(club)
    count = len(club.postbox.mails)
    for envelope in tuple(club.envelopes):
        await club.post(b"Received: from a by b\r\n" + envelope.data)
    assert len(club.postbox.mails) == count


async def test_a_copy_of_a_letter_by_another_way_plays_and_answers_nothing(club: Club) -> None:
    match = await at_play(club)
    letter = raw(ANN, to_of(club.last(ANN)), "e1", Message_ID="<1@x>", Date="Sat, 21 Nov 2026")
    await club.post(b"Received: from a by b\r\n" + letter)
    count = len(club.postbox.mails)
    await club.post(b"Received: from c by d\r\nX-Spam: no\r\n" + letter.replace(b"\r\n", b"\n"))
    assert len(club.postbox.mails) == count
    # A stranger who chose the same Message-ID keeps no letter out.
    await club.post(raw(BOB, to_of(club.last(BOB)), "a5", Message_ID="<1@x>"))
    assert await ply(club, match) == 2


# --- what cannot be undone ------------------------------------------------------------------------


async def test_resigning_asks_unless_yes_is_typed_with_it(club: Club) -> None:
    match = await at_play(club)
    await club.answer(ANN, "resign")
    assert await status(club, match) == "running"
    await club.answer(BOB, "resign yes")
    assert await status(club, match) == "ended"


async def test_removing_an_address_asks_unless_yes_is_typed_with_it(club: Club) -> None:
    await at_play(club)
    ann = await player(club, ANN)

    async def addresses() -> int:
        rows = await club.read(lambda conn: roster.addresses_of(conn, ann.id))
        assert isinstance(rows, list)
        return len(rows)

    for removed in ("address remove ann@work.example", "address remove ann@work.example yes"):
        await club.insist(ANN, "address add ann@work.example")
        await club.post(raw("ann@work.example", to_of(club.last("ann@work.example")), "yes"))
        assert await addresses() == 2
        await club.answer(ANN, removed)
        assert await addresses() == 2
        assert "count no more?" in club.last(ANN).text
        await club.answer(ANN, "yes")
        assert await addresses() == 1
        club.clock.time += DAY  # type: ignore[attr-defined]


async def test_yes_answers_only_the_question_of_its_mail(club: Club) -> None:
    match = await at_play(club)
    await club.answer(ANN, "resign")
    await club.answer(ANN, f"new logger with {CLEO}")
    await club.answer(ANN, "yes")
    assert await status(club, match) == "running"


# --- poison ---------------------------------------------------------------------------------------


async def test_a_letter_that_always_fails_is_set_aside_and_can_be_retried(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await at_play(club)
    real = take
    tries = 0

    def poisoned(conn: Connection, house: House, row: inbox.InboxRow, intent: Intent) -> Taken:
        nonlocal tries
        if intent.letter.sender == ANN:
            tries += 1
            raise RuntimeError("poison")
        return real(conn, house, row, intent)

    monkeypatch.setattr("pbem.runners.receive.take", poisoned)
    to_bob = to_of(club.last(BOB))
    for letter in (raw(ANN, to_of(club.last(ANN)), "e1"), raw(BOB, to_bob, "say I am here")):
        await store_letter(Fetched("test", "INBOX", 1, 900 + len(letter), letter), club.house)
    await club.work()
    assert tries == 3
    told = [mail.text for mail in club.mails(ANN)]
    assert any("I am here" in text for text in told)
    assert sum("It could not be read" in text for text in told) == 1
    shunted = await club.read(lambda conn: inbox.listed(conn, state="shunted"))
    assert isinstance(shunted, list)
    monkeypatch.undo()
    await club.work()
    assert await ply(club, match) == 0
    said = run_cli(tmp_path, "retry", shunted[0].key[:12])
    assert "is taken again" in said
    await club.work()
    assert await ply(club, match) == 1


async def test_a_letter_whose_reading_fails_is_set_aside_too(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await at_play(club)
    real = read_letter

    def poisoned(data: bytes, **wishes: object) -> Letter:
        if b"poison" in data:
            raise LookupError("a bug of ours")
        return real(data, **wishes)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.intake.read_letter.read_letter", poisoned)
    await club.answer(ANN, "e1 poison")
    # Its writer hears of it; its header told who that is.
    assert "It could not be read" in club.last(ANN).text
    await club.answer(BOB, "say I am here")
    assert "I am here" in club.last(ANN).text
    counts = await club.read(inbox.counts)
    assert counts["shunted"] == 1  # type: ignore[index]


async def test_a_template_that_fails_delays_its_own_mail_only(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await at_play(club)
    real = Renderer.render

    def broken(self: Renderer, view: View) -> Rendered:
        if view.reader == "Bob":
            raise ZeroDivisionError("a template's fault")
        return real(self, view)

    monkeypatch.setattr(Renderer, "render", broken)
    before = len(club.mails(BOB))
    await club.answer(ANN, "e1")
    assert await ply(club, match) == 1
    assert "place e1" in club.last(ANN).text
    assert len(club.mails(BOB)) == before
    monkeypatch.undo()
    club.clock.time += DAY  # type: ignore[attr-defined]
    await club.work()
    assert "place e1" in club.last(BOB).text
