"""The pictures beside the rules are those that the program draws: `--accept` makes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from pbem.games import GAMES
from pbem.games.game import Marks, Played, Seat, Seats
from pbem.matches.steps import StepKind
from tests.games.test_record_text import SAMPLES, sample

DOCS: Final = Path(__file__).parents[2] / "docs" / "games"
SHOWN: Final = {"logger": 0.8, "looney_ludo": 0.53, "logan_stones": 0.4, "landrush": 0.7}
"""How much of its recorded match a game has behind it in its picture."""


def drawn(key: str) -> str:
    (path,) = (one for one in SAMPLES if one.stem == f"{key}-1")
    match = sample(path)
    steps = [step for step in match.course.steps if step.kind is not StepKind.NEWS]
    last = int(len(steps) * SHOWN[key])
    # Somebody has to move, with dice or coin drawn: that is when players see it.
    while not isinstance(match.game.turn(steps[last - 1].after), Seats):
        last += 1
    since = tuple(
        Played(step.move, step.before, step.after)
        for step in steps[last - 4 : last]
        if step.move is not None
    )
    marks: Marks[Any, Any] = Marks(since=since, names=("Anna", "Ben"))
    return match.game.picture(steps[last - 1].after, Seat(1), marks)


@pytest.mark.parametrize("key", sorted({game.key for game in GAMES.values()}))
def test_a_rulebook_shows_its_game(key: str, pytestconfig: pytest.Config) -> None:
    file = DOCS / "pictures" / f"{key}.svg"
    if pytestconfig.getoption("--accept"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn(key), "utf-8")
    assert file.read_text("utf-8") == drawn(key)
    assert f"(pictures/{key}.svg)" in (DOCS / f"{key}.md").read_text("utf-8")
