"""When a digest is due."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.service.digests import find_next_digest


@pytest.mark.parametrize(
    ("hour", "timezone", "now", "due"),
    [
        (18, "UTC", "2026-11-21T17:59", "2026-11-21T18:00"),
        (18, "UTC", "2026-11-21T18:00", "2026-11-22T18:00"),
        (18, "Europe/Berlin", "2026-11-21T17:30", "2026-11-22T17:00"),
        (8, "Australia/Sydney", "2026-11-21T20:00", "2026-11-21T21:00"),
        # It is still the day before in Los Angeles.
        (20, "America/Los_Angeles", "2026-11-22T02:00", "2026-11-22T04:00"),
        # Clocks in Berlin go back an hour on 25 October: the hour on the wall counts.
        (18, "Europe/Berlin", "2026-10-24T16:00", "2026-10-25T17:00"),
    ],
)
def test_a_digest_comes_at_an_hour_of_the_players_clock(
    hour: int, timezone: str, now: str, due: str
) -> None:
    begin = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert find_next_digest(hour, timezone, begin) == datetime.fromisoformat(due).replace(
        tzinfo=UTC
    )
