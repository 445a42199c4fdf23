"""Canonical notation of moves (LG-7.13). `grammar` reads what players type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.errors import Rejection
from pbem.games.logger.position import CELLS, NUMBERS, Act, Move, Placing, Position, WholeTurn
from pbem.games.logger.rules import game_over

_CELL: Final = "[a-e][1-5]"
_CANONICAL: Final = re.compile(
    rf"place (?P<corner>{_CELL})"
    rf"|(?P<start>stay|{_CELL})"
    rf"(?:; (?P<spawns>{_CELL}>{_CELL}(?:, {_CELL}>{_CELL})*))?"
    rf"; (?:(?P<one>plant|chop) (?P<cell>{_CELL})"
    rf"|protest (?P<trees>{_CELL}(?:, {_CELL})*)|pass)"
)


def notation(move: Move) -> str:
    """Return the canonical text of a move."""
    match move:
        case Placing(cell):
            return f"place {CELLS[cell]}"
        case WholeTurn(start, end, spawns, action, targets):
            parts = ["stay" if start == end else CELLS[end]]
            if spawns:
                parts.append(", ".join(pair_text(tree, cell) for tree, cell in sorted(spawns)))
            return "; ".join([*parts, action_text(action, sorted(targets))])


def pair_text(tree: int, cell: int) -> str:
    """Return the tree and the cell of its new seedling as text, as in `c3>c4`."""
    return f"{CELLS[tree]}>{CELLS[cell]}"


def action_text(action: Act, targets: Sequence[int]) -> str:
    """Return an action with its targets as text, as in `protest a1, e4`."""
    return " ".join([action, ", ".join(CELLS[cell] for cell in targets)]).rstrip()


def read_notation(canonical: str, position: Position) -> Move:
    """Return the move with this canonical text; its legality is not checked.

    Raises:
        Rejection: `unreadable` if the text is not canonical notation, or `game_over` after the end.
    """
    match = _CANONICAL.fullmatch(canonical)
    if match is None:
        raise Rejection("unreadable", word=canonical)
    if match["corner"]:
        return Placing(NUMBERS[match["corner"]])
    if position.cause:
        raise game_over(position)
    start = position.here
    end = start if match["start"] == "stay" else NUMBERS[match["start"]]
    pairs = match["spawns"].split(", ") if match["spawns"] else []
    spawns = tuple((NUMBERS[pair[:2]], NUMBERS[pair[3:]]) for pair in pairs)
    if match["one"]:
        move = WholeTurn(start, end, spawns, Act(match["one"]), (NUMBERS[match["cell"]],))
    elif match["trees"]:
        targets = tuple(NUMBERS[name] for name in match["trees"].split(", "))
        move = WholeTurn(start, end, spawns, Act.PROTEST, targets)
    else:
        move = WholeTurn(start, end, spawns, Act.PASS)
    if notation(move) != canonical:
        raise Rejection("unreadable", word=canonical)
    return move


def samples(turns: Sequence[Move], count: int) -> list[str]:
    """Return at most `count` of the moves in `turns` as text, alternating between kinds of moves.

    Examples of the same kind are spread over the list.
    """
    kinds: dict[str, list[Move]] = {}
    for move in turns:
        kinds.setdefault(move.action if isinstance(move, WholeTurn) else "place", []).append(move)
    groups = list(kinds.values())
    rounds = -(-count // max(1, len(groups)))
    texts: dict[str, None] = {}
    for index in range(count if groups else 0):
        nth, kind = divmod(index, len(groups))
        group = groups[kind]
        texts[notation(group[(2 * nth + 1) * len(group) // (2 * rounds)])] = None
    return list(texts)
