"""The levels of bots: what each is called, which games it knows, and how it picks a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from pbem.bots.looney_ludo import greedy_move
from pbem.bots.luck import Choose
from pbem.games import AnyGame
from pbem.games.game import Game, Seats
from pbem.games.landrush.scoring import points

# --- by score ------------------------------------------------------------------------------------
# A player for games with points: of some legal turns it takes one after which it leads by most.

TRIES: Final = 60
"""Turns that are looked at for one decision; where there are more, chance picks them."""


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


# --- random legal --------------------------------------------------------------------------------
# The bot that plays any legal turn, each equally likely.

P = TypeVar("P")
M = TypeVar("M")


def random_move(game: Game[P, M], position: P, choose: Callable[[int], int]) -> M:
    """One of the legal turns or steps; `choose(n)` gives a number from 0 to n - 1."""
    legal = game.legal(position)
    return legal[choose(len(legal))]


# --- levels --------------------------------------------------------------------------------------
# A bot is given the whole position and may use of it what its seat knows, and nothing else.
# `random`
# asks for the legal moves, which no game makes depend on what is hidden from the seat to act;
# `greedy` looks at the board, and knows games without secrets only. A test holds both to it.

Pick: TypeAlias = Callable[[AnyGame, Any, Choose], Any]
"""From a position to a legal move of the seat to act."""

_GREEDY: Final[Mapping[str, Pick]] = {
    "looney_ludo": lambda _, position, choose: greedy_move(position, choose),
    "logger": lambda game, position, choose: best_by_score(game, position, choose, logger_scores),
    "landrush": lambda game, position, choose: best_by_score(
        game, position, choose, landrush_scores
    ),
}


def _greedy(game: AnyGame, position: Any, choose: Choose) -> Any:
    return _GREEDY[game.key](game, position, choose)


BOTS: Final[Mapping[str, Pick]] = {"random": random_move, "greedy": _greedy}
"""Every level by name, the weakest first."""


def levels(game: AnyGame) -> tuple[str, ...]:
    """The levels that know a game, the weakest first."""
    return tuple(level for level in BOTS if level != "greedy" or game.key in _GREEDY)


def level_unasked(game: AnyGame) -> str:
    """The level that plays where none is named: the best that knows the game."""
    return levels(game)[-1]


# --- lively --------------------------------------------------------------------------------------
# The bot for matches that must come to an end: greedy where random play hardly ends one.

_ENDING: Final[Mapping[str, Callable[[Any, Callable[[int], int]], Any]]] = {
    "looney_ludo": greedy_move,
}


def lively_move(game: AnyGame, position: Any, choose: Callable[[int], int]) -> Any:
    """A legal move; `choose(n)` gives a number from 0 to n - 1."""
    greedy = _ENDING.get(game.key)
    return random_move(game, position, choose) if greedy is None else greedy(position, choose)
