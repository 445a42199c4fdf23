"""The outbox: emails are queued in the transaction of their cause, and sent later by a loop.

Text and HTML are rendered when an email is queued. The loop first claims an email and stores its
final bytes (commit C). Then it sends the email, and records the mail server's reply (commit D).
After a crash between the two commits, the same bytes are sent again under the same Message-ID, so
that a mail program shows the email once.

The key of an email names its cause, match and recipient, and is unique. So if a cause is executed
twice, the second transaction fails as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, String, bindparam, case, cast, insert, select, update
from sqlalchemy.exc import IntegrityError

from pbem.store.database import AlreadyAppliedError
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import OutboxRow

RETRY_PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
"""Pauses after the first, second and each further failed attempt; the last pause is repeated."""
MAX_CRASH_ATTEMPTS: Final = 3  # after them, an email that may have caused a crash waits longer
CLAIM_DURATION: Final = timedelta(minutes=10)  # in it, no other process sends a claimed email
URGENT_KINDS: Final = ("turn", "reminder", "refusal", "alarm")  # kinds of emails sent first
MAX_RETRY_TIME: Final = timedelta(days=4)  # time after which we no longer try to send an email

_OUTBOX = OutboxRow.__table__  # type: ignore[attr-defined]

_INSERT = insert(_OUTBOX)
_UPDATE = update(_OUTBOX).where(_OUTBOX.c.id == bindparam("of_id"))
_IS_UNSENT = (_OUTBOX.c.state == "queued") | (_OUTBOX.c.state == "sending")  # faster than IN
_CLAIM = _UPDATE.where(_IS_UNSENT, _OUTBOX.c.next_attempt_at <= bindparam("now"))
_CLAIM = _CLAIM.values(attempts=_OUTBOX.c.attempts + 1)
_LIST_DUE = (
    select(_OUTBOX)
    .where(_IS_UNSENT, _OUTBOX.c.next_attempt_at <= bindparam("now"))
    .order_by(_OUTBOX.c.kind.not_in(URGENT_KINDS), _OUTBOX.c.id)
    .limit(bindparam("limit"))
)
_DROP = update(_OUTBOX).where(_OUTBOX.c.state == "queued")
_DROP = _DROP.values(state="dropped", next_attempt_at=None)
_DROP_ALL = _DROP.where(_OUTBOX.c.player == bindparam("of_player"))
_DROP_PROMPTS = _DROP_ALL.where(
    _OUTBOX.c.match == bindparam("of_match"), _OUTBOX.c.is_prompt
).returning(_OUTBOX.c.turn_since)
_LIST_BY_MESSAGE_IDS = select(_OUTBOX).where(
    _OUTBOX.c.message_id.in_(bindparam("message_ids", expanding=True))
)


def queue_email(conn: Connection, now: datetime, **values: Any) -> None:
    """Store a new email that is due at once, at the time `now`.

    `values` are the values of columns in OutboxRow by name.

    Raises:
        AlreadyAppliedError: An email with this key exists, so its cause was executed before.
    """
    try:
        conn.execute(_INSERT, {**values, "queued_at": now, "next_attempt_at": now})
    except IntegrityError as error:
        raise AlreadyAppliedError(f"there is an email {values['key']}") from error


def list_due(conn: Connection, now: datetime, limit: int, *, others: int) -> list[OutboxRow]:
    """Return the emails to send now: urgent emails first, then others, oldest first in each group.

    Args:
        conn: The connection.
        now: The current time.
        limit: The maximum number of emails.
        others: The maximum number of emails that are not urgent (kinds not in URGENT_KINDS).
    """
    rows = conn.execute(_LIST_DUE, {"now": now, "limit": limit}).mappings()
    due = [to_row(OutboxRow, row) for row in rows]
    urgent = sum(row.kind in URGENT_KINDS for row in due)
    return due[: urgent + others]


def claim_email(conn: Connection, email_id: int, data: bytes, now: datetime) -> bool:
    """Store the final bytes of an email and count an attempt, before the email is sent.

    Returns:
        True if the caller may send the email now. False if the email was dropped, or another
        attempt to send it is under way.
    """
    values = {"state": "sending", "data": data, "next_attempt_at": now + CLAIM_DURATION}
    return conn.execute(_CLAIM, {"of_id": email_id, "now": now, **values}).rowcount > 0


def mark_sent(conn: Connection, email_id: int, reply: str, now: datetime) -> None:
    """Record that the mail server accepted an email, and delete its contents except the text.

    The text stays, so that we recognise it in replies that quote it. `reply` is the answer of the
    mail server.
    """
    values = {"state": "sent", "sent_at": now, "next_attempt_at": None, "smtp_reply": reply}
    parts: dict[str, Any] = {"data": None, "html": "", "attachments": {}, "pictures": {}}
    conn.execute(_UPDATE, {"of_id": email_id, **values, **parts})


def mark_failed(
    conn: Connection, email: OutboxRow, reply: str, now: datetime, *, is_permanent: bool
) -> bool:
    """Record that the mail server did not accept an email, and return whether the email has failed.

    The email fails if `is_permanent`, or if MAX_RETRY_TIME has passed since it was queued.
    Otherwise it is sent again after a pause. `reply` is the answer of the mail server.
    """
    gives_up = is_permanent or now - email.queued_at > MAX_RETRY_TIME
    pause = RETRY_PAUSES[min(email.attempts, len(RETRY_PAUSES) - 1)]
    values = {
        "state": "failed" if gives_up else "queued",
        "next_attempt_at": None if gives_up else now + pause,
        "smtp_reply": reply,
    }
    conn.execute(_UPDATE, {"of_id": email.id, **values})
    return gives_up


def mark_returned(conn: Connection, email: OutboxRow, report: str) -> bool:
    """Mark a sent email as failed because it bounced, and return whether its state was `sent`.

    The result is False if an earlier bounce of the same email has been recorded. `report` is the
    reason for the bounce, for the operator.
    """
    returned = conn.execute(
        update(_OUTBOX)
        .where(_OUTBOX.c.id == email.id, _OUTBOX.c.state == "sent")
        .values(state="failed", smtp_reply=report)
    )
    return returned.rowcount > 0


def find_by_id_prefix(conn: Connection, prefix: str) -> OutboxRow | None:
    """Return the email whose Message-ID begins with `prefix`, or None if there is none.

    Such a prefix follows from the address to which a bounce of the email was sent.
    """
    where = _OUTBOX.c.message_id.startswith(prefix, autoescape=True)
    return to_optional_row(OutboxRow, conn.execute(select(_OUTBOX).where(where)).mappings().first())


def release_claims(conn: Connection, now: datetime) -> None:
    """Make emails due again if they were being sent when the previous process ended.

    They are sent again with the same bytes. They are due at the time `now`. An email that has had
    MAX_CRASH_ATTEMPTS attempts is due half an hour later, because it may be the cause of a crash.
    """
    is_waiting = _OUTBOX.c.attempts >= MAX_CRASH_ATTEMPTS
    at = case((is_waiting, now + RETRY_PAUSES[MAX_CRASH_ATTEMPTS]), else_=now)
    conn.execute(update(_OUTBOX).where(_OUTBOX.c.state == "sending").values(next_attempt_at=at))


def drop_unsent(conn: Connection, *, player: str) -> None:
    """Mark all queued emails to a player as dropped, so that they are not sent."""
    conn.execute(_DROP_ALL, {"of_player": player})


def drop_prompts(conn: Connection, *, player: str, match: str) -> datetime | None:
    """Drop a player's queued emails about a match that only ask for a move.

    They are not needed any longer, because the player gets a newer email or sees the page.

    Returns:
        The time since which it is the player's turn: the earliest `turn_since` of the dropped
        emails. None if no dropped email has such a time.
    """
    values = {"of_player": player, "of_match": match}
    dropped = conn.execute(_DROP_PROMPTS, values).scalars()
    return min((since for since in dropped if since is not None), default=None)


def list_unsent_matches(conn: Connection, player: str) -> list[str]:
    """Return the ids of the matches about which emails to a player are queued, sorted."""
    query = (
        select(_OUTBOX.c.match)
        .where(
            _OUTBOX.c.state == "queued", _OUTBOX.c.player == player, _OUTBOX.c.match.is_not(None)
        )
        .distinct()
        .order_by(_OUTBOX.c.match)
    )
    return [*conn.execute(query).scalars()]


def forget_reader(conn: Connection, player: str, addresses: Sequence[str]) -> None:
    """Drop the unsent emails to a player or to `addresses`, and delete the contents of all."""
    is_theirs = (_OUTBOX.c.player == player) | _OUTBOX.c.address.in_(addresses)
    state = case((_IS_UNSENT, "dropped"), else_=_OUTBOX.c.state)
    key = cast(_OUTBOX.c.id, String)  # a key can contain an address
    conn.execute(
        update(_OUTBOX)
        .where(is_theirs)
        .values(subject="", text="", html="", attachments={}, pictures={}, data=None, address="")
        .values(key=key, state=state, next_attempt_at=None, smtp_reply="")
    )


def list_by_message_ids(conn: Connection, message_ids: Sequence[str]) -> list[OutboxRow]:
    """Return the emails with these Message-IDs, in the order of the ids, and skip unknown ids."""
    results = conn.execute(_LIST_BY_MESSAGE_IDS, {"message_ids": message_ids}).mappings()
    rows = {row["message_id"]: to_row(OutboxRow, row) for row in results}
    return [rows[message_id] for message_id in message_ids if message_id in rows]


def resend_failed(conn: Connection, email_id: int, now: datetime) -> bool:
    """Queue a failed email again at the time `now`, and return whether it had failed."""
    where = (_OUTBOX.c.id == email_id) & (_OUTBOX.c.state == "failed")
    values = {"state": "queued", "attempts": 0, "queued_at": now, "next_attempt_at": now}
    return conn.execute(update(_OUTBOX).where(where).values(**values)).rowcount > 0


def list_emails(conn: Connection, state: str, *, limit: int) -> list[OutboxRow]:
    """Return at most `limit` emails whose state is `state`, such as `failed`, newest first."""
    query = (
        select(_OUTBOX).where(_OUTBOX.c.state == state).order_by(_OUTBOX.c.id.desc()).limit(limit)
    )
    return [to_row(OutboxRow, row) for row in conn.execute(query).mappings()]
