"""Conversion of a `Draft` (a parsed move) into a legal move.

New seedlings that the player did not name are filled in if only one set of them is possible
(LG-7.8).
"""

from __future__ import annotations

from typing import Final

from pbem.errors import Rejection
from pbem.games.game import Seat
from pbem.games.logger.actions import (
    check_action,
    check_count,
    choppable_trees,
    plantable_cells,
    possible_acts,
)
from pbem.games.logger.grammar import Action, Draft, Reader
from pbem.games.logger.growth import (
    Ground,
    check_pairs,
    ground,
    group_growths,
    grow,
    list_spawns,
    old_mature,
)
from pbem.games.logger.notation import notation, samples
from pbem.games.logger.position import (
    BIT,
    CELLS,
    NOWHERE,
    Act,
    Move,
    Placing,
    Position,
    Spawns,
    WholeTurn,
    cell_names,
    cells,
    free_corners,
    reachable_cells,
)
from pbem.games.logger.rules import (
    already_placed,
    check_placing,
    check_reach,
    game_over,
    legal_moves,
    must_place,
)

_SAMPLE_COUNT: Final = 2  # sample moves in the answer to an empty email (LG-8.6)


def parse(text: str, position: Position, seat: Seat) -> Move:
    """Return the legal move that a player typed for the seat to act.

    The caller must have checked that it is the player's turn.

    Raises:
        Rejection: The text cannot be read, or the move is illegal.
    """
    del seat
    if position.cause:
        raise game_over(position)
    draft = Reader(text, position.here).read()
    if draft.is_empty:
        raise Rejection("order_empty", samples=samples(legal_moves(position), _SAMPLE_COUNT))
    if position.here == NOWHERE:
        return _placing(draft, position)
    if draft.has_place:
        raise already_placed(position)
    return _whole_turn(draft, position)


def _placing(draft: Draft, position: Position) -> Placing:
    if draft.actions or draft.spawns or not (draft.has_place or draft.is_cell_first):
        raise must_place(position)
    if draft.end is None:
        corners = cell_names(free_corners(position))
        raise Rejection("target_missing", action="place", cells=corners)
    check_placing(position, draft.end)
    return Placing(draft.end)


def _whole_turn(draft: Draft, position: Position) -> WholeTurn:
    start = position.here
    end = start if draft.end is None else draft.end  # LG-7.6
    if not draft.actions:
        raise Rejection("action_missing", cell=CELLS[end], kinds=_kinds(position, end))
    action = draft.actions[0]
    _check_count(action, position, end)
    check_reach(position, end)
    field = ground(position, end)
    pairs = tuple(sorted(draft.spawns))
    check_pairs(field, pairs)
    targets = tuple(sorted(action.targets))
    fitting = _fitting(field, pairs, action.act, targets)
    turns = [WholeTurn(start, end, spawns, action.act, targets) for spawns in fitting.values()]
    if len(turns) > 1:
        raise _spawn_missing(field, pairs, set(fitting), notation(turns[0]))
    return turns[0]


def _list_boards(position: Position, cell: int) -> list[Ground]:
    """Return the possible boards after the mover goes to `cell`, one for each legal growth.

    The list is empty if the cell is out of reach.
    """
    if not reachable_cells(position, position.here) & BIT[cell]:
        return []
    field = ground(position, cell)
    return [grow(field, sown) for sown in group_growths(field)]


def _kinds(position: Position, cell: int) -> list[str]:
    """Return the kinds of actions that some legal growth allows if the mover goes to `cell`.

    Rules: LG-8.17.
    """
    kinds = {kind for field in _list_boards(position, cell) for kind in possible_acts(field)}
    return [str(kind) for kind in Act if kind in kinds]


def _check_count(action: Action, position: Position, cell: int) -> None:
    """Raise a Rejection if a plant or chop does not have exactly one target (LG-8.18, LG-8.19).

    `cell` is the destination of the mover's logger. It is checked later.
    """
    if action.act not in {Act.PLANT, Act.CHOP} or len(action.targets) == 1:
        return
    bits = 0
    for field in _list_boards(position, cell):
        bits |= plantable_cells(field) if action.act is Act.PLANT else choppable_trees(field)
    check_count(action.act, action.targets, bits)


def _fitting(field: Ground, pairs: Spawns, act: Act, targets: tuple[int, ...]) -> dict[int, Spawns]:
    """Return the growths with the given pairs after which the action is legal (LG-7.8 to LG-7.10).

    The result maps the bit set of new cells of each growth to its (tree, new cell) pairs.

    Raises:
        Rejection: The action is illegal after every growth.
    """
    outcomes = group_growths(field, pairs)
    fitting = {
        sown: spawns
        for sown, spawns in outcomes.items()
        if _fault(field, sown, act, targets) is None
    }
    if not fitting:
        # LG-7.9: the pairs are legal, so report the action.
        fault = _fault(field, min(outcomes, key=cells), act, targets)
        if fault is not None:
            raise fault
    return fitting


def _fault(field: Ground, sown: int, act: Act, targets: tuple[int, ...]) -> Rejection | None:
    try:
        check_action(grow(field, sown), act, targets)
    except Rejection as fault:
        return fault
    return None


def _spawn_missing(field: Ground, spawns: Spawns, fitting: set[int], example: str) -> Rejection:
    """Return the Rejection for a move that fits several growths (LG-8.27).

    The facts have the possible cells for each tree that is not in the given pairs `spawns`.
    `fitting` has the bit set of new cells of each growth, and `example` is the move with one of
    these growths.
    """
    trees = {tree for tree, _ in spawns}
    sites: dict[int, int] = {tree: 0 for tree in cells(old_mature(field)) if tree not in trees}
    for sown, pairs in list_spawns(field, spawns):
        if sown in fitting:
            for tree, cell in pairs:
                if tree in sites:
                    sites[tree] |= BIT[cell]
    return Rejection(
        "spawn_missing",
        trees=[
            {"tree": CELLS[tree], "cells": cell_names(bits)} for tree, bits in sites.items() if bits
        ],
        example=example,
    )
