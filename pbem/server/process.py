"""Process inbox messages, each in one unit of work (commit B of docs/architecture.md)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from pbem.service.app import App
from pbem.service.incoming import process_message
from pbem.store import inbox
from pbem.store.database import AlreadyAppliedError
from pbem.store.tables import InboxRow

MAX_PER_PASS: Final = 50  # messages that one pass processes
RETRY_PAUSES: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
)  # after the first and the second failure; after the third, the message is set aside

log = structlog.get_logger()


async def process_due_messages(app: App) -> int:
    """Process the messages that are due, oldest first, at most `MAX_PER_PASS`.

    An attempt is counted and committed before it is made, so that a message that crashes the
    process is set aside after three attempts. The transaction that finishes one message also counts
    the attempt for the next message. After a failure the function returns, and the failed message
    waits.

    Returns:
        The number of messages that were tried.
    """
    row = await app.database.write(lambda conn: inbox.claim_next(conn, app.now()))
    attempts = 0
    while row is not None:
        attempts += 1
        row = await _process(app, row, is_last=attempts == MAX_PER_PASS)
    return attempts


async def _process(app: App, row: InboxRow, *, is_last: bool) -> InboxRow | None:
    """Process the message of `row`, count an attempt at the next message, and return that message.

    Return None if no message is due, or if processing failed. If `is_last` is set, the pass ends
    with this message, and the result is None, too.
    """

    def finish(conn: Connection, outcome: str) -> InboxRow | None:
        inbox.finish(conn, row.key, outcome, sent_as=row.sent_as)
        return None if is_last else inbox.claim_next(conn, app.now())

    def unit(conn: Connection) -> tuple[str, InboxRow | None]:
        outcome = process_message(conn, app, row)
        return outcome, finish(conn, outcome)

    try:
        outcome, following = await app.database.write(unit)
    except AlreadyAppliedError:
        return await app.database.write(lambda conn: finish(conn, "done before"))
    except Exception as error:
        log.exception("message_failed", key=row.key, attempt=row.attempts)
        await _note_failure(app, row, error)
        return None
    log.info("message_processed", key=row.key, outcome=outcome)
    return following


async def _note_failure(app: App, row: InboxRow, error: Exception) -> None:
    pause = RETRY_PAUSES[min(row.attempts, len(RETRY_PAUSES)) - 1]
    is_set_aside = await app.database.write(
        lambda conn: inbox.note_failure(
            conn, row.key, f"{type(error).__name__}: {error}", app.now() + pause
        )
    )
    if is_set_aside:
        log.error("message_set_aside", key=row.key)
