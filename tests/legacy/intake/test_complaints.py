"""Whoever calls a mail of ours spam gets no more of them, and nobody else hears of it (MAIL 4)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pbem.legacy.transport import Envelope
from tests.legacy.clubs.club import ANN, BOB, CLEO, GAMES, Club, open_club
from tests.legacy.clubs.hostile import at_play, became, player
from tests.legacy.mail.corpus.failures import ARF, complaint
from tests.legacy.mail.corpus.robot import robot_mail

REPORTER = "feedback@isp.example"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


def last_to(club: Club, reader: str) -> tuple[str, Envelope]:
    """The Message-ID and the envelope of the last mail to somebody."""
    envelope = [one for one in club.envelopes if reader in one.rcpt_to][-1]
    found = re.search(rb"(?i)^Message-ID: (\S+)", envelope.data, re.MULTILINE)
    assert found is not None
    return found[1].decode(), envelope


async def complain(club: Club, ident: str, *, kind: str = "abuse", to: str = GAMES) -> None:
    """A provider reports a mail of this Message-ID."""
    raw = robot_mail("Abuse report", complaint(kind, ident=ident), ARF, writer=REPORTER)
    await club.post(re.sub(rb"(?m)^To: <games[^>]*>", f"To: <{to}>".encode(), raw, count=1))


async def test_who_complains_gets_no_more_mail_and_no_answer(club: Club) -> None:
    await at_play(club)
    mails, ident = len(club.envelopes), last_to(club, BOB)[0]
    await complain(club, ident)
    assert (await became(club)).disposition == "complaint"
    assert (await became(club)).code is None
    assert (await player(club, BOB)).wishes["everything"] == "off"
    assert not (await player(club, BOB)).suspended
    assert len(club.envelopes) == mails
    await club.answer(ANN, "e1")
    assert not [one for one in club.envelopes[mails:] if BOB in one.rcpt_to]


async def test_a_report_to_the_bounce_address_names_its_mail(club: Club) -> None:
    await at_play(club)
    envelope = last_to(club, BOB)[1]
    await complain(club, "<redacted@isp.example>", to=envelope.mail_from)
    assert (await player(club, BOB)).wishes["everything"] == "off"


async def test_a_complaint_that_names_no_mail_of_ours_is_for_nothing(club: Club) -> None:
    await at_play(club)
    ident = last_to(club, BOB)[0]
    forged = ident[:8] + ("b" if ident[8] != "b" else "c") + ident[9:]
    for one in (forged, "<x@isp.example>"):
        await complain(club, one)
        assert (await became(club)).code == "not_counted"
    await complain(club, ident, kind="not-spam")
    assert (await became(club)).code == "not_counted"
    assert "everything" not in (await player(club, BOB)).wishes


async def test_who_never_consented_is_never_written_to_again(club: Club) -> None:
    await club.write(ANN, f"new logger with {CLEO}")
    await club.answer(ANN, "yes")
    await complain(club, last_to(club, CLEO)[0])
    mails = len(club.mails(CLEO))
    await club.wait(days=2)
    await club.answer(ANN, f"new logger with {CLEO}")
    assert len(club.mails(CLEO)) == mails


async def test_who_complained_of_a_question_about_an_address_is_not_asked_again(club: Club) -> None:
    await at_play(club)
    other = "victim@example.net"
    await club.insist(ANN, f"address add {other}")
    assert club.mails(other)
    await complain(club, last_to(club, other)[0])
    assert (await became(club)).code is None
    mails = len(club.mails(other))
    await club.wait(days=20)
    await club.insist(ANN, f"address add {other}")
    assert len(club.mails(other)) == mails
    assert "everything" not in (await player(club, ANN)).wishes
