"""The board as text, and as facts for the legend and for screen readers (rulebook, section 9)."""

from __future__ import annotations

from typing import Final

from pbem.errors import Fact, Facts
from pbem.games import squares
from pbem.games.game import Board, GameOver, SeatLetters, Style, Viewpoint
from pbem.games.logger.notation import notation, samples
from pbem.games.logger.position import (
    BIT,
    CELLS,
    CROSS,
    NOWHERE,
    SIDE,
    Position,
    cell_names,
    cells,
    free_cells,
    free_corners,
    reachable_cells,
)
from pbem.games.logger.rules import legal_moves, turn

LETTERS: Final = ("A", "B", "C", "D")  # default letters of the loggers, by seat (LG-9.2)

SIGNS: Final = {Style.ASCII: ("i", "Y", "T", " "), Style.UNICODE: ("i", "Y", "▲", "·")}
"""The signs of seedling, sapling, mature tree and free cell, by style (LG-9.2, LG-9.3)."""

_SAMPLE_COUNT: Final = 3
_MAX_LISTED: Final = 6  # if there are more legal turns than this, only samples are shown


def board(position: Position, viewpoint: Viewpoint, style: Style, signs: SeatLetters = ()) -> Board:
    """Return the board as text and facts. Nothing is hidden from any player (LG-6.1).

    The facts contain choices only if the viewpoint is the seat to act. `signs` has the letters of
    the loggers; if it is empty, LETTERS are used.
    """
    signs = signs or LETTERS
    inside = tuple(_cell_text(position, cell, style, signs) for cell in range(len(CELLS)))
    lines = squares.draw_board(SIDE, SIDE, inside, style)
    return Board(lines, _facts(position, viewpoint, style, signs))


def _cell_text(position: Position, cell: int, style: Style, signs: SeatLetters) -> str:
    """Return the text of a cell: two blanks, the sign, a star or blank, one blank (LG-9.1)."""
    seedling, sapling, mature, empty = SIGNS[style]
    trees, bit = position.trees, BIT[cell]
    if cell in position.loggers:
        sign = signs[position.loggers.index(cell)]
    elif trees.mature & bit:
        sign = mature
    elif trees.saplings & bit:
        sign = sapling
    else:
        sign = seedling if trees.seedlings & bit else empty
    return f"  {sign}{'*' if trees.protested & bit else ' '} "


def _facts(position: Position, viewpoint: Viewpoint, style: Style, signs: SeatLetters) -> Facts:
    trees = position.trees
    seedling, sapling, mature, empty = SIGNS[style]
    placing = not position.cause and position.here == NOWHERE
    standing = (trees.seedlings | trees.saplings | trees.mature).bit_count()
    facts: Facts = {
        "signs": {
            "seedling": seedling,
            "sapling": sapling,
            "mature": mature,
            "empty": empty.strip(),
            "lines": squares.strokes(style),
        },
        "seats": [
            {
                "seat": seat,
                "you": seat == viewpoint,
                "letter": signs[seat - 1],
                "cell": None if cell == NOWHERE else CELLS[cell],
                "points": position.scores[seat - 1],
                "hand": position.hands[seat - 1],
                "to_move": seat == position.to_act,
                "left": seat in position.left,
            }
            for seat, cell in enumerate(position.loggers, 1)
        ],
        "you": viewpoint,
        "to_move": position.to_act or None,
        "phase": "over" if position.cause else "placing" if placing else "turns",
        "over": _ending(position),
        "mature": cell_names(trees.mature & ~trees.protested),
        "protested": cell_names(trees.protested),
        "saplings": cell_names(trees.saplings),
        "seedlings": cell_names(trees.seedlings),
        "free": cell_names(free_cells(position)),
        "tree_limit": position.limit or None,
        "trees_left": max(0, position.limit - standing) if position.limit else None,
    }
    if position.cause or viewpoint != position.to_act:
        return {**facts, "can": None}
    return {**facts, "can": _choices(position)}


def _ending(position: Position) -> Fact:
    match turn(position):
        case GameOver(outcome):
            return {"termination": outcome.termination, "placings": outcome.placings}
        case _:
            return None


def _growing(position: Position, cell: int) -> Fact:
    """Return the names of the cells whose trees would grow if the mover went to `cell` (LG-2.5)."""
    trees = position.trees
    return cell_names((trees.seedlings | trees.saplings) & CROSS[cell])


def _choices(position: Position) -> Fact:
    """Return the choices of the seat to act as facts for the templates.

    `cells` has the cells to which the logger can go. `growing` maps these cells and the logger's
    present one to the trees that would grow. `samples` has sample turns; `all` says whether these
    are all legal turns.
    """
    turns = legal_moves(position)
    placing = position.here == NOWHERE
    short = len(turns) <= _MAX_LISTED
    area = 0 if placing else reachable_cells(position, position.here)
    return {
        "here": None if placing else CELLS[position.here],
        "cells": cell_names(free_corners(position) if placing else area & ~BIT[position.here]),
        "growing": {} if placing else {CELLS[end]: _growing(position, end) for end in cells(area)},
        "all": short,
        "samples": [notation(move) for move in turns] if short else samples(turns, _SAMPLE_COUNT),
    }
