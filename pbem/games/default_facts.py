"""Default facts about seats and legal moves, for games that need no others.

Facts are the data that a game passes to the templates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pbem.errors import Fact, Facts
from pbem.games.game import GameOver, Seats, Turn, Viewpoint

M = TypeVar("M")

# If there are at most MAX_LISTED legal moves, all are shown; otherwise, SAMPLE_COUNT are shown.
MAX_LISTED = 6

SAMPLE_COUNT = 3


def default_facts(
    turn: Turn,
    seats: int,
    viewpoint: Viewpoint,
    legal: Sequence[M],
    notation: Callable[[M], str],
) -> Facts:
    """Return the facts about seats and legal moves that the templates of every game understand.

    The keys are `seats`, `you`, `to_move`, `over` and `can`. `you` is the viewpoint. `to_move` is
    the first seat to act; None if no seat is to act. `over` tells how the game ended; None before
    the end. `can` has the legal moves; None if the reader is not to act. A game may add keys of its
    own.

    Args:
        turn: The turn of the position: seats to act, a random draw, or the end of the game.
        seats: The number of seats.
        viewpoint: The seat of the reader, or None for a spectator.
        legal: The legal moves of the seat to act.
        notation: A function that returns a move as text.
    """
    acting = turn.seats if isinstance(turn, Seats) else ()
    ending: Fact = None
    if isinstance(turn, GameOver):
        ending = {"termination": turn.outcome.termination, "placings": turn.outcome.placings}
    return {
        "seats": [
            {"seat": seat, "you": seat == viewpoint, "to_move": seat in acting}
            for seat in range(1, seats + 1)
        ],
        "you": viewpoint,
        "to_move": next(iter(acting), None),
        "over": ending,
        "can": _choices(legal, notation) if viewpoint in acting else None,
    }


def _choices(legal: Sequence[M], notation: Callable[[M], str]) -> Fact:
    """Return the number of legal moves, and samples of them as text.

    If there are at most MAX_LISTED moves, the samples are all of them. Otherwise they are
    SAMPLE_COUNT moves at equal distances in the list.
    """
    count = len(legal) if len(legal) <= MAX_LISTED else SAMPLE_COUNT
    moves = (legal[(2 * nth + 1) * len(legal) // (2 * count)] for nth in range(count))
    return {
        "turns": len(legal),
        "all": len(legal) <= MAX_LISTED,
        "samples": [notation(move) for move in moves],
    }
