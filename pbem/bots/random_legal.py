"""The bot that plays any legal turn, each equally likely."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pbem.games.game import Game

P = TypeVar("P")
M = TypeVar("M")


def random_move(game: Game[P, M], position: P, choose: Callable[[int], int]) -> M:
    """One of the legal turns or steps; `choose(n)` gives a number from 0 to n - 1."""
    legal = game.legal(position)
    return legal[choose(len(legal))]
