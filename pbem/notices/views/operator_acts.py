"""What players are told of the operator's acts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.errors import Fact
from pbem.games.game import Outcome, Ply
from pbem.matches.match import Match
from pbem.matches.operator_events import (
    ActEvent,
    ClocksHalted,
    ClocksReleased,
    DeadlineMoved,
    MatchAdjudicated,
    MatchRolledBack,
    MatchVoided,
    SeatReassigned,
)
from pbem.names import PlayerId
from pbem.notices.news import OperatorActed, SeatFilled
from pbem.notices.personal import Banned, OperatorDecided
from pbem.notices.views.clean import clean_lines
from pbem.notices.views.matches import name_of, taken_back_to
from pbem.notices.views.scene import NoticeView, Scene


def acts_told(
    event: ActEvent, match: Match
) -> Iterator[tuple[PlayerId, OperatorActed | SeatFilled]]:
    """Everybody in the match is told what was done and why, and who is no longer in it."""
    notice = _told(event, match)
    if isinstance(event, SeatReassigned):
        seat, player, left = event.seat, event.player, event.left
        filled = SeatFilled(match=match.id, seat=seat, player=player, left=left)
        yield from ((reader, filled) for reader in match.players)
        yield left, notice
    yield from ((reader, notice) for reader in match.players)


def _told(event: ActEvent, match: Match) -> OperatorActed:
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
        case MatchRolledBack(ply=ply):
            return OperatorActed(match=name, act="back", reason=reason, ply=ply)


def told_by_operator(
    view: NoticeView, notice: OperatorActed | OperatorDecided | Banned, scene: Scene
) -> NoticeView:
    """The reason in the operator's words, and whom it is about."""
    text = clean_lines(scene.sealed.get(notice.reason, ""))
    if isinstance(notice, OperatorActed) and notice.act == "back":
        back = taken_back_to(scene.matches[notice.match], Ply(notice.ply), scene, None)
        return replace(view, text=text, since=back)
    if not isinstance(notice, OperatorActed) or notice.seat is None:
        return replace(view, text=text)
    player = scene.matches[notice.match].player_at(notice.seat)
    return replace(view, person=name_of(player, scene), text=text)


def end_of(match: Match, outcome: Outcome) -> dict[str, Fact]:
    """How a match has ended; `overruled` where it was not the game that ended it."""
    return {
        "termination": outcome.termination,
        "placings": outcome.placings,
        "overruled": match.verdict is not None,
    }
