"""A player for games with points: of some legal turns it takes one after which it leads by most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from pbem.games import AnyGame
from pbem.games.game import Seats
from pbem.games.landrush.scoring import points

TRIES: Final = 60
"""Turns that are looked at for one decision; where there are more, chance picks them."""

Choose = Callable[[int], int]
"""A number from 0 to n - 1."""


def landrush_scores(position: Any) -> Sequence[int]:
    """LR-4.5: what every seat would have if the game ended now."""
    return [points(position, seat) for seat in range(1, len(position.own) + 1)]


def logger_scores(position: Any) -> Sequence[int]:
    """The points of every seat."""
    scores: Sequence[int] = position.scores
    return scores


def best_by_score(
    game: AnyGame, position: Any, choose: Choose, scores: Callable[[Any], Sequence[int]]
) -> Any:
    """One of the best turns that were looked at, each equally likely."""
    turn = game.turn(position)
    seat = turn.seats[0] if isinstance(turn, Seats) else 1
    best, leads = [], None
    for move in _some(game.legal(position), choose):
        lead = _lead(scores(game.play(position, move)), seat)
        if leads is None or lead > leads:
            best, leads = [move], lead
        elif lead == leads:
            best.append(move)
    return best[choose(len(best))]


def _some(moves: Sequence[Any], choose: Choose) -> Sequence[Any]:
    if len(moves) <= TRIES:
        return moves
    first = choose(len(moves))
    # Like turns stand together in the list: steps through it see all kinds.
    return [moves[(first + step * len(moves) // TRIES) % len(moves)] for step in range(TRIES)]


def _lead(scores: Sequence[int], seat: int) -> int:
    others = [score for number, score in enumerate(scores, 1) if number != seat]
    return scores[seat - 1] - max(others)
