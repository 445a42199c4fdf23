"""The topics of the lesson in a player's first match of Logger."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from pbem.games.lessons import Topic, is_any_move
from pbem.games.logger.move_facts import move_facts
from pbem.games.logger.position import Act, Move, Placing, Position, WholeTurn
from pbem.games.logger.rules import legal_moves

_Topic: TypeAlias = Topic[Position, Move]


def _places(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move is a placing of a logger (LG-1.7)."""
    return isinstance(move, Placing)


def _plants(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move plants a seedling (LG-2.12)."""
    return isinstance(move, WholeTurn) and move.action is Act.PLANT


def _chops(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the move chops trees (LG-2.14)."""
    return isinstance(move, WholeTurn) and move.action is Act.CHOP


def _grows(move: Move, before: Position, after: Position) -> bool:
    """Return whether a tree grows in the logger's row or column (LG-2.3)."""
    facts = move_facts(move, before, after)
    return bool(facts.get("saplings") or facts.get("ripened"))


def _seeds(move: Move, before: Position, _after: Position) -> bool:
    """Return whether a mature tree in the logger's row or column spawns a seedling (LG-2.6).

    A turn that gives up a chop does not count, because a lesson should cost no points.
    """
    if not isinstance(move, WholeTurn) or not move.spawns:
        return False
    return move.action is Act.CHOP or not _can_chop(before)


def _protests(move: Move, before: Position, _after: Position) -> bool:
    """Return whether the move puts protesters on trees (LG-2.13) while no chop is legal."""
    is_protest = isinstance(move, WholeTurn) and move.action is Act.PROTEST
    return is_protest and not _can_chop(before)


@lru_cache(maxsize=1)  # the topics check all legal moves of a position in succession
def _can_chop(position: Position) -> bool:
    return any(_chops(move, position, position) for move in legal_moves(position))


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("place", _places),
    Topic("plant", _plants),
    Topic("grow", _grows, waits=True),
    Topic("chop", _chops, waits=True),
    Topic("seed", _seeds),
    Topic("protest", _protests),
    Topic("alone", is_any_move),
)
