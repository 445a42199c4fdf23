"""A player for tests of whole Looney Ludo games: brings its pieces home, by LL-11.7.

Uniformly random players practically never finish this game (LL-11.6); games of this one end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.position import (
    Keep,
    Move,
    Phase,
    Position,
    Reroll,
    Step,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import Course, take
from pbem.games.looney_ludo.value import need

TRIES: Final = 30
"""Random turns that are played out for one decision."""

_REROLL_TO: Final = 4
_STOP_OF: Final = 20
_STOP: Final = 3
"""A random turn stops before a step with probability 3 in 20."""
_ACTION_AFTER: Final = 5
_OTHERS: Final = 0.3
_WORST: Final = 1e6

Choose = Callable[[int], int]
"""A number from 0 to n - 1."""


class _Tried(NamedTuple):
    value: float
    steps: tuple[Step, ...]


def greedy_move(position: Position, choose: Choose) -> Move:
    """The decision on doubles, or the best of some random turns; `choose` is its only chance."""
    roll = position.roll
    if position.phase is Phase.DOUBLES and roll is not None:
        return Reroll() if roll.first <= _REROLL_TO else Keep()
    best = _Tried(_WORST + 1, ())
    for _ in range(TRIES):
        tried = _random_turn(position, choose)
        if tried.value < best.value:
            best = tried
        if best.value == -_WORST:
            break
    return WholeTurn(best.steps)


def _random_turn(position: Position, choose: Choose) -> _Tried:
    """LL-11.7: random movement, and one random action after some of it or at its end."""
    course = Course(position)
    taken: list[Step] = []
    action_after = choose(_ACTION_AFTER)
    while not course.winner:
        if len(taken) == action_after:
            _take(course, _one_kind(course, choose), choose, taken)
        moves = open_moves(course)
        if not moves or choose(_STOP_OF) < _STOP:
            if len(taken) < action_after:
                _take(course, _one_kind(course, choose), choose, taken)
            break
        _take(course, moves, choose, taken)
    return _Tried(_value(course), tuple(taken))


def _one_kind(course: Course, choose: Choose) -> list[WholeTurn]:
    """The actions of one kind, each kind equally likely: under WILD most of all are AIM."""
    kinds: dict[type[Step], list[WholeTurn]] = {}
    for action in open_actions(course):
        kinds.setdefault(type(action.steps[0]), []).append(action)
    return list(kinds.values())[choose(len(kinds))] if kinds else []


def _take(course: Course, among: Sequence[WholeTurn], choose: Choose, taken: list[Step]) -> None:
    """Take one of these steps, each equally likely; none if there are none."""
    if among:
        for step in among[choose(len(among))].steps:
            take(course, step)
            taken.append(step)


def _value(course: Course) -> float:
    """The smaller the better: winning, then what is still needed, less what the others need."""
    position = course.position
    if course.winner:
        return -_WORST if course.winner == position.to_act else _WORST
    colours = position.setting.colours
    others = [colours[seat - 1] for seat in position.playing if seat != position.to_act]
    mine, *theirs = (
        need(course.stacks, course.slots, course.turned, colour)
        for colour in (course.mover, *others)
    )
    return mine - _OTHERS * min(theirs)
