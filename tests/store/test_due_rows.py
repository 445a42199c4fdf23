"""What is due first, and what a failed attempt postpones, on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, insert
from sqlmodel import SQLModel

from pbem.store import waiting
from pbem.store.tables import PlayerRow, ScheduledMoveRow, TimerRow, TournamentRow
from pbem.store.waiting import DueRow
from tests.match.test_match import NOON

MINUTE = timedelta(minutes=1)
SOON = NOON + MINUTE
MOVE: dict[str, Any] = {
    "match": "K7QX2",
    "ply": 4,
    "version": 9,
    "notation": "a1",
    "received_at": NOON,
    "cause": "x",
    "message_hash": "",
}
CUP: dict[str, Any] = {
    "ruleset": "logger-1",
    "group_size": 4,
    "games": 1,
    "time_control": "none",
    "created_at": NOON,
}
PAIRS: list[tuple[SQLModel, SQLModel]] = [
    (ScheduledMoveRow(**MOVE, seat=1, due_at=NOON), ScheduledMoveRow(**MOVE, seat=2, due_at=SOON)),
    (TimerRow(match="K7QX2", due_at=NOON), TimerRow(match="ABCDE", due_at=SOON)),
    (
        TournamentRow(**CUP, name="spring", due_at=NOON),
        TournamentRow(**CUP, name="autumn", due_at=SOON),
    ),
    (
        PlayerRow(id="ann", name="Ann", created_at=NOON, digest_due=NOON),
        PlayerRow(id="bob", name="Bob", created_at=NOON, digest_due=SOON),
    ),
]


def count_attempts(row: DueRow | None) -> int:
    assert row is not None
    return row.digest_attempts if isinstance(row, PlayerRow) else row.attempts


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda row: row.__tablename__)
def test_only_what_failed_is_postponed(first: SQLModel, second: SQLModel, conn: Connection) -> None:
    for row in (second, first):
        conn.execute(insert(type(row)).values(**row.model_dump()))
    assert waiting.next_due(conn) == NOON
    assert waiting.find_due(conn, NOON - MINUTE) is None
    failed = waiting.find_due(conn, SOON)
    assert failed == first
    waiting.postpone(conn, failed, NOON + 5 * MINUTE)
    assert waiting.find_due(conn, NOON) is None
    assert waiting.find_due(conn, NOON + 9 * MINUTE) == second
    waiting.postpone(conn, second, NOON + 6 * MINUTE)
    assert waiting.next_due(conn) == NOON + 5 * MINUTE
    assert count_attempts(waiting.find_due(conn, NOON + 9 * MINUTE)) == 1
