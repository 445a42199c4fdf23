"""A year of a thousand matches: deciders, timers and the log under a driven clock, no mail."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import structlog

from pbem.transaction.installation import MatchCache
from tests.clubs.club import open_club
from tests.whole.year import Driven, Year, faults

MATCHES = 1000
EVENTS = 2_000_000
"""So many may be in memory: those of all matches."""

DAYS = 365


def main() -> None:
    """Live it, and say what happened, how long it took, and whatever is wrong."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    asyncio.run(_live(numbers[0] if numbers else MATCHES))


async def _live(matches: int) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    clock = Driven(datetime(2026, 1, 1, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder), clock=clock)
        # Deciders and timers are looked at here, not how quickly matches are loaded again.
        house = replace(club.house, cache=MatchCache(EVENTS))
        year = Year(replace(club, house=house), clock, matches=matches)
        began = time.perf_counter()
        await year.live(DAYS)
        lived = time.perf_counter() - began
        found = await asyncio.wrap_future(
            club.house.db.read(lambda conn: list(faults(conn, club.house)))
        )
        club.house.db.close()
    acts = sum(year.done.values())
    print(f"{matches} matches in {DAYS} days: {acts} acts and timers in {lived:.0f} s")
    for kind, count in year.done.most_common():
        print(f"  {count:8} {kind}")
    print(f"  {len(found):8} lost or doubled")
    for words in found[:20]:
        print("  ", words)
