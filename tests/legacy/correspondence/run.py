"""Runs letters and tells what became of them: `python -m tests.legacy.correspondence.run FILE`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import structlog

from tests.legacy.clubs.club import open_club
from tests.legacy.correspondence.letters import Letter, faults, read
from tests.legacy.correspondence.outcome import Outcome, outcome
from tests.legacy.correspondence.places import PLACES

WINDOW = timedelta(minutes=5)
"""So long every move is held."""


async def became(letter: Letter) -> Outcome:
    """What becomes of a letter, in a club of its own."""
    with tempfile.TemporaryDirectory() as folder:
        club = open_club(Path(folder), window=5)
        await PLACES[letter.place].prepare(club)
        try:
            return await outcome(club, letter.place, letter.text)
        finally:
            club.house.db.close()


async def tell(paths: list[str]) -> None:
    """Run every letter, and print those that are not read as a referee would."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    count: Counter[str] = Counter()
    for letter in (one for path in paths for one in read(Path(path))):
        found = await became(letter)
        wrong = faults(letter, found)
        plain = letter.kind == "honest" and letter.want[0].startswith("play")
        count["letters"] += 1
        count[wrong[0] if wrong else "exact"] += 1
        count["plain"] += plain
        count["plain asked"] += plain and not found.moves
        count["plain waits"] += plain and any(one > WINDOW for one in found.waits.values())
        if wrong:
            sys.stdout.write(_shown(letter, found, wrong))
    sys.stdout.write(f"{dict(count)}\n")


def _shown(letter: Letter, found: Outcome, wrong: list[str]) -> str:
    kinds = [type(one).__name__ for one in found.notices]
    waits = [int(one.total_seconds() / 60) for one in found.waits.values()]
    return (
        f"=== {letter.id} {letter.place} {wrong} want {letter.want} say {letter.say!r}\n"
        f"{letter.text}\n"
        f"--- {dict(found.moves)} {waits} said {found.said} {found.events} {kinds} {found.code}\n"
        f"    {' / '.join(found.told.splitlines()[:6])[:400]}\n"
    )


if __name__ == "__main__":
    asyncio.run(tell(sys.argv[1:]))
