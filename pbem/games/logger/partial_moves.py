"""Turns that a player composes step by step on a web page: destination, seedlings, action."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.errors import Facts
from pbem.games.game import PartialMove
from pbem.games.logger.actions import possible_acts
from pbem.games.logger.growth import ground, grow
from pbem.games.logger.notation import read_notation
from pbem.games.logger.position import (
    BIT,
    CELLS,
    NEXT,
    NOWHERE,
    NUMBERS,
    Act,
    Move,
    Position,
    WholeTurn,
    free_cells,
)
from pbem.games.logger.rules import play

_CELL: Final = "[a-e][1-5]"
_BEGUN: Final = re.compile(rf"(stay|{_CELL})(?P<rest>.*)")
_PAIR: Final = re.compile(rf"({_CELL})>({_CELL})")
_ACT: Final = re.compile(rf"; (?P<act>plant|chop|protest|pass)(?P<cells> {_CELL}.*)?$")
_TREE: Final = re.compile(rf"[;,] ({_CELL})$")
_PROTEST: Final = "; protest "


def partial_move(
    position: Position, text: str, following: Sequence[str]
) -> PartialMove[Position, Move]:
    """Return the state of a turn that a player has begun to compose.

    `text` is the beginning of the turn in canonical notation, and `following` has the words
    that can come next. The position shows the movement, the growth and the new seedlings chosen
    so far.
    """
    parsed = _BEGUN.fullmatch(text)
    if position.here == NOWHERE:
        if text[-2:] not in NUMBERS:
            return PartialMove(position, None, {"kind": "place"})
        return _complete(position, text, {"kind": "done"})
    if parsed is None:
        return PartialMove(position, None, {"kind": "go", "here": CELLS[position.here]})
    base: Facts = {"boxed": not NEXT[position.here] & free_cells(position)}
    end = position.here if parsed[1] == "stay" else NUMBERS[parsed[1]]
    act = _ACT.search(parsed["rest"])
    if act is not None and (act["cells"] or act["act"] == "pass"):
        kind = "more" if following else "done"
        cells = (act["cells"] or "").split(", ")
        return _complete(position, text, {**base, "kind": kind, "cells": cells})
    pairs = tuple((NUMBERS[tree], NUMBERS[cell]) for tree, cell in _PAIR.findall(parsed["rest"]))
    field = grow(ground(position, end), sum(BIT[cell] for _, cell in pairs))
    seat = position.to_act
    loggers = (*position.loggers[: seat - 1], end, *position.loggers[seat:])
    tree = _TREE.search(parsed["rest"]) if act is None else None
    facts: Facts = {"kind": "act"}
    if act is not None:
        facts = {"kind": act["act"], "only": len(possible_acts(field)) == 1}
    elif tree is not None:
        facts = {"kind": "sow", "tree": tree[1]}
    elif not {*following} <= {*Act}:
        facts = {"kind": "tree"}
    facts = {**base, "here": CELLS[end], **facts}
    move = WholeTurn(position.here, end, pairs, Act.PASS)
    return PartialMove(replace(position, trees=field.trees, loggers=loggers), move, facts)


def _complete(position: Position, text: str, facts: Facts) -> PartialMove[Position, Move]:
    move = read_notation(text, position)
    return PartialMove(play(position, move), move, facts)


def reordered_texts(text: str, _begun: str) -> tuple[str, ...]:
    """Return the texts of a protest with its trees in all other orders.

    A player on a page can choose the trees in any order. The result is empty for other moves, and
    for a protest with one tree.
    """
    head, protest, trees = text.partition(_PROTEST)
    names = trees.split(", ")
    if not protest or len(names) == 1:
        return ()
    return tuple(
        f"{head}{protest}{', '.join(order)}"
        for order in itertools.permutations(names)
        if [*order] != names
    )
