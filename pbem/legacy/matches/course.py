"""How a match has gone, ply by ply, and how a text is read as its next move."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.game import Drawn, Outcome, Over, Ply, Seat
from pbem.legacy.matches.events import (
    ChanceDrawn,
    ChanceSealed,
    Event,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
)
from pbem.legacy.matches.match import Course, Match, require_seat, require_turn
from pbem.legacy.matches.steps import Status, Step, StepKind
from pbem.legacy.matches.unfolding import Changes, Played
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
    step = step_aside(course, StepKind.LEFT, event.seat, match, after)
    left, offer = with_step(course, replace(step, event=event)), match.pending.offer
    if offer is None or offer.seat == event.seat or isinstance(match.game.turn(after), Over):
        return left
    # Who leaves answers no offer any more; the others may have accepted it already.
    return if_agreed(left, match, event.seat)


def seats_out(match: Match) -> tuple[Seat, ...]:
    """The seats that the rules have put out of a match, which goes on without them."""
    out, position = match.game.out, match.course.position
    return out(position) if out is not None and position is not None else ()


def still_in(match: Match) -> tuple[Seat, ...]:
    """The seats that still play: whoever has not left, and the rules have not put out."""
    out = seats_out(match)
    return tuple(seat for seat in match.table.playing if seat not in out)


def if_agreed(course: Course, match: Match, seat: Seat) -> Course:
    """The end by agreement, if beside a seat all have accepted the offer that stands."""
    offer = match.pending.offer
    if offer is None or {*still_in(match)} - {offer.seat, *offer.accepted, seat}:
        return course
    after = match.game.agree(course.position)
    return with_step(course, step_aside(course, StepKind.AGREED, offer.seat, match, after))


def step_aside(course: Course, kind: StepKind, seat: Seat | None, match: Match, after: Any) -> Step:
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


def with_step(course: Course, step: Step) -> Course:
    """The course with a step more."""
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
    return with_step(course, step)


def sealed_values(text: str) -> tuple[int, ...]:
    """The outcome in the sealed text of a secret draw."""
    return tuple(json.loads(text)["values"])


def _ended(course: Course, event: MatchEnded, _: Match) -> Course:
    return replace(course, outcome=Outcome(event.placings, event.termination))


def news(course: Course, event: Any, match: Match) -> Course:
    """Something of a seat that the next mails tell among the moves."""
    seat = getattr(event, "seat", None)
    step = step_aside(course, StepKind.NEWS, seat, match, course.position)
    return with_step(course, replace(step, event=event))


def clock_news(course: Course, event: Event, match: Match) -> Course:
    """The same of what counts only where there are clocks."""
    return news(course, event, match) if match.clocks is not None else course


COURSE: Final[Changes[Course]] = {
    MatchStarted: _started,
    ChanceDrawn: _drawn,
    ChanceSealed: _sealed,
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: news,
    SeatReassigned: news,
    MatchEnded: _ended,
}
"""Of MovePlayed more may be known: see `after_ply`."""


def outcome_of(match: Match) -> Outcome | None:
    """How a match must have ended: by the operator's verdict, or as the rules give it."""
    outcome: Outcome | None = match.game.outcome(match.course.position)
    return match.course.verdict or outcome


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
