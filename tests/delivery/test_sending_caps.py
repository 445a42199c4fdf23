"""Caps on sending: turns first, an alert in time, and everything in the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.store.mails import outbox
from pbem.store.mails.outbox import OutboxRow
from tests.clubs.club import ANN, BOB, Clock, Club, open_club
from tests.clubs.hostile import at_play

OPERATOR = "operator@pbem.example"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await at_play(one)
    yield one
    one.house.db.close()


def capped(club: Club, *, hour: int = 0, day: int = 0, contact: str = "") -> None:
    """From now on so many mails may go out."""
    settings = club.house.settings
    smtp = settings.smtp.model_copy(update={"max_mails_per_hour": hour, "max_mails_per_day": day})
    site = settings.site.model_copy(update={"contact": contact})
    club.house = replace(
        club.house, settings=settings.model_copy(update={"smtp": smtp, "site": site})
    )


def rows(club: Club) -> list[OutboxRow]:
    return club.house.db.read(outbox.listed).result()


def later(club: Club, minutes: float) -> None:
    assert isinstance(club.clock, Clock)
    club.clock.time += timedelta(minutes=minutes)


async def test_the_operator_is_told_once_before_the_cap_is_reached(club: Club) -> None:
    capped(club, hour=10, contact=OPERATOR)
    with capture_logs() as logs:
        for number in range(7):
            await club.answer(ANN, f"say {number}")
    near = [line for line in logs if line["event"] == "mail_cap_near"]
    assert near == [
        {"event": "mail_cap_near", "log_level": "warning", "period": "hour", "used": 8, "most": 10}
    ]
    [mail] = club.mails(OPERATOR)
    assert "8 of the 10 mails that may go out in an hour are used." in mail.text
    assert "needs no answer" in mail.text
    later(club, 90)
    for number in range(7):
        await club.answer(ANN, f"say {number}")
    assert len(club.mails(OPERATOR)) == 1


async def test_without_an_address_of_the_operator_only_the_log_tells(club: Club) -> None:
    capped(club, day=5)
    with capture_logs() as logs:
        for number in range(4):
            await club.answer(ANN, f"say {number}")
    assert [line["period"] for line in logs if line["event"] == "mail_cap_near"] == ["day"]
    assert {reader for reader, _ in club.postbox.mails} == {ANN, BOB}


async def test_at_the_cap_turns_go_first_and_the_others_go_in_the_end(club: Club) -> None:
    capped(club, hour=2)
    before = len(club.postbox.mails)
    for number in range(3):
        await club.answer(ANN, f"say {number}")
    await club.answer(ANN, "e1")
    assert len(club.postbox.mails) == before + 2
    waiting = {row.state for row in rows(club)}
    assert waiting == {"sent", "failed"}
    later(club, 31)
    await club.work()
    assert len(club.postbox.mails) == before + 3
    reader, mail = club.postbox.mails[-1]
    assert reader == BOB
    assert "Your turn" in mail.text
    for _ in range(20):
        later(club, 31)
        await club.work()
    assert {row.state for row in rows(club)} == {"sent"}


async def test_what_waits_for_a_cap_is_not_counted_as_tried(club: Club) -> None:
    capped(club, hour=1)
    for number in range(3):
        await club.answer(ANN, f"say {number}")
    waiting = [row for row in rows(club) if row.state == "failed"]
    assert waiting
    assert {row.attempts for row in waiting} == {0}
    assert {row.smtp_reply for row in waiting} == {"waits for our own cap"}
