"""A match as a page beside the mail that tells of its end, for those who wish it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.delivery import attachments
from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


@kept
async def begin(club: Club) -> None:
    """A match for whose end Ann wishes a replay."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    await club.answer(ANN, "replays on")


def pages(club: Club, reader: str) -> list[str]:
    """The replays in all the mails to somebody."""
    mails = [message_from_bytes(data) for to, data in club.postbox.sent if to == reader]
    parts = [part for mail in mails for part in mail.walk()]
    parts = [part for part in parts if (part.get_filename() or "").endswith(".html")]
    made = [part.get_payload(decode=True) for part in parts]
    return [page.decode() for page in made if isinstance(page, bytes)]


async def test_who_wishes_it_has_the_page_once_and_nobody_else(club: Club) -> None:
    await begin(club)
    await club.answer(ANN, "place a1")
    await club.answer(BOB, "place e5")
    assert not pages(club, ANN)
    await club.answer(BOB, "resign yes")
    [page] = pages(club, ANN)
    assert page.startswith("<!DOCTYPE html>")
    assert "e5" in page
    assert not pages(club, BOB)


async def test_a_wish_taken_back_brings_none(club: Club) -> None:
    await begin(club)
    await club.answer(ANN, "place a1")
    await club.answer(ANN, "replays off")
    await club.answer(BOB, "resign yes")
    assert not pages(club, ANN)


async def test_a_match_without_a_move_has_nothing_to_step_through(club: Club) -> None:
    await begin(club)
    await club.answer(BOB, "resign yes")
    assert "is over" in club.last(ANN).text
    assert not pages(club, ANN)


async def test_a_mail_takes_no_more_pages_than_every_mailbox_does(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "LONGEST", 1_000)
    await begin(club)
    await club.answer(ANN, "place a1")
    await club.answer(BOB, "resign yes")
    assert "is over" in club.last(ANN).text
    assert not pages(club, ANN)
