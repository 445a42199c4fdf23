"""The legal steps at a point of a turn, each as a `WholeTurn`.

There are only some thousand, so they are created once and picked from tables.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from typing import Final

from pbem.games.looney_ludo.boards import ALL_SLOTS, QUARTERS, Slots, landings, on_table, reached
from pbem.games.looney_ludo.position import (
    COLOURS,
    OWN,
    PIECES,
    Aim,
    Climb,
    Dig,
    Face,
    Hop,
    Swap,
    Tip,
    Walk,
    WholeTurn,
    by_letter,
)
from pbem.games.looney_ludo.steps import Course

PASS: Final = WholeTurn()

_NAMED_PIECES: Final = range(PIECES * (OWN + 1))
_WALKS: Final = tuple(
    tuple(WholeTurn((Walk(piece, direction),)) for direction in range(QUARTERS))
    for piece in _NAMED_PIECES
)
_CLIMBS: Final = tuple(WholeTurn((Climb(piece),)) for piece in _NAMED_PIECES)
_NAMINGS: Final = (WholeTurn((Tip(),)), WholeTurn((Dig(),)))
_HOPS: Final = tuple(
    tuple(
        tuple(WholeTurn((Hop(board, slot, turns),)) for turns in range(QUARTERS))
        for slot in ALL_SLOTS
    )
    for board in range(len(COLOURS))
)
"""By board, slot and quarter turns."""


def open_moves(course: Course) -> list[WholeTurn]:
    """Return every legal move and climb, in the order of the squares."""
    found: list[WholeTurn] = []
    slots, turned, points, mover = course.slots, course.turned, course.points, course.mover
    for square, stack in enumerate(course.stacks):
        if not stack:
            continue
        top = stack[-1]
        for piece in stack:
            if piece % PIECES >= points:
                continue
            if piece // PIECES == mover:
                named = piece + PIECES * (OWN - mover)
            elif course.dig:
                named = piece
            else:
                continue
            if piece != top:
                found.append(_CLIMBS[named])
                continue
            ways = _WALKS[named]
            found += [
                ways[direction]
                for direction in range(QUARTERS)
                if reached(square, direction, slots, turned) >= 0
            ]
    return found


def open_actions(course: Course) -> list[WholeTurn]:
    """Return every action that is left; TIP and DIG are steps only under WILD (LL-2.12)."""
    if not course.free:
        return []
    boards = on_table(course.slots)
    match course.face:
        case Face.TIP | Face.DIG:
            return []
        case Face.SWAP:
            return list(swaps(boards))
        case Face.HOP:
            return hops(course.slots)
        case Face.AIM:
            return list(aims(boards))
        case Face.WILD:
            return [*_NAMINGS, *swaps(boards), *hops(course.slots), *aims(boards)]


@lru_cache(maxsize=1 << 6)
def swaps(boards: tuple[int, ...]) -> tuple[WholeTurn, ...]:
    """Return every pair of boards as a swap (LL-2.14)."""
    pairs = combinations(sorted(boards, key=by_letter), 2)
    return tuple(WholeTurn((Swap(one, other),)) for one, other in pairs)


def hops(slots: Slots) -> list[WholeTurn]:
    """Return every hop: board, slot and quarter turns, also in the same slot (LL-2.15)."""
    found: list[WholeTurn] = []
    for board in on_table(slots):
        to = _HOPS[board]
        found += to[slots[board]][1:]
        for slot in landings(slots, board):
            found += to[slot]
    return found


@lru_cache(maxsize=1 << 6)
def aims(boards: tuple[int, ...]) -> tuple[WholeTurn, ...]:
    """Return every aim: boards and their quarter turns (LL-2.16)."""
    order = sorted(boards, key=by_letter)
    chosen = product(range(QUARTERS), repeat=len(order))
    return tuple(
        WholeTurn((Aim(tuple(pair for pair in zip(order, turns, strict=True) if pair[1])),))
        for turns in chosen
        if any(turns)
    )
