"""Our games pass the contract that games of packages have to pass."""

from __future__ import annotations

from pbem.testing import GameContract
from tests.games.playing import OUR_GAMES


class TestOurGames(GameContract):
    games = OUR_GAMES
