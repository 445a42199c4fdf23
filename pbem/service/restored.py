"""After a restore from a backup, each match that is not over replaces its chains of draws.

Players may have been shown draws that the backup does not have (`pbem.store.backup`). This happens
before anything else, and before emails are fetched again. Players get the board, since they may
have moved after the backup by a page, or in an email that is gone. Each match is a unit of work of
its own; if the process ends between two of them, the next start goes on.
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

NUMBER_BYTES: Final = 6  # of the random number of chains; JSON keeps integers of 53 bits


def follow_restore(conn: Connection, app: App, match_id: MatchId, restored_to: datetime) -> None:
    """Replace the chains of draws of a match, unless that was done after this restore.

    Args:
        conn: The connection of the transaction.
        app: The service.
        match_id: A challenge or a running match.
        restored_to: When the backup was made.
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
