"""What is made now of all that is kept: of scripts, letters and refusals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from tests.kept import reading, refusing, script
from tests.kept.adapter import all_events, all_notices, opened
from tests.kept.driver import Driver

SCRIPTS: Final = ("two_months", "vacated", "pages")
"""Each stands in `scripts/`, and what came of it in a folder of its name."""

OF_THEIR_OWN: Final = {
    "vacated": {
        *("SeatFilled", "SeatVacated", "AddressShown", "LettersWait"),
    },
    "pages": set[str](),
}
"""Of which kinds a script has a mail with its HTML written out, where others have the rest."""

LETTERS: Final = "letters.txt"
REJECTIONS: Final = "rejections.txt"


async def played(
    name: str, folder: Path, *, notes_kinds: bool = False, days: int | None = None
) -> tuple[Driver, set[str]]:
    """A script that was played in an empty folder, and the types of the events that occurred.

    Of some `days` only, it ends with the first act behind them.
    """
    found = script.read(f"{name}.txt")
    if days is not None:
        end = found.acts[0].at.replace(hour=0, minute=0) + timedelta(days=days)
        within = sum(act.at < end for act in found.acts)
        found = replace(found, acts=found.acts[: within + 1])
    with opened(folder, found.acts[0].at, found.limits) as house:
        driver = Driver(house, found, notes_kinds=notes_kinds)
        await driver.play()
        assert await house.wrong() == []
        return driver, await house.events()


async def letters() -> list[str]:
    """A line for each letter of the corpora."""
    lines = [await reading.done_with(letter) for letter in reading.rounds()]
    lines += [reading.read_raw(name, *one) for name, one in reading.raw_letters().items()]
    return lines + [reading.read_phrased(*one) for one in reading.phrased()]


def rejections() -> list[str]:
    """What each refusal says, in the order of the cases."""
    return [refusal(case) for case in refusing.cases()]


def refusal(case: refusing.Case) -> str:
    """What one refusal says, behind its code and what was wrong."""
    code, said = refusing.told(case)
    return f"=== {code} {refusing.shown(case)}\n{said}\n"


def missing(notices: Iterable[str], events: Iterable[str]) -> tuple[list[str], list[str]]:
    """The kinds of notices and the types of events that occur nowhere."""
    return sorted(all_notices() - set(notices)), sorted(all_events() - set(events))
