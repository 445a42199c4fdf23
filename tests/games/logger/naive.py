"""A slow second opinion on Logger: the rules again, as dictionaries and by trying everything.

It shares nothing with pbem.games.logger but the text of positions and of moves, and follows the
statements of the rulebook one by one, without regard to time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

CELLS = [column + row for column in "abcde" for row in "12345"]

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class State:
    loggers: list[str]
    stages: dict[str, int]
    protested: frozenset[str]
    scores: list[int]
    hands: list[int]
    mover: int
    limit: int | None


def near(cell: str) -> list[str]:
    column, row = ord(cell[0]), int(cell[1])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [chr(x) + str(y) for x, y in around if chr(x) + str(y) in CELLS]


def state(text: str) -> State:
    """From the text of a position with turns to play."""
    parts = dict(re.findall(r"(loggers|trees|scores|hands|to move|left|tree_limit) ([^;]+)", text))
    trees = parts.get("trees", "").split()
    return State(
        loggers=parts["loggers"].split(", "),
        stages={tree[:2]: int(tree[3]) for tree in trees},
        protested=frozenset(tree[:2] for tree in trees if tree.endswith("*")),
        scores=[int(word) for word in parts["scores"].split(", ")],
        hands=[int(word) for word in parts["hands"].split(", ")],
        mover=int(parts["to move"]),
        limit=int(parts["tree_limit"]) if "tree_limit" in parts else None,
    )


def free(of: State) -> set[str]:
    return {cell for cell in CELLS if cell not in of.stages and cell not in of.loggers}


def reach(of: State) -> set[str]:
    """LG-2.2"""
    here = of.loggers[of.mover - 1]
    one = {cell for cell in near(here) if cell in free(of)}
    two = {cell for middle in one for cell in near(middle) if cell in free(of)}
    return {here} | one | two


def moved(of: State, to: str) -> State:
    loggers = list(of.loggers)
    loggers[of.mover - 1] = to
    return replace(of, loggers=loggers)


def old_mature(of: State) -> list[str]:
    """LG-2.3, LG-2.4, LG-2.6"""
    here = of.loggers[of.mover - 1]
    cross = [cell for cell in CELLS if cell != here and (cell[0] == here[0] or cell[1] == here[1])]
    return [cell for cell in cross if of.stages.get(cell) == 3]


def is_growth(of: State, pairs: Pairs) -> bool:
    """LG-2.9 (a) to (d), LG-5.4"""
    trees, cells = [tree for tree, _ in pairs], [cell for _, cell in pairs]
    if not all(tree in old_mature(of) for tree in trees):
        return False
    if len(set(trees)) < len(trees) or len(set(cells)) < len(cells):
        return False
    if not all(cell in free(of) and cell in near(tree) for tree, cell in pairs):
        return False
    if of.limit is not None:
        pieces = max(0, of.limit - len(of.stages))
        if len(pairs) > pieces:
            return False
        if len(pairs) == pieces:
            return True
    rest = free(of) - set(cells)
    return not any(set(near(tree)) & rest for tree in old_mature(of) if tree not in trees)


def all_growths(of: State) -> list[Pairs]:
    """Every list, tried one by one; None stands for a tree that is left out."""
    choices = [[None, *near(tree)] for tree in old_mature(of)]
    lists = []
    for cells in product(*choices):
        pairs = tuple(
            (tree, cell) for tree, cell in zip(old_mature(of), cells, strict=True) if cell
        )
        if is_growth(of, pairs):
            lists.append(pairs)
    return lists


def grown(of: State, pairs: Pairs) -> State:
    """LG-2.5, LG-2.8"""
    here = of.loggers[of.mover - 1]
    stages = dict(of.stages)
    for cell, stage in of.stages.items():
        if cell[0] == here[0] or cell[1] == here[1]:
            stages[cell] = min(3, stage + 1)
    stages.update((cell, 1) for _, cell in pairs)
    return replace(of, stages=stages)


def actions(of: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    """LG-2.11 to LG-2.15, on the state after Grow"""
    here, hand = of.loggers[of.mover - 1], of.hands[of.mover - 1]
    found: list[tuple[str, tuple[str, ...]]] = []
    mature = [cell for cell in CELLS if of.stages.get(cell) == 3]
    open_trees = [cell for cell in mature if cell not in of.protested]
    if of.limit is None or len(of.stages) < of.limit:
        found += [("plant", (cell,)) for cell in near(here) if cell in free(of)]
    found += [("chop", (cell,)) for cell in near(here) if cell in open_trees]
    for count in range(1, hand + 1):
        found += [("protest", chosen) for chosen in combinations(open_trees, count)]
    yield from found or [("pass", ())]


def acted(of: State, action: str, targets: tuple[str, ...]) -> State:
    here, seat = of.loggers[of.mover - 1], of.mover - 1
    stages, protested = dict(of.stages), set(of.protested)
    scores, hands = list(of.scores), list(of.hands)
    if action == "plant":
        stages[targets[0]] = 1
    if action == "protest":
        protested |= set(targets)
        hands[seat] -= len(targets)
    if action == "chop":
        x, y = ord(targets[0][0]) - ord(here[0]), int(targets[0][1]) - int(here[1])
        cell = targets[0]
        while stages.get(cell) == 3:
            del stages[cell]
            scores[seat] += 1
            hands[seat] += cell in protested
            protested.discard(cell)
            cell = chr(ord(cell[0]) + x) + str(int(cell[1]) + y)
    return replace(of, stages=stages, protested=frozenset(protested), scores=scores, hands=hands)


Turn = tuple[str, frozenset[str], str, frozenset[str]]
"""LG-11.1: destination, set of new cells, action with its targets."""


def legal(of: State) -> dict[Turn, State]:
    """Every distinct turn with the state that it leads to, before the next seat is chosen."""
    turns = {}
    for to in reach(of):
        there = moved(of, to)
        for pairs in all_growths(there):
            after = grown(there, pairs)
            for action, targets in actions(after):
                turn = (to, frozenset(cell for _, cell in pairs), action, frozenset(targets))
                turns[turn] = acted(after, action, targets)
    return turns
