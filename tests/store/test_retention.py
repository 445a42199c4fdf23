from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count

import pytest
from sqlalchemy import Connection, insert, select

from pbem.store import players, retention
from pbem.store.tables import InboxRow, OutboxRow
from tests.match.test_match import ANN, NOON

OLD, YOUNG = (NOON - timedelta(days=days) for days in (91, 89))
SENT, RECEIVED = ("queued", "sent", "failed", "dropped"), ("new", "done", "set-aside")
NUMBERS = count()
INBOX = InboxRow.__table__  # type: ignore[attr-defined]
OUTBOX = OutboxRow.__table__  # type: ignore[attr-defined]


def add_emails(conn: Connection, at: datetime) -> None:
    """Add emails of each state."""
    for state in SENT:
        key = str(next(NUMBERS))
        email = {"key": key, "message_id": key, "kind": "turn", "subject": "x", "queued_at": at}
        conn.execute(insert(OUTBOX), {"state": state, **email})
    for state in RECEIVED:
        number = next(NUMBERS)
        message = {"key": str(number), "number": number, "account": "x", "received_at": at}
        conn.execute(insert(INBOX), {"state": state, "raw": b"words", **message})


def test_words_of_emails_go_after_90_days(
    conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for at in (OLD, YOUNG) * 3:
        add_emails(conn, at)
    rounds = 0
    while retention.delete_old(conn, NOON):
        rounds += 1
    assert rounds > 1
    sent = conn.execute(select(OUTBOX.c.queued_at, OUTBOX.c.state)).all()
    assert sorted(map(tuple, sent)) == sorted(
        [(YOUNG, state) for state in SENT] * 3 + [(OLD, "queued")] * 3
    )
    received = conn.execute(select(INBOX.c.received_at, INBOX.c.state, INBOX.c.raw)).all()
    assert len(received) == 2 * 3 * 3  # keys of emails are kept for good
    blank = [(at, state) for at, state, raw in received if raw is None]
    assert blank == [(OLD, "done")] * 3


def test_changes_of_accounts_go_after_a_year(conn: Connection) -> None:
    kept, old = (NOON - timedelta(days=days) for days in (364, 366))
    for at in (kept, old):
        players.note_change(conn, ANN, "address_added", at)
    retention.delete_old(conn, NOON)
    assert [change.at for change in players.list_changes(conn, ANN)] == [kept]
