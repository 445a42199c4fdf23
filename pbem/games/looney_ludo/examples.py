"""A few real orders for the seat to act, all accepted if typed; the first bring the nest nearer."""

from __future__ import annotations

from typing import Final

from pbem.games.looney_ludo.boards import OFF_TABLE, QUARTERS, SQUARES, Slots, reached
from pbem.games.looney_ludo.legal import open_actions, open_moves
from pbem.games.looney_ludo.notation import notation
from pbem.games.looney_ludo.position import (
    CENTRES,
    COLOURS,
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
from pbem.games.looney_ludo.steps import Course, square_of, take

_LOOKED_AT: Final = 12
"""Actions of which the one is shown that helps most."""

_ALL_SQUARES: Final = SQUARES * len(COLOURS)

_FAR: Final = _ALL_SQUARES
"""The way of a piece that cannot come home at all."""


def samples(position: Position, count: int) -> list[str]:
    """At most `count` orders: movement, an action and movement after it, what ends or rolls again.

    They are written as the rules tell them: the action comes first.
    """
    plain, acted = _movement(Course(position)), _with_action(position)
    texts = [notation(WholeTurn(steps)) for steps in (plain, acted) if steps]
    if position.phase is Phase.DOUBLES:
        texts.append("reroll")
    texts.append("pass")
    return texts[:count]


def _with_action(position: Position) -> tuple[Step, ...]:
    """An action and the movement after it: under WILD TIP, whose points are known, else the best.

    That is the one after whose turn the pieces are nearest to home.
    """
    best: tuple[int, tuple[Step, ...]] | None = None
    for steps in _actions(Course(position)):
        course = Course(position)
        for step in steps:
            take(course, step)
        whole = (*steps, *_movement(course))
        left = way_left(course)
        if best is None or left < best[0]:
            best = left, whole
    return best[1] if best is not None else ()


def _actions(course: Course) -> list[tuple[Step, ...]]:
    if course.face is Face.WILD:
        return [(Tip(),)]
    found = [turn.steps for turn in open_actions(course)]
    if course.face is Face.AIM:  # one board is enough to show how it is written
        found = [steps for steps in found if isinstance(steps[0], Aim) and len(steps[0].turns) == 1]
    return found[:: -(-len(found) // _LOOKED_AT)] if found else []


# --- the way home --------------------------------------------------------------------------------


def _movement(course: Course) -> tuple[Step, ...]:
    """Steps that build the own nest from below, as far as the points go; else one that is legal."""
    taken: list[Step] = []
    is_ready = True
    for size in range(_built(course), PIECES):
        way = _way_home(course, size)
        is_ready = is_ready and bool(way)
        for step in way if is_ready else way[:-1]:  # it waits beside the nest for those below it
            if course.points < size + 1 or course.winner:
                return tuple(taken)
            take(course, step)
            taken.append(step)
    return tuple(taken) or _any_step(course)


def _any_step(course: Course) -> tuple[Step, ...]:
    """A step of an own piece, rather a walk, and rather one that does not leave the own centre."""
    home = CENTRES[course.mover]
    steps = [step for turn in open_moves(course) for step in turn.steps]
    steps.sort(
        key=lambda step: (
            not isinstance(step, Walk),
            isinstance(step, Walk | Climb) and step.piece // PIECES != OWN,
            isinstance(step, Walk | Climb) and _square(course, step.piece % PIECES) == home,
        )
    )
    if steps:
        take(course, steps[0])
    return tuple(steps[:1])


def _built(course: Course) -> int:
    """How many own pieces lie on the own centre as the nest needs them, with nothing above."""
    stack, own = course.stacks[CENTRES[course.mover]], PIECES * course.mover
    return next(
        (n for n in range(PIECES, 0, -1) if tuple(stack[-n:]) == tuple(range(own, own + n))), 0
    )


def _square(course: Course, size: int) -> int | None:
    return square_of(course.stacks, PIECES * course.mover + size)


def _way_home(course: Course, size: int) -> tuple[Step, ...]:
    """The steps that bring an own piece to the top of its centre; empty if there are none."""
    square = _square(course, size)
    if square is None:
        return ()
    piece = PIECES * OWN + size
    is_covered = course.stacks[square][-1] != PIECES * course.mover + size
    away = _distances(course.slots, course.turned, CENTRES[course.mover])
    steps: list[Step] = [Climb(piece)] if is_covered else []
    if square not in away:
        return ()
    while away[square]:
        for direction in range(QUARTERS):
            to = reached(square, direction, course.slots, course.turned)
            if away.get(to, _FAR) < away[square]:
                steps.append(Walk(piece, direction))
                square = to
                break
    return tuple(steps)


def _distances(slots: Slots, turned: tuple[int, ...], home: int) -> dict[int, int]:
    """How many steps every square is from home, as the arrows lead, where they lead there."""
    into: dict[int, list[int]] = {}
    for square in range(_ALL_SQUARES):
        if slots[square // SQUARES] == OFF_TABLE:
            continue
        for direction in range(QUARTERS):
            to = reached(square, direction, slots, turned)
            if to >= 0:
                into.setdefault(to, []).append(square)
    found, edge = {home: 0}, [home]
    for square in edge:
        for before in into.get(square, ()):
            if before not in found:
                found[before] = found[square] + 1
                edge.append(before)
    return found


def way_left(course: Course) -> int:
    """The points that all own pieces still need."""
    if course.winner:
        return 0
    built = _built(course)
    ways = ((size, _way_home(course, size)) for size in range(built, PIECES))
    return sum((size + 1) * (len(way) or _FAR) for size, way in ways)
