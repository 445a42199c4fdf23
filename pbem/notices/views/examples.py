"""Examples that can be typed as they stand: of moves, and in the help of the orders."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn
from pbem.notices.views.scene import VerbHelp


def first_moves(game: Any) -> tuple[Any, Any]:
    """Two moves that can be typed in a fresh match, after draws of no consequence."""
    position = game.initial(game.seats[0], game.normal_options({}))
    while isinstance(turn := game.turn(position), Chance):
        position = game.play(position, Drawn(answer(turn.draw, cycle(range(256)))))
    first, second, *_ = [*game.legal(position)] * 2
    return first, second


def filled(verb: VerbHelp, move: str, answer: str) -> VerbHelp:
    """The help of an order with moves of the game in its examples."""
    said = (text.format(move=move, answer=answer) for text in verb.examples)
    return replace(verb, examples=tuple(said))
