"""What may lie below the stones that a seat has not seen the underside of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pbem.games.game import Seat
from pbem.games.logan_stones.position import Position
from pbem.games.logan_stones.stones import HIDDEN, Stone, Symbol, faces_of
from pbem.games.logan_stones.visibility import known

_TRIES: Final = 20
"""Deals that are begun: one in some ends with a stone that no face is left for."""


def worlds(position: Position, seat: Seat, choose: Callable[[int], int]) -> Position:
    """LS-6.4: a position in which unseen faces are some that the set has left (LS-5.7)."""
    seen = known(position, seat)
    for _ in range(_TRIES):
        dealt = _dealt(seen, choose)
        if dealt is not None:
            return dealt
    return seen


def _dealt(position: Position, choose: Callable[[int], int]) -> Position | None:
    held = [held.stone for hand in position.hands for held in hand]
    stones = [*position.stones, *held]
    left = Counter(tuple(sorted(faces)) for faces in faces_of(position.rules.stone_set))
    left -= Counter(_faces(stone) for stone in stones if stone.under != HIDDEN)
    hidden = [at for at, stone in enumerate(stones) if stone.under == HIDDEN]
    while hidden:
        at = hidden.pop(choose(len(hidden)))
        fitting = [faces for faces in left.elements() if stones[at].top in faces]
        if not fitting:
            return None
        faces = fitting[choose(len(fitting))]
        left[faces] -= 1
        stones[at] = stones[at]._replace(under=_other(faces, stones[at].top))
    lying, rest = stones[: len(position.stones)], iter(stones[len(position.stones) :])
    first, second = (
        tuple(held._replace(stone=next(rest)) for held in hand) for hand in position.hands
    )
    return replace(position, stones=tuple(lying), hands=(first, second))


def _faces(stone: Stone) -> tuple[Symbol, ...]:
    return tuple(sorted((stone.top, stone.under)))


def _other(faces: tuple[Symbol, ...], top: Symbol) -> Symbol:
    first, second = faces
    return second if first == top else first
