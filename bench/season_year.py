"""A year of tournaments: two hundred people, four leagues, a ladder, cups; killed a hundred times.

What a second program counts from the exported lines, and what each process comes to that was killed
(`--kills 0`: none is), must be the same. `--postgresql` is on such a server; a number is of people.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from tests.databases import ENGINE
from tests.engines import drop_all
from tests.seasons.checks import exported, heads, wrong
from tests.seasons.killed import in_a_child, killed_at_moments
from tests.seasons.people import LADDER, TERMS, YEAR, Size
from tests.seasons.year import open_year

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection


def main() -> None:
    """Live it, kill it, and say what was counted otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--kills", type=int, default=100)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    people = next((int(one) for one in asked.words if one.isdigit()), YEAR.people)
    size = replace(YEAR, people=people, climbers=min(YEAR.climbers, people))
    ENGINE.append("postgresql" if asked.postgresql else "sqlite")
    try:
        with tempfile.TemporaryDirectory(prefix="pbem-season-") as top:
            _live(Path(top), size, asked.kills)
    finally:
        drop_all()


def _live(top: Path, size: Size, kills: int) -> None:
    whole, killed = top / "whole", top / "killed"
    whole.mkdir()
    killed.mkdir()
    began = time.perf_counter()
    in_a_child(whole, size)
    seconds = time.perf_counter() - began
    print(f"{ENGINE[-1]}: {size.people} people, {size.days} days in {seconds:.0f} s")
    for line in _read(whole, size, _figures):
        print(f"  {line}")
    _check(whole, size)
    if kills:
        began = time.perf_counter()
        done = killed_at_moments(killed, size, seconds, kills)
        print(f"killed {done} times, {time.perf_counter() - began:.0f} s")
        one, other = _read(whole, size, heads), _read(killed, size, heads)
        differ = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
        print(f"  {len(differ)} of {len(one)} streams end with another hash", *differ[:5])
        _check(killed, size)


def _read(folder: Path, size: Size, unit: Callable[[Connection], Any]) -> Any:
    year = open_year(folder, size)
    try:
        return year.club.house.db.read(unit).result()
    finally:
        year.club.house.db.close()


def _check(folder: Path, size: Size) -> None:
    began = time.perf_counter()
    found = _read(folder, size, wrong)
    print(f"  {len(found)} differences, looked for in {time.perf_counter() - began:.0f} s")
    for words in found[:20]:
        print("   ", words)


def _figures(conn: Connection) -> list[str]:
    """What has happened in it."""
    import json

    kinds, seats = Counter[str](), Counter[str]()
    lines = exported(conn)
    for one in map(json.loads, lines):
        if "type" not in one:
            continue
        kinds[one["type"]] += 1
        if one["type"] == "MatchEnded":
            seats[one["data"]["termination"]] += 1
    told = (
        "MatchStarted", "MovePlayed", "SeatResigned", "SeatTimedOut", "DrawAccepted",
        "PlayerEntered", "PlayerWithdrawn", "SeasonEnded", "GroupEnded", "TableSet", "TableEnded",
        "TableCorrected", "StandingChanged", "LotDrawn", "ByeGiven", "SeasonPlanned",
    )  # fmt: skip
    seasons = f"{len(TERMS)} tournaments, one of which is the {LADDER}"
    return [
        f"{sum(kinds.values())} events in {len(lines)} lines; {seasons}",
        ", ".join(f"{kinds[kind]} {kind}" for kind in told),
        ", ".join(f"{count} {how}" for how, count in seats.most_common()),
    ]
