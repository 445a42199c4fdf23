"""The bot for matches that must come to an end: greedy where random play hardly ends one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.bots.looney_ludo import greedy_move
from pbem.bots.random_legal import random_move
from pbem.games import AnyGame

_GREEDY: Final[Mapping[str, Callable[[Any, Callable[[int], int]], Any]]] = {
    "looney_ludo": greedy_move,
}


def lively_move(game: AnyGame, position: Any, choose: Callable[[int], int]) -> Any:
    """A legal move; `choose(n)` gives a number from 0 to n - 1."""
    greedy = _GREEDY.get(game.key)
    return random_move(game, position, choose) if greedy is None else greedy(position, choose)
