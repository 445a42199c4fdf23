"""The Grow phase: what ripens, and which new seedlings are legal (LG-2.3 to LG-2.10, LG-5.4)."""

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
    free,
)


class Ground(NamedTuple):
    """What the mover has before it after Move, and again after Grow.

    `pieces` is how many trees can still come to the board: without a limit, one for every cell.
    """

    here: int
    trees: Trees
    free: int
    hand: int
    pieces: int


def ground(position: Position, to: int) -> Ground:
    """The ground after the move to a cell."""
    trees = position.trees
    pieces = len(CELLS)
    if position.limit:
        standing = trees.seedlings | trees.saplings | trees.mature
        pieces = max(0, position.limit - standing.bit_count())
    # LG-3.14: the cell that the mover left is free.
    empty = (free(position) | BIT[position.here]) & ~BIT[to]
    return Ground(to, trees, empty, position.hands[position.to_act - 1], pieces)


def old_mature(field: Ground) -> int:
    """LG-2.4, LG-2.6, LG-3.9: the trees that must spawn; a protester does not matter (LG-3.13)."""
    return field.trees.mature & CROSS[field.here]


def grow(field: Ground, sown: int) -> Ground:
    """The ground after Grow, new seedlings on the cells of `sown`, which are taken as legal."""
    here, (seedlings, saplings, mature, protested), empty, hand, pieces = field
    cross = CROSS[here]
    sprouting, ripening = seedlings & cross, saplings & cross  # LG-2.5
    trees = Trees(
        seedlings ^ sprouting | sown, saplings ^ ripening | sprouting, mature | ripening, protested
    )
    return Ground(here, trees, empty & ~sown, hand, pieces - sown.bit_count())


def growth_lists(field: Ground, given: Spawns = ()) -> Iterator[tuple[int, Spawns]]:
    """Every legal list of pairs that contains the given ones, with the set of its cells.

    The given pairs must have passed `check_pairs`. Lists of one length come in alphabetical order,
    as LG-7.10 wants them: a tree is asked for its first cell first and left out last.
    """
    trees = cells(old_mature(field))
    fixed = dict(given)
    sown = sum(BIT[cell] for cell in fixed.values())
    later = [0]
    for tree in reversed(trees):
        later.append(later[-1] | NEXT[tree])
    later.reverse()
    # LG-5.4: only where pieces may run short may a tree stay without one although it has room.
    short = field.pieces < len(trees)

    def ask(asked: int, sown: int, pairs: Spawns, wanted: int) -> Iterator[tuple[int, Spawns]]:
        lacking = wanted & ~sown
        if lacking & ~later[asked] and not short:
            return
        if asked == len(trees):
            if not lacking or sown.bit_count() == field.pieces:
                yield sown, pairs
            return
        tree = trees[asked]
        if tree in fixed:
            yield from ask(asked + 1, sown, (*pairs, (tree, fixed[tree])), wanted)
            return
        room = NEXT[tree] & field.free
        if sown.bit_count() < field.pieces:
            for cell in cells(room & ~sown):
                yield from ask(asked + 1, sown | BIT[cell], (*pairs, (tree, cell)), wanted)
        yield from ask(asked + 1, sown, pairs, wanted | room)

    yield from ask(0, sown, (), 0)


def growths(field: Ground, given: Spawns = ()) -> dict[int, Spawns]:
    """LG-2.10, LG-3.11: the outcomes of Grow by new cells, each with its first list (LG-7.10)."""
    if not old_mature(field):
        return {0: ()}
    found: dict[int, Spawns] = {}
    for sown, pairs in growth_lists(field, given):
        found.setdefault(sown, pairs)
    return found


def check_pairs(field: Ground, pairs: Spawns) -> None:
    """LG-8.21 to LG-8.26: refuse pairs that no legal growth contains."""
    trees = [tree for tree, _ in pairs]
    for tree in trees:
        if trees.count(tree) > 1:
            raise Rejection("spawn_tree_twice", tree=CELLS[tree])
    chosen = [cell for _, cell in pairs]
    for cell in chosen:
        if chosen.count(cell) > 1:
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
    """LG-2.9: refuse a list of pairs that is no legal and complete growth."""
    check_pairs(field, pairs)
    if len(pairs) == field.pieces:  # LG-5.4: no piece is left for the others.
        return
    asked = sum(BIT[tree] for tree, _ in pairs)
    empty = field.free & ~sum(BIT[cell] for _, cell in pairs)
    open_trees = [tree for tree in cells(old_mature(field) & ~asked) if NEXT[tree] & empty]
    if open_trees:
        raise Rejection(
            "spawn_missing",
            trees=[
                {"tree": CELLS[tree], "cells": cell_names(NEXT[tree] & empty)}
                for tree in open_trees
            ],
        )
