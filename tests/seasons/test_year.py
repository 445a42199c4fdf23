"""Some weeks of leagues, a ladder and cups; `./run bench season_year` lives a whole year."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.databases import ENGINE
from tests.seasons.checks import exported, heads, wrong
from tests.seasons.killed import killed_at_steps, lives
from tests.seasons.people import TERMS, WEEKS
from tests.seasons.year import open_year

KILLS = 8


@contextmanager
def on_sqlite() -> Iterator[None]:
    """What is opened has its database in a file, whatever engine a test is about."""
    ENGINE.append("sqlite")
    yield
    ENGINE.pop()


def read(folder: Path, unit: Callable[..., Any]) -> Any:
    """What a unit reads of a year that was lived."""
    year = open_year(folder, WEEKS)
    try:
        return year.club.house.db.read(unit).result()
    finally:
        year.club.house.db.close()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which some weeks were lived on SQLite; whoever gets it only reads."""
    folder = tmp_path_factory.mktemp("weeks")
    with on_sqlite():
        lives(folder, WEEKS)
    return folder


def test_another_program_comes_to_the_same(weeks: Path) -> None:
    """No standing, rating, lot or promotion is another, and nothing of the log is wrong."""
    assert read(weeks, wrong) == []
    lines = read(weeks, exported)
    kinds = Counter(one["type"] for one in map(json.loads, lines) if "type" in one)
    seldom = ("PlayerWithdrawn", "TableCorrected", "SeatTimedOut", "DrawAccepted", "ByeGiven")
    assert min(kinds[kind] for kind in seldom) > 0, kinds
    assert kinds["SeasonEnded"] >= len(TERMS)
    letters = [
        one["data"]["letter"] for one in map(json.loads, lines) if one.get("type") == "MovePlayed"
    ]
    assert sum(map(bool, letters)) > 10  # what people wrote, and not only what they decided


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
def test_a_club_that_is_killed_comes_to_the_same_log(
    weeks: Path, engine: str, tmp_path: Path
) -> None:
    """Chance is that of the plan in both: so every event of it is the same, with its hash."""
    folder, chance = tmp_path / engine, random.Random(5)
    folder.mkdir()
    assert killed_at_steps(folder, WEEKS, lambda: chance.randrange(20, 600), KILLS) == KILLS
    came, found = read(folder, heads), read(folder, wrong)
    assert found == []
    with on_sqlite():
        assert came == read(weeks, heads)
