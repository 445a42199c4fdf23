"""The topics of a first match of Looney Ludo."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.errors import Facts
from pbem.games.lessons import Topic, is_any_move
from pbem.games.looney_ludo.evaluation import need
from pbem.games.looney_ludo.position import (
    COLOURS,
    OWN,
    PIECES,
    Climb,
    Keep,
    Move,
    Position,
    Reroll,
    Walk,
    WholeTurn,
)

_Topic: TypeAlias = Topic[Position, Move]


def _decides(move: Move, _before: Position, _after: Position) -> bool:
    """Match a decision on doubles (LL-2.4)."""
    return isinstance(move, Keep | Reroll)


def _walks(move: Move, _before: Position, _after: Position) -> bool:
    """Match a turn that only moves the player's own pieces (LL-2.7)."""
    pieces = _pieces(move)
    return len(pieces) == 1 and _are_own(pieces) and not _climbs(move)


def _nears(move: Move, before: Position, after: Position) -> bool:
    """Match a turn of own moves only, after which the nest needs fewer points (LL-2.19)."""
    colour = before.colour
    if not _are_own(_pieces(move)):
        return False
    had, has = (
        need(position.stacks, position.slots, position.turned, colour)
        for position in (before, after)
    )
    return has < had


def _acts(move: Move, _before: Position, _after: Position) -> bool:
    """Match a turn with the action of the Treehouse die (LL-2.11)."""
    return isinstance(move, WholeTurn) and any(
        not isinstance(step, Walk | Climb) for step in move.steps
    )


def _climbs(move: Move, *_positions: Position) -> bool:
    """Match a turn in which a piece comes to the top of its stack (LL-2.9)."""
    return isinstance(move, WholeTurn) and any(isinstance(step, Climb) for step in move.steps)


def _only_climbs(move: Move, *_positions: Position) -> bool:
    """Match a turn with a climb and no action."""
    return _climbs(move) and bool(_pieces(move))


def _are_own(pieces: set[int]) -> bool:
    return bool(pieces) and all(piece // PIECES == OWN for piece in pieces)


def _home(position: Position) -> Facts:
    return {"colour": COLOURS[position.colour]}


def _pieces(move: Move) -> set[int]:
    """Return the pieces that move in a turn; none if the turn has other steps, too."""
    steps = move.steps if isinstance(move, WholeTurn) else ()
    going = [step for step in steps if isinstance(step, Walk | Climb)]
    return {step.piece for step in going} if len(going) == len(steps) else set()


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("walk", _walks, _home),
    Topic("near", _nears),
    Topic("double", _decides),
    Topic("climb", _only_climbs),
    Topic("act", _acts),
    Topic("alone", is_any_move),
)
