"""What a position of Looney Ludo is worth to each seat: the points that its nest still needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from pbem.games.looney_ludo.boards import OFF_TABLE, QUARTERS, SQUARES, Slots, reached
from pbem.games.looney_ludo.position import CENTRES, PIECES, Position, Stack
from pbem.games.worth import WON, Term, at_the_end

POINT: Final = 100
"""LL-2.3, LL-1.3: a point that is still needed."""

_UNREACHABLE: Final = 12
"""Spaces to a centre to which no arrows lead now: boards have to be turned first."""


def value(position: Position) -> tuple[int, ...]:
    """LL-2.19: whoever needs fewest points for Small, Medium and Large on its own centre leads."""
    if position.cause:
        winner = position.winner
        seats = range(1, position.seats + 1)
        return (
            at_the_end([1 if seat == winner else 2 for seat in seats])
            if winner
            else ((WON,) * position.seats)
        )
    return tuple(
        -POINT * need(position.stacks, position.slots, position.turned, colour)
        for colour in position.setting.colours
    )


def terms(position: Position) -> tuple[tuple[Term, ...], ...]:
    """The same for each of the three pieces that a nest is made of."""
    if position.cause:
        return ()
    found = []
    for colour in position.setting.colours:
        needs = [0] * PIECES
        for piece, points in _needs(position.stacks, position.slots, position.turned, colour):
            needs[piece % PIECES] += points
        counted = zip(("small", "medium", "large"), needs, strict=True)
        found.append(tuple(Term(name, points, -POINT * points) for name, points in counted))
    return tuple(found)


def need(stacks: Sequence[Stack], slots: Slots, turned: tuple[int, ...], colour: int) -> int:
    """LL-11.7: roughly the points that a colour still needs for its nest."""
    return sum(points for _, points in _needs(stacks, slots, turned, colour))


def _needs(
    stacks: Sequence[Stack], slots: Slots, turned: tuple[int, ...], colour: int
) -> Iterator[tuple[int, int]]:
    """Each piece of a colour, with what it needs."""
    centre = CENTRES[colour]
    for square, stack in enumerate(stacks):
        for at, piece in enumerate(stack):
            if piece // PIECES != colour:
                continue
            if square == centre:
                yield piece, _need_at_home(stack, at, piece)
                continue
            spaces = _spaces(slots, turned, colour)[square]
            yield piece, (piece % PIECES + 1) * (spaces + (piece != stack[-1]))


def _need_at_home(stack: Stack, at: int, piece: int) -> int:
    """What is wrong with the order of the pieces on the own centre."""
    size = piece % PIECES
    if size == 0:
        return int(at + 1 < len(stack) and stack[at + 1] != piece + 1)
    below = stack[at - 1] if at else None
    return 0 if below == piece - 1 else size + 1


@lru_cache(maxsize=1 << 12)
def _spaces(slots: Slots, turned: tuple[int, ...], colour: int) -> tuple[int, ...]:
    """The shortest way along the arrows from every square to a centre, pieces ignored."""
    leading = _leading(slots, turned)
    spaces = [_UNREACHABLE] * len(leading)
    seen = {CENTRES[colour]}
    ring, distance = [CENTRES[colour]], 0
    while ring:
        for square in ring:
            spaces[square] = distance
        ring = [square for to in ring for square in leading[to] if square not in seen]
        ring = list(dict.fromkeys(ring))
        seen.update(ring)
        distance += 1
    return tuple(spaces)


@lru_cache(maxsize=1 << 10)
def _leading(slots: Slots, turned: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For every square those from which one step leads there."""
    leading: list[list[int]] = [[] for _ in range(SQUARES * len(slots))]
    for square in range(len(leading)):
        if slots[square // SQUARES] != OFF_TABLE:
            for direction in range(QUARTERS):
                to = reached(square, direction, slots, turned)
                if to >= 0:
                    leading[to].append(square)
    return tuple(map(tuple, leading))
