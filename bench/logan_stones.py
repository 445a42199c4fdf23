"""Logan Stones: random plies a second on one core, and what listing, playing and drawing cost.

The random player (LS-11.4) lists all legal turns in every ply and picks one of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, Style
from pbem.games.logan_stones import GAME, Move, Position
from pbem.games.logan_stones.shape import movable_spaces, shape

AIM = 5 * 1230
"""Random plies a second with all legal turns listed."""

GAMES_PLAYED = 400
REPEATS = 2000


def dealt(rng: random.Random, options: dict[str, str]) -> Position:
    """A game with its stones dealt."""
    position = GAME.initial_position(2, options)
    turn = GAME.turn(position)
    if not isinstance(turn, Chance):
        raise TypeError("a game begins with the deal")
    bytes_ = iter(lambda: rng.randrange(256), -1)
    return GAME.play(position, ChanceResult(sample(turn.draw, bytes_)))


def playout(rng: random.Random, options: dict[str, str]) -> Iterator[tuple[Position, Move]]:
    """The positions of a whole random game, each with the turn that is played in it."""
    position = dealt(rng, options)
    while legal := GAME.legal_moves(position):
        move = legal[int(rng.random() * len(legal))]
        yield position, move
        position = GAME.play(position, move)


def main() -> None:
    """Print the figures."""
    rng = random.Random(1)
    for stone_set in ("6x3", "9x2", "3x6"):
        options = GAME.normalise_options({"stone_set": stone_set})
        start = time.process_time()
        plies = sum(1 for _ in range(GAMES_PLAYED) for _ in playout(rng, options))
        spent = time.process_time() - start
        print(
            f"{stone_set}: {plies / spent:,.0f} random plies/s (aim {AIM:,}),"
            f" {GAMES_PLAYED / spent:,.0f} games/s"
        )
    options = GAME.normalise_options({})
    plays = [ply for _ in range(REPEATS // 10) for ply in playout(rng, options)][:REPEATS]
    for what, hands in (("adding", True), ("moving", False)):
        some = [position for position, _ in plays if bool(position.hand) == hands]
        _forget()
        _print_cost(f"legal listing, {what}", [partial(GAME.legal_moves, p) for p in some])
    _forget()
    _print_cost("one play", [partial(GAME.play, p, m) for p, m in plays])
    _forget()
    _print_cost("one board", [partial(GAME.board, p, None, Style.ASCII) for p, _ in plays])


def _forget() -> None:
    """Empty what is kept between calls, so that each position is looked at for the first time."""
    shape.cache_clear()
    movable_spaces.cache_clear()


def _print_cost(what: str, calls: Sequence[Callable[[], object]]) -> None:
    start = time.process_time()
    for call in calls:
        call()
    spent = time.process_time() - start
    print(f"{what}: {spent / len(calls) * 1e6:.1f} microseconds")


if __name__ == "__main__":
    main()
