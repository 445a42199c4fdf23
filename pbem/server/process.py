"""Process the messages of the inbox, each in one unit of work (commit B)."""

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

RETRY_PAUSES: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
)  # after the third it is set aside

log = structlog.get_logger()


async def process_next_message(app: App) -> bool:
    """Process the oldest message that is due. Return whether there was one.

    An attempt is counted in a transaction of its own, so that a message which crashes the process
    is set aside after three attempts. One that fails waits, and the next one is processed
    meanwhile.
    """
    row = await app.database.write(lambda conn: inbox.claim_next(conn, app.now()))
    if row is None:
        return False

    def unit(conn: Connection) -> str:
        outcome = process_message(conn, app, row)
        inbox.finish(conn, row.key, outcome)
        return outcome

    try:
        outcome = await app.database.write(unit)
    except AlreadyAppliedError:
        await app.database.write(lambda conn: inbox.finish(conn, row.key, "done before"))
        return True
    except Exception as error:
        log.exception("message_failed", key=row.key, attempt=row.attempts + 1)
        await _note_failure(app, row, error)
        return True
    log.info("message_processed", key=row.key, outcome=outcome)
    return True


async def _note_failure(app: App, row: InboxRow, error: Exception) -> None:
    pause = RETRY_PAUSES[min(row.attempts, len(RETRY_PAUSES) - 1)]
    is_shunted = await app.database.write(
        lambda conn: inbox.note_failure(
            conn, row.key, f"{type(error).__name__}: {error}", app.now() + pause
        )
    )
    if is_shunted:
        log.error("message_shunted", key=row.key)
