"""Acts of the operator decided: on a running match, each followed by what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from pbem.errors import Rejection
from pbem.games.game import Outcome
from pbem.hours import counted
from pbem.matches.checks import require_running
from pbem.matches.clocks import HOUR
from pbem.matches.events import ClockPaused, ClockResumed, Event, MatchEnded
from pbem.matches.match import Match, Status
from pbem.matches.operator_events import (
    ActCommand,
    ActEvent,
    Adjudicate,
    ClocksHalted,
    ClocksReleased,
    DeadlineMoved,
    GiveSeat,
    HaltClocks,
    MatchAdjudicated,
    MatchRolledBack,
    MatchVoided,
    MoveDeadline,
    ReleaseClocks,
    RollBack,
    SeatReassigned,
    VoidMatch,
    verdict_of,
)
from pbem.matches.steps import StepKind
from pbem.matches.timing import require_clocks
from pbem.matches.unfolding import revealed
from pbem.matches.window import replaced

if TYPE_CHECKING:
    from pbem.matches.unfolding import Unfolding

Act: TypeAlias = VoidMatch | Adjudicate | HaltClocks | ReleaseClocks | MoveDeadline | GiveSeat


def act(command: ActCommand, unfolding: Unfolding) -> None:
    """Do what the operator wants. Raises Rejection where it cannot be."""
    match = unfolding.match
    require_running(match)
    if isinstance(command, RollBack):
        unfolding.happens(_rolled_back(command, match))
        unfolding.follow()
    else:
        unfolding.happens(*_acted(command, match, unfolding.now))


def _acted(command: Act, match: Match, now: datetime) -> list[Event]:
    match command:
        case VoidMatch(author=author, reason=reason):
            return _ended(MatchVoided(author=author, reason=reason), match)
        case Adjudicate(author=author, reason=reason, placings=placings):
            _require_placings(placings, match)
            act = MatchAdjudicated(author=author, reason=reason, placings=placings)
            return _ended(act, match)
        case HaltClocks(author=author, reason=reason):
            return [ClocksHalted(author=author, reason=reason), *_paused(match, now)]
        case ReleaseClocks(author=author, reason=reason):
            return [ClocksReleased(author=author, reason=reason), *_resumed(match, now)]
        case MoveDeadline():
            return _moved(command, match, now)
        case GiveSeat():
            return _given(command, match)


def _ended(event: ActEvent, match: Match) -> list[Event]:
    verdict = verdict_of(event, len(match.table.players))
    if verdict is None:
        raise TypeError(f"{event} ends nothing")
    ended = MatchEnded(placings=verdict.placings, termination=verdict.termination)
    return [event, ended, *revealed(match)]


def _require_placings(placings: tuple[int, ...], match: Match) -> None:
    """A place for every seat, as games give them: who shares a place takes those behind it."""
    ranks = sorted(placings)
    shared = all(place == 1 + sum(other < place for other in ranks) for place in ranks)
    if len(placings) != len(match.table.players) or not shared:
        raise Rejection("bad_placings", placings=list(placings), seats=len(match.table.players))


def _paused(match: Match, now: datetime) -> list[Event]:
    clocks = require_clocks(match)
    paused: list[Event] = [
        ClockPaused(seat=seat, at=now, bank=clocks.left(seat, now), reason="operator")
        for seat in match.table.playing
        if "operator" not in clocks.paused.get(seat, ())
    ]
    if not paused:
        raise Rejection("act_refused", why="halted")
    return paused


def _resumed(match: Match, now: datetime) -> list[Event]:
    clocks = require_clocks(match)
    resumed: list[Event] = [
        ClockResumed(seat=seat, at=now, reason="operator")
        for seat in match.table.playing
        if "operator" in clocks.paused.get(seat, ())
    ]
    if not resumed:
        raise Rejection("act_refused", why="not_halted")
    return resumed


def _moved(command: MoveDeadline, match: Match, now: datetime) -> list[Event]:
    """The clock of a seat that is to act is set anew; one whose time was over runs again."""
    clocks, seat = require_clocks(match), command.seat
    if "operator" in clocks.paused.get(seat, ()):
        raise Rejection("act_refused", why="stopped")
    if seat not in match.to_act or clocks.paused.get(seat):
        raise Rejection("clock_stands", seat=seat)
    running = clocks.running.get(seat)
    if running is not None and running.due == command.due:
        raise Rejection("act_refused", why="same_deadline")
    seconds = counted(clocks.hours_now(seat), now, command.due)
    bank = min(seconds, clocks.control.cap * HOUR)
    return [DeadlineMoved(author=command.author, reason=command.reason, seat=seat, bank=bank)]


def _given(command: GiveSeat, match: Match) -> list[Event]:
    """Another player sits there, with the time that a newcomer gets; plans of the old one go."""
    seat, player = command.seat, command.player
    if player in match.table.players:
        raise Rejection("act_refused", why="sits_there")
    if seat not in match.table.playing:
        raise Rejection("act_refused", why="left")
    reassigned = SeatReassigned(
        author=command.author,
        reason=command.reason,
        seat=seat,
        player=player,
        left=match.player_at(seat),
    )
    return [*replaced(match, seat), reassigned]


def _rolled_back(command: RollBack, match: Match) -> MatchRolledBack:
    """Moves and draws after a ply count no more; what was drawn is not drawn again by its link."""
    if not 0 <= command.ply < match.course.ply:
        raise Rejection("act_refused", why="not_earlier", ply=match.course.ply)
    gone = [step for step in match.course.steps if step.ply > command.ply]
    for step in gone:
        if step.kind is StepKind.LEFT:
            raise Rejection("takeback_past_leaving", seat=step.seat)
    seat = gone[0].seat
    if seat is None:
        raise TypeError(f"ply {command.ply + 1} is nobody's")
    return MatchRolledBack(author=command.author, reason=command.reason, ply=command.ply, seat=seat)


def outcome_of(match: Match) -> Outcome | None:
    """How a match must have ended: by the operator's verdict, or as the rules give it."""
    outcome: Outcome | None = match.game.outcome(match.course.position)
    return match.course.verdict or outcome


def judged_act(match: Match, event: ActEvent) -> Iterator[str]:
    """What the operator has done is said, and not judged; what follows from it is."""
    if match.status is not Status.RUNNING:
        yield f"{type(event).__name__} stands where no match is running"
    if isinstance(event, SeatReassigned) and event.player in match.table.players:
        yield "a seat was given to somebody who sits there already"
    if isinstance(event, MatchRolledBack) and not 0 <= event.ply < match.course.ply:
        yield f"the match went back to ply {event.ply} from ply {match.course.ply}"
    if isinstance(event, MatchAdjudicated) and len(event.placings) != len(match.table.players):
        yield "the operator's verdict does not place every seat"
