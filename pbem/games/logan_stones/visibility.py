"""What a seat knows of a position: a turn is tried there, and reveals nothing (LS-3.20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pbem.games.game import Seat, Viewpoint
from pbem.games.logan_stones.position import Hand, Position
from pbem.games.logan_stones.reached import Reached
from pbem.games.logan_stones.stones import EVERYBODY, HIDDEN, Stone, Symbol, faces_of

_TRIES: Final = 20
"""Deals that are begun: one in some ends with a stone that no face is left for."""


def redact(position: Position, seat: Seat) -> Position:
    """The position with every face open that the seat has not seen, to try a turn in.

    Nothing in it depends on such a face, so that repetitions, which are counted by hidden faces
    too (LS-6.11), are left out of it.
    """
    first, second = (_known_hand(hand, seat) for hand in position.hands)
    return replace(
        position,
        rules=position.rules._replace(repetition=False),
        reached=Reached(),
        stones=tuple(_known_stone(stone, seat) for stone in position.stones),
        hands=(first, second),
    )


def _known_hand(hand: Hand, seat: Seat) -> Hand:
    return tuple(held._replace(stone=_known_stone(held.stone, seat)) for held in hand)


def _known_stone(stone: Stone, seat: Seat) -> Stone:
    return stone if stone.known_to(seat) else stone._replace(under=HIDDEN)


def reveals(before: Position, after: Position, seat: Viewpoint) -> bool:
    """Whether a turn has turned up a face that a seat, or not everybody, had seen (LS-6.3)."""
    return _unseen(after, seat) < _unseen(before, seat)


def _unseen(position: Position, seat: Viewpoint) -> int:
    hands = [held.stone for hand in position.hands for held in hand]
    stones = (*position.stones, *hands)
    if seat is None:
        return sum(stone.seen_by != EVERYBODY for stone in stones)
    return sum(not stone.known_to(seat) for stone in stones)


def determinize(position: Position, seat: Seat, choose: Callable[[int], int]) -> Position:
    """LS-6.4: a position in which unseen faces are some that the set has left (LS-5.7)."""
    seen = redact(position, seat)
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
