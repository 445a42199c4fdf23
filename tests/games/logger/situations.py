"""How the tests of Logger play it."""

from __future__ import annotations

from pbem.games.logger import GAME
from tests.games.driver import Driver

DRIVER = Driver(GAME)

PLACED = GAME.load("loggers e1, a5; trees c3=1")
OPENED = GAME.load("loggers e3, a3; b3=1 c3=3 d3=2")
WALLED = GAME.load("loggers a1, a2; b1=3* b2=1 c1=1; hands 0, 3")
