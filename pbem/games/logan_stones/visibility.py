"""Visibility: the position as a seat knows it.

Turns are tried in the redacted position, where `?` stands for each face that the seat has not
seen. So a trial reveals nothing (LS-3.20).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pbem.games.game import Seat, Viewpoint
from pbem.games.logan_stones.position import Hand, Position
from pbem.games.logan_stones.position_history import PositionHistory
from pbem.games.logan_stones.stones import ALL_SEATS, HIDDEN, Stone, Symbol, list_faces

_TRIES: Final = 20  # random assignments to try; one fails if no stone of the set fits


def redact(position: Position, seat: Seat) -> Position:
    """Return the position with `?` for every face that the seat has not seen.

    The redacted position does not count repetitions, because these also depend on hidden faces
    (LS-6.11).
    """
    first, second = (_known_hand(hand, seat) for hand in position.hands)
    return replace(
        position,
        rules=position.rules._replace(repetition=False),
        history=PositionHistory(),
        stones=tuple(_known_stone(stone, seat) for stone in position.stones),
        hands=(first, second),
    )


def _known_hand(hand: Hand, seat: Seat) -> Hand:
    return tuple(stone._replace(stone=_known_stone(stone.stone, seat)) for stone in hand)


def _known_stone(stone: Stone, seat: Seat) -> Stone:
    return stone if stone.is_known(seat) else stone._replace(bottom=HIDDEN)


def reveals(before: Position, after: Position, seat: Viewpoint) -> bool:
    """Return whether a turn has shown the seat a face that it had not seen (LS-6.3).

    If `seat` is None, return whether the turn has shown a face that some player had not seen.
    """
    return _count_unseen(after, seat) < _count_unseen(before, seat)


def _count_unseen(position: Position, seat: Viewpoint) -> int:
    hands = [hand_stone.stone for hand in position.hands for hand_stone in hand]
    stones = (*position.stones, *hands)
    if seat is None:
        return sum(stone.seen_by != ALL_SEATS for stone in stones)
    return sum(not stone.is_known(seat) for stone in stones)


def determinize(position: Position, seat: Seat, choose: Callable[[int], int]) -> Position:
    """Return the position with random faces in place of faces that the seat has not seen.

    Bots search such positions, so that they use only what their seat knows. The random faces come
    from the stones that are left in the set (LS-5.7, LS-6.4). `choose(n)` returns a random number
    from 0 to n - 1. If no possible assignment is found in `_TRIES` tries, the faces stay `?`.
    """
    known = redact(position, seat)
    for _ in range(_TRIES):
        dealt = _deal_faces(known, choose)
        if dealt is not None:
            return dealt
    return known


def _deal_faces(position: Position, choose: Callable[[int], int]) -> Position | None:
    hands = [hand_stone.stone for hand in position.hands for hand_stone in hand]
    stones = [*position.stones, *hands]
    unseen = Counter(tuple(sorted(faces)) for faces in list_faces(position.rules.stone_set))
    unseen -= Counter(_faces(stone) for stone in stones if stone.bottom != HIDDEN)
    hidden = [index for index, stone in enumerate(stones) if stone.bottom == HIDDEN]
    while hidden:
        index = hidden.pop(choose(len(hidden)))
        fitting = [faces for faces in unseen.elements() if stones[index].top in faces]
        if not fitting:
            return None
        faces = fitting[choose(len(fitting))]
        unseen[faces] -= 1
        stones[index] = stones[index]._replace(bottom=_other_face(faces, stones[index].top))
    lying, rest = stones[: len(position.stones)], iter(stones[len(position.stones) :])
    first, second = (
        tuple(stone._replace(stone=next(rest)) for stone in hand) for hand in position.hands
    )
    return replace(position, stones=tuple(lying), hands=(first, second))


def _faces(stone: Stone) -> tuple[Symbol, ...]:
    return tuple(sorted((stone.top, stone.bottom)))


def _other_face(faces: tuple[Symbol, ...], top: Symbol) -> Symbol:
    first, second = faces
    return second if first == top else first
