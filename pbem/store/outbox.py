"""The outbox: emails are queued in the transaction of their cause and sent by a loop of its own.

Text and HTML are rendered when an email is queued. The sender claims it, which stores the final
bytes (commit C), sends them, and notes the reply (commit D). After a crash between both the same
bytes are sent again under the same Message-ID, so that a mail program shows the email once. The
key is made of cause, match and recipient, so a cause that is executed again fails as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, bindparam, case, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pbem.store.database import AlreadyAppliedError
from pbem.store.rows import to_optional_row, to_row
from pbem.store.tables import OutboxRow

RETRY_PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
PATIENCE: Final = 3  # attempts after which an email that was being sent at a crash waits
CLAIMED_FOR: Final = timedelta(minutes=10)  # no other process sends a claimed email for so long
URGENT_KINDS: Final = ("turn", "reminder", "refusal", "alarm")  # a clock or the operator waits
GIVE_UP_AFTER: Final = timedelta(days=4)  # an email that the relay has not taken by then fails

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


def queue_email(conn: Connection, email: OutboxRow, now: datetime) -> None:
    """Queue an email.

    Raises:
        AlreadyAppliedError: There is an email with this key: its cause was executed before.
    """
    values = email.model_dump(exclude={"id"}) | {"queued_at": now, "next_attempt_at": now}
    try:
        conn.execute(_INSERT, values)
    except IntegrityError as error:
        raise AlreadyAppliedError(f"there is an email {email.key}") from error


def list_due(
    conn: Connection, now: datetime, limit: int, *, others: int | None = None
) -> list[OutboxRow]:
    """Return the emails that are due, urgent ones first, then by age.

    Args:
        conn: The connection.
        now: The time.
        limit: How many at most.
        others: How many that are not urgent, at most; None for any number.
    """
    rows = conn.execute(_LIST_DUE, {"now": now, "limit": limit}).mappings()
    due = [to_row(OutboxRow, row) for row in rows]
    urgent = sum(row.kind in URGENT_KINDS for row in due)
    return due if others is None else due[: urgent + others]


def claim_email(conn: Connection, email_id: int, data: bytes, now: datetime) -> bool:
    """Store the final bytes of an email and count an attempt, before it is sent.

    Returns:
        False if the email was dropped meanwhile, or another process sends it.
    """
    values = {"state": "sending", "data": data, "next_attempt_at": now + CLAIMED_FOR}
    return conn.execute(_CLAIM, {"of_id": email_id, "now": now, **values}).rowcount > 0


def mark_sent(conn: Connection, email_id: int, reply: str, now: datetime) -> None:
    """Note that the relay has taken an email. Of its parts only the text is still needed."""
    values = {"state": "sent", "sent_at": now, "next_attempt_at": None, "smtp_reply": reply}
    parts: dict[str, Any] = {"data": None, "html": "", "attachments": {}, "pictures": {}}
    conn.execute(_UPDATE, {"of_id": email_id, **values, **parts})


def mark_failed(
    conn: Connection, email: OutboxRow, reply: str, now: datetime, *, is_permanent: bool
) -> bool:
    """Note that the relay refused an email. Return whether it is given up."""
    gives_up = is_permanent or now - email.queued_at > GIVE_UP_AFTER
    pause = RETRY_PAUSES[min(email.attempts, len(RETRY_PAUSES) - 1)]
    values = {
        "state": "failed" if gives_up else "queued",
        "next_attempt_at": None if gives_up else now + pause,
        "smtp_reply": reply,
    }
    conn.execute(_UPDATE, {"of_id": email.id, **values})
    return gives_up


def mark_returned(conn: Connection, email: OutboxRow, report: str) -> bool:
    """Note that an email came back after the relay had taken it. Return False if that is known."""
    returned = conn.execute(
        update(_OUTBOX)
        .where(_OUTBOX.c.id == email.id, _OUTBOX.c.state == "sent")
        .values(state="failed", smtp_reply=report)
    )
    return returned.rowcount > 0


def find_by_id_prefix(conn: Connection, prefix: str) -> OutboxRow | None:
    """Return the email whose Message-ID begins so, or None."""
    where = _OUTBOX.c.message_id.startswith(prefix, autoescape=True)
    return to_optional_row(OutboxRow, conn.execute(select(_OUTBOX).where(where)).mappings().first())


def release_claims(conn: Connection, now: datetime) -> None:
    """Let emails that a process was sending when it ended be sent again, with the same bytes.

    One that was tried often waits for a while, so that it cannot end each process.
    """
    waits = _OUTBOX.c.attempts >= PATIENCE
    at = case((waits, now + RETRY_PAUSES[PATIENCE]), else_=now)
    conn.execute(update(_OUTBOX).where(_OUTBOX.c.state == "sending").values(next_attempt_at=at))


def drop_unsent(conn: Connection, *, player: str) -> None:
    """Drop all emails to a player that were not sent yet."""
    conn.execute(_DROP_ALL, {"of_player": player})


def drop_prompts(conn: Connection, *, player: str, match: str) -> datetime | None:
    """Drop emails that only ask for a move and were not sent yet, because a newer one does.

    Returns:
        Since when the oldest of them announced the player's turn; None if none did.
    """
    values = {"of_player": player, "of_match": match}
    dropped = conn.execute(_DROP_PROMPTS, values).scalars()
    return min((since for since in dropped if since is not None), default=None)


def list_unsent_matches(conn: Connection, player: str) -> list[str]:
    """Return the matches about which a player has emails that were not sent yet."""
    query = (
        select(_OUTBOX.c.match)
        .where(
            _OUTBOX.c.state == "queued", _OUTBOX.c.player == player, _OUTBOX.c.match.is_not(None)
        )
        .distinct()
        .order_by(_OUTBOX.c.match)
    )
    return [*conn.execute(query).scalars()]


def forget_reader(conn: Connection, player: str) -> None:
    """Drop the unsent emails to a player, and delete the words of all emails that they got."""
    drop_unsent(conn, player=player)
    conn.execute(
        update(_OUTBOX)
        .where(_OUTBOX.c.player == player)
        .values(subject="", text="", html="", pictures={}, data=None, address="")
    )


def list_by_message_ids(conn: Connection, message_ids: Sequence[str]) -> list[OutboxRow]:
    """Return the emails that we sent under some of these Message-IDs, in their order."""
    found = conn.execute(_LIST_BY_MESSAGE_IDS, {"message_ids": message_ids}).mappings()
    rows = {row["message_id"]: row for row in found}
    return [to_row(OutboxRow, rows[one]) for one in message_ids if one in rows]


def resend_failed(conn: Connection, email_id: int, now: datetime) -> bool:
    """Let an email be sent that was given up. Return False if there is none with this id."""
    where = (_OUTBOX.c.id == email_id) & (_OUTBOX.c.state == "failed")
    values = {"state": "queued", "attempts": 0, "queued_at": now, "next_attempt_at": now}
    return conn.execute(update(_OUTBOX).where(where).values(**values)).rowcount > 0


def list_emails(conn: Connection, state: str, *, limit: int) -> list[OutboxRow]:
    """Return the newest emails in a state."""
    query = (
        select(_OUTBOX).where(_OUTBOX.c.state == state).order_by(_OUTBOX.c.id.desc()).limit(limit)
    )
    return [to_row(OutboxRow, row) for row in conn.execute(query).mappings()]


def next_due(conn: Connection) -> datetime | None:
    """Return when the next email is due."""
    query = select(func.min(_OUTBOX.c.next_attempt_at)).where(
        _OUTBOX.c.state.in_(("queued", "sending"))
    )
    return conn.execute(query).scalar()
