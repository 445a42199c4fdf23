"""No statement of the service goes through a whole table that grows with the years.

Housekeeping does, once in hours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from pbem.store import tables
from tests.clubs.club import ANN, BOB, CLEO, open_club

SMALL = {"checkpoint", "log_head", "runner_state"}
"""Tables of a row for each of the few things that there are."""

SELDOM = ("SELECT coalesce(sum(length(inbox.raw)",)
"""Statements that may walk: what strangers' letters take, once in some megabytes of letters."""

_WALKED = re.compile(r"SCAN (\w+)(?! USING (COVERING )?INDEX)")
_TABLES = {table.name for table in tables.METADATA.sorted_tables}


@contextmanager
def statements() -> Iterator[dict[str, Any]]:
    """Every statement that is run meanwhile, with values that it was run with."""
    seen: dict[str, Any] = {}

    def note(*told: Any) -> None:
        _conn, _cursor, statement, values, _context, many = told
        seen[statement] = values[0] if many else values

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def walked(conn: Connection, seen: dict[str, Any]) -> dict[str, str]:
    """The statements that go through every row of a table that grows, with that table."""
    found = {}
    for statement, values in seen.items():
        if statement.startswith(SELDOM) or not statement.startswith(
            ("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")
        ):
            continue
        plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        for step in plan:
            scan = _WALKED.match(step[3])
            if scan and scan[1] in _TABLES - SMALL:
                found[" ".join(statement.split())] = scan[1]
    return found


async def test_no_table_that_grows_is_walked_through(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    with statements() as seen:
        await club.write(ANN, f"new logger with {BOB} seat_order=given")
        await club.answer(ANN, "yes")
        await club.answer(BOB, "accept")
        await club.answer(ANN, "e1\nsay Hello!")
        await club.answer(BOB, "undo")
        await club.answer(BOB, "games\nhistory\nrecord\nsettings\naddresses\nopen")
        await club.answer(BOB, "digest 18:00\nname Robert\naway 2026-12-24 2026-12-28")
        await club.answer(BOB, "new logger open 3")
        await club.write(CLEO, "hello")
        await club.wait(days=2)
        await club.answer(ANN, "resign")
        await club.wait(days=2)
    found = club.house.db.read(lambda conn: walked(conn, seen)).result()
    assert found == {}
    assert len(seen) > 50
