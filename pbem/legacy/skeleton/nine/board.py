"""The board in signs, and the facts that texts/ make words of."""

from __future__ import annotations

from typing import Final

from pbem.errors import Facts
from pbem.games import squares
from pbem.games.game import Board, Drawn, Signs, Style, Viewpoint
from pbem.games.usual import usual_facts
from pbem.legacy.skeleton.nine.notation import notation
from pbem.legacy.skeleton.nine.rules import CELLS, SIDE, Move, Position, legal, turn

SEATS: Final = ("X", "O")
"""The signs of the seats."""


def board(position: Position, viewpoint: Viewpoint, style: Style, signs: Signs = ()) -> Board:
    """The board; nothing is hidden, so every viewpoint sees the same."""
    del signs  # those of the seats are fixed
    inside = [f" {SEATS[seat - 1] if seat else ' '} " for seat in position.cells]
    lines = squares.picture(SIDE, SIDE, inside, style)
    now, moves = turn(position), legal(position)
    usual = usual_facts(now, len(SEATS), viewpoint, moves, notation, signs=SEATS)
    cells = [
        [name for name, holder in zip(CELLS, position.cells, strict=True) if holder == seat]
        for seat in range(len(SEATS) + 1)
    ]
    return Board(lines, {**usual, "cells": cells, "lines": squares.strokes(style)})


def facts(move: Move | Drawn, before: Position, after: Position) -> Facts:
    """What happened, for told.txt.j2 and choice.txt.j2."""
    del after
    if isinstance(move, Drawn):
        raise TypeError("nothing is drawn here")
    return {"cell": CELLS[move.cell], "seat": before.to_act}
