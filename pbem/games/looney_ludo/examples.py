"""A few real orders for the seat to act, all of them accepted if they are typed."""

from __future__ import annotations

from pbem.games.looney_ludo.boards import QUARTERS
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    OWN,
    PIECES,
    Climb,
    Face,
    Phase,
    Position,
    Step,
    Walk,
    WholeTurn,
)
from pbem.games.looney_ludo.steps import Course, take


def samples(position: Position, count: int) -> list[str]:
    """At most `count` orders: a movement, one with the action, and what doubles allow or a pass."""
    moves = _movement(Course(position))
    texts = [notation(WholeTurn(moves))] if moves else []
    with_action = _with_action(position, moves[:1])
    if with_action:
        texts.append(notation(WholeTurn(with_action)))
    if position.phase is Phase.DOUBLES:
        texts.insert(0, "reroll")
    texts.append("pass")
    return texts[:count]


def _movement(course: Course) -> tuple[Step, ...]:
    """Steps of one piece as far as the points go: on the way it never turns back at once."""
    piece, before = None, None
    taken: list[Step] = []
    while not course.winner:
        options = [
            step
            for turn in open_moves(course)
            for step in turn.steps
            if isinstance(step, Walk | Climb)
            and piece in (None, step.piece)
            and not (isinstance(step, Walk) and before == (step.direction + 2) % QUARTERS)
        ]
        if not options:
            break
        # A first example shows directions and an own piece, where it can.
        options = [step for step in options if isinstance(step, Walk)] or options
        options = [step for step in options if step.piece // PIECES == OWN] or options
        step = options[(3 * len(taken)) % len(options)]
        take(course, step)
        taken.append(step)
        piece, before = step.piece, step.direction if isinstance(step, Walk) else None
    return tuple(taken)


def _with_action(position: Position, moves: tuple[Step, ...]) -> tuple[Step, ...]:
    """The first of the moves and then an action, if there is one to show."""
    course = Course(position)
    for step in moves:
        take(course, step)
    actions = open_actions(course)
    if course.winner or not actions:
        return ()
    # Under WILD the first is TIP; a quarter into the list of AIMs a single board turns.
    example = actions[0 if course.face is Face.WILD else len(actions) // QUARTERS]
    return (*moves, *example.steps)
