"""The Act phase: legal actions after the Grow phase, and their effects (LG-2.11 to LG-2.16)."""

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


def plantable_cells(field: Ground) -> int:
    """Return the bit set of cells where a seedling can be planted (LG-2.12, LG-5.4)."""
    return NEXT[field.here] & field.free if field.pieces else 0


def choppable_trees(field: Ground) -> int:
    """Return the bit set of trees that the logger can chop (LG-2.14).

    Trees that only fall with the chopped tree, in a line behind it, are not included.
    """
    return NEXT[field.here] & field.trees.mature & ~field.trees.protested


def protectable_trees(field: Ground) -> int:
    """Return the bit set of trees that can get a protester; 0 if the mover has no protester.

    Rules: LG-2.13, LG-3.15.
    """
    return field.trees.mature & ~field.trees.protested if field.hand else 0


def possible_acts(field: Ground) -> list[Act]:
    """Return the kinds of legal actions. A pass is legal only if nothing else is (LG-2.15)."""
    kinds = []
    if plantable_cells(field):
        kinds.append(Act.PLANT)
    if choppable_trees(field):
        kinds.append(Act.CHOP)
    if protectable_trees(field):
        kinds.append(Act.PROTEST)
    return kinds or [Act.PASS]


def actions(field: Ground) -> Iterator[tuple[Act, tuple[int, ...]]]:
    """Yield every legal action with its targets (LG-11.1).

    A protest is listed once for each possible set of trees.
    """
    has_action = False
    for cell in cells(plantable_cells(field)):
        has_action = True
        yield Act.PLANT, (cell,)
    for cell in cells(choppable_trees(field)):
        has_action = True
        yield Act.CHOP, (cell,)
    trees = cells(protectable_trees(field))
    for count in range(1, min(field.hand, len(trees)) + 1):
        for targets in combinations(trees, count):
            has_action = True
            yield Act.PROTEST, targets
    if not has_action:
        yield Act.PASS, ()


def line(field: Ground, first: int) -> int:
    """Return the bit set of trees that fall if the cell `first` is chopped (LG-2.14, LG-3.20)."""
    felled = BIT[first]
    for cell in BEHIND[field.here, first]:
        if not field.trees.mature & BIT[cell]:  # LG-3.2, LG-3.3: a gap, a logger, a young tree
            break
        felled |= BIT[cell]
    return felled


def act(field: Ground, action: Act, targets: tuple[int, ...]) -> tuple[Trees, int, int]:
    """Return the trees after a legal action, the points for it, and the protesters then in hand."""
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
    """Raise a Rejection if the action is illegal after the Grow phase (LG-8.28 to LG-8.39)."""
    match action:
        case Act.PLANT:
            check_count(action, targets, plantable_cells(field))
            _check_plant(field, targets[0])
        case Act.CHOP:
            check_count(action, targets, choppable_trees(field))
            _check_chop(field, targets[0])
        case Act.PROTEST:
            _check_protest(field, targets)
        case Act.PASS:
            kinds = possible_acts(field)
            if kinds != [Act.PASS]:
                raise Rejection("must_act", kinds=[*map(str, kinds)])


def check_count(action: Act, targets: Sequence[int], legal: int) -> None:
    """Raise a Rejection if a plant or chop does not name exactly one cell (LG-8.18, LG-8.19).

    `legal` is the bit set of legal cells, which the Rejection lists if no cell is named.
    """
    if not targets:
        raise Rejection("target_missing", action=str(action), cells=cell_names(legal))
    if len(targets) > 1:
        names = [CELLS[cell] for cell in targets]
        raise Rejection("one_target", action=str(action), cells=names)


def _check_plant(field: Ground, cell: int) -> None:
    allowed = plantable_cells(field)
    if allowed & BIT[cell]:
        return
    if not NEXT[field.here] & BIT[cell]:
        code = "plant_not_adjacent"
    elif not field.free & BIT[cell]:
        code = "plant_occupied"
    else:
        # No piece is left, so the number of trees on the board is the limit.
        seedlings, saplings, mature, _ = field.trees
        limit = (seedlings | saplings | mature).bit_count()
        raise Rejection("plant_no_pieces", cell=CELLS[cell], limit=limit)
    raise Rejection(code, cell=CELLS[cell], here=CELLS[field.here], cells=cell_names(allowed))


def _check_chop(field: Ground, cell: int) -> None:
    allowed = choppable_trees(field)
    bit = BIT[cell]
    if allowed & bit:
        return
    stage = find_occupant(field, cell)
    if not NEXT[field.here] & bit:
        code = "chop_not_adjacent"
    elif stage in {"free", "logger"}:
        code = "chop_no_tree"
    elif stage != "mature":
        code = "chop_not_mature"
    else:
        code = "chop_protested"
    start = CELLS[field.here]
    raise Rejection(code, cell=CELLS[cell], here=start, stage=stage, cells=cell_names(allowed))


def _check_protest(field: Ground, targets: tuple[int, ...]) -> None:
    if not targets:
        raise Rejection(
            "protest_empty", cells=cell_names(protectable_trees(field)), hand=field.hand
        )
    # LG-8.40: first trees named twice, then too many, then tree by tree.
    for cell in targets:
        if targets.count(cell) > 1:
            raise Rejection("protest_twice", cell=CELLS[cell], named_twice=True)
    if len(targets) > field.hand:
        raise Rejection("protest_supply", named=len(targets), hand=field.hand)
    for cell in sorted(targets):
        if not field.trees.mature & BIT[cell]:
            allowed = cell_names(protectable_trees(field))
            stage = find_occupant(field, cell)
            raise Rejection("protest_not_mature", cell=CELLS[cell], stage=stage, cells=allowed)
        if field.trees.protested & BIT[cell]:
            raise Rejection("protest_twice", cell=CELLS[cell], named_twice=False)


def find_occupant(field: Ground, cell: int) -> str:
    """Return what the cell holds: `free`, `logger`, `seedling`, `sapling` or `mature`."""
    bit = BIT[cell]
    for name, bits in (
        ("seedling", field.trees.seedlings),
        ("sapling", field.trees.saplings),
        ("mature", field.trees.mature),
        ("free", field.free),
    ):
        if bits & bit:
            return name
    return "logger"
