"""Landrush's points line by line: what they say adds up, from the first move to the end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.game import GameOver, Seat, Style
from pbem.games.landrush import GAME
from pbem.games.landrush.scoring import list_score_items, points
from tests.games.playing import play_at_random
from tests.games.words import say

NAMES = {1: "Alice", 2: "Bob", 3: "Carla"}


def told(position: Any, lang: str = "en") -> str:
    facts = GAME.board(position, Seat(1), Style.ASCII).facts
    return say(GAME, "final_score", lang, facts=facts, names=NAMES)


def test_every_rule_of_the_reckoning() -> None:
    # A tract of each size alone, and a mixed one.
    position = GAME.load(
        "red a1 S, a2 S, c1 M, c2 M, c3 M, e1 L, e2 L, e3 L, e4 L, g1 S, g2 M, g3 M;"
        " yellow h12 M; to draw red"
    )
    found = [(one.rule, one.times, one.points) for one in list_score_items(position, 1)]
    assert found == [
        ("c", 1, 1), ("d", 1, 3), ("e", 1, 4), ("f", 3, 3), ("g", 5, 10), ("h", 4, 12),
    ]  # fmt: skip
    assert points(position, 1) == 33
    assert points(position, 2) == 0
    assert told(position) == ""  # the game goes on


@pytest.mark.parametrize(("seats", "lang"), [(2, "en"), (3, "de")])
def test_the_lines_of_an_end_add_up(seats: int, lang: str) -> None:
    position, _ = play_at_random(GAME, seats, 400)
    turn = GAME.turn(position)
    assert isinstance(turn, GameOver)
    text = told(position, lang)
    parts = re.split(r"^(?!- )(.+)\n", text, flags=re.MULTILINE)[1:]
    heads, lines = parts[::2], parts[1::2]
    assert len(heads) == seats
    shown = []
    for head, block in zip(heads, lines, strict=True):
        (whole,) = map(int, re.findall(r"(\d+) (?:point|Punkt)", head))
        assert (
            sum(map(int, re.findall(r"^- (\d+) (?:points?|Punkte?): ", block, re.MULTILINE)))
            == whole
        )
        shown.append(whole)
    assert sorted(shown, reverse=True) == sorted(
        (points(position, seat) for seat in range(1, seats + 1)), reverse=True
    )
