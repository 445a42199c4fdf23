from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from pbem.store import inbox, outbox, retention
from pbem.store.database import Database
from pbem.store.inbox import ReceivedMessage

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def fill(database: Database, at: datetime, count: int) -> None:
    """Add emails of each state at a time."""
    for number in range(count):
        for state in ("queued", "sent", "failed", "dropped"):
            key = f"{at} {state} {number}"
            email = {
                "key": key,
                "address": "a@example.org",
                "kind": "turn",
                "subject": "",
                "text": "words",
                "html": "",
                "message_id": key,
            }
            database.run(lambda conn, email=email: outbox.queue_email(conn, at, **email))  # type: ignore[misc]
            database.run(
                lambda conn, key=key, state=state: conn.execute(  # type: ignore[misc]
                    text("UPDATE outbox SET state = :state WHERE key = :key"),
                    {"state": state, "key": key},
                )
            )
        for state in ("new", "done", "set-aside"):
            key = f"{at} {state} {number}"
            message = ReceivedMessage(key, "account", b"words")
            database.run(
                lambda conn, message=message: inbox.store_messages(  # type: ignore[misc]
                    conn, [message], checkpoint=None, received_at=at
                )
            )
            database.run(
                lambda conn, key=key, state=state: conn.execute(  # type: ignore[misc]
                    text("UPDATE inbox SET state = :state WHERE key = :key"),
                    {"state": state, "key": key},
                )
            )


def test_words_of_emails_go_after_90_days(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for days in (91, 89):
        fill(database, NOW - timedelta(days=days), count=3)
    rounds = 0
    while database.run(lambda conn: retention.delete_old(conn, NOW)):
        rounds += 1
    assert rounds > 1
    with database.snapshot() as conn:
        sent = conn.execute(text("SELECT key FROM outbox")).scalars().all()
        kept = conn.execute(text("SELECT key, raw FROM inbox")).all()
    old = [key for key in sent if key.startswith("2026-08-29")]
    assert {key.split()[-2] for key in old} == {"queued"}
    assert len(sent) == 3 * 4 + 3
    assert len(kept) == 2 * 3 * 3  # keys of emails are kept for good
    blank = {key for key, raw in kept if raw is None}
    assert {key.split()[-2] for key in blank} == {"done"}
    assert len(blank) == 3
