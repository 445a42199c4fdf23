"""Canonical notation of turns (LS-7.10). `grammar` reads what players type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.errors import Rejection
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.spaces import label, parse_label

LABEL: Final = r"(-?[A-Z]{1,4})(0|-?[1-9][0-9]{0,5})"
_CANONICAL: Final = re.compile(
    rf"add ([1-8]) {LABEL}( turned)?|move {LABEL} to {LABEL}( turned)?|flip {LABEL}"
)


def notation(move: Move) -> str:
    """Return the canonical text of a turn."""
    match move:
        case Add(number, space, turned):
            return f"add {number} {label(space)}{_turn(turned=turned)}"
        case Shift(start, end, turned):
            return f"move {label(start)} to {label(end)}{_turn(turned=turned)}"
        case Flip(space):
            return f"flip {label(space)}"


def _turn(*, turned: bool) -> str:
    return " turned" if turned else ""


def read_notation(canonical: str, position: Position) -> Move:
    """Return the turn with this canonical text; its legality is not checked.

    Raises:
        Rejection: `unreadable` if the text is not canonical notation.
    """
    del position  # the notation is complete without it
    match = _CANONICAL.fullmatch(canonical)
    if match is None:
        raise Rejection("unreadable", word=canonical)
    number, row, column, turned, *rest = match.groups()
    if number is not None:
        return Add(int(number), _space(canonical, row, column), turned=turned is not None)
    row, column, to_row, to_column, turned, *flipped = rest
    if row is not None:
        start, end = _space(canonical, row, column), _space(canonical, to_row, to_column)
        return Shift(start, end, turned=turned is not None)
    return Flip(_space(canonical, flipped[0], flipped[1]))


def _space(canonical: str, row: str, column: str) -> int:
    space = parse_label(row, column)
    if space is None:
        raise Rejection("unreadable", word=canonical)
    return space


def samples(turns: Sequence[Move], count: int) -> list[str]:
    """Return at most `count` of the turns as text, alternating between the kinds of turns.

    Adds and moves that turn the stone over are kinds of their own. Examples of the same kind are
    spread over the list.
    """
    kinds: dict[tuple[bool, str], list[Move]] = {}
    for move in turns:
        is_turned = not isinstance(move, Flip) and move.turned
        kinds.setdefault((is_turned, type(move).__name__), []).append(move)
    groups = [kinds[kind] for kind in sorted(kinds, reverse=True, key=lambda kind: not kind[0])]
    texts: dict[str, None] = {}
    for index in range(count if groups else 0):
        group = groups[index % len(groups)]
        texts[notation(group[(2 * index + 1) * len(group) // (2 * count)])] = None
    return list(texts)
