"""Analyses that are asked for, made piece by piece, and ready: of matches as they have ended."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.legacy.bots.analysis import Analysis, Passed, can_analyse, put_together
from pbem.errors import Rejection
from pbem.legacy.matches.match import Match, Status
from pbem.legacy.matches.steps import StepKind
from pbem.names import is_bot
from pbem.legacy.store import analyses
from pbem.legacy.store.analyses import Kept

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from pbem.legacy.bots.analysis import Piece
    from pbem.names import MatchId, PlayerId

_DIGITS: Final = 16

_MADE: Final = 2
"""By which way it is found what is kept: of what another has found nothing is told."""


def passed_of(match: Match) -> list[Passed]:
    """The changes of the board, from the start to the end."""
    return [
        Passed(
            ply=step.ply,
            seat=step.seat if step.kind is StepKind.MOVE else None,
            move=step.move,
            before=step.before,
            after=step.after,
            forced=step.forced,
        )
        for step in match.course.steps
        if step.kind is not StepKind.NEWS
    ]


def as_of(match: Match) -> str:
    """Which end it is: an operator may let a match go on, and it ends otherwise.

    Of another way to find it, it is another's as well.
    """
    texts = [f"{step.ply} {step.kind} {step.text}" for step in match.course.steps]
    return hashlib.sha256("\n".join([f"{_MADE}", *texts]).encode()).hexdigest()[:_DIGITS]


def played_in(match: Match, player: PlayerId) -> bool:
    """Whether somebody has, or had, a seat of a match."""
    return not is_bot(player) and player in {*match.table.players, *match.table.entrants}


def require_analysable(match: Match, player: PlayerId) -> None:
    """Raises Rejection where a match cannot be analysed, or not for this player."""
    if match.status in (Status.NEW, Status.CHALLENGE, Status.OFF):
        raise Rejection("match_not_started")
    if not played_in(match, player):
        raise Rejection("analysis_not_yours")
    if match.status is not Status.ENDED:
        raise Rejection("analysis_too_early")
    if not can_analyse(match.game):
        raise Rejection("analysis_unknown", game=match.game.title)
    if not any(one.seat is not None for one in passed_of(match)):
        raise Rejection("analysis_empty")


def ready(conn: Connection, match: Match) -> Analysis | None:
    """The analysis of a match as it has ended; None where there is none yet."""
    kept = analyses.find(conn, match.id) if match.status is Status.ENDED else None
    if kept is None or not kept.is_made or kept.as_of != as_of(match):
        return None
    return _together(kept.pieces)


@lru_cache(maxsize=16)
def _together(pieces: tuple[Piece, ...]) -> Analysis:
    return put_together(pieces)


def ask(conn: Connection, match: Match, player: PlayerId, now: datetime) -> bool:
    """Let an analysis be made, and its asker be told; whether it is there already.

    Raises Rejection where another of theirs is being made.
    """
    if ready(conn, match) is not None:
        return True
    awaited = analyses.awaited_by(conn, player)
    if awaited is not None and awaited != match.id:
        raise Rejection("analysis_waits", match=awaited)
    kept, end = analyses.find(conn, match.id), as_of(match)
    if kept is None or kept.as_of != end or kept.due_at is None:
        kept = Kept(
            match=match.id, as_of=end, waits=() if kept is None else kept.waits, asked_at=now,
            due_at=now, tries=0, done=0, of=len(passed_of(match)),
        )  # fmt: skip
    analyses.keep(conn, replace(kept, waits=tuple(dict.fromkeys((*kept.waits, player)))))
    return False


def awaited(conn: Connection, match: MatchId) -> bool:
    """Whether one is being made."""
    kept = analyses.find(conn, match)
    return kept is not None and kept.due_at is not None
