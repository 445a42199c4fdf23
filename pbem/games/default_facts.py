"""Facts of a board that each game has, for one that tells nothing else of its seats and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pbem.errors import Fact, Facts
from pbem.games.game import GameOver, Seats, Turn, Viewpoint

M = TypeVar("M")

SHORT = 6
"""Up to this many legal moves are listed whole; of more, a few are shown."""

SAMPLES = 3


def default_facts(
    turn: Turn,
    seats: int,
    viewpoint: Viewpoint,
    legal: Sequence[M],
    notation: Callable[[M], str],
    *,
    signs: Sequence[str] = (),
) -> Facts:
    """Who is to move, how it ended, and for the seat to act some moves that it can make.

    `seats`, `you`, `to_move`, `over` and `can`, as the templates of any game read them; a game adds
    its own. `legal` are the moves of whoever is to act, `signs` what stands for each seat on the
    board, where something does.
    """
    acting = turn.seats if isinstance(turn, Seats) else ()
    over: Fact = None
    if isinstance(turn, GameOver):
        over = {"termination": turn.outcome.termination, "placings": turn.outcome.placings}
    return {
        "seats": [
            {
                "seat": seat,
                "you": seat == viewpoint,
                "to_move": seat in acting,
                "sign": signs[seat - 1] if signs else "",
            }
            for seat in range(1, seats + 1)
        ],
        "you": viewpoint,
        "to_move": next(iter(acting), None),
        "over": over,
        "can": _can(legal, notation) if viewpoint in acting else None,
    }


def _can(legal: Sequence[M], notation: Callable[[M], str]) -> Fact:
    """How many moves there are, and some from all over the list."""
    count = len(legal) if len(legal) <= SHORT else SAMPLES
    chosen = (legal[(2 * nth + 1) * len(legal) // (2 * count)] for nth in range(count))
    return {
        "turns": len(legal),
        "all": len(legal) <= SHORT,
        "samples": [notation(move) for move in chosen],
    }
