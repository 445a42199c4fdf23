"""Landrush's points line by line: what they say adds up, from the first move to the end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.game import Over, Seat, Style
from pbem.games.landrush import GAME
from pbem.games.landrush.scoring import points, reckoning
from pbem.legacy.notices.rendering.environment import environment
from tests.games.test_pictures import played

NAMES = {1: "Alice", 2: "Bob", 3: "Carla"}


def told(position: Any, lang: str = "en") -> str:
    facts = GAME.board(position, Seat(1), Style.ASCII).facts
    return environment(lang=lang).piece("landrush", "reckoning", facts=facts, names=NAMES)


def test_every_rule_of_the_reckoning() -> None:
    # A tract of each size alone, and a mixed one.
    position = GAME.load(
        "red a1 S, a2 S, c1 M, c2 M, c3 M, e1 L, e2 L, e3 L, e4 L, g1 S, g2 M, g3 M;"
        " yellow h12 M; to draw red"
    )
    found = [(one.rule, one.times, one.points) for one in reckoning(position, 1)]
    assert found == [
        ("c", 1, 1), ("d", 1, 3), ("e", 1, 4), ("f", 3, 3), ("g", 5, 10), ("h", 4, 12),
    ]  # fmt: skip
    assert points(position, 1) == 33
    assert points(position, 2) == 0
    assert told(position) == ""  # the game goes on


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_lines_of_an_end_add_up(seats: int, lang: str) -> None:
    position, _ = played(GAME, seats, 400)
    turn = GAME.turn(position)
    assert isinstance(turn, Over)
    text = told(position, lang)
    parts = re.split(r"^(?!- )(.+)\n", text, flags=re.MULTILINE)[1:]
    heads, lines = parts[::2], parts[1::2]
    assert len(heads) == seats
    shown = []
    for head, block in zip(heads, lines, strict=True):
        (whole,) = map(int, re.findall(r"(\d+) (?:point|Punkt)", head))
        assert sum(map(int, re.findall(r"^- (\d+): ", block, re.MULTILINE))) == whole
        for line in filter(None, block.splitlines()):
            assert re.search(r"\[LR-4\.(4|5[a-h])\]$", line)
        shown.append(whole)
    assert shown == sorted((points(position, seat) for seat in range(1, seats + 1)), reverse=True)


def test_the_score_runs_before_the_end() -> None:
    position = GAME.load("red a1 S, a2 S; yellow c1 M, d3 S; to draw red")
    facts = GAME.board(position, None, Style.ASCII).facts
    env = environment()
    assert "Red S3 M5 L5, 8 points now" in env.piece(
        "landrush", "legend", facts=facts, names=NAMES, explained=True
    )
    assert env.piece("landrush", "score", facts=facts, names=NAMES) == "Alice 8, Bob 0"
    assert "Alice, Red, 8 points" in env.piece("landrush", "brief", facts=facts, names=NAMES)
