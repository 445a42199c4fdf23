"""Problems that occurred while the service ran, for `status`, metrics and alarms.

A fault has a name, such as the name of a loop or of an error in the log. A fault is kept until it
is cleared, or until a day has passed since it last occurred.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from pbem.store.rows import to_row
from pbem.store.tables import FaultRow

RETENTION: Final = timedelta(days=1)  # how long a fault is kept after its last occurrence
MAX_TEXT: Final = 500  # characters of the description of a fault

_FAULT = FaultRow.__table__  # type: ignore[attr-defined]


def note_fault(conn: Connection, name: str, text: str, now: datetime, count: int = 1) -> None:
    """Record `count` occurrences of a problem, and delete faults that did not occur for a day.

    `name` identifies the problem, and `text` describes its newest occurrence, at the time `now`.
    """
    conn.execute(delete(_FAULT).where(_FAULT.c.at < now - RETENTION))
    text = text[:MAX_TEXT]
    values = {"text": text, "at": now, "count": _FAULT.c.count + count}
    changed = conn.execute(update(_FAULT).where(_FAULT.c.name == name).values(**values))
    if changed.rowcount == 0:
        conn.execute(insert(_FAULT).values(name=name, text=text, count=count, since=now, at=now))


def clear_fault(conn: Connection, name: str) -> None:
    """Delete the fault `name`, if it is recorded, because the affected part works again."""
    conn.execute(delete(_FAULT).where(_FAULT.c.name == name))


def clear_faults(conn: Connection, prefix: str) -> None:
    """Delete all faults whose names begin with `prefix`."""
    conn.execute(delete(_FAULT).where(_FAULT.c.name.startswith(prefix, autoescape=True)))


def list_faults(conn: Connection, now: datetime) -> list[FaultRow]:
    """Return the faults that occurred in the day before the time `now`, sorted by name."""
    query = select(_FAULT).where(_FAULT.c.at >= now - RETENTION).order_by(_FAULT.c.name)
    return [to_row(FaultRow, row) for row in conn.execute(query).mappings()]
