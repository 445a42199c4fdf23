"""Clock credits for the time in which the service was down.

Every minute the server records that it is alive. If it starts again after more than ten
minutes, each running clock gets that time back. Each match is credited in a unit of work of
its own. If the process ends in between, the next start credits the remaining matches.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pbem.match.events import DeadlineExtended, ExtensionReason
from pbem.match.timing import credit_time
from pbem.names import MatchId
from pbem.service.app import App
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import event_log, waiting

MIN_DOWNTIME: Final = timedelta(minutes=10)  # a shorter downtime is not given back


def credit_downtime(
    conn: Connection, app: App, match_id: MatchId, *, begin: datetime, end: datetime
) -> None:
    """Add the time for which the service was down to the running clocks of the match.

    Downtime that was credited before is left out. A seat gets no time if its scheduled move was
    received before the downtime, because its clock counts only the time until the move was
    received.

    Args:
        conn: The connection of the transaction.
        app: The running service.
        match_id: The match.
        begin: The time at which the service was last known to be alive.
        end: The time at which the service started again.
    """
    uow = UnitOfWork(app, conn, f"downtime:{match_id}:{end.isoformat()}")
    begin = max([begin, *(event.at for event in list_downtime_credits(conn, match_id))])
    match = uow.load_match(match_id)
    for seat in match.clocks.running if match.clocks is not None else ():
        row = waiting.find_scheduled_move(conn, match_id, seat)
        if row is None or row.received_at > begin:  # else its clock does not count the downtime
            reason = ExtensionReason.DOWNTIME
            uow.append(match_id, credit_time(match, begin, end, reason, now=uow.now, seat=seat))
    uow.finish()


def list_downtime_credits(conn: Connection, match_id: MatchId) -> list[DeadlineExtended]:
    """Return the match's events that added time to clocks because of downtime, oldest first."""
    events = [row.event for row in event_log.load_events(conn, match_id)]
    extended = [event for event in events if isinstance(event, DeadlineExtended)]
    return [event for event in extended if event.reason is ExtensionReason.DOWNTIME]
