"""The legal next steps within a turn, each as a `WholeTurn` of one step.

There are only a few thousand such turns, so they are created once and looked up in tables.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from typing import Final

from pbem.games.looney_ludo.boards import (
    ALL_SLOTS,
    QUARTERS,
    Slots,
    find_destination,
    landings,
    list_boards,
)
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
    letter_key,
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
_HOPS: Final = tuple(  # every turn that is one hop, by board, slot and quarter turns
    tuple(
        tuple(WholeTurn((Hop(board, slot, turns),)) for turns in range(QUARTERS))
        for slot in ALL_SLOTS
    )
    for board in range(len(COLOURS))
)


def open_moves(course: Course) -> list[WholeTurn]:
    """Return the legal walks and climbs of all pieces, each as a turn of a single step.

    `course` is the state of the turn so far. The result is in the order of squares.
    """
    turns: list[WholeTurn] = []
    slots, turned, points, mover = course.slots, course.turned, course.points, course.mover
    for square, stack in enumerate(course.stacks):
        if not stack:
            continue
        top = stack[-1]
        for piece in stack:
            if piece % PIECES >= points:
                continue
            if piece // PIECES == mover:
                key = piece + PIECES * (OWN - mover)
            elif course.can_move_others:
                key = piece
            else:
                continue
            if piece != top:
                turns.append(_CLIMBS[key])
                continue
            ways = _WALKS[key]
            turns += [
                ways[direction]
                for direction in range(QUARTERS)
                if find_destination(square, direction, slots, turned) >= 0
            ]
    return turns


def open_actions(course: Course) -> list[WholeTurn]:
    """Return the legal actions, each as a turn of a single step.

    `course` is the state of the turn so far. TIP and DIG are included only if WILD was rolled,
    because a rolled TIP or DIG needs no step (LL-2.12, LL-2.13).
    """
    if not course.has_action:
        return []
    boards = list_boards(course.slots)
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
    """Return every SWAP as a turn of a single step: one for each pair of boards (LL-2.14)."""
    pairs = combinations(sorted(boards, key=letter_key), 2)
    return tuple(WholeTurn((Swap(*pair),)) for pair in pairs)


def hops(slots: Slots) -> list[WholeTurn]:
    """Return every legal HOP as a turn of a single step (LL-2.15).

    A board hops to a legal slot with or without a rotation, or rotates in its own slot.
    """
    turns: list[WholeTurn] = []
    for board in list_boards(slots):
        choices = _HOPS[board]
        turns += choices[slots[board]][1:]
        for slot in landings(slots, board):
            turns += choices[slot]
    return turns


@lru_cache(maxsize=1 << 6)
def aims(boards: tuple[int, ...]) -> tuple[WholeTurn, ...]:
    """Return every AIM as a turn of a single step (LL-2.16).

    There is one for each set of boards and each combination of their quarter turns.
    """
    order = sorted(boards, key=letter_key)
    rotations = product(range(QUARTERS), repeat=len(order))
    return tuple(
        WholeTurn((Aim(tuple(pair for pair in zip(order, turns, strict=True) if pair[1])),))
        for turns in rotations
        if any(turns)
    )
