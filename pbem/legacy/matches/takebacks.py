"""Takebacks (PLAY 2): after the window one question to the other; never past new information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pbem.errors import Rejection
from pbem.games.game import Ply, Seat
from pbem.legacy.matches.events import (
    Event,
    Eyes,
    MatchEnded,
    MatchRolledBack,
    MovePlayed,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
    Visible,
)
from pbem.legacy.matches.match import Course, Match, Pending, require_seat
from pbem.legacy.matches.steps import Request, Step, StepKind, TakenBack
from pbem.legacy.matches.unfolding import Audit, Changes, Deciding, Unfolding, in_play
from pbem.names import PlayerId, is_only_bots


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackAsked(Event):
    """A seat asked the other to go back to after `ply` plies, before its last move."""

    visible = Visible(Eyes.TABLE)
    seat: Seat
    ply: Ply


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackDeclined(Event):
    """A seat did not agree to the takeback that was asked for."""

    visible = Visible(Eyes.TABLE)
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class TakebackGranted(Event):
    """The other agreed: the match is as it was after `ply` plies, before the last move of `seat`.

    The moves after it stay in the log; their numbers are given again.
    """

    visible = Visible(Eyes.EVERYBODY)
    seat: Seat
    ply: Ply


TakebackEvent: TypeAlias = TakebackAsked | TakebackDeclined | TakebackGranted


# --- what events make of it ----------------------------------------------------------------------


def _asked(pending: Pending, event: TakebackAsked, match: Match) -> Pending:
    return replace(pending, takeback=Request(event.seat, event.ply, match.version + 1))


def _lapsed(pending: Pending, _: object, _match: Match) -> Pending:
    """It lapses when it is answered, and when anybody moves or leaves."""
    return replace(pending, takeback=None) if pending.takeback is not None else pending


OPENS: Final[Changes[Pending]] = {
    TakebackAsked: _asked,
}

CLOSES: Final[Changes[Pending]] = dict.fromkeys(
    (
        TakebackDeclined,
        TakebackGranted,
        MovePlayed,
        MatchEnded,
        SeatResigned,
        SeatTimedOut,
        MatchRolledBack,
    ),
    _lapsed,
)


def _went_back(course: Course, event: TakebackGranted | MatchRolledBack, match: Match) -> Course:
    """What was taken back stays known."""
    kept = next(n for n, step in enumerate(course.steps) if step.ply > event.ply)
    gone = course.steps[kept:]
    group = TakenBack(event.seat, event.ply, match.version + 1, kept, gone)
    # What was taken back further on goes back with the line that it stood beside.
    earlier = (replace(one, kept=min(one.kept, kept)) for one in course.taken_back)
    return replace(
        course,
        position=gone[0].before,
        ply=event.ply,
        steps=course.steps[:kept],
        taken_back=(*earlier, group),
    )


COURSE: Final[Changes[Course]] = {
    TakebackGranted: _went_back,
    MatchRolledBack: _went_back,
}

TWO: Final = 2
"""Players who can go back together: where more sit, each takeback stops the match for all.

Bots wait for nothing, so that among them everybody can.
"""


# --- what is decided ------------------------------------------------------------------------------


def ask(unfolding: Unfolding, player: PlayerId) -> Deciding:
    """Ask the other to go back to before one's last move. Raises Rejection."""
    match = unfolding.match
    seat = require_seat(player, match)
    if _is_among_many(match, seat):
        raise Rejection("takeback_among_many")
    if match.pending.takeback is not None:
        raise Rejection("takeback_already_asked")
    yield TakebackAsked(seat=seat, ply=before_last_move(match, seat))


def answer(unfolding: Unfolding, player: PlayerId, *, accept: bool) -> Deciding:
    """Agree, and the match goes back, or not. Raises Rejection."""
    seat = require_seat(player, unfolding.match)
    request = unfolding.match.pending.takeback
    if request is None or seat == request.seat:
        raise Rejection("no_takeback")
    if accept:
        yield TakebackGranted(seat=request.seat, ply=request.ply)
    else:
        yield TakebackDeclined(seat=seat)


def before_last_move(match: Match, seat: Seat) -> Ply:
    """The ply after which a seat chose its last move. Raises Rejection.

    What the server played for it goes back too: it would be played again at once.
    """
    number = _last_choice(match, seat)
    if number is None:
        raise Rejection("nothing_to_undo")
    for step in match.course.steps[number:]:
        _require_old_news(match, step)
    return Ply(match.course.steps[number].ply - 1)


def _is_among_many(match: Match, seat: Seat) -> bool:
    others = [match.player_at(other) for other in match.table.playing if other != seat]
    return len(others) >= TWO and not is_only_bots(others)


def _last_choice(match: Match, seat: Seat) -> int | None:
    for number in range(len(match.course.steps) - 1, -1, -1):
        step = match.course.steps[number]
        if step.kind is StepKind.MOVE and step.seat == seat and not step.forced:
            return number
    return None


def _require_old_news(match: Match, step: Step) -> None:
    """DESIGN 4: nothing drawn is ever undone, nor is what somebody has seen since."""
    match step.kind:
        case StepKind.DRAW:
            raise Rejection("takeback_past_draw", ply=step.ply)
        case StepKind.LEFT:
            raise Rejection("takeback_past_leaving", seat=step.seat)
        case StepKind.NEWS if isinstance(step.event, SeatTakenOver):
            raise Rejection("takeback_past_leaving", seat=step.event.seat)
        case StepKind.MOVE if match.game.reveals(step.before, step.after, None):
            raise Rejection("takeback_past_secret", ply=step.ply)
        case _:
            pass


# --- whether it may stand in the log -------------------------------------------------------------


def _judged_takeback(state: Match, event: TakebackEvent) -> Iterator[str]:
    """What is wrong with asking for a takeback, answering or granting it, in words."""
    request = state.pending.takeback
    if event.seat not in state.table.playing:
        yield f"seat {event.seat} has no say in a takeback"
    match event:
        case TakebackAsked(seat=seat, ply=ply):
            if _is_among_many(state, seat):
                yield "a takeback was asked for among more than two"
            if request is not None:
                yield "a takeback was asked for while another one was"
            yield from _judged_ply(state, seat, ply)
        case TakebackDeclined(seat=seat):
            if request is None or seat == request.seat:
                yield f"seat {seat} answered a request that did not stand"
        case TakebackGranted(seat=seat, ply=ply):
            if request is None or (request.seat, request.ply) != (seat, ply):
                yield "a takeback was granted that nobody asked for"
                return
            yield from _judged_ply(state, seat, ply)


def _judged_ply(state: Match, seat: Seat, ply: Ply) -> Iterator[str]:
    try:
        back = before_last_move(state, seat)
    except Rejection as rejection:
        yield f"seat {seat} can take nothing back: {rejection.code}"
        return
    if back != ply:
        yield f"seat {seat} goes back to ply {back}, not {ply}"


AUDIT: Final[Audit] = in_play(
    dict.fromkeys((TakebackAsked, TakebackDeclined, TakebackGranted), _judged_takeback)
)
