"""The Grow phase: trees ripen, and old mature trees spawn seedlings (LG-2.3 to LG-2.10, LG-5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.errors import Rejection
from pbem.games.logger.position import (
    BIT,
    CELLS,
    CROSS,
    NEXT,
    Position,
    Spawns,
    Trees,
    cell_names,
    cells,
    free_cells,
)


class Ground(NamedTuple):
    """The board between the phases of a turn, and what the mover can still place on it.

    Attributes:
        here: The cell of the mover's logger.
        trees: The trees on the board.
        free: The bit set of cells without tree or logger.
        hand: The number of protesters in the mover's hand.
        pieces: The number of trees that can still be placed on the board. If the match has no tree
            limit, this is the number of all cells.
    """

    here: int
    trees: Trees
    free: int
    hand: int
    pieces: int


def ground(position: Position, cell: int) -> Ground:
    """Return the board after the Move phase, in which the mover has gone to `cell`."""
    trees = position.trees
    pieces = len(CELLS)
    if position.limit:
        standing = trees.seedlings | trees.saplings | trees.mature
        pieces = max(0, position.limit - standing.bit_count())
    # LG-3.14: the cell that the mover left is free.
    empty = (free_cells(position) | BIT[position.here]) & ~BIT[cell]
    return Ground(cell, trees, empty, position.hands[position.to_act - 1], pieces)


def old_mature(field: Ground) -> int:
    """Return the bit set of trees that must spawn: mature trees in the mover's row and column.

    Trees with protesters are included. Rules: LG-2.4, LG-2.6, LG-3.9, LG-3.13.
    """
    return field.trees.mature & CROSS[field.here]


def grow(field: Ground, sown: int) -> Ground:
    """Return the board after the Grow phase.

    `sown` is the bit set of cells with new seedlings. The caller must have checked that these
    seedlings are legal.
    """
    cell, (seedlings, saplings, mature, protested), empty, hand, pieces = field
    cross = CROSS[cell]
    sprouting, ripening = seedlings & cross, saplings & cross  # LG-2.5
    trees = Trees(
        seedlings ^ sprouting | sown, saplings ^ ripening | sprouting, mature | ripening, protested
    )
    return Ground(cell, trees, empty & ~sown, hand, pieces - sown.bit_count())


def list_spawns(field: Ground, spawns: Spawns = ()) -> Iterator[tuple[int, Spawns]]:
    """Yield every legal list of new seedlings that contains the given pairs `spawns`.

    A pair is a tree and the cell of its new seedling. The given pairs must have passed
    `check_pairs`. Each item is the bit set of the new cells, and the list of pairs. Lists of the
    same length come in alphabetical order, so that `group_growths` can keep the first one
    (LG-7.10).
    """
    trees = cells(old_mature(field))
    fixed = dict(spawns)
    sown = sum(BIT[cell] for cell in fixed.values())
    later = [0]
    for tree in reversed(trees):
        later.append(later[-1] | NEXT[tree])
    later.reverse()
    # LG-5.4: a tree next to a free cell must spawn, unless too few pieces are left for all trees.
    short = field.pieces < len(trees)

    def ask(index: int, sown: int, pairs: Spawns, needed: int) -> Iterator[tuple[int, Spawns]]:
        lacking = needed & ~sown
        if lacking & ~later[index] and not short:
            return
        if index == len(trees):
            if not lacking or sown.bit_count() == field.pieces:
                yield sown, pairs
            return
        tree = trees[index]
        if tree in fixed:
            yield from ask(index + 1, sown, (*pairs, (tree, fixed[tree])), needed)
            return
        room = NEXT[tree] & field.free
        if sown.bit_count() < field.pieces:
            for cell in cells(room & ~sown):
                yield from ask(index + 1, sown | BIT[cell], (*pairs, (tree, cell)), needed)
        yield from ask(index + 1, sown, pairs, needed | room)

    yield from ask(0, sown, (), 0)


def group_growths(field: Ground, spawns: Spawns = ()) -> dict[int, Spawns]:
    """Return the legal growths that contain the given (tree, new cell) pairs.

    A growth consists of all new seedlings of a turn. The result maps the bit set of its new cells
    to its pairs. If several lists of pairs have the same new cells, the result has only the
    alphabetically first list (LG-2.10, LG-3.11, LG-7.10).
    """
    if not old_mature(field):
        return {0: ()}
    outcomes: dict[int, Spawns] = {}
    for sown, pairs in list_spawns(field, spawns):
        outcomes.setdefault(sown, pairs)
    return outcomes


def check_pairs(field: Ground, pairs: Spawns) -> None:
    """Raise a Rejection if no legal growth has the (tree, new cell) pairs (LG-8.21 to LG-8.26)."""
    trees = [tree for tree, _ in pairs]
    for tree in trees:
        if trees.count(tree) > 1:
            raise Rejection("spawn_tree_twice", tree=CELLS[tree])
    new_cells = [cell for _, cell in pairs]
    for cell in new_cells:
        if new_cells.count(cell) > 1:
            raise Rejection("spawn_cell_twice", cell=CELLS[cell])
    for tree, cell in sorted(pairs):
        _check_pair(field, tree, cell)
    if len(pairs) > field.pieces:
        raise Rejection("spawn_no_pieces", left=field.pieces, named=len(pairs))


def _check_pair(field: Ground, tree: int, cell: int) -> None:
    old = old_mature(field)
    if not old & BIT[tree]:
        raise Rejection("spawn_wrong_tree", tree=CELLS[tree], trees=cell_names(old))
    room = NEXT[tree] & field.free
    if not NEXT[tree] & BIT[cell]:
        code = "spawn_not_adjacent"
    elif not room & BIT[cell]:
        code = "spawn_cell_occupied"
    else:
        return
    raise Rejection(code, tree=CELLS[tree], cell=CELLS[cell], cells=cell_names(room))


def check_growth(field: Ground, pairs: Spawns) -> None:
    """Raise a Rejection if the (tree, new cell) pairs are not a complete legal growth (LG-2.9)."""
    check_pairs(field, pairs)
    if len(pairs) == field.pieces:  # LG-5.4: no piece is left for other trees
        return
    parents = sum(BIT[tree] for tree, _ in pairs)
    empty = field.free & ~sum(BIT[cell] for _, cell in pairs)
    open_trees = [tree for tree in cells(old_mature(field) & ~parents) if NEXT[tree] & empty]
    if open_trees:
        raise Rejection(
            "spawn_missing",
            trees=[
                {"tree": CELLS[tree], "cells": cell_names(NEXT[tree] & empty)}
                for tree in open_trees
            ],
        )
