"""When a player's next digest is due."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.players.wishes import wished


def next_digest(chosen: Mapping[str, str], now: datetime) -> datetime | None:
    """The next time of day that was wished for, in the player's zone; None without a digest."""
    value = wished(chosen, "digest")
    if value == "off":
        return None
    zone = ZoneInfo(wished(chosen, "tz"))
    today = now.astimezone(zone).date()
    for day in (today, today + timedelta(days=1)):
        at = datetime.combine(day, time.fromisoformat(value), tzinfo=zone).astimezone(UTC)
        if at > now:
            return at
    raise AssertionError("tomorrow is later than now")
