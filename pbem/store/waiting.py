"""Queries for what waits: scheduled and conditional moves, questions, and rows that become due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, Connection, Table, bindparam, delete, func, insert, select, update

from pbem.games.game import Ply, Seat
from pbem.names import MatchId
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import (
    ConditionalMoveRow,
    PlayerRow,
    QuestionRow,
    ScheduledMoveRow,
    TimerRow,
    TournamentRow,
)

_MOVE = ScheduledMoveRow.__table__  # type: ignore[attr-defined]
_CONDITION = ConditionalMoveRow.__table__  # type: ignore[attr-defined]
_QUESTION = QuestionRow.__table__  # type: ignore[attr-defined]
_TIMER = TimerRow.__table__  # type: ignore[attr-defined]
_PLAYER = PlayerRow.__table__  # type: ignore[attr-defined]
_TOURNAMENT = TournamentRow.__table__  # type: ignore[attr-defined]

DueRow: TypeAlias = ScheduledMoveRow | TimerRow | TournamentRow | PlayerRow
"""A row that is due: a scheduled move, a timer, a tournament, or a player who gets a digest."""

_DUE_TABLES: Final[tuple[tuple[Table, type[DueRow], Column[datetime]], ...]] = (
    (_MOVE, ScheduledMoveRow, _MOVE.c.due_at),
    (_TIMER, TimerRow, _TIMER.c.due_at),
    (_TOURNAMENT, TournamentRow, _TOURNAMENT.c.due_at),
    (_PLAYER, PlayerRow, _PLAYER.c.digest_due),
)
"""The tables with rows that can be due, in order of priority: table, class, and due time column."""

_FIND_MOVE = select(_MOVE).where(
    _MOVE.c.match == bindparam("match"), _MOVE.c.seat == bindparam("seat")
)
_DROP_MOVES = delete(_MOVE).where(_MOVE.c.match == bindparam("match"))
_DROP_STALE_MOVES = _DROP_MOVES.where(_MOVE.c.ply != bindparam("next_ply"))

_LIST_CONDITIONS = (
    select(_CONDITION)
    .where(_CONDITION.c.match == bindparam("match"))
    .order_by(_CONDITION.c.expected)
)
_LIST_CONDITIONS_OF_SEAT = _LIST_CONDITIONS.where(_CONDITION.c.seat == bindparam("seat"))
_DROP_CONDITIONS = delete(_CONDITION).where(_CONDITION.c.match == bindparam("match"))
_DROP_STALE_CONDITIONS = _DROP_CONDITIONS.where(
    _CONDITION.c.ply != bindparam("next_ply"), _CONDITION.c.ply != bindparam("ply_after")
)

_CLOSE_QUESTIONS = update(_QUESTION).where(
    _QUESTION.c.match == bindparam("of_match"),
    _QUESTION.c.player == bindparam("of_player"),
    _QUESTION.c.closed_at.is_(None),
)

_UPDATE_TIMER = (
    update(_TIMER)
    .where(_TIMER.c.match == bindparam("of_match"))
    .values(due_at=bindparam("due"), attempts=0)
)
_INSERT_TIMER = insert(_TIMER)
_DROP_TIMER = delete(_TIMER).where(_TIMER.c.match == bindparam("match"))


# --- scheduled moves -----------------------------------------------------------------------------


def schedule_move(conn: Connection, move: ScheduledMoveRow) -> None:
    """Store a move until its undo window ends. It replaces the seat's earlier scheduled move."""
    drop_scheduled_move(conn, MatchId(move.match), Seat(move.seat))
    conn.execute(insert(_MOVE).values(**move.model_dump()))


def find_scheduled_move(conn: Connection, match: MatchId, seat: Seat) -> ScheduledMoveRow | None:
    """Return the scheduled move of a seat, or None if there is none."""
    row = conn.execute(_FIND_MOVE, {"match": match, "seat": seat}).mappings().one_or_none()
    return to_optional_row(ScheduledMoveRow, row)


def drop_scheduled_move(conn: Connection, match: MatchId, seat: Seat) -> bool:
    """Delete the scheduled move of a seat, and return whether there was one."""
    where = (_MOVE.c.match == match) & (_MOVE.c.seat == seat)
    return conn.execute(delete(_MOVE).where(where)).rowcount > 0


def add_draw_offer(conn: Connection, move: ScheduledMoveRow) -> None:
    """Record that a draw is to be offered when a scheduled move is played."""
    where = (_MOVE.c.match == move.match) & (_MOVE.c.seat == move.seat)
    conn.execute(update(_MOVE).where(where).values(offers_draw=True))


def drop_stale_moves(conn: Connection, match: MatchId, next_ply: Ply | None) -> None:
    """Delete the scheduled and conditional moves of a match that can no longer be played.

    `next_ply` is the ply of the next move in the match. A scheduled move stays if it has this ply.
    A conditional move stays if the opponent's expected move has this ply, or the ply after it: the
    player's own move may be scheduled, and comes first. If `next_ply` is None, no move follows in
    the match, and all are deleted.
    """
    if next_ply is None:
        conn.execute(_DROP_MOVES, {"match": match})
        conn.execute(_DROP_CONDITIONS, {"match": match})
        return
    values = {"match": match, "next_ply": next_ply}
    conn.execute(_DROP_STALE_MOVES, values)
    conn.execute(_DROP_STALE_CONDITIONS, {**values, "ply_after": next_ply + 1})


# --- conditional moves ---------------------------------------------------------------------------


def add_condition(conn: Connection, row: ConditionalMoveRow) -> None:
    """Store a conditional move. It replaces the seat's earlier answer to the same expected move."""
    conn.execute(
        delete(_CONDITION).where(
            _CONDITION.c.match == row.match,
            _CONDITION.c.seat == row.seat,
            _CONDITION.c.expected == row.expected,
        )
    )
    conn.execute(insert(_CONDITION).values(**row.model_dump()))


def list_conditions(
    conn: Connection, match: MatchId, seat: Seat | None = None
) -> list[ConditionalMoveRow]:
    """Return the conditional moves of a seat in a match, or of all seats if `seat` is None.

    The conditional moves are sorted by the notation of the expected move.
    """
    if seat is None:
        rows = conn.execute(_LIST_CONDITIONS, {"match": match})
    else:
        rows = conn.execute(_LIST_CONDITIONS_OF_SEAT, {"match": match, "seat": seat})
    return [to_row(ConditionalMoveRow, row) for row in rows.mappings()]


def drop_conditions(conn: Connection, match: MatchId, seat: Seat | None = None) -> None:
    """Delete the conditional moves of a seat in a match, or of all seats if `seat` is None."""
    where = _CONDITION.c.match == match
    if seat is not None:
        where &= _CONDITION.c.seat == seat
    conn.execute(delete(_CONDITION).where(where))


# --- questions -----------------------------------------------------------------------------------


def add_question(conn: Connection, question: QuestionRow) -> None:
    """Store a question that we ask by email."""
    conn.execute(insert(_QUESTION).values(**question.model_dump()))


def find_question(conn: Connection, question: str) -> QuestionRow | None:
    """Return the question with this id, or None if there is none."""
    query = select(_QUESTION).where(_QUESTION.c.id == question)
    return to_optional_row(QuestionRow, conn.execute(query).mappings().one_or_none())


def find_open_question(
    conn: Connection, *, kind: str, address: str, now: datetime
) -> QuestionRow | None:
    """Return the newest question of this kind to `address` that is open at `now`, or None."""
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


def count_unconfirmed_today(conn: Connection, *, kind: str, address: str, now: datetime) -> int:
    """Return how many questions of this kind without a yes `address` has got in the last 24 hours.

    A question that was answered with yes does not count, because no forger had caused it.
    """
    since = now - timedelta(days=1)
    query = select(_QUESTION.c.payload).where(
        _QUESTION.c.kind == kind, _QUESTION.c.address == address, _QUESTION.c.asked_at > since
    )
    return sum("is_confirmed" not in payload for payload in conn.execute(query).scalars())


def change_payload(conn: Connection, question: QuestionRow, payload: dict[str, Any]) -> None:
    """Replace the payload of a question: the data of the action that a `yes` causes."""
    conn.execute(update(_QUESTION).where(_QUESTION.c.id == question.id).values(payload=payload))


def close_all_questions(conn: Connection, player: str, now: datetime) -> None:
    """Close all open questions to a player."""
    conn.execute(
        update(_QUESTION)
        .where(_QUESTION.c.player == player, _QUESTION.c.closed_at.is_(None))
        .values(closed_at=now)
    )


def forget_questions(conn: Connection, player: str, addresses: Sequence[str]) -> None:
    """Delete all questions to a player or to any of `addresses`, because the account is deleted."""
    where = (_QUESTION.c.player == player) | _QUESTION.c.address.in_(addresses)
    conn.execute(delete(_QUESTION).where(where))


def list_asked_addresses(conn: Connection, *, kind: str, match: MatchId, player: str) -> list[str]:
    """Return all addresses that got a question of this kind about this player and this match."""
    query = select(_QUESTION.c.address).where(
        _QUESTION.c.kind == kind, _QUESTION.c.match == match, _QUESTION.c.player == player
    )
    return [*conn.execute(query.distinct()).scalars()]


def close_question(conn: Connection, question: str, now: datetime) -> None:
    """Close the question with this id, so that it can no longer be answered."""
    conn.execute(update(_QUESTION).where(_QUESTION.c.id == question).values(closed_at=now))


def close_match_questions(conn: Connection, match: MatchId, player: str, now: datetime) -> None:
    """Close a player's open questions about a match, because the player has acted in the match."""
    values = {"of_match": match, "of_player": player, "closed_at": now}
    conn.execute(_CLOSE_QUESTIONS, values)


# --- timers --------------------------------------------------------------------------------------


def set_timer(conn: Connection, match: MatchId, due: datetime | None) -> None:
    """Set the timer of a match to the time `due`, or delete the timer if `due` is None."""
    if due is None:
        conn.execute(_DROP_TIMER, {"match": match})
    elif conn.execute(_UPDATE_TIMER, {"of_match": match, "due": due}).rowcount == 0:
        conn.execute(_INSERT_TIMER, {"match": match, "due_at": due, "attempts": 0})


def drop_timer(conn: Connection, match: MatchId, *, not_after: datetime) -> None:
    """Delete the timer of a match if it is due at or before the time `not_after`."""
    conn.execute(delete(_TIMER).where(_TIMER.c.match == match, _TIMER.c.due_at <= not_after))


def find_due(conn: Connection, until: datetime) -> DueRow | None:
    """Return the first row that is due at or before the time `until`, or None if there is none.

    Scheduled moves come before timers, timers before tournaments, and tournaments before digests.
    Among rows of one table, the earliest due time comes first.
    """
    for table, row_type, due_at in _DUE_TABLES:
        query = select(table).where(due_at <= until).order_by(due_at).limit(1)
        row = conn.execute(query).mappings().first()
        if row is not None:
            return to_row(row_type, row)
    return None


def postpone(conn: Connection, row: DueRow, until: datetime) -> None:
    """Postpone a due row to the time `until` after a failed attempt, and count the attempt."""
    if isinstance(row, ScheduledMoveRow):
        where = (_MOVE.c.match == row.match) & (_MOVE.c.seat == row.seat)
        change = update(_MOVE).where(where)
    elif isinstance(row, TournamentRow):
        change = update(_TOURNAMENT).where(_TOURNAMENT.c.name == row.name)
    elif isinstance(row, PlayerRow):
        values = {"digest_due": until, "digest_attempts": row.digest_attempts + 1}
        conn.execute(update(_PLAYER).where(_PLAYER.c.id == row.id).values(**values))
        return
    else:
        change = update(_TIMER).where(_TIMER.c.match == row.match)
    conn.execute(change.values(due_at=until, attempts=row.attempts + 1))


def next_due(conn: Connection) -> datetime | None:
    """Return the earliest due time of scheduled moves, timers, tournaments and digests, or None."""
    earliest = [conn.execute(select(func.min(due_at))).scalar() for _, _, due_at in _DUE_TABLES]
    return min((due for due in earliest if due is not None), default=None)
