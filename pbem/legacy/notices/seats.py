"""What is told of seats that are left and filled, and of the operator's acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from pbem.games.game import Seat
from pbem.legacy.matches.course import seats_out
from pbem.legacy.matches.events import (
    MatchRolledBack,
    SeatReassigned,
    SeatResigned,
    SeatTakenOver,
    SeatTimedOut,
)
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.operator_acts import (
    ActEvent,
    ClocksHalted,
    ClocksReleased,
    CommentRemoved,
    DeadlineMoved,
    MatchAdjudicated,
    MatchUnrated,
    MatchVoided,
)
from pbem.names import Digest, MatchId, PlayerId
from pbem.legacy.notices.notice import Notice, Owed, Owing, Traits, playing


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatFilled(Notice):
    """Somebody plays on in the seat of another: of one who went, or whom the operator replaced."""

    traits = Traits(lasts=True, on_page=True, about="player")

    match: MatchId
    seat: Seat
    player: PlayerId
    left: PlayerId
    why: Literal["replaced", "resigned", "decided", "time"] = "replaced"


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatVacated(Notice):
    """Somebody resigned, or lost on time, and the others play on.

    `condition`: who resigned had decided so for this case.
    """

    traits = Traits(waits=True, lasts=True, on_page=True, about="seat")

    match: MatchId
    seat: Seat
    timed_out: bool = False
    condition: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatOut(Notice):
    """The rules have put you out, and the others play on."""

    traits = Traits(lasts=True, on_page=True)

    match: MatchId
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class OperatorActed(Notice):
    """The operator has done something to your match: what, and why; `due` is a time as ISO text."""

    traits = Traits(about="seat", says="reason")

    match: MatchId
    act: Literal[
        "voided", "adjudicated", "unrated", "halted", "released", "deadline", "seat", "back", "said"
    ]
    reason: Digest
    seat: Seat | None = None
    due: str = ""
    ply: int = 0


# --- who is told ----------------------------------------------------------------------------------


def _left(event: SeatResigned | SeatTimedOut | SeatTakenOver, match: Match) -> Iterator[Owed]:
    """Somebody is out and the others play on. Who resigned has an answer, who was late has none."""
    if match.status is not Status.RUNNING:
        return
    seat, player, late = event.seat, match.player_at(event.seat), isinstance(event, SeatTimedOut)
    decided = isinstance(event, SeatResigned) and event.condition
    out: Notice = SeatVacated(match=match.id, seat=seat, timed_out=late, condition=decided)
    if isinstance(event, SeatTakenOver):
        why = "decided" if event.condition else event.reason
        player, late = event.left, event.reason == "time"
        out = SeatFilled(match=match.id, seat=seat, player=event.player, left=player, why=why)
    yield from ((reader, out) for reader in playing(match, seat))
    if late:
        yield player, out


def out_news(before: Match, after: Match) -> Iterator[Owed]:
    """Whom the rules have put out between two states of a running match."""
    if before.status is not Status.RUNNING or before.course.position == after.course.position:
        return
    already = seats_out(before)
    for seat in seats_out(after):
        if seat in after.table.playing and seat not in already:
            yield after.player_at(seat), SeatOut(match=after.id, seat=seat)


def acts_told(
    event: ActEvent, match: Match
) -> Iterator[tuple[PlayerId, OperatorActed | SeatFilled]]:
    """Everybody in the match is told what was done and why, and who is no longer in it.

    That a comment was taken away concerns its writer alone.
    """
    notice = _act_told(event, match)
    if isinstance(event, CommentRemoved):
        yield event.writer, notice
        return
    if isinstance(event, SeatReassigned):
        seat, player, left = event.seat, event.player, event.left
        filled = SeatFilled(match=match.id, seat=seat, player=player, left=left)
        yield from ((reader, filled) for reader in match.table.players)
        yield left, notice
    yield from ((reader, notice) for reader in match.table.players)


def _act_told(event: ActEvent, match: Match) -> OperatorActed:
    name, reason = match.id, event.reason
    match event:
        case MatchVoided():
            return OperatorActed(match=name, act="voided", reason=reason)
        case MatchAdjudicated():
            return OperatorActed(match=name, act="adjudicated", reason=reason)
        case ClocksHalted():
            return OperatorActed(match=name, act="halted", reason=reason)
        case ClocksReleased():
            return OperatorActed(match=name, act="released", reason=reason)
        case DeadlineMoved(seat=seat):
            running = match.clocks.running.get(seat) if match.clocks is not None else None
            due = running.due.isoformat() if running is not None else ""
            return OperatorActed(match=name, act="deadline", reason=reason, seat=seat, due=due)
        case SeatReassigned(seat=seat):
            return OperatorActed(match=name, act="seat", reason=reason, seat=seat)
        case CommentRemoved(number=number):
            ply = match.table.comments[number - 1].ply
            return OperatorActed(match=name, act="said", reason=reason, ply=ply or 0)
        case MatchUnrated():
            return OperatorActed(match=name, act="unrated", reason=reason)
        case MatchRolledBack(ply=ply):
            return OperatorActed(match=name, act="back", reason=reason, ply=ply)


OWING: Final[Owing] = {
    SeatResigned: _left,
    SeatTimedOut: _left,
    SeatTakenOver: _left,
    **dict.fromkeys(get_args(ActEvent), acts_told),
}
