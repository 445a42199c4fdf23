"""No statement goes through a table that grows with the years: not in a turn, nor by the clock."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from bench._periodic import PERIODIC
from pbem.store import tables
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.engines import on_both

pytestmark = on_both

SMALL = {
    "checkpoint",
    "log_head",
    "identity",
    "runner_state",
    "rate",
    "question",
    "no_mail_to",
    "match_still",
    "touched",
}
"""Tables of few rows, or of such as are forgotten after days."""

AT_THE_START = ("SELECT player.id, player.name, player.name_folded FROM player",)
"""Statements that may walk: names are folded as today's code does."""

_TABLES = {table.name for table in tables.METADATA.sorted_tables}
_PARTIAL = {
    index.name
    for table in tables.METADATA.sorted_tables
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
}
"""Indexes of those rows only that wait for something, or are kept: they may be walked."""

_WALKED = re.compile(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?")


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
    found: dict[str, str] = {}
    if conn.dialect.name == "postgresql":
        for way in ("seqscan", "bitmapscan", "mergejoin", "hashjoin"):
            # Of tables with few rows it would rather read all.
            conn.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    for statement, values in seen.items():
        plain = " ".join(statement.split())
        if plain.startswith(AT_THE_START) or not plain.startswith(
            ("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")
        ):
            continue
        steps = _on_postgresql if conn.dialect.name == "postgresql" else _on_sqlite
        for table in steps(conn, statement, values):
            if table not in SMALL:
                found[plain] = table
    return found


def _on_sqlite(conn: Connection, statement: str, values: Any) -> Iterator[str]:
    plan = [step[3] for step in conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    sorts = any(step.startswith("USE TEMP B-TREE FOR ORDER BY") for step in plan)
    for step in plan:
        scan = _WALKED.match(step)
        if scan is None or scan[1] not in _TABLES or scan[2] in _PARTIAL:
            continue
        # Who wants the first ones, in an order that is there, does not walk far.
        if sorts or "LIMIT" not in statement:
            yield scan[1]


def _on_postgresql(conn: Connection, statement: str, values: Any) -> Iterator[str]:
    ((plan,),) = conn.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values)
    made = json.loads(plan) if isinstance(plan, str) else plan
    yield from _walks(made[0]["Plan"], limited=False)


def _walks(node: dict[str, Any], *, limited: bool) -> Iterator[str]:
    table, index = node.get("Relation Name"), node.get("Index Name")
    if table in _TABLES and node["Node Type"] != "ModifyTable":
        found = "Index Cond" in node or "TID Cond" in node or index in _PARTIAL
        if not found and not (limited and index is not None):
            yield str(table)
    # Below a sort all rows are read, whatever is above it.
    limited = (limited or node["Node Type"] == "Limit") and node["Node Type"] != "Sort"
    for inner in node.get("Plans", ()):
        yield from _walks(inner, limited=limited)


async def required_not_to_walk(club: Club, seen: dict[str, Any]) -> None:
    found = await asyncio.wrap_future(club.house.db.write(partial(walked, seen=dict(seen))))
    assert found == {}


async def test_no_table_that_grows_is_walked_through_by_letters(tmp_path: Path) -> None:
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
    assert len(seen) > 50
    await required_not_to_walk(club, seen)


async def test_no_table_that_grows_is_walked_through_by_the_clock(tmp_path: Path) -> None:
    club = open_club(tmp_path)
    with statements() as seen:
        for look in PERIODIC.values():
            await asyncio.to_thread(look, club.house)
    assert len(seen) > 50
    await required_not_to_walk(club, seen)
