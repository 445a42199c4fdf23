"""What each runner did last, for `pbem status`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from pbem.store import tables
from pbem.store.dialects import insert_or_update

_NOTE = insert_or_update(tables.runner_state, "runner")


@dataclass(frozen=True, slots=True)
class RunnerState:
    """A runner's last sign of life."""

    runner: str
    last_at: datetime
    what: str


def note(conn: Connection, runner: str, now: datetime, what: str) -> None:
    """Say what a runner just did."""
    conn.execute(_NOTE[conn.dialect.name], {"runner": runner, "last_at": now, "what": what})


def keep_only(conn: Connection, runners: Collection[str]) -> None:
    """Forget all others: what reads no mailbox any more shall not be called silent."""
    conn.execute(delete(tables.runner_state).where(tables.runner_state.c.runner.not_in(runners)))


def forget(conn: Connection, *, marks: Collection[str]) -> None:
    """Forget the runners of processes that are gone: their names end with these."""
    for mark in marks:
        ours = tables.runner_state.c.runner.endswith(mark, autoescape=True)
        conn.execute(delete(tables.runner_state).where(ours))


def states(conn: Connection) -> list[RunnerState]:
    """The last sign of life of every runner, by name."""
    rows = conn.execute(select(*tables.runner_state.columns).order_by(tables.runner_state.c.runner))
    return [RunnerState(*row) for row in rows]


def state(conn: Connection, runner: str) -> RunnerState | None:
    """A runner's last sign of life, if it ever gave one."""
    wanted = select(*tables.runner_state.columns).where(tables.runner_state.c.runner == runner)
    row = conn.execute(wanted).one_or_none()
    return None if row is None else RunnerState(*row)
