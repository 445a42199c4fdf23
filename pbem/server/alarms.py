"""Alarms: emails to the operator about problems.

The checks of `health` run each minute. A problem in two runs in a row causes an alarm. The operator
is emailed about the same problem at most once a day, and at most ten times a day in all. An alarm
never causes another alarm, because it is logged only as a warning, and a bounced alarm email is
ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from pbem.server.health import HealthCheck
from pbem.service.app import App
from pbem.service.unit_of_work import UnitOfWork
from pbem.store import rate_limits

ALARM_INTERVAL: Final = timedelta(days=1)  # time until the same alarm is sent again
MAX_ALARMS: Final = 10  # alarm emails in that time
_COUNTER: Final = "alarm"
_ALL: Final = ""  # the subject of the counter of all alarms

log = structlog.get_logger()


class AlarmWatch:
    """An observer of the health checks that emails the operator about lasting problems."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._wrong: set[str] = set()

    async def look(self, checks: Sequence[HealthCheck]) -> None:
        """Raise an alarm about the problems in `checks` that also existed at the previous call."""
        failures = {_key(check): check for check in checks if not check.is_well}
        lasting = {key: check for key, check in failures.items() if key in self._wrong}
        self._wrong = {*failures}
        if lasting:
            app = self._app
            await app.database.write(lambda conn: raise_alarm(conn, app, lasting))


def raise_alarm(conn: Connection, app: App, failures: dict[str, HealthCheck]) -> None:
    """Email the operator about all problems if any of them was not reported in the last day.

    No email is queued if the limit of `MAX_ALARMS` emails a day is reached, or if the operator has
    no address.

    Args:
        conn: The connection of the transaction.
        app: The running service.
        failures: The failed checks, by a key that identifies the problem.
    """
    now = app.now()
    keys = [key for key in failures if rate_limits.find_usage(conn, _COUNTER, key, now) is None]
    if not keys:
        return
    usage = rate_limits.count_use(conn, _COUNTER, _ALL, span=ALARM_INTERVAL, now=now)
    for key in keys:
        rate_limits.count_use(conn, _COUNTER, key, span=ALARM_INTERVAL, now=now)
    if usage.count > MAX_ALARMS:
        return
    log.warning("alarm_raised", checks=keys)
    if not app.site.operator:
        return
    uow = UnitOfWork(app, conn, f"alarm:{now.isoformat()}")
    faults = [(check.name, check.fault) for check in failures.values()]
    uow.emails.write_to_address(app.site.operator, "alarm", faults=faults)
    uow.finish()


def _key(check: HealthCheck) -> str:
    return f"{check.name} {check.affected_parts}".strip()
