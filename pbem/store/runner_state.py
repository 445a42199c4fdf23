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


def states(conn: Connection) -> list[RunnerState]:
    """The last sign of life of every runner, by name."""
    rows = conn.execute(select(*tables.runner_state.columns).order_by(tables.runner_state.c.runner))
    return [RunnerState(*row) for row in rows]


def last(conn: Connection, runner: str) -> datetime | None:
    """When a runner last gave a sign of life, if it ever did."""
    state = tables.runner_state.c
    at: datetime | None = conn.execute(select(state.last_at).where(state.runner == runner)).scalar()
    return at
