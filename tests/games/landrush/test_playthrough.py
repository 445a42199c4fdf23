"""One whole game for each number of seats, as a text to read: golden/, rewritten by --accept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.games.game import Drawn, Style
from pbem.games.landrush import GAME
from tests.games.landrush.tables import walk

GOLDEN = Path(__file__).parent / "golden"


def written(seats: int) -> Iterator[str]:
    """Every draw and order with the position after it, and the last board."""
    last = GAME.initial(seats, GAME.normal_options({}))
    yield GAME.dump(last)
    for before, move, last in walk(seats, random.Random(100 + seats)):
        if isinstance(move, Drawn):
            order = f"* {GAME.chance_notation(before, move)}"
        else:
            order = f"{before.colour(before.to_act)}: {GAME.notation(move)}"
        yield f"{order}\n    {GAME.dump(last)}"
    outcome = GAME.outcome(last)
    assert outcome is not None
    yield "\n".join(GAME.board(last, None, Style.ASCII).lines)
    yield f"{outcome.termination}: {', '.join(map(str, outcome.placings))}"


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_whole_game(seats: int, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{seats}_seats.txt", "\n".join(written(seats)) + "\n")
