"""How the tests of Logger play it."""

from __future__ import annotations

from pbem.games.logger import GAME
from tests.games.driver import Driver

DRIVER = Driver(GAME)
