"""Renewal of the source of random draws after a restore from a backup.

Players may have been shown random draws that the backup does not contain (`pbem.store.backup`). So
in each match that is not over, the hash chains from which its draws are computed are replaced. This
happens before anything else, and before emails are fetched again. Players then get the board by
email, because a move that they made after the backup, on a page or in a deleted email, is lost.
Each match has a unit of work of its own. If the process ends in between, the next start continues
with the remaining matches.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from pbem.match.automatic import renew_draws
from pbem.match.events import ChanceRenewed
from pbem.names import MatchId
from pbem.service.app import App
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log

NUMBER_BYTES: Final = 6  # bytes of the number of new hash chains; JSON keeps integers of 53 bits


def renew_draws_after_restore(
    conn: Connection, app: App, match_id: MatchId, restored_to: datetime
) -> None:
    """Replace the secrets of a match's random draws after a restore, unless this was done before.

    Args:
        conn: The connection of the transaction.
        app: The service.
        match_id: The match, which must be a challenge or running.
        restored_to: The time of the backup that was restored.
    """
    events = [caused.event for caused in event_log.load_events(conn, match_id)]
    if any(
        isinstance(event, ChanceRenewed) and event.restored_to == restored_to for event in events
    ):
        return
    number = 1 + int.from_bytes(app.entropy(NUMBER_BYTES), "big")
    uow = UnitOfWork(app, conn, f"restored:{match_id}:{number}")
    renewed = renew_draws(
        uow.load_match(match_id),
        event_log.find_secret(conn, match_id),
        number=number,
        restored_to=restored_to,
        now=uow.now,
    )
    uow.append(match_id, renewed)
    uow.finish()
