"""What a first match of Looney Ludo teaches, a kind of turn at a time."""

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
    """LL-2.4: equal numbers are kept, or rolled again."""
    return isinstance(move, Keep | Reroll)


def _walks(move: Move, _before: Position, _after: Position) -> bool:
    """LL-2.7: a piece of one's own goes, and nothing else is done."""
    pieces = _pieces(move)
    return len(pieces) == 1 and _are_own(pieces) and not _climbs(move)


def _nears(move: Move, before: Position, after: Position) -> bool:
    """LL-2.19: fewer points are needed for the nest, by moves of the own pieces alone."""
    colour = before.colour
    if not _are_own(_pieces(move)):
        return False
    had, has = (need(one.stacks, one.slots, one.turned, colour) for one in (before, after))
    return has < had


def _acts(move: Move, _before: Position, _after: Position) -> bool:
    """LL-2.11: the face of the Treehouse die is used."""
    return isinstance(move, WholeTurn) and any(
        not isinstance(step, Walk | Climb) for step in move.steps
    )


def _climbs(move: Move, *_positions: Position) -> bool:
    """LL-2.9: a piece below others comes to the top."""
    return isinstance(move, WholeTurn) and any(isinstance(step, Climb) for step in move.steps)


def _only_climbs(move: Move, *_positions: Position) -> bool:
    """The same, and no action with it."""
    return _climbs(move) and bool(_pieces(move))


def _are_own(pieces: set[int]) -> bool:
    return bool(pieces) and all(piece // PIECES == OWN for piece in pieces)


def _home(position: Position) -> Facts:
    return {"colour": COLOURS[position.colour]}


def _pieces(move: Move) -> set[int]:
    """The pieces that go; none where anything else is done as well."""
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
