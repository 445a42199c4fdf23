from __future__ import annotations

import pytest

from pbem.games.logan_stones import GAME
from tests.games.logan_stones.situations import played, read_as

# Rocks on L17, L19 and L21 are three of four; paper on M20 turns L21 over.
THREAT = GAME.load(
    "L17=RP L19=RR L21=RS M18=PP M22=SP; hand 1 1 PP, 2 SP, 3 RS; hand 2 1 SP, 2 SS, 3 PP"
)


@pytest.mark.parametrize(
    ("typed", "is_guard"), [("add 1 M20", True), ("add 2 K18", False), ("add 3 L23", False)]
)
def test_the_turn_that_guards_leaves_no_three_of_four(typed: str, *, is_guard: bool) -> None:
    [guard] = [topic for topic in GAME.lesson if topic.name == "guard"]
    move = GAME.read_notation(read_as(THREAT, typed), THREAT)
    assert guard.matches(move, THREAT, played(THREAT, typed)) is is_guard
