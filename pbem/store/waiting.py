"""What waits for a time or an answer: scheduled moves, questions and timers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select, update

from pbem.games.game import Seat
from pbem.names import MatchId
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import QuestionRow, ScheduledMoveRow, TimerRow

_MOVE = ScheduledMoveRow.__table__  # type: ignore[attr-defined]
_QUESTION = QuestionRow.__table__  # type: ignore[attr-defined]
_TIMER = TimerRow.__table__  # type: ignore[attr-defined]


# --- scheduled moves -----------------------------------------------------------------------------


def schedule_move(conn: Connection, move: ScheduledMoveRow) -> None:
    """Keep a move until its undo window is over; it replaces an earlier one of the same seat."""
    drop_scheduled_move(conn, MatchId(move.match), Seat(move.seat))
    conn.execute(insert(_MOVE).values(**move.model_dump()))


def find_scheduled_move(conn: Connection, match: MatchId, seat: Seat) -> ScheduledMoveRow | None:
    """Return the move that waits for a seat, or None."""
    query = select(_MOVE).where(_MOVE.c.match == match, _MOVE.c.seat == seat)
    row = conn.execute(query).mappings().one_or_none()
    return to_optional_row(ScheduledMoveRow, row)


def drop_scheduled_move(conn: Connection, match: MatchId, seat: Seat | None = None) -> bool:
    """Delete the move that waits for a seat, or all of a match. Return whether there was one."""
    where = _MOVE.c.match == match
    if seat is not None:
        where &= _MOVE.c.seat == seat
    return conn.execute(delete(_MOVE).where(where)).rowcount > 0


def list_due_moves(conn: Connection, now: datetime, *, limit: int) -> list[ScheduledMoveRow]:
    """Return the moves whose undo window is over, oldest first."""
    query = select(_MOVE).where(_MOVE.c.due_at <= now).order_by(_MOVE.c.due_at).limit(limit)
    rows = conn.execute(query).mappings()
    return [to_row(ScheduledMoveRow, row) for row in rows]


# --- questions -----------------------------------------------------------------------------------


def add_question(conn: Connection, question: QuestionRow) -> None:
    """Keep a question that we ask by email."""
    conn.execute(insert(_QUESTION).values(**question.model_dump()))


def find_open_question(conn: Connection, question: str, now: datetime) -> QuestionRow | None:
    """Return a question that can still be answered, or None."""
    query = select(_QUESTION).where(
        _QUESTION.c.id == question, _QUESTION.c.closed_at.is_(None), _QUESTION.c.expires_at > now
    )
    row = conn.execute(query).mappings().one_or_none()
    return to_optional_row(QuestionRow, row)


def find_asked(conn: Connection, *, kind: str, address: str, now: datetime) -> QuestionRow | None:
    """Return the newest open question of a kind to an address, or None."""
    query = (
        select(_QUESTION)
        .where(
            _QUESTION.c.kind == kind,
            _QUESTION.c.address == address,
            _QUESTION.c.closed_at.is_(None),
            _QUESTION.c.expires_at > now,
        )
        .order_by(_QUESTION.c.asked_at.desc())
        .limit(1)
    )
    row = conn.execute(query).mappings().one_or_none()
    return to_optional_row(QuestionRow, row)


def close_question(conn: Connection, question: str, now: datetime) -> None:
    """Close a question: it can no longer be answered."""
    conn.execute(update(_QUESTION).where(_QUESTION.c.id == question).values(closed_at=now))


def close_questions_about(conn: Connection, match: MatchId, player: str, now: datetime) -> None:
    """Close the open questions to a player about a match, because they have moved on."""
    conn.execute(
        update(_QUESTION)
        .where(
            _QUESTION.c.match == match,
            _QUESTION.c.player == player,
            _QUESTION.c.closed_at.is_(None),
        )
        .values(closed_at=now)
    )


# --- timers --------------------------------------------------------------------------------------


def set_timer(
    conn: Connection, kind: str, match: MatchId, seat: Seat | None, due: datetime
) -> None:
    """Set a timer, in place of an earlier one of the same kind, match and seat."""
    drop_timers(conn, match, kind, seat)
    conn.execute(
        insert(_TIMER).values(kind=kind, match=match, seat=seat or 0, due_at=due, attempts=0)
    )


def drop_timers(
    conn: Connection, match: MatchId, kind: str | None = None, seat: Seat | None = None
) -> None:
    """Delete the timers of a match, or one of them."""
    where = _TIMER.c.match == match
    if kind is not None:
        where &= (_TIMER.c.kind == kind) & (_TIMER.c.seat == (seat or 0))
    conn.execute(delete(_TIMER).where(where))


def list_due_timers(conn: Connection, now: datetime, *, limit: int) -> list[TimerRow]:
    """Return the timers that are due, oldest first."""
    query = select(_TIMER).where(_TIMER.c.due_at <= now).order_by(_TIMER.c.due_at).limit(limit)
    return [to_row(TimerRow, row) for row in conn.execute(query).mappings()]


def postpone(conn: Connection, row: ScheduledMoveRow | TimerRow, until: datetime) -> None:
    """Let a scheduled move or a timer be due later, after an attempt that failed."""
    if isinstance(row, ScheduledMoveRow):
        where = (_MOVE.c.match == row.match) & (_MOVE.c.seat == row.seat)
        change = update(_MOVE).where(where)
    else:
        change = update(_TIMER).where(_TIMER.c.id == row.id)
    conn.execute(change.values(due_at=until, attempts=row.attempts + 1))


def next_due(conn: Connection) -> datetime | None:
    """Return when the next timer or scheduled move is due."""
    found = [
        conn.execute(select(func.min(_TIMER.c.due_at))).scalar(),
        conn.execute(select(func.min(_MOVE.c.due_at))).scalar(),
    ]
    return min((due for due in found if due is not None), default=None)
