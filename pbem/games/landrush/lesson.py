"""The topics of the lesson in a player's first match of Landrush."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.errors import Facts
from pbem.games.landrush.move_checks import coin_facts
from pbem.games.landrush.position import BIT, SMALL, Move, Placement, Play, Position
from pbem.games.landrush.tracts import tract
from pbem.games.lessons import Topic, is_any_move

_Topic: TypeAlias = Topic[Position, Move]


def _places(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move places the first pyramid of a seat (LR-1.9)."""
    return isinstance(move, Placement)


def _plays(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move plays a Small without a capture (LR-2.7).

    The lesson begins with Smalls because they score soonest (LR-4.4).
    """
    return isinstance(move, Play) and not move.taken and move.size == SMALL


def _joins(move: Move, before: Position, after: Position) -> bool:
    """Return whether the played pyramid is next to another one of the same seat (LR-2.5)."""
    if not isinstance(move, Play):
        return False
    own = after.own[before.to_act - 1]
    return tract(BIT[move.square], own, eight=after.setting.eight).bit_count() > 1


def _takes(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move captures pyramids of another colour (LR-2.8)."""
    return isinstance(move, Play) and bool(move.taken)


def _explain(position: Position) -> Facts:
    """Return facts for the lesson: the coin, and whether tracts connect diagonally (LR-5.1)."""
    return {"eight": position.setting.eight, "coin": coin_facts(position)}


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("place", _places),
    Topic("play", _plays, _explain),
    Topic("join", _joins, _explain, waits=True),
    Topic("take", _takes),
    Topic("alone", is_any_move),
)
