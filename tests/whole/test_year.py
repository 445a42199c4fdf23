"""Some weeks of a few matches; `./run bench year` lives through the whole year of a thousand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.clubs.club import open_club
from tests.whole.year import Driven, Year, faults


async def test_nothing_is_lost_or_doubled_in_some_weeks(tmp_path: Path) -> None:
    clock = Driven(datetime(2026, 1, 1, tzinfo=UTC))
    club = open_club(tmp_path, clock=clock)
    year = Year(club, clock, matches=8)
    await year.live(days=60)
    found = await club.read(lambda conn: list(faults(conn, club.house)))
    assert found == []
    assert year.done["move"] > 50
    assert year.done["timers"] > 20
    assert year.done["claim"] > 0
    club.house.db.close()
