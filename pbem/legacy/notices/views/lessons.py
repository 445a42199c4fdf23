"""A lesson as its learner is told of it: only matches that teach ask what positions are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.legacy.bots.lessons import Turn, lesson
from pbem.legacy.matches.steps import Status, StepKind
from pbem.legacy.notices.views.scene import LessonPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.legacy.bots.lessons import Lesson
    from pbem.errors import Facts
    from pbem.legacy.matches.match import Match


def lesson_part(match: Match, names: Mapping[int, str]) -> LessonPart | None:
    """What whoever learns is told before their turn, or at the end; None while it is not theirs.

    `names` are by seat.
    """
    seat = match.seat_of(match.table.challenger) if match.table.challenger is not None else None
    over = match.status is Status.ENDED
    if seat is None or match.course.position is None:
        return None
    if not over and (seat not in match.to_act or seat in match.pending.held):
        return None
    turns = [
        Turn(step.seat, step.move, step.before, step.after)
        for step in match.course.steps
        if step.kind is StepKind.MOVE and step.seat is not None and not step.forced
    ]
    stage = lesson(match.game, turns, match.course.position, seat, over=over)
    asked, missed = (
        () if move is None else (match.game.notation(move),) for move in (stage.move, stage.missed)
    )
    return LessonPart(
        stage=stage,
        offered=asked,
        missed="".join(missed),
        facts=_of_topic(match, stage.topic, match.course.position),
        came=_came(match, stage),
        whom=names[turns[-1].seat] if stage.reasons else "",
    )


def _of_topic(match: Match, name: str, position: object) -> Facts:
    """What the words of a topic say of a position."""
    topic = next((one for one in match.game.lesson if one.name == name), None)
    return topic.facts(position) if topic is not None else {}


def _came(match: Match, stage: Lesson) -> Facts:
    """What has come of the learner's last turn."""
    if stage.last is None or not stage.asked:
        return {}
    _, move, before, after = stage.last
    return {
        **match.game.facts(move, before, after),
        **_of_topic(match, stage.asked, after),
        "asked": stage.asked,
    }
