"""A few real orders for the seat to act, accepted if typed, chosen without any judgement."""

from __future__ import annotations

from typing import Final

from pbem.games.looney_ludo.boards import QUARTERS
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    OWN,
    PIECES,
    Aim,
    Climb,
    Face,
    Phase,
    Position,
    Step,
    Tip,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import Course, take

_STEPS: Final = 4
"""Of the movement that is shown, at most."""


def samples(position: Position, count: int) -> list[str]:
    """At most `count` orders: movement, an action and movement after it, what ends or rolls again.

    They are written as the rules tell them: the action comes first.
    """
    texts = [notation(WholeTurn(steps)) for steps in _turns(position) if steps]
    if position.phase is Phase.DOUBLES:
        texts.append("reroll")
    texts.append("pass")
    return texts[:count]


def _turns(position: Position) -> list[tuple[Step, ...]]:
    plain, course = _movement(Course(position)), Course(position)
    action = _action(course)
    for step in action:
        take(course, step)
    return [plain, (*action, *_movement(course))] if action else [plain]


def _action(course: Course) -> tuple[Step, ...]:
    """One of the actions, from the middle of their list; under WILD TIP, whose points are known."""
    if course.face is Face.WILD:
        return (Tip(),)
    found = [turn.steps for turn in open_actions(course)]
    if course.face is Face.AIM:  # one board is enough to show how it is written
        found = [steps for steps in found if isinstance(steps[0], Aim) and len(steps[0].turns) == 1]
    return found[len(found) // 2] if found else ()


def _movement(course: Course) -> tuple[Step, ...]:
    """A way of one piece, rather an own one, that does not go back at once."""
    taken: list[Step] = []
    while len(taken) < _STEPS and not course.winner:
        steps = [step for step in _steps(course) if not taken or _goes_on(taken[-1], step)]
        if not steps:
            break
        steps.sort(key=lambda step: (not isinstance(step, Walk), step.piece // PIECES != OWN))
        take(course, steps[0])
        taken.append(steps[0])
    return tuple(taken)


def _steps(course: Course) -> list[Walk | Climb]:
    found = (step for turn in open_moves(course) for step in turn.steps)
    return [step for step in found if isinstance(step, Walk | Climb)]


def _goes_on(last: Step, step: Walk | Climb) -> bool:
    """Whether a step is of the same piece, and not straight back."""
    match last, step:
        case Walk(piece, before), Walk(same, direction):
            return piece == same and (direction - before) % QUARTERS != QUARTERS // 2
        case _:
            return isinstance(last, Walk | Climb) and last.piece == step.piece
