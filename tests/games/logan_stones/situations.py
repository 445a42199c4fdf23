"""Positions of the rulebook, and short ways to play, read and see them in tests."""

from __future__ import annotations

import random
from collections.abc import Callable

from pbem.errors import Rejection
from pbem.games.chance import sample
from pbem.games.game import ChanceResult
from pbem.games.logan_stones import GAME, Move, Position
from pbem.games.logan_stones.draws import DEAL
from pbem.games.logan_stones.spaces import label
from tests.games.driver import Driver

FIRST = GAME.load(  # LS-10.1
    "M20=SP M22=PR; hand 1 1 RS, 2 PP, 3 SR, 4 RP, 5 SS, 6 PP, 7 RR, 8 SS;"
    "hand 2 1 SP, 2 RR, 3 PS, 4 RS, 5 PP, 6 SS, 7 RR, 8 PR"
)
PICTURED = GAME.load(  # LS-9.2
    "L17=RR1 L19=SS* L21=SP* M16=SS2 M18=SP* M20=RR* M22=RP* N19=PS1 N21=PP* N23=SR2;"
    "hand 1 1 PP, 4 PR, 5 RS, 8 RR; hand 2 2 PR, 3 PP, 4 SR, 6 SS"
)
MOVING = GAME.load("M20=RP M22=SS N21=PR N23=SP")  # LS-10.4
LINKED = GAME.load("L21=RP L23=SP M22=PR N21=RR N23=SR O22=PS")  # LS-10.5
WINNING = GAME.load("L23=RR M20=PR M22=SR N19=PP N21=RP O20=RS; to move 2")  # LS-10.6
# LS-1.6: rows above A and below Z, numbers below 0.
FAR = GAME.load("-A-3=RP A-2=SS B-3=PR -B-2=SP")
DEEP = GAME.load("Z21=RP AA20=SS AA22=PR AB21=SP")


DRIVER = Driver(GAME)
FEW = GAME.load(
    "L21=RS M20=PS M22=PR N19=SP N21=RR; hand 1 2 PP, 5 SS;hand 2 1 SP, 2 RR; ply 12; stone_set 9x2"
)
played, read_as, see, picture = DRIVER.play, DRIVER.read, DRIVER.see, DRIVER.draw


def refusal(call: Callable[[], object]) -> str | None:
    """The code that a call refuses with, if it does."""
    try:
        call()
    except Rejection as rejection:
        return rejection.code
    return None


def island(position: Position) -> str:
    """The island without who has seen what, as the rulebook writes it."""
    return " ".join(f"{label(at)}={s.top}{s.bottom}" for at, s in position.island.items())


def options(**chosen: str) -> dict[str, str]:
    return GAME.normalise_options(chosen)


def dealt(seed: int | random.Random, **chosen: str) -> Position:
    rng = seed if isinstance(seed, random.Random) else random.Random(seed)
    drawn = ChanceResult(sample(DEAL, iter(lambda: rng.randrange(256), -1)))
    return GAME.play(GAME.initial_position(2, options(**chosen)), drawn)


def random_game(seed: int, **chosen: str) -> list[tuple[Position, Move]]:
    """The positions of a random game with the turns that were played in them."""
    rng = random.Random(seed)
    position, plies = dealt(rng, **chosen), []
    while legal := GAME.legal_moves(position):
        move = rng.choice(legal)
        plies.append((position, move))
        position = GAME.play(position, move)
    return plies
