"""What a seat may see of a turn before it is played: no face that it has not seen (LS-3.20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.games.game import Seat
from pbem.games.logan_stones.checks import check
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.rules import act, play, wave
from pbem.games.logan_stones.stones import EVERYBODY, Stone


def preview(position: Position, move: Move, seat: Seat) -> Position | None:
    """The position after a legal turn, or None if it would tell the seat to move a hidden face.

    Nothing in the answer depends on a face that the seat has not seen, so that repetitions, which
    are counted by hidden faces too (LS-6.11), are left out of it.
    """
    check(position, move)
    if not all(stone.known_to(seat) for stone in _turned(position, move, seat)):
        return None
    rules = position.rules._replace(repetition=False)
    after = play(replace(position, rules=rules, reached=()), move)
    # LS-4.10: the end shows all faces.
    return None if after.cause and _hidden(position, seat) else after


def _turned(position: Position, move: Move, seat: Seat) -> Iterator[Stone]:
    """The stones that a turn turns over: the one that is laid or moved, then those of the wave."""
    island = position.island
    own = []
    match move:
        case Add(number, _, turned=True):
            own = [held.stone for held in position.hand if held.number == number]
        case Shift(start, _, turned=True) | Flip(start):
            own = [island[start]]
        case _:
            pass
    yield from own
    if not all(stone.known_to(seat) for stone in own):
        return  # what its wave turns depends on the face that came up
    at, _ = act(position, island, move)
    for near in wave(island, at):
        yield island[near]


def _hidden(position: Position, seat: Seat) -> bool:
    hands = [held.stone for hand in position.hands for held in hand]
    return not all(stone.known_to(seat) for stone in (*position.stones, *hands))


def reveals(before: Position, after: Position) -> bool:
    """Whether a turn has turned up a face that not everybody had seen (LS-6.3)."""
    return _unseen(after) < _unseen(before)


def _unseen(position: Position) -> int:
    hands = [held.stone for hand in position.hands for held in hand]
    return sum(stone.seen_by != EVERYBODY for stone in (*position.stones, *hands))
