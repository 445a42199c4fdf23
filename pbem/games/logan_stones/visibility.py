"""What a seat knows of a position: a turn is tried there, and reveals nothing (LS-3.20)."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.game import Seat, Viewpoint
from pbem.games.logan_stones.position import Hand, Position
from pbem.games.logan_stones.reached import Reached
from pbem.games.logan_stones.stones import EVERYBODY, HIDDEN, Stone


def known(position: Position, seat: Seat) -> Position:
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
