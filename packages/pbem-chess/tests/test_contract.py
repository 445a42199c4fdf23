"""Chess passes the contract of a game."""

from __future__ import annotations

from pbem_chess import GAME

from pbem.testing import GameContract


class TestChess(GameContract):
    games = (GAME,)
