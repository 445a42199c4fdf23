"""Legal moves that are shown to players as examples of notation; they need not be good moves."""

from __future__ import annotations

from functools import partial
from typing import Final

from pbem.games.looney_ludo.boards import QUARTERS
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    CENTRES,
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
from pbem.games.looney_ludo.steps import Course, find_square, resolve_colour, take

_STEPS: Final = 4  # greatest number of steps of a sample movement


def samples(position: Position, count: int) -> list[str]:
    """Return at most `count` legal moves of different kinds as text.

    These are a movement, an action with a movement, a re-roll if it is legal, and a pass.
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
    """Return a legal action as a tuple of one step, or an empty tuple if no action is legal.

    If WILD was rolled, the action is TIP.
    """
    if course.face is Face.WILD:
        return (Tip(),)
    actions = [turn.steps for turn in open_actions(course)]
    if course.face is Face.AIM:  # one board is enough to show the notation
        actions = [
            steps for steps in actions if isinstance(steps[0], Aim) and len(steps[0].turns) == 1
        ]
    return actions[len(actions) // 2] if actions else ()


def _movement(course: Course) -> tuple[Step, ...]:
    """Apply up to `_STEPS` steps with one piece to `course`, and return the steps.

    Walks are preferred to climbs, and the mover's pieces to other pieces. A piece of the mover
    leaves its home centre only if no other piece can move. A piece that reaches its home centre
    stops there. No piece goes straight back.
    """
    path: list[Step] = []
    while len(path) < _STEPS and not course.winner:
        steps = [step for step in _steps(course) if not path or _goes_on(path[-1], step)]
        if not steps or (path and _is_home(course, steps[0])):
            break
        step = min(steps, key=partial(_rank, course))
        take(course, step)
        path.append(step)
    return tuple(path)


def _rank(course: Course, step: Walk | Climb) -> tuple[bool, bool, bool]:
    """Return the sort key of a step. The step with the lowest key is the best for a sample."""
    return _is_home(course, step), not isinstance(step, Walk), step.piece // PIECES != OWN


def _is_home(course: Course, step: Walk | Climb) -> bool:
    """Return whether a step moves a piece of the mover that is on the mover's home centre."""
    piece = resolve_colour(course, step.piece)
    is_own = piece // PIECES == course.mover
    return is_own and find_square(course.stacks, piece) == CENTRES[course.mover]


def _steps(course: Course) -> list[Walk | Climb]:
    steps = (step for turn in open_moves(course) for step in turn.steps)
    return [step for step in steps if isinstance(step, Walk | Climb)]


def _goes_on(last: Step, step: Walk | Climb) -> bool:
    """Return whether a step moves the same piece as the last step, and not straight back."""
    match last, step:
        case Walk(piece, before), Walk(same, direction):
            return piece == same and (direction - before) % QUARTERS != QUARTERS // 2
        case _:
            return isinstance(last, Walk | Climb) and last.piece == step.piece
