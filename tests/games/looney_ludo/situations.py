"""Positions of the rulebook, and short ways to play and read them in tests."""

from __future__ import annotations

import random
from functools import cache

from pbem.bots.search import Effort, search
from pbem.errors import Rejection
from pbem.games.chance import sample
from pbem.games.game import Chance, ChanceResult, GameOver, Seat
from pbem.games.looney_ludo import GAME, Move, Position

TABLE = "seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
PIECES = "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; "  # LL-9.6


def start(dice: str, pieces: str = PIECES, more: str = "") -> Position:
    """The boards of LL-9.6, Red on turn."""
    return GAME.load(f"{TABLE}{pieces}dice {dice}{more}")


def new(seats: int, **options: str) -> Position:
    return GAME.initial_position(seats, GAME.normalise_options(options))


def parsed(position: Position, typed: str) -> Move:
    return GAME.parse(typed, position, Seat(position.to_act))


def played(position: Position, *typed: str) -> Position:
    """Turns as typed; a draw is written as its values, as in `* 4 3`."""
    for text in typed:
        if text.startswith("* "):
            position = GAME.play(position, GAME.read_chance(text[2:], position))
        else:
            position = GAME.play(position, parsed(position, text))
    return position


def read_as(position: Position, typed: str) -> str:
    """The canonical form, or the code of the refusal."""
    try:
        return GAME.notation(parsed(position, typed))
    except Rejection as rejection:
        return rejection.code


def part(position: Position, key: str) -> str:
    """A part of the position's text, empty where it is not there."""
    parts = [text for text in GAME.dump(position).split("; ") if text.startswith(f"{key} ")]
    return parts[0].removeprefix(f"{key} ") if parts else ""


def squares(position: Position) -> dict[str, str]:
    """The occupied squares, as the rulebook writes them: `R.c` and `Bm<Rs`."""
    return dict(text.split("=") for text in part(position, "pieces").split())


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


@cache
def greedy_game(seats: int) -> list[tuple[Position, Move | ChanceResult]]:
    """A whole game of players who look one turn ahead: its positions with what came of them.

    Random players hardly ever finish this game (LL-11.6).
    """
    rng = random.Random(seats)
    position = new(seats)
    steps: list[tuple[Position, Move | ChanceResult]] = []
    effort = Effort(plays=100, ahead=1, wide=1)
    while not isinstance(turn := GAME.turn(position), GameOver):
        move: Move | ChanceResult
        if isinstance(turn, Chance):
            move = drawn(position, rng)
        else:
            move = search(GAME, position, turn.seats[0], rng.randrange, effort)[0].move
        steps.append((position, move))
        position = GAME.play(position, move)
    return steps
