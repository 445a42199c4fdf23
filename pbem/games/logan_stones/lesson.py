"""What a first match of Logan Stones teaches, a kind of turn at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from pbem.errors import Facts
from pbem.games.hexes import AXES
from pbem.games.lessons import Topic, is_any_move
from pbem.games.logan_stones.move_facts import move_facts
from pbem.games.logan_stones.position import Add, Flip, Move, Position, Shift
from pbem.games.logan_stones.spaces import labels
from pbem.games.logan_stones.stones import HIDDEN

_Topic: TypeAlias = Topic[Position, Move]

_LINE: Final = 4
_NEARLY: Final = 3
_SYMBOLS: Final = "RPS"


def _wins(_move: Move, before: Position, after: Position) -> bool:
    """LS-4.1: four in a line."""
    return after.winner == before.to_act


def _lays(move: Move, _before: Position, _after: Position) -> bool:
    """LS-2.3: a stone as it lies."""
    return isinstance(move, Add) and not move.turned


def _held(position: Position) -> Facts:
    """The stones in hand."""
    return {"held": len(position.hand)}


def _beats(move: Move, before: Position, after: Position) -> bool:
    """LS-2.7: stones beside it are turned over."""
    return bool(move_facts(move, before, after)["over"])


def _turns(move: Move, before: Position, _after: Position) -> bool:
    """LS-2.3: a stone whose faces differ is laid with its other face up."""
    if not isinstance(move, Add) or not move.turned:
        return False
    held = next(one for one in before.hands[before.to_act - 1] if one.number == move.number)
    return held.stone.top != held.stone.under


def _guards(_move: Move, _before: Position, after: Position) -> bool:
    """LS-3.11: nothing that is nearly a line is left to the other."""
    return not after.winner and not any(_threes(after))


def _threes(position: Position) -> Iterator[tuple[int, ...]]:
    """Three equal symbols among four spaces in a row; one that is hidden may be any."""
    tops = {at: stone.top for at, stone in zip(position.spaces, position.stones, strict=True)}
    for at, top in tops.items():
        for axis in AXES:
            # From the first of its symbol on: each row is looked at once.
            row = [at + axis * step for step in range(_LINE)]
            for symbol in top if top != HIDDEN else _SYMBOLS:
                equal = tuple(one for one in row if tops.get(one) in (symbol, HIDDEN))
                if len(equal) >= _NEARLY:
                    yield equal


def _nearly(position: Position) -> Facts:
    """Those that lie there now, from north to south, as the labels of their spaces."""
    rows = {tuple(sorted(equal)) for equal in _threes(position)}
    return {"threes": [" ".join(labels(row)) for row in sorted(rows)]}


def _flips(move: Move, _before: Position, _after: Position) -> bool:
    """LS-2.6."""
    return isinstance(move, Flip)


def _shifts(move: Move, _before: Position, _after: Position) -> bool:
    """LS-2.4."""
    return isinstance(move, Shift)


def _draws(position: Position) -> Facts:
    """LS-4.5, LS-4.7: what ends a match that nobody wins."""
    return {"repetition": position.rules.repetition, "cap": position.rules.cap}


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("lay", _lays, _held),
    Topic("beat", _beats),
    Topic("turn", _turns),
    Topic("line", _wins),
    Topic("guard", _guards, _nearly),
    Topic("flip", _flips),
    Topic("shift", _shifts),
    Topic("alone", is_any_move, _draws),
)
