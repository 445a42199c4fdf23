"""How a match has gone, ply by ply, and how a text is read as its next move."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Drawn, Outcome, Over, Ply, Seat
from pbem.matches.agreements import agreed
from pbem.matches.events import (
    ChanceDrawn,
    ChanceSealed,
    ClockCredited,
    DeadlineMissed,
    DrawAccepted,
    DrawOffered,
    LeaveBegun,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
)
from pbem.matches.match import Course, Match, require_seat, require_turn
from pbem.matches.operator_events import (
    MatchAdjudicated,
    MatchVoided,
    SeatReassigned,
    verdict_of,
)
from pbem.matches.seat_events import PauseBegun, PauseEnded, SeatTakenOver, TimeGiven
from pbem.matches.steps import CLAIMED, Status, Step, StepKind
from pbem.matches.unfolding import Played
from pbem.names import PlayerId

# --- what events make of it ----------------------------------------------------------------------


def after_ply(course: Course, event: MovePlayed, match: Match, known: Played | None) -> Course:
    """The course after a ply; what is `known` of its move is not found out again."""
    game, before = match.game, course.position
    move = known.move if known is not None else game.read(event.notation, before)
    after = known.after if known is not None else None
    step = Step(
        kind=StepKind.MOVE,
        ply=event.ply,
        seat=event.seat,
        text=event.notation,
        before=before,
        after=after if after is not None else game.play(before, move),
        players=match.table.players,
        move=move,
        forced=event.forced,
        standing=event.standing,
        condition=event.condition,
    )
    # Field by field: every ply of a replay comes by, and `replace` costs three times that.
    return Course(
        position=step.after,
        steps=(*course.steps, step),
        ply=event.ply,
        taken_back=course.taken_back,
        verdict=course.verdict,
        outcome=course.outcome,
    )


def _left(course: Course, event: SeatResigned | SeatTimedOut, match: Match) -> Course:
    after = match.game.leave(course.position, event.seat)
    step = _step(course, StepKind.LEFT, event.seat, match, after)
    left = _with(course, replace(step, event=event))
    return left if isinstance(match.game.turn(after), Over) else _agreed(left, event, match)


def _agreed(
    course: Course, event: DrawAccepted | SeatResigned | SeatTimedOut, match: Match
) -> Course:
    """The end by agreement, if all have accepted the offer that stands."""
    seat = agreed(match, event)
    if seat is None:
        return course
    after = match.game.agree(course.position)
    return _with(course, _step(course, StepKind.AGREED, seat, match, after))


def _claimed(course: Course, event: DrawOffered, match: Match) -> Course:
    """The end by a draw that is claimed, if the offer is such a claim."""
    after = match.game.claimed(course.position)
    if after is None:
        return course
    claim = _step(course, StepKind.AGREED, event.seat, match, after)
    return _with(course, replace(claim, text=CLAIMED))


def _step(course: Course, kind: StepKind, seat: Seat | None, match: Match, after: Any) -> Step:
    """Something of a seat that is neither a ply nor a draw."""
    return Step(
        kind=kind,
        ply=course.ply,
        seat=seat,
        text="",
        before=course.position,
        after=after,
        players=match.table.players,
    )


def _with(course: Course, step: Step) -> Course:
    return replace(course, position=step.after, steps=(*course.steps, step))


def _started(course: Course, event: MatchStarted, _: Match) -> Course:
    game = GAMES[event.ruleset]
    return replace(course, position=game.initial(len(event.players), event.options))


def _drawn(course: Course, event: ChanceDrawn, match: Match) -> Course:
    if match.status is not Status.RUNNING:  # the draw of the seats: MatchStarted has its outcome
        return course
    drawn = Drawn(event.values)
    text = match.game.chance_notation(course.position, drawn)
    return _after_draw(course, event, match, drawn, text)


def _sealed(course: Course, event: ChanceSealed, match: Match) -> Course:
    values = sealed_values(match.secrets[event.sealed])
    return _after_draw(course, event, match, Drawn(values), "")


def _after_draw(
    course: Course, event: ChanceDrawn | ChanceSealed, match: Match, drawn: Drawn, text: str
) -> Course:
    step = Step(
        kind=StepKind.DRAW,
        ply=event.ply,
        seat=None,
        text=text,
        before=course.position,
        after=match.game.play(course.position, drawn),
        players=match.table.players,
        move=drawn,
        drawn=event if isinstance(event, ChanceDrawn) else None,
    )
    return _with(course, step)


def sealed_values(text: str) -> tuple[int, ...]:
    """The outcome in the sealed text of a secret draw."""
    return tuple(json.loads(text)["values"])


def _judged(course: Course, event: MatchVoided | MatchAdjudicated, match: Match) -> Course:
    return replace(course, verdict=verdict_of(event, len(match.table.players)))


def _ended(course: Course, event: MatchEnded, _: Match) -> Course:
    return replace(course, outcome=Outcome(event.placings, event.termination))


News = (
    SeatTakenOver
    | SeatReassigned
    | LeaveBegun
    | DeadlineMissed
    | ClockCredited
    | TimeGiven
    | PauseBegun
    | PauseEnded
)


def _news(course: Course, event: News, match: Match) -> Course:
    """Something that the next mails tell among the moves."""
    seat = None if isinstance(event, PauseBegun) else event.seat
    step = _step(course, StepKind.NEWS, seat, match, course.position)
    return _with(course, replace(step, event=event))


def _clock_news(course: Course, event: News, match: Match) -> Course:
    return _news(course, event, match) if match.clocks is not None else course


COURSE: Final[Mapping[type[Any], Callable[[Course, Any, Match], Course]]] = {
    MatchStarted: _started,
    ChanceDrawn: _drawn,
    ChanceSealed: _sealed,
    DrawAccepted: _agreed,
    DrawOffered: _claimed,
    SeatResigned: _left,
    SeatTimedOut: _left,
    MatchVoided: _judged,
    MatchAdjudicated: _judged,
    MatchEnded: _ended,
    SeatTakenOver: _news,
    SeatReassigned: _news,
    LeaveBegun: _clock_news,
    DeadlineMissed: _clock_news,
    ClockCredited: _clock_news,
    TimeGiven: _clock_news,
    PauseBegun: _clock_news,
    PauseEnded: _clock_news,
}
"""Of MovePlayed more may be known: see `after_ply`."""


# --- what is typed -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadMove:
    """What a text was read as: a move of a seat in the match at a version, as the game's value.

    `tried`: it is legal, as far as the seat can know. At another version the text is read again.
    """

    text: str
    seat: Seat
    move: Any
    notation: str
    version: int
    tried: bool = False


def understood(
    match: Match,
    player: PlayerId,
    text: str,
    *,
    held: bool,
    ply: Ply | None = None,
    read: ReadMove | None = None,
) -> ReadMove:
    """What is played, read against the match as it stands. Raises Rejection.

    `ply`, if given, is the ply it is meant for, against old mail; `read` the move that the text is,
    where that is known. A move that is to be held is checked by what its seat can know: otherwise
    whoever takes it back would have asked for free whether it is legal.
    """
    seat = require_seat(player, match)
    require_turn(seat, match)
    if ply is not None and ply != match.course.ply + 1:
        raise Rejection("stale_mail", meant=ply, now=match.course.ply + 1)
    if read is None or (read.text, read.seat, read.version) != (text, seat, match.version):
        move = match.game.parse(text, match.course.position, seat)
        read = ReadMove(text, seat, move, match.game.notation(move), match.version)
    if held and not read.tried:
        match.game.tried(match.course.position, read.move, seat)
        read = replace(read, tried=True)
    return read
