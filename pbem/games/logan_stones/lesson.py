"""What a first match of Logan Stones teaches, a kind of turn at a time."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.games.lessons import Topic, anything
from pbem.games.logan_stones.consequences import facts
from pbem.games.logan_stones.position import Add, Move, Position
from pbem.games.logan_stones.value import terms

_Topic: TypeAlias = Topic[Position, Move]


def _wins(_move: Move, before: Position, after: Position) -> bool:
    """LS-4.1: four in a line."""
    return after.winner == before.to_act


def _lays(move: Move, _before: Position, _after: Position) -> bool:
    """LS-2.3: a stone as it lies."""
    return isinstance(move, Add) and not move.turned


def _beats(move: Move, before: Position, after: Position) -> bool:
    """LS-2.7: stones beside it are turned over."""
    return bool(facts(move, before, after)["over"])


def _turns(move: Move, before: Position, _after: Position) -> bool:
    """LS-2.3: a stone whose faces differ is laid with its other face up."""
    if not isinstance(move, Add) or not move.turned:
        return False
    held = next(one for one in before.hands[before.to_act - 1] if one.number == move.number)
    return held.stone.top != held.stone.under


def _guards(_move: Move, _before: Position, after: Position) -> bool:
    """LS-3.11: nothing that is nearly a line is left to the other."""
    return not any(term.name == "threes" and term.number for of in terms(after) for term in of)


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("lay", _lays),
    Topic("beat", _beats),
    Topic("turn", _turns),
    Topic("line", _wins),
    Topic("guard", _guards),
    Topic("alone", anything),
)
