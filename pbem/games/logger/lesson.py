"""The topics of the lesson in a player's first match of Logger."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.games.lessons import Topic, is_any_move
from pbem.games.logger.move_facts import move_facts
from pbem.games.logger.position import Act, Move, Placing, Position, WholeTurn

_Topic: TypeAlias = Topic[Position, Move]


def _acts(action: Act, *, waits: bool = False) -> _Topic:
    def shows(move: Move, _before: Position, _after: Position) -> bool:
        return isinstance(move, WholeTurn) and move.action is action

    return Topic(str(action), shows, waits=waits)


def _places(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move is a placing of a logger (LG-1.7)."""
    return isinstance(move, Placing)


def _grows(move: Move, before: Position, after: Position) -> bool:
    """Return whether a tree grows in the logger's row or column (LG-2.3)."""
    facts = move_facts(move, before, after)
    return bool(facts.get("saplings") or facts.get("ripened"))


def _seeds(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether a mature tree in the logger's row or column spawns a seedling (LG-2.6)."""
    return isinstance(move, WholeTurn) and bool(move.spawns)


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("place", _places),
    _acts(Act.PLANT),
    Topic("grow", _grows, waits=True),
    _acts(Act.CHOP, waits=True),
    Topic("seed", _seeds, waits=True),
    _acts(Act.PROTEST, waits=True),
    Topic("alone", is_any_move),
)
