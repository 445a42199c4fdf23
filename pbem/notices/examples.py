"""Examples that can be typed as they stand: of moves, and in the help of the orders."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn
from pbem.notices.scene import VerbHelp


def first_move(game: Any) -> Any:
    """A move that can be typed in a fresh match, after draws of no consequence."""
    position = game.initial(game.seats[0], game.normal_options({}))
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, cycle(range(256)))))
    return game.legal(position)[0]


def filled(verb: VerbHelp, move: str) -> VerbHelp:
    """The help of an order with a move of the game in its examples."""
    return replace(verb, examples=tuple(text.format(move=move) for text in verb.examples))
