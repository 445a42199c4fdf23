"""The effects of a move as facts for the templates (LG-9.4)."""

from __future__ import annotations

from pbem.errors import Facts
from pbem.games.game import ChanceResult
from pbem.games.logger.growth import Ground, ground, grow
from pbem.games.logger.position import (
    BIT,
    CELLS,
    NEXT,
    Act,
    Move,
    Placing,
    Position,
    WholeTurn,
    cell_names,
    free_cells,
)


def move_facts(move: Move | ChanceResult, before: Position, after: Position) -> Facts:
    """Return the effects of a move as facts for the templates.

    Cells are given by name. `way` has the cells by which a walk of two steps can go. `points` is
    the number of felled trees, and `won` the number of protesters on the felled trees.
    """
    match move:
        case ChanceResult():
            raise TypeError("nothing is drawn in Logger but the seat order")
        case Placing(cell):
            return {"kind": "place", "seat": before.to_act, "to": CELLS[cell], **_end(after)}
        case WholeTurn():
            return {**_turn_facts(move, before, after), **_end(after)}


def _turn_facts(move: WholeTurn, before: Position, after: Position) -> Facts:
    old = ground(before, move.end)
    grown = grow(old, sum(BIT[cell] for _, cell in move.spawns))
    seat = before.to_act
    felled = grown.trees.mature & ~after.trees.mature
    return {
        "kind": str(move.action),
        "seat": seat,
        "from": CELLS[move.start],
        "way": cell_names(NEXT[move.start] & NEXT[move.end] & free_cells(before)),
        "to": CELLS[move.end],
        "stayed": move.start == move.end,
        "saplings": cell_names(grown.trees.saplings & old.trees.seedlings),
        "ripened": cell_names(grown.trees.mature & ~old.trees.mature),
        "spawned": [{"tree": CELLS[tree], "cell": CELLS[cell]} for tree, cell in move.spawns],
        "cells": [CELLS[cell] for cell in move.cells],
        "felled": cell_names(felled) if move.action is Act.CHOP else [],
        "points": after.scores[seat - 1] - before.scores[seat - 1],
        "won": _count_protesters(grown, felled),
        "score": after.scores[seat - 1],
        "hand": after.hands[seat - 1],
    }


def _count_protesters(grown: Ground, felled: int) -> int:
    """Return the number of protesters on the felled trees, which the mover gets (LG-2.14)."""
    return (grown.trees.protested & felled).bit_count()


def _end(after: Position) -> Facts:
    return {"over": after.cause or None}
