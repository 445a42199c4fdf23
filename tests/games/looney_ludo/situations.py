"""Positions of the rulebook, and short ways to play and read them in tests."""

from __future__ import annotations

import random

from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult
from pbem.games.looney_ludo import GAME, Move, Position
from tests.games.driver import Driver

TABLE = "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
DRIVER = Driver(GAME)
PIECES = "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; "  # LL-9.6


def start(dice: str, pieces: str = PIECES, more: str = "") -> Position:
    """The boards of LL-9.6, Red on turn."""
    return GAME.load(f"{TABLE}{pieces}dice {dice}{more}")


new = DRIVER.start


parsed, played, read_as, part = DRIVER.parse, DRIVER.play, DRIVER.read, DRIVER.find_part


def squares(position: Position) -> dict[str, str]:
    """The occupied squares, as the rulebook writes them: `R.c` and `Bm<Rs`."""
    return dict(text.split("=") for text in DRIVER.find_part(position, "pieces ").split())


def drawn(position: Position, rng: random.Random) -> ChanceResult:
    turn = GAME.turn(position)
    assert isinstance(turn, Chance)
    return ChanceResult(sample(turn.draw, iter(lambda: rng.randrange(256), -1)))


def rolled(position: Position, rng: random.Random) -> Position:
    """The position once somebody may act, or at the end."""
    while isinstance(GAME.turn(position), Chance):
        position = GAME.play(position, drawn(position, rng))
    return position


def random_step(position: Position, rng: random.Random) -> Move:
    """A legal step, each kind of action as likely as a movement."""
    legal = GAME.legal_moves(position)
    moves = [move for move in legal[:60] if GAME.notation(move)[0].isupper()]
    return rng.choice(moves) if moves and rng.random() < 0.6 else rng.choice(legal)
