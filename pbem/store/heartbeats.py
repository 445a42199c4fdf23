"""Named times (heartbeats) in the database, such as when the service was last alive."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from pbem.store.tables import HeartbeatRow

FETCH: Final = "fetch"  # time at which the newest complete fetch of the mailbox began
SERVE: Final = "serve"  # time at which the service was last alive
RUNNING: Final = "running"  # start of the process; a normal stop deletes it, a crash does not
RESTORED: Final = "restored"  # time of the backup from which the database was just restored

_HEARTBEAT = HeartbeatRow.__table__  # type: ignore[attr-defined]


def note_heartbeat(conn: Connection, name: str, at: datetime) -> None:
    """Record `at` as the time of the heartbeat `name`, in place of its previous time."""
    where = _HEARTBEAT.c.name == name
    if conn.execute(update(_HEARTBEAT).where(where).values(at=at)).rowcount == 0:
        conn.execute(insert(_HEARTBEAT).values(name=name, at=at))


def find_heartbeat(conn: Connection, name: str) -> datetime | None:
    """Return the recorded time of the heartbeat `name`, or None if there is none."""
    at: datetime | None = conn.execute(
        select(_HEARTBEAT.c.at).where(_HEARTBEAT.c.name == name)
    ).scalar()
    return at


def drop_heartbeat(conn: Connection, name: str) -> None:
    """Delete the heartbeat `name`, if it is recorded."""
    conn.execute(delete(_HEARTBEAT).where(_HEARTBEAT.c.name == name))
