"""The inbox: every message is first stored, exactly as it was received, and then processed once.

Messages are committed together with the checkpoint, which says up to which message the mailbox has
been read. After a crash before this commit, they are fetched from the mail server again. After a
later crash, they are in the inbox. The key of a message is a hash that all copies of the message
have in common. It is stored forever, so that a second copy is recognised.

Each attempt to process a message is counted, and the count is committed before the attempt begins.
After three attempts, a message that fails or crashes the process is set aside for the operator, so
that the service can process the other messages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, insert, select, update

from pbem.mail.headers import list_recipients
from pbem.names import Checkpoint
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import CheckpointRow, InboxRow

MAX_ATTEMPTS: Final = 3  # attempts to process an email until it is set aside
READ_BATCH: Final = 100  # messages that are in memory when all are read
CLAIM_DURATION: Final = timedelta(minutes=1)  # pause before an unfinished attempt is repeated

_FROM_FIELD: Final = re.compile(rb"^from:.*(?:\n[ \t].*)*", re.IGNORECASE | re.MULTILINE)

_INBOX = InboxRow.__table__  # type: ignore[attr-defined]
_CHECKPOINT = CheckpointRow.__table__  # type: ignore[attr-defined]

_NEXT_DUE = (
    select(_INBOX.c.key)
    .where(
        _INBOX.c.state == "new",
        _INBOX.c.next_attempt_at.is_(None) | (_INBOX.c.next_attempt_at <= bindparam("now")),
    )
    .order_by(_INBOX.c.number)
    .limit(1)
)
_CLAIM = (
    update(_INBOX)
    .where(_INBOX.c.key == _NEXT_DUE.scalar_subquery())
    .values(attempts=_INBOX.c.attempts + 1)
    .returning(_INBOX)
)
_UPDATE = update(_INBOX).where(_INBOX.c.key == bindparam("of_key"))
_FIND_COPY = select(_INBOX.c.key).where(
    _INBOX.c.sent_as == bindparam("sent_as"), _INBOX.c.key != bindparam("of_key")
)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message to store in the inbox; `raw` has its bytes.

    All copies of a message have the same `key`. `account` names the source of the message, such as
    the account at the mail server.
    """

    key: str
    account: str
    raw: bytes
    is_cut: bool = False  # whether the email was too large, so that `raw` has only its headers


def store_messages(
    conn: Connection,
    messages: Sequence[ReceivedMessage],
    *,
    checkpoint: Checkpoint | None,
    received_at: datetime,
) -> int:
    """Store messages and the mailbox's new checkpoint, and return the number of messages stored.

    Messages whose key is in the inbox already are not stored again. If `checkpoint` is None, as for
    commands from pages, the stored checkpoint does not change.
    """
    by_key = {message.key: message for message in messages}
    known = select(_INBOX.c.key).where(_INBOX.c.key.in_([*by_key]))
    for key in conn.execute(known).scalars():
        del by_key[key]
    last = conn.execute(select(func.max(_INBOX.c.number))).scalar() or 0
    rows = [
        {**asdict(message), "number": number, "received_at": received_at}
        for number, message in enumerate(by_key.values(), last + 1)
    ]
    if rows:
        conn.execute(insert(_INBOX), rows)
    if checkpoint is not None:
        _move_checkpoint(conn, checkpoint, received_at)
    return len(rows)


def _move_checkpoint(conn: Connection, checkpoint: Checkpoint, fetched_at: datetime) -> None:
    where = (_CHECKPOINT.c.account == checkpoint.account) & (
        _CHECKPOINT.c.mailbox == checkpoint.mailbox
    )
    values = {**asdict(checkpoint), "fetched_at": fetched_at}
    if conn.execute(update(_CHECKPOINT).where(where).values(**values)).rowcount == 0:
        conn.execute(insert(_CHECKPOINT).values(**values))


def find_checkpoint(conn: Connection) -> Checkpoint | None:
    """Return the checkpoint of the newest fetch from a mailbox, or None before the first fetch."""
    query = select(_CHECKPOINT).order_by(_CHECKPOINT.c.fetched_at.desc()).limit(1)
    row = conn.execute(query).one_or_none()
    if row is None:
        return None
    return Checkpoint(
        account=row.account, mailbox=row.mailbox, uidvalidity=row.uidvalidity, uid=row.uid
    )


def find_raw(conn: Connection, key: str) -> bytes | None:
    """Return the bytes of the message `key`.

    The result is empty if the bytes were deleted, and None if there is no such message.
    """
    row = conn.execute(select(_INBOX.c.raw).where(_INBOX.c.key == key)).one_or_none()
    return None if row is None else bytes(row.raw or b"")


def claim_next(conn: Connection, now: datetime) -> InboxRow | None:
    """Count an attempt at the oldest message that is due, and return it; None if none is due.

    If the attempt neither finishes nor fails, the message is due again after CLAIM_DURATION.
    Messages that have had MAX_ATTEMPTS attempts are set aside and skipped.
    """
    while True:
        times = {"now": now, "next_attempt_at": now + CLAIM_DURATION}
        row = to_optional_row(InboxRow, conn.execute(_CLAIM, times).mappings().one_or_none())
        if row is None or row.attempts <= MAX_ATTEMPTS:
            return row
        error = row.error or "ended the process"
        values = {"state": "set-aside", "attempts": MAX_ATTEMPTS, "error": error}
        conn.execute(_UPDATE, {"of_key": row.key, **values})


def detect_copy(conn: Connection, row: InboxRow, sender: str, message_id: str) -> bool:
    """Return whether another message in the inbox has the same sender and Message-ID as this one.

    The inbox key, a hash of the message, does not recognise every copy. Mail servers add footers.
    An attacker can add a space to a signed email and send it again; the signature may stay valid.

    If there is no such message, `row.sent_as` is set to the sender and the Message-ID. The caller
    passes it to `finish`, so that later copies are recognised. Without a Message-ID, the result is
    False and `row.sent_as` does not change.

    Args:
        conn: The connection of the unit of work.
        row: The row of this message.
        sender: The verified address of the sender.
        message_id: The Message-ID of this message, or an empty string.
    """
    if not message_id:
        return False
    sent_as = f"{sender} {message_id}"
    if conn.execute(_FIND_COPY, {"of_key": row.key, "sent_as": sent_as}).first() is not None:
        return True
    row.sent_as = sent_as
    return False


def finish(conn: Connection, key: str, outcome: str, *, sent_as: str = "") -> None:
    """Mark the message `key` as processed, in the transaction that contains its effects.

    `outcome` describes the result to the operator. `sent_as` is the text that `detect_copy` has
    stored in the row's `sent_as`, by which later copies are recognised.
    """
    values = {"state": "done", "outcome": outcome, "sent_as": sent_as}
    conn.execute(_UPDATE, {"of_key": key, **values})


def note_failure(conn: Connection, key: str, error: str, retry_at: datetime) -> bool:
    """Record a failed attempt to process the message `key`, and return whether it is set aside.

    A message is set aside after MAX_ATTEMPTS attempts. Before that, it is due again at `retry_at`.
    """
    attempts: int = conn.execute(select(_INBOX.c.attempts).where(_INBOX.c.key == key)).scalar_one()
    is_set_aside = attempts >= MAX_ATTEMPTS
    state = "set-aside" if is_set_aside else "new"
    values = {"error": error, "next_attempt_at": retry_at, "state": state}
    conn.execute(_UPDATE, {"of_key": key, **values})
    return is_set_aside


def release_claims(conn: Connection) -> None:
    """Make all unprocessed messages due now, because the process has been restarted.

    Their counts of attempts stay, so a message that crashes the process is still set aside.
    """
    conn.execute(update(_INBOX).where(_INBOX.c.state == "new").values(next_attempt_at=None))


def list_messages(conn: Connection, state: str, *, limit: int) -> list[InboxRow]:
    """Return at most `limit` messages whose state is `state`, such as `set-aside`, newest first."""
    query = (
        select(_INBOX).where(_INBOX.c.state == state).order_by(_INBOX.c.number.desc()).limit(limit)
    )
    return [to_row(InboxRow, row) for row in conn.execute(query).mappings()]


def find_message(conn: Connection, number: int) -> InboxRow | None:
    """Return the message with this number, or None if there is none."""
    row = conn.execute(select(_INBOX).where(_INBOX.c.number == number)).mappings().one_or_none()
    return to_optional_row(InboxRow, row)


def retry_set_aside(conn: Connection, number: int | None = None) -> int:
    """Make a message that was set aside due again, with its attempts counted from 0.

    Args:
        conn: The connection.
        number: The number of the message; None for all messages that were set aside.

    Returns:
        The number of messages that became due.
    """
    values = {"state": "new", "attempts": 0, "next_attempt_at": None}
    return _change_set_aside(conn, number, values)


def drop_set_aside(conn: Connection, number: int) -> int:
    """Mark a message that was set aside as done, without processing it.

    Returns:
        1, or 0 if no message with this number was set aside.
    """
    return _change_set_aside(conn, number, {"state": "done", "outcome": "dropped by the operator"})


def _change_set_aside(conn: Connection, number: int | None, values: dict[str, Any]) -> int:
    where = _INBOX.c.state == "set-aside"
    if number is not None:
        where &= _INBOX.c.number == number
    return conn.execute(update(_INBOX).where(where).values(**values)).rowcount


def forget_senders(conn: Connection, addresses: Sequence[str]) -> None:
    """Delete the contents and senders of all messages from `addresses`, which count as processed.

    The keys stay, so that a second copy of a message is recognised.
    """
    stored = select(_INBOX.c.key, _INBOX.c.raw).where(_INBOX.c.raw.is_not(None))
    rows = conn.execute(stored.execution_options(yield_per=READ_BATCH))
    for key in [key for key, raw in rows if not _list_senders(raw).isdisjoint(addresses)]:
        conn.execute(_UPDATE, {"of_key": key, "raw": None, "error": "", "state": "done"})
    for address in addresses:
        is_theirs = _INBOX.c.sent_as.startswith(f"{address} ", autoescape=True)
        conn.execute(update(_INBOX).where(is_theirs).values(sent_as=""))


def _list_senders(raw: bytes) -> set[str]:
    field = _FROM_FIELD.search(raw)
    return {*list_recipients(field[0].decode("ascii", "replace"))} if field else set()


def has_unprocessed(conn: Connection) -> bool:
    """Return whether any message waits to be processed; timers run only if there is none."""
    query = select(_INBOX.c.key).where(_INBOX.c.state == "new").limit(1)
    return conn.execute(query).first() is not None
