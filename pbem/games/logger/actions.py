"""The Act phase: what is possible on the ground after Grow, and what it does (LG-2.11 ff.)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import assert_never

from pbem.errors import Rejection
from pbem.games.logger.growth import Ground
from pbem.games.logger.position import (
    BEHIND,
    BIT,
    CELLS,
    NEXT,
    Act,
    Trees,
    cell_names,
    cells,
)


def plantable(field: Ground) -> int:
    """LG-2.12, LG-5.4: where a seedling can be planted."""
    return NEXT[field.here] & field.free if field.pieces else 0


def choppable(field: Ground) -> int:
    """LG-2.14: the trees with which a chop can begin."""
    return NEXT[field.here] & field.trees.mature & ~field.trees.protested


def protectable(field: Ground) -> int:
    """LG-2.13, LG-3.15: the trees that can get a protester, if the mover has one in hand."""
    return field.trees.mature & ~field.trees.protested if field.hand else 0


def possible(field: Ground) -> list[Act]:
    """The kinds of action that can be done; pass where there is no other (LG-2.15)."""
    kinds = []
    if plantable(field):
        kinds.append(Act.PLANT)
    if choppable(field):
        kinds.append(Act.CHOP)
    if protectable(field):
        kinds.append(Act.PROTEST)
    return kinds or [Act.PASS]


def actions(field: Ground) -> Iterator[tuple[Act, tuple[int, ...]]]:
    """Every legal action with its targets; a protest once per set of trees (LG-11.1)."""
    found = False
    for cell in cells(plantable(field)):
        found = True
        yield Act.PLANT, (cell,)
    for cell in cells(choppable(field)):
        found = True
        yield Act.CHOP, (cell,)
    trees = cells(protectable(field))
    for count in range(1, min(field.hand, len(trees)) + 1):
        for chosen in combinations(trees, count):
            found = True
            yield Act.PROTEST, chosen
    if not found:
        yield Act.PASS, ()


def line(field: Ground, first: int) -> int:
    """LG-2.14, LG-3.20: the trees that fall when `first` is chopped."""
    felled = BIT[first]
    for cell in BEHIND[field.here, first]:
        if not field.trees.mature & BIT[cell]:  # LG-3.2, LG-3.3: a gap, a logger, a young tree.
            break
        felled |= BIT[cell]
    return felled


def act(field: Ground, action: Act, targets: tuple[int, ...]) -> tuple[Trees, int, int]:
    """The trees after a legal action, the points that it scores, and the mover's hand."""
    seedlings, saplings, mature, protested = field.trees
    match action:
        case Act.PLANT:
            return Trees(seedlings | BIT[targets[0]], saplings, mature, protested), 0, field.hand
        case Act.CHOP:
            felled = line(field, targets[0])
            trees = Trees(seedlings, saplings, mature & ~felled, protested & ~felled)
            return trees, felled.bit_count(), field.hand + (felled & protested).bit_count()
        case Act.PROTEST:
            for cell in targets:
                protested |= BIT[cell]
            hand = field.hand - len(targets)
            return Trees(seedlings, saplings, mature, protested), 0, hand
        case Act.PASS:
            return field.trees, 0, field.hand
    assert_never(action)


def check_action(field: Ground, action: Act, targets: tuple[int, ...]) -> None:
    """LG-8.28 to LG-8.39: refuse an action that is not legal on the ground after Grow."""
    match action:
        case Act.PLANT:
            check_count(action, targets, plantable(field))
            _check_plant(field, targets[0])
        case Act.CHOP:
            check_count(action, targets, choppable(field))
            _check_chop(field, targets[0])
        case Act.PROTEST:
            _check_protest(field, targets)
        case Act.PASS:
            kinds = possible(field)
            if kinds != [Act.PASS]:
                raise Rejection("must_act", kinds=[*map(str, kinds)])


def check_count(action: Act, targets: Sequence[int], among: int) -> None:
    """LG-8.18, LG-8.19: plant and chop take one cell; `among` are those that would do."""
    if not targets:
        raise Rejection("target_missing", action=str(action), cells=cell_names(among))
    if len(targets) > 1:
        named = [CELLS[cell] for cell in targets]
        raise Rejection("one_target", action=str(action), cells=named)


def _check_plant(field: Ground, cell: int) -> None:
    allowed = plantable(field)
    if allowed & BIT[cell]:
        return
    if not NEXT[field.here] & BIT[cell]:
        code = "plant_not_adjacent"
    elif not field.free & BIT[cell]:
        code = "plant_occupied"
    else:
        # No piece is left, so that as many trees stand as the limit allows.
        seedlings, saplings, mature, _ = field.trees
        limit = (seedlings | saplings | mature).bit_count()
        raise Rejection("plant_no_pieces", cell=CELLS[cell], limit=limit)
    raise Rejection(code, cell=CELLS[cell], here=CELLS[field.here], cells=cell_names(allowed))


def _check_chop(field: Ground, cell: int) -> None:
    allowed = choppable(field)
    bit = BIT[cell]
    if allowed & bit:
        return
    stage = standing(field, cell)
    if not NEXT[field.here] & bit:
        code = "chop_not_adjacent"
    elif stage in {"free", "logger"}:
        code = "chop_no_tree"
    elif stage != "mature":
        code = "chop_not_mature"
    else:
        code = "chop_protested"
    here = CELLS[field.here]
    raise Rejection(code, cell=CELLS[cell], here=here, stage=stage, cells=cell_names(allowed))


def _check_protest(field: Ground, targets: tuple[int, ...]) -> None:
    if not targets:
        raise Rejection("protest_empty", cells=cell_names(protectable(field)), hand=field.hand)
    # LG-8.40: named twice, then too many, then tree by tree.
    for cell in targets:
        if targets.count(cell) > 1:
            raise Rejection("protest_twice", cell=CELLS[cell], named_twice=True)
    if len(targets) > field.hand:
        raise Rejection("protest_supply", named=len(targets), hand=field.hand)
    for cell in sorted(targets):
        if not field.trees.mature & BIT[cell]:
            allowed = cell_names(protectable(field))
            stage = standing(field, cell)
            raise Rejection("protest_not_mature", cell=CELLS[cell], stage=stage, cells=allowed)
        if field.trees.protested & BIT[cell]:
            raise Rejection("protest_twice", cell=CELLS[cell], named_twice=False)


def standing(field: Ground, cell: int) -> str:
    """What stands on a cell: `free`, `logger`, `seedling`, `sapling` or `mature`."""
    bit = BIT[cell]
    for name, among in (
        ("seedling", field.trees.seedlings),
        ("sapling", field.trees.saplings),
        ("mature", field.trees.mature),
        ("free", field.free),
    ):
        if among & bit:
            return name
    return "logger"
