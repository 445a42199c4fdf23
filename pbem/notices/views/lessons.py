"""A lesson as its learner is told of it: only matches that teach ask what positions are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots.lessons import Turn, lesson
from pbem.matches.steps import StepKind
from pbem.notices.views.scene import LessonPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.matches.match import Match


def lesson_part(match: Match, names: Mapping[int, str]) -> LessonPart | None:
    """What whoever learns is told before their turn; None while it is not theirs.

    `names` are by seat.
    """
    seat = match.seat_of(match.table.challenger) if match.table.challenger is not None else None
    if seat is None or seat not in match.to_act or seat in match.pending.held:
        return None
    turns = [
        Turn(step.seat, step.move, step.before, step.after)
        for step in match.course.steps
        if step.kind is StepKind.MOVE and step.seat is not None and not step.forced
    ]
    stage = lesson(match.game, turns, match.course.position, seat)
    offered = (match.game.notation(stage.move),) if stage.move is not None else ()
    whom = names[turns[-1].seat] if stage.reasons else ""
    return LessonPart(stage=stage, offered=offered, whom=whom)
