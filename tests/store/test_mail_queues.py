"""The inbox and the outbox on both databases: nothing lost, nothing processed or queued twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.names import Checkpoint
from pbem.store import inbox, outbox
from pbem.store.database import AlreadyAppliedError, Database
from pbem.store.inbox import ReceivedMessage

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def make_checkpoint(uid: int) -> Checkpoint:
    return Checkpoint(account="test", mailbox="INBOX", uidvalidity=1, uid=uid)


def receive(database: Database, *keys: str, uid: int | None = None) -> int:
    messages = [ReceivedMessage(key, "test", key.encode()) for key in keys]
    checkpoint = None if uid is None else make_checkpoint(uid)
    return database.run(
        lambda conn: inbox.store_messages(conn, messages, checkpoint=checkpoint, received_at=NOON)
    )


def claim(database: Database, now: datetime = NOON) -> str | None:
    row = database.run(lambda conn: inbox.claim_next(conn, now))
    return None if row is None else row.key


def process_next(database: Database) -> str:
    row = database.run(lambda conn: inbox.claim_next(conn, NOON))
    assert row is not None
    database.run(lambda conn: inbox.finish(conn, row.key, "done"))
    return row.key


def test_messages_are_processed_in_the_order_of_receipt(database: Database) -> None:
    assert receive(database, "b", "a") == 2
    assert [process_next(database) for _ in range(2)] == ["b", "a"]
    assert claim(database) is None
    assert not database.run(inbox.has_unprocessed)


def test_a_second_copy_is_known_even_after_it_was_processed(database: Database) -> None:
    receive(database, "a")
    process_next(database)
    assert receive(database, "a", "b") == 1
    assert claim(database) == "b"


def test_the_checkpoint_moves_with_the_messages(database: Database) -> None:
    def find() -> Checkpoint | None:
        return database.run(inbox.find_checkpoint)

    assert find() is None
    receive(database, "a", uid=7)
    receive(database, uid=9)
    assert find() == make_checkpoint(9)


def test_a_message_that_ends_the_process_is_set_aside(database: Database) -> None:
    receive(database, "poison", "good")
    for attempt in range(3):
        assert claim(database, NOON + attempt * 2 * MINUTE) == "poison"
    assert claim(database, NOON + 9 * MINUTE) == "good"
    assert claim(database, NOON + 9 * MINUTE) is None
    assert database.run(inbox.retry_set_aside) == 1
    assert claim(database, NOON + 9 * MINUTE) == "poison"


def test_a_message_that_fails_waits_and_holds_up_no_other(database: Database) -> None:
    receive(database, "bad", "good")
    for attempt in range(1, 4):
        now = NOON + attempt * 10 * MINUTE
        assert claim(database, now) == "bad"
        is_set_aside = database.run(
            lambda conn, now=now: inbox.note_failure(conn, "bad", "no", now + MINUTE)  # type: ignore[misc]
        )
        assert is_set_aside == (attempt == 3)
    assert claim(database, NOON + 40 * MINUTE) == "good"


def queue(database: Database, number: int, **changes: Any) -> None:
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
    database.run(lambda conn: outbox.queue_email(conn, NOON, **(values | changes)))


def due(database: Database, now: datetime = NOON) -> list[str]:
    rows = database.run(lambda conn: outbox.list_due(conn, now, 10))
    return [row.key for row in rows]


def test_turn_emails_go_first(database: Database) -> None:
    queue(database, 1)
    queue(database, 2, kind="turn")
    queue(database, 3)
    assert due(database) == ["2", "1", "3"]


def test_an_email_of_the_same_cause_is_queued_once(database: Database) -> None:
    queue(database, 1)
    with pytest.raises(AlreadyAppliedError):
        queue(database, 1)
    assert due(database) == ["1"]


def test_an_email_that_ends_the_process_lets_others_go(database: Database) -> None:
    queue(database, 1, kind="turn")
    queue(database, 2)
    for attempt in (1, 2, 3):
        assert due(database) == ["1", "2"]
        [row, _] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
        assert row.attempts == attempt - 1
        assert database.run(
            lambda conn, row=row: outbox.claim_email(conn, row.id or 0, b"", NOON)  # type: ignore[misc]
        )
        database.run(lambda conn: outbox.release_claims(conn, NOON))
    assert due(database) == ["2"]
    assert due(database, NOON + 30 * MINUTE) == ["1", "2"]


def test_a_dropped_email_is_not_claimed(database: Database) -> None:
    queue(database, 1, player="bob")
    [row] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
    database.run(lambda conn: outbox.drop_unsent(conn, player="bob"))
    assert not database.run(lambda conn: outbox.claim_email(conn, row.id or 0, b"", NOON))
    assert due(database, NOON + timedelta(days=1)) == []


def test_a_claimed_email_is_sent_again_with_the_same_bytes(database: Database) -> None:
    queue(database, 1)
    [row] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
    assert row.id is not None
    assert database.run(lambda conn: outbox.claim_email(conn, row.id or 0, b"bytes", NOON))
    assert not database.run(lambda conn: outbox.claim_email(conn, row.id or 0, b"others", NOON))
    assert due(database) == []
    [again] = database.run(lambda conn: outbox.list_due(conn, NOON + outbox.CLAIMED_FOR, 10))
    assert (again.data, again.attempts, again.message_id) == (b"bytes", 1, "<1@pbem.example>")
    database.run(lambda conn: outbox.mark_sent(conn, row.id or 0, "250 ok", NOON + MINUTE))
    assert due(database, NOON + timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("is_permanent", "age", "gives_up"),
    [(False, MINUTE, False), (True, MINUTE, True), (False, timedelta(days=4, minutes=1), True)],
)
def test_a_refused_email_is_tried_again_unless_it_is_hopeless(
    database: Database, age: timedelta, *, is_permanent: bool, gives_up: bool
) -> None:
    queue(database, 1)
    [row] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
    found = database.run(
        lambda conn: outbox.mark_failed(conn, row, "no", NOON + age, is_permanent=is_permanent)
    )
    assert found == gives_up
    assert due(database, NOON + age) == []
    assert due(database, NOON + age + MINUTE) == ([] if gives_up else ["1"])


def test_an_email_that_the_operator_sends_again_has_all_its_time(database: Database) -> None:
    later = NOON + outbox.GIVE_UP_AFTER + MINUTE
    queue(database, 1)
    [row] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
    database.run(lambda conn: outbox.mark_failed(conn, row, "no", later, is_permanent=False))
    assert database.run(lambda conn: outbox.resend_failed(conn, row.id or 0, later))
    [again] = database.run(lambda conn: outbox.list_due(conn, later, 10))
    assert not database.run(
        lambda conn: outbox.mark_failed(conn, again, "no", later, is_permanent=False)
    )


def test_only_unsent_prompts_are_dropped(database: Database) -> None:
    queue(database, 1, is_prompt=True, turn_since=NOON - MINUTE)
    queue(database, 2, is_prompt=True, turn_since=NOON)
    queue(database, 3, kind="turn")
    queue(database, 4, is_prompt=True, player="bob")
    queue(database, 5, is_prompt=True, match="ABCDE")
    since = database.run(lambda conn: outbox.drop_prompts(conn, player="ann", match="K7QX2"))
    assert since == NOON - MINUTE
    assert sorted(due(database)) == ["3", "4", "5"]


def test_nothing_that_a_deleted_player_could_read_is_kept(database: Database) -> None:
    secret = "Rosalind"
    contents: dict[str, Any] = {
        "subject": secret,
        "text": secret,
        "html": secret,
        "attachments": {"record.json": secret},
        "pictures": {"<svg/>": secret},
        "address": f"{secret}@example.org",
    }
    queue(database, 1, **contents)
    queue(database, 2, player="bob")
    [row, _] = database.run(lambda conn: outbox.list_due(conn, NOON, 10))
    database.run(lambda conn: outbox.claim_email(conn, row.id or 0, secret.encode(), NOON))
    database.run(lambda conn: outbox.forget_reader(conn, "ann"))
    ids = ["<1@pbem.example>", "<2@pbem.example>"]
    [kept, other] = database.run(lambda conn: outbox.list_by_message_ids(conn, ids))
    assert secret not in str(kept.model_dump())
    assert (other.subject, other.text) == ("Hello", "Hello\n")
