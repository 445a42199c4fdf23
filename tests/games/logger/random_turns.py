"""The stepwise random player (LG-11.3): it picks a turn part by part, without listing them all.

It is the yardstick of section 11. `choose(n)` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.logger.actions import choppable, plantable, protectable
from pbem.games.logger.growth import Ground, ground, grow, old_mature
from pbem.games.logger.position import (
    BIT,
    NEXT,
    NOWHERE,
    Act,
    Move,
    Placing,
    Position,
    Spawns,
    WholeTurn,
    cells,
    free_corners,
    reach,
)


def stepwise(position: Position, choose: Callable[[int], int]) -> Move:
    """One complete and legal move."""
    if position.here == NOWHERE:
        corners = cells(free_corners(position))
        return Placing(corners[choose(len(corners))])
    options = cells(reach(position, position.here))
    to = options[choose(len(options))]
    field = ground(position, to)
    spawns = growth(field, choose)
    after = grow(field, sum(BIT[cell] for _, cell in spawns))
    action, targets = _act(after, choose)
    return WholeTurn(position.here, to, spawns, action, targets)


def growth(field: Ground, choose: Callable[[int], int]) -> Spawns:
    """New seedlings: the trees in random order, each with one of its free neighbours."""
    spawns: list[tuple[int, int]] = []
    empty = field.free
    trees = list(cells(old_mature(field)))
    while trees and len(spawns) < field.pieces:
        tree = trees.pop(choose(len(trees)))
        room = cells(NEXT[tree] & empty)
        if room:
            cell = room[choose(len(room))]
            spawns.append((tree, cell))
            empty ^= BIT[cell]
    return tuple(sorted(spawns))


def _act(field: Ground, choose: Callable[[int], int]) -> tuple[Act, tuple[int, ...]]:
    kinds = [
        (action, among)
        for action, among in (
            (Act.PLANT, plantable(field)),
            (Act.CHOP, choppable(field)),
            (Act.PROTEST, protectable(field)),
        )
        if among
    ]
    if not kinds:
        return Act.PASS, ()
    action, among = kinds[choose(len(kinds))]
    targets = list(cells(among))
    if action is not Act.PROTEST:
        return action, (targets[choose(len(targets))],)
    most = min(field.hand, len(targets))
    chosen = [targets.pop(choose(len(targets))) for _ in range(choose(most) + 1)]
    return action, tuple(sorted(chosen))
