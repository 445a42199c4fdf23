"""Games at random, for tests of all games."""

from __future__ import annotations

from typing import Any, Final

from pbem.bots.levels import choose_random_move
from pbem.bots.luck import seeded
from pbem.games import GAMES, OURS, AnyGame
from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, Seats, Transition

OUR_GAMES: Final = tuple(GAMES[ruleset] for ruleset in OURS)


def play_at_random(
    game: AnyGame, seats: int, plies: int
) -> tuple[Any, tuple[Transition[Any, Any], ...]]:
    """Return the position after a number of plies, always the same, and the last three of them."""
    choose = seeded(f"{game.key} {seats}")
    since: list[Transition[Any, Any]] = []
    position = game.initial_position(seats, game.normalise_options({}))
    for _ in range(plies):
        match game.turn(position):
            case Chance(draw):
                move: Any = ChanceResult(sample(draw, iter(lambda: choose(256), -1)))
            case Seats():
                move = choose_random_move(game, position, choose)
            case _:
                break
        after = game.play(position, move)
        since = [*since[-2:], Transition(move, position, after)]
        position = after
    return position, tuple(since)
