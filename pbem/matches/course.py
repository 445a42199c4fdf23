"""How a match has gone: its positions, ply by ply, what was taken back, and its result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.games import GAMES
from pbem.games.game import Drawn, Outcome, Over, Ply, Seat
from pbem.matches.events import (
    ChanceDrawn,
    ChanceSealed,
    ClockCredited,
    DeadlineMissed,
    Event,
    LeaveBegun,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.operator_events import (
    MatchAdjudicated,
    MatchRolledBack,
    MatchVoided,
    SeatReassigned,
    verdict_of,
)
from pbem.matches.seat_events import SeatTakenOver, TakebackGranted
from pbem.matches.steps import NO_PLY, Played, Seen, Status, Step, StepKind
from pbem.matches.takebacks import TakenBack, gone_back
from pbem.names import PlayerId


@dataclass(frozen=True, kw_only=True, slots=True)
class Course:
    """The position now, the steps that led to it, and how it ended."""

    position: Any = None
    steps: tuple[Step, ...] = ()
    ply: Ply = NO_PLY
    taken_back: tuple[TakenBack, ...] = ()
    verdict: Outcome | None = None
    outcome: Outcome | None = None


def gone_on(course: Course, event: Event, seen: Seen) -> Course:
    """The course after an event in the match as it was `seen` before."""
    change = _CHANGES.get(type(event))
    return change(course, event, seen) if change is not None else course


def after_ply(course: Course, event: MovePlayed, seen: Seen, known: Played | None) -> Course:
    """The course after a ply; what is `known` of its move is not found out again."""
    if known is None:
        known = Played(seen.game.read(event.notation, course.position))
    move, after = known.move, known.after
    if after is None:
        after = seen.game.play(course.position, move)
    step = Step(
        kind=StepKind.MOVE,
        ply=event.ply,
        seat=event.seat,
        text=event.notation,
        before=course.position,
        after=after,
        players=seen.table.players,
        move=move,
        forced=event.forced,
        standing=event.standing,
        condition=event.condition,
    )
    return _with(course, step, event.ply)


def after_leaving(
    course: Course, event: SeatResigned | SeatTimedOut, seen: Seen, agreed: Seat | None
) -> Course:
    """The course after a seat has left its game; `agreed` is as in `after_agreeing`.

    Who leaves answers no offer any more; the others may have accepted it already.
    """
    after = seen.game.leave(course.position, event.seat)
    step = _step(course, StepKind.LEFT, event.seat, seen.table.players, after)
    left = _with(course, replace(step, event=event))
    return left if isinstance(seen.game.turn(after), Over) else after_agreeing(left, seen, agreed)


def after_agreeing(course: Course, seen: Seen, agreed: Seat | None) -> Course:
    """The course when all have accepted the offer of the seat `agreed`, if they have."""
    if agreed is None:
        return course
    after = seen.game.agree(course.position)
    return _with(course, _step(course, StepKind.AGREED, agreed, seen.table.players, after))


def _step(
    course: Course, kind: StepKind, seat: Seat, players: tuple[PlayerId, ...], after: Any
) -> Step:
    """Something of a seat that is neither a ply nor a draw."""
    return Step(
        kind=kind,
        ply=course.ply,
        seat=seat,
        text="",
        before=course.position,
        after=after,
        players=players,
    )


def _with(course: Course, step: Step, ply: Ply | None = None) -> Course:
    # Field by field: every ply and draw of a replay comes by, and `replace` costs three times that.
    return Course(
        position=step.after,
        steps=(*course.steps, step),
        ply=course.ply if ply is None else ply,
        taken_back=course.taken_back,
        verdict=course.verdict,
        outcome=course.outcome,
    )


def _started(course: Course, event: MatchStarted, _: Seen) -> Course:
    game = GAMES[event.ruleset]
    return replace(course, position=game.initial(len(event.players), event.options))


def _drawn(course: Course, event: ChanceDrawn, seen: Seen) -> Course:
    if seen.status is not Status.RUNNING:  # the draw of the seats: MatchStarted has its outcome
        return course
    drawn = Drawn(event.values)
    text = seen.game.chance_notation(course.position, drawn)
    return _after_draw(course, event, seen, drawn, text)


def _sealed(course: Course, event: ChanceSealed, seen: Seen) -> Course:
    return _after_draw(course, event, seen, Drawn(sealed_values(seen.secrets[event.sealed])), "")


def _after_draw(
    course: Course,
    event: ChanceDrawn | ChanceSealed,
    seen: Seen,
    drawn: Drawn,
    text: str,
) -> Course:
    after = seen.game.play(course.position, drawn)
    step = Step(
        kind=StepKind.DRAW,
        ply=event.ply,
        seat=None,
        text=text,
        before=course.position,
        after=after,
        players=seen.table.players,
        move=drawn,
        drawn=event if isinstance(event, ChanceDrawn) else None,
    )
    return _with(course, step)


def sealed_values(text: str) -> tuple[int, ...]:
    """The outcome in the sealed text of a secret draw."""
    return tuple(json.loads(text)["values"])


def _went_back(course: Course, event: TakebackGranted | MatchRolledBack, seen: Seen) -> Course:
    """What was taken back stays known."""
    taken, steps = gone_back(course.taken_back, course.steps, event, seen.version + 1)
    before = taken[-1].steps[0].before
    return replace(course, position=before, ply=event.ply, steps=steps, taken_back=taken)


def _judged(course: Course, event: MatchVoided | MatchAdjudicated, seen: Seen) -> Course:
    return replace(course, verdict=verdict_of(event, len(seen.table.players)) or course.verdict)


def _ended(course: Course, event: MatchEnded, _: Seen) -> Course:
    return replace(course, outcome=Outcome(event.placings, event.termination))


News = SeatTakenOver | SeatReassigned | LeaveBegun | DeadlineMissed | ClockCredited


def _news(course: Course, event: News, seen: Seen) -> Course:
    """Something that the next mails tell among the moves."""
    step = _step(course, StepKind.NEWS, event.seat, seen.table.players, course.position)
    return _with(course, replace(step, event=event))


def _clock_news(course: Course, event: News, seen: Seen) -> Course:
    return _news(course, event, seen) if seen.clocks is not None else course


_CHANGES: Final[Mapping[type[Any], Callable[[Course, Any, Seen], Course]]] = {
    MatchStarted: _started,
    ChanceDrawn: _drawn,
    ChanceSealed: _sealed,
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
    MatchVoided: _judged,
    MatchAdjudicated: _judged,
    MatchEnded: _ended,
    SeatTakenOver: _news,
    SeatReassigned: _news,
    LeaveBegun: _clock_news,
    DeadlineMissed: _clock_news,
    ClockCredited: _clock_news,
}
