"""`calendar`: deadlines as a file, which a newer file moves and strikes out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from tests.clubs.club import ANN, BOB, Club, open_club
from tests.clubs.kept import kept
from tests.delivery.test_digests import name_in

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)  # it is noon
    yield one
    one.house.db.close()


@kept
async def begin(club: Club, *, time: str = "") -> str:
    """A match in which it is Ann's turn."""
    await club.write(ANN, f"new logger with {BOB} seat_order=given {time}")
    await club.answer(ANN, "yes")
    await club.answer(BOB, "accept")
    return name_in(club.last(ANN).subject)


async def events(club: Club, reader: str, order: str = "calendar") -> list[Any]:
    await club.answer(reader, order)
    ((name, data),) = club.last(reader).files.items()
    assert name == "deadlines.ics"
    calendar: Any = Calendar.from_ical(str(data))
    assert (str(calendar["method"]), str(calendar["version"])) == ("PUBLISH", "2.0")
    return list(calendar.walk("VEVENT"))


async def test_a_deadline_is_an_event_without_length(club: Club) -> None:
    match = await begin(club)
    ((event,), other) = (await events(club, ANN), await events(club, BOB))
    assert event["summary"] == f"Club: Logger {match} (Bob)"
    late: timedelta = event.start - (NOON + timedelta(hours=240))
    assert timedelta(0) <= late < timedelta(minutes=5)
    assert event.start == event.end
    assert (event["status"], event["transp"]) == ("CONFIRMED", "TRANSPARENT")
    assert other == []  # it has never been Bob's turn


async def test_a_newer_file_strikes_out_the_turn_that_has_passed(club: Club) -> None:
    await begin(club)
    (before,) = await events(club, ANN)
    await club.answer(ANN, "a1")
    (after,) = await events(club, ANN, "deadlines")
    assert after["uid"] == before["uid"]
    assert after["sequence"] > before["sequence"]
    assert after["status"] == "CANCELLED"
    (bobs,) = await events(club, BOB, "kalender")
    assert bobs["uid"] != after["uid"]
    assert bobs["status"] == "CONFIRMED"


async def test_a_match_without_clocks_has_no_deadline(club: Club) -> None:
    await begin(club, time="time=none")
    await club.answer(ANN, "calendar")
    assert club.last(ANN).files == {}
    await begin(club)
    assert len(await events(club, ANN)) == 1


async def test_a_move_that_may_still_be_corrected_has_no_deadline(club: Club) -> None:
    await begin(club)
    await club.answer(ANN, "window 30")
    await club.answer(ANN, "a1")
    assert await events(club, ANN) == []


async def test_what_others_do_in_secret_changes_nothing(club: Club) -> None:
    await begin(club)
    (before,) = await events(club, ANN)
    await club.answer(BOB, "if a1 then e5")
    (after,) = await events(club, ANN)
    assert after["sequence"] == before["sequence"]
