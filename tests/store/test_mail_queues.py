"""The inbox and the outbox on both databases: nothing lost, nothing processed or queued twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from pbem.names import Checkpoint
from pbem.store import inbox, outbox
from pbem.store.database import AlreadyAppliedError
from pbem.store.inbox import ReceivedMessage
from pbem.store.tables import OutboxRow
from tests.match.test_match import NOON

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


def make_checkpoint(uid: int) -> Checkpoint:
    return Checkpoint(account="test", mailbox="INBOX", uidvalidity=1, uid=uid)


def receive(conn: Connection, *keys: str, uid: int | None = None) -> int:
    messages = [ReceivedMessage(key, "test", key.encode()) for key in keys]
    checkpoint = None if uid is None else make_checkpoint(uid)
    return inbox.store_messages(conn, messages, checkpoint=checkpoint, received_at=NOON)


def claim(conn: Connection, now: datetime = NOON) -> str | None:
    row = inbox.claim_next(conn, now)
    return None if row is None else row.key


def test_messages_are_processed_once_in_the_order_of_receipt(conn: Connection) -> None:
    assert receive(conn, "b", "a") == 2
    for key in ("b", "a"):
        assert claim(conn) == key
        inbox.finish(conn, key, "done")
    assert claim(conn) is None
    assert not inbox.has_unprocessed(conn)
    assert receive(conn, "a", "c") == 1
    assert inbox.has_unprocessed(conn)
    assert claim(conn) == "c"


def test_the_checkpoint_moves_with_the_messages(conn: Connection) -> None:
    assert inbox.find_checkpoint(conn) is None
    receive(conn, "a", uid=7)
    receive(conn, uid=9)
    assert inbox.find_checkpoint(conn) == make_checkpoint(9)


def test_a_message_that_ends_the_process_is_set_aside(conn: Connection) -> None:
    receive(conn, "poison", "good")
    for attempt in range(3):
        assert claim(conn, NOON + attempt * 2 * MINUTE) == "poison"
    assert claim(conn, NOON + 9 * MINUTE) == "good"
    assert claim(conn, NOON + 9 * MINUTE) is None
    assert inbox.retry_set_aside(conn) == 1
    assert claim(conn, NOON + 9 * MINUTE) == "poison"


@pytest.mark.parametrize(
    ("email", "is_kept"),
    [
        (b"From: Ann <Ann@example.org>\r\nTo: b@example.net\r\n\r\nsecret", False),
        (b"To: b@example.net\nfrom:\n ann@example.org\n\nsecret", False),
        (b"From: ann@old.example\n\nsecret", False),
        (b"From: Jo <joann@example.org>\n\nI am no ann@example.org", True),
        (b"From: b@example.net\n\nFrom: ann@example.org\n", True),
        (b'{"text": "ann@example.org"}', True),
    ],
)
def test_emails_of_a_deleted_player_are_not_kept(
    conn: Connection, email: bytes, *, is_kept: bool
) -> None:
    message = ReceivedMessage("key", "test", email)
    inbox.store_messages(conn, [message], checkpoint=None, received_at=NOON)
    inbox.finish(conn, "key", "move", sent_as="ann@example.org <1@example.org>")
    inbox.forget_senders(conn, ["ann@example.org", "ann@old.example"])
    [row] = inbox.list_messages(conn, "done", limit=9)
    assert (row.raw == email, row.sent_as) == (is_kept, "")
    assert inbox.store_messages(conn, [message], checkpoint=None, received_at=NOON) == 0


def queue(conn: Connection, number: int, **changes: Any) -> OutboxRow:
    """Queue an email, and return its row."""
    values: dict[str, Any] = {
        "key": str(number),
        "player": "ann",
        "match": "K7QX2",
        "version": 3,
        "kind": "news",
        "subject": "Hello",
        "text": "Hello\n",
        "html": "<p>Hello</p>",
        "message_id": f"<{number}@pbem.example>",
        "reply_tag": "k7qx2.1.aa",
    }
    outbox.queue_email(conn, NOON, **(values | changes))
    return find_email(conn, number)


def find_email(conn: Connection, number: int) -> OutboxRow:
    [row] = outbox.list_by_message_ids(conn, [f"<{number}@pbem.example>"])
    return row


def claim_email(conn: Connection, row: OutboxRow, data: bytes = b"") -> bool:
    assert row.id is not None
    return outbox.claim_email(conn, row.id, data, NOON)


def due(conn: Connection, now: datetime = NOON) -> list[str]:
    return [row.key for row in outbox.list_due(conn, now, 10, others=10)]


def test_turn_emails_go_first(conn: Connection) -> None:
    queue(conn, 1)
    queue(conn, 2, kind="turn")
    queue(conn, 3)
    assert due(conn) == ["2", "1", "3"]


def test_an_email_of_the_same_cause_is_queued_once(conn: Connection) -> None:
    queue(conn, 1)
    with pytest.raises(AlreadyAppliedError):
        queue(conn, 1, message_id="<2@pbem.example>")


def test_an_email_that_ends_the_process_lets_others_go(conn: Connection) -> None:
    email = queue(conn, 1, kind="turn")
    queue(conn, 2)
    for attempt in range(3):
        assert due(conn) == ["1", "2"]
        assert find_email(conn, 1).attempts == attempt
        assert claim_email(conn, email)
        outbox.release_claims(conn, NOON)
    assert due(conn) == ["2"]
    assert due(conn, NOON + 30 * MINUTE) == ["1", "2"]


def test_a_dropped_email_is_not_claimed(conn: Connection) -> None:
    email = queue(conn, 1, player="bob")
    outbox.drop_unsent(conn, player="bob")
    assert not claim_email(conn, email)
    assert due(conn, NOON + DAY) == []


def test_a_claimed_email_is_sent_again_with_the_same_bytes(conn: Connection) -> None:
    email = queue(conn, 1)
    assert claim_email(conn, email, b"bytes")
    assert not claim_email(conn, email, b"others")
    assert due(conn) == []
    [again] = outbox.list_due(conn, NOON + outbox.CLAIM_DURATION, 10, others=10)
    assert (again.data, again.attempts, again.message_id) == (b"bytes", 1, "<1@pbem.example>")
    outbox.mark_sent(conn, email.id or 0, "250 ok", NOON + MINUTE)
    assert due(conn, NOON + DAY) == []


@pytest.mark.parametrize(
    ("is_permanent", "age", "gives_up"),
    [(False, MINUTE, False), (True, MINUTE, True), (False, 4 * DAY + MINUTE, True)],
)
def test_a_refused_email_is_tried_again_unless_it_is_hopeless(
    conn: Connection, age: timedelta, *, is_permanent: bool, gives_up: bool
) -> None:
    email, now = queue(conn, 1), NOON + age
    assert outbox.mark_failed(conn, email, "no", now, is_permanent=is_permanent) == gives_up
    assert due(conn, now) == []
    assert due(conn, now + MINUTE) == ([] if gives_up else ["1"])


def test_an_email_that_the_operator_sends_again_has_all_its_time(conn: Connection) -> None:
    later = NOON + outbox.MAX_RETRY_TIME + MINUTE
    email = queue(conn, 1)
    outbox.mark_failed(conn, email, "no", later, is_permanent=False)
    assert outbox.resend_failed(conn, email.id or 0, later)
    [again] = outbox.list_due(conn, later, 10, others=10)
    assert not outbox.mark_failed(conn, again, "no", later, is_permanent=False)


def test_only_unsent_prompts_are_dropped(conn: Connection) -> None:
    queue(conn, 1, is_prompt=True, turn_since=NOON - MINUTE)
    queue(conn, 2, is_prompt=True, turn_since=NOON)
    queue(conn, 3, kind="turn")
    queue(conn, 4, is_prompt=True, player="bob")
    queue(conn, 5, is_prompt=True, match="ABCDE")
    assert outbox.drop_prompts(conn, player="ann", match="K7QX2") == NOON - MINUTE
    assert sorted(due(conn)) == ["3", "4", "5"]


def test_nothing_that_a_deleted_player_could_read_is_kept(conn: Connection) -> None:
    secret = "Rosalind"
    contents: dict[str, Any] = {
        "subject": secret,
        "text": secret,
        "html": secret,
        "attachments": {"record.json": secret},
        "pictures": {"<svg/>": secret},
        "address": f"{secret}@example.org",
    }
    email = queue(conn, 1, **contents)
    queue(conn, 2, player="bob")
    claim_email(conn, email, secret.encode())
    outbox.forget_reader(conn, "ann", ["old@example.org"])
    assert secret not in str(find_email(conn, 1).model_dump())
    assert find_email(conn, 1).state == "dropped"
    other = find_email(conn, 2)
    assert (other.subject, other.text) == ("Hello", "Hello\n")
