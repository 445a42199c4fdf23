"""A question about a game is answered by the part of its rules that is about it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.notices.rendering.environment import environment

ASKED = [
    ("en", "looney_ludo", "What does WILD mean?", "Once in the turn"),
    ("en", "looney_ludo", "how do I climb?", "Moves:"),
    ("en", "looney_ludo", "Do I win if somebody else completes my nest?", "A nest also wins"),
    ("en", "logger", "What are protesters for?", "Act:"),
    ("en", "logger", "can I walk diagonally?", "Move:"),
    ("en", "logger", "When does the game end?", "The end:"),
    ("en", "logan_stones", "Can I flip a stone of his?", "As long as"),
    ("en", "landrush", "Why was I passed?", "Then turns"),
    ("en", "landrush", "What is a tract?", "Pyramids of one colour"),
    ("en", "landrush", "When is the game over, and what does a Large score?", "The end:"),
    ("de", "looney_ludo", "Was kostet ein Schritt?", "Schritte:"),
    ("de", "logger", "Wann endet das Spiel?", "Ende:"),
    ("de", "landrush", "Wann zählt ein Gebiet?", "Ende:"),
    ("en", "logger", "How are you today?", ""),
    ("en", "logger", "", ""),
]


@pytest.mark.parametrize(("lang", "game", "asked", "begins"), ASKED)
def test_the_part_of_the_rules(lang: str, game: str, asked: str, begins: str) -> None:
    rules_about: Any = environment(lang=lang).globals["rules_about"]
    said = rules_about(game, re.findall(r"\w{3,}", asked.casefold()))
    assert said.startswith(begins)
    assert bool(said) == bool(begins)
