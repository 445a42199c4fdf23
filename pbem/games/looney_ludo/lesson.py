"""The topics of the lesson in a player's first match of Looney Ludo."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.errors import Fact, Facts
from pbem.games.lessons import Topic, is_any_move
from pbem.games.looney_ludo.evaluation import need
from pbem.games.looney_ludo.position import (
    COLOURS,
    OWN,
    PIECES,
    SIZES,
    Climb,
    Move,
    Phase,
    Position,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import square_facts

_Topic: TypeAlias = Topic[Position, Move]


def _walks(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether all steps of the turn are walks of a single own piece (LL-2.7)."""
    return (
        isinstance(move, WholeTurn)
        and {type(step) for step in move.steps} == {Walk}
        and (len(_own_pieces(move)) == len(_pieces(move)) == 1)
    )


def _nears(move: Move, before: Position, after: Position) -> bool:
    """Return whether all steps are walks of own pieces, and bring the player's nest nearer.

    Nearer means that the player needs fewer movement points to complete the nest after the turn
    than before (LL-2.19).
    """
    if not isinstance(move, WholeTurn) or not all(isinstance(step, Walk) for step in move.steps):
        return False
    return _pieces(move) == _own_pieces(move) and _need(after, before) < _need(before, before)


def _acts(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the turn uses the Treehouse die (LL-2.11).

    A turn uses the die if it has an action, or if it moves a piece of another player with DIG.
    """
    return isinstance(move, WholeTurn) and (
        not _only_moves(move) or _pieces(move) != _own_pieces(move)
    )


def _uncovers(move: Move, before: Position, after: Position) -> bool:
    """Return whether a piece of the mover, covered by another player's, climbs to the top.

    The result is False if the turn has an action, or if the mover needs more movement points to
    complete the nest after the turn than before.
    """
    if not isinstance(move, WholeTurn) or not _only_moves(move):
        return False
    covered = {OWN * PIECES + size for size, _ in _list_covered(before)}
    climbing = {step.piece for step in move.steps if isinstance(step, Climb)}
    return bool(climbing & covered) and _need(after, before) <= _need(before, before)


def _need(position: Position, before: Position) -> int:
    """Return the movement points that a seat needs in `position` to complete its nest.

    The seat is the seat to act in `before`.
    """
    return need(position.stacks, position.slots, position.turned, before.colour)


def _list_covered(position: Position) -> list[tuple[int, int]]:
    """Return the size and square of each own piece that lies below a piece of another player."""
    colour = position.colour
    return [
        (piece % PIECES, square)
        for square, stack in enumerate(position.stacks)
        for i, piece in enumerate(stack)
        if piece // PIECES == colour and any(upper // PIECES != colour for upper in stack[i + 1 :])
    ]


def _only_moves(turn: WholeTurn) -> bool:
    return all(isinstance(step, Walk | Climb) for step in turn.steps)


def _pieces(turn: WholeTurn) -> set[int]:
    """Return the pieces that a turn moves."""
    return {step.piece for step in turn.steps if isinstance(step, Walk | Climb)}


def _own_pieces(turn: WholeTurn) -> set[int]:
    return {piece for piece in _pieces(turn) if piece // PIECES == OWN}


def _position_facts(position: Position) -> Facts:
    """Return facts for the lesson: the dice, and the mover's pieces that are covered by others."""
    roll = position.roll
    covered: list[Fact] = [
        {
            "size": SIZES[size],
            "cost": size + 1,
            "square": square_facts(square, position.turned),
            "top": {
                "colour": COLOURS[position.stacks[square][-1] // PIECES],
                "size": SIZES[position.stacks[square][-1] % PIECES],
            },
        }
        for size, square in _list_covered(position)
    ]
    return {
        "colour": COLOURS[position.colour],
        "covered": covered,
        "face": roll.face.name if roll is not None else "",
        "points": roll.points if roll is not None else 0,
        "doubles": position.phase is Phase.DOUBLES,
    }


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("walk", _walks, _position_facts),
    Topic("near", _nears, _position_facts),
    Topic("cover", _uncovers, _position_facts),
    Topic("act", _acts, _position_facts, waits=True),
    Topic("alone", is_any_move, _position_facts),
)
