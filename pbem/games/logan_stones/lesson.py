"""The topics of the lesson in a player's first match of Logan Stones."""

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


def _lays(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the turn adds a stone without turning it over (LS-2.3)."""
    return isinstance(move, Add) and not move.turned


def _hand_facts(position: Position) -> Facts:
    """Return facts for the lesson: the size of the hand, and which stones have unequal faces."""
    differing = [str(s.number) for s in position.hand if s.stone.top != s.stone.bottom]
    return {"held": len(position.hand), "differing": differing}


def _beats(move: Move, before: Position, after: Position) -> bool:
    """Return whether the turn makes other stones turn over, which is called a wave (LS-2.7)."""
    return bool(move_facts(move, before, after)["over"])


def _turns(move: Move, before: Position, _after: Position) -> bool:
    """Return whether the move adds a stone turned over, with two different faces (LS-2.3)."""
    if not isinstance(move, Add) or not move.turned:
        return False
    stone = next(stone for stone in before.hands[before.to_act - 1] if stone.number == move.number)
    return stone.stone.top != stone.stone.bottom


def _guards(_move: Move, _before: Position, after: Position) -> bool:
    """Return whether the turn leaves the opponent no nearly complete line (LS-3.11).

    A line is nearly complete if at least three of its four spaces have equal symbols. So the result
    is False for a turn that wins.
    """
    return not any(_threes(after))


def _threes(position: Position) -> Iterator[tuple[int, ...]]:
    """Yield the spaces with equal symbols in each nearly complete line.

    A line is nearly complete if at least three of its four spaces have equal symbols. A hidden face
    counts as any symbol.
    """
    tops = {start: stone.top for start, stone in zip(position.spaces, position.stones, strict=True)}
    for start, top in tops.items():
        for axis in AXES:
            # Each row starts at a stone of the group, so `. R R R .` is found once, not twice.
            row = [start + axis * step for step in range(_LINE)]
            for symbol in top if top != HIDDEN else _SYMBOLS:
                equal = tuple(space for space in row if tops.get(space) in (symbol, HIDDEN))
                if len(equal) >= _NEARLY:
                    yield equal


def _line_facts(position: Position) -> Facts:
    """Return facts for the lesson: the labels of the spaces of each nearly complete line.

    The spaces are listed from north to south.
    """
    rows = {tuple(sorted(equal)) for equal in _threes(position)}
    return {"threes": [" ".join(labels(row)) for row in sorted(rows)]}


def _flips_or_moves(move: Move, _before: Position, _after: Position) -> bool:
    """Return whether the turn flips or moves a stone of the island (LS-2.4, LS-2.6)."""
    return isinstance(move, Flip | Shift)


def _draws(position: Position) -> Facts:
    """Return facts for the lesson: the rules by which this game can end in a draw.

    `repetition` says whether a repeated position ends the game (LS-4.5). `cap` is the greatest
    number of turns, or NO_CAP (LS-4.7).
    """
    return {"repetition": position.rules.repetition, "cap": position.rules.cap}


LESSON: Final[tuple[_Topic, ...]] = (
    Topic("lay", _lays, _hand_facts),
    Topic("beat", _beats, waits=True),
    Topic("turn", _turns, _hand_facts),
    Topic("guard", _guards, _line_facts),
    Topic("empty", _flips_or_moves, _hand_facts),
    Topic("alone", is_any_move, _draws),
)
