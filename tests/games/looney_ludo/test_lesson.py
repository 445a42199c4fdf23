from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.demo.table import Table
from pbem.games import GAMES
from pbem.games.game import Seat
from pbem.games.looney_ludo import GAME
from pbem.notifications.lessons import view_lesson
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


@pytest.mark.parametrize(
    ("dice", "typed", "told"),
    [
        ("5 3 tip", "S e", "is_waiting"),
        ("5 3 aim", "S e", "is_repeated"),
        ("5 3 aim", "aim red cw", "is_done"),
    ],
)
def test_a_topic_without_a_chance_is_told_to_stay_open(dice: str, typed: str, told: str) -> None:
    game = replace(GAME, lesson=tuple(one for one in GAME.lesson if one.name in ("act", "alone")))
    with GAMES.including(game):
        table = Table(game, 2, {"starter": "given"})
        table.set_position(start(dice))
        terms = replace(table.match.terms, is_lesson=True)
        table.match = replace(table.match, challenge=terms)
        table.move(typed)
        table.move("pass")
        lesson = view_lesson(table.match, Seat(1))
    assert lesson is not None
    found = [name for name in ("is_done", "is_repeated", "is_waiting") if getattr(lesson, name)]
    assert found == [told]
