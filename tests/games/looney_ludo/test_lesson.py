from __future__ import annotations

import pytest

from pbem.games.looney_ludo import GAME
from tests.games.looney_ludo.situations import played, read_as, start


@pytest.mark.parametrize(
    ("typed", "is_taught"),
    [("L top", True), ("L top; S e", True), ("S e", False), ("L top; hop Yellow to B1", False)],
)
def test_a_turn_that_teaches_climbing_needs_no_action(typed: str, *, is_taught: bool) -> None:
    position = start("6 4 hop")
    [cover] = [topic for topic in GAME.lesson if topic.name == "cover"]
    move = GAME.read_notation(read_as(position, typed), position)
    assert cover.matches(move, position, played(position, typed)) is is_taught
